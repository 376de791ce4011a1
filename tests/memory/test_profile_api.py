"""The profile over the API: written, changed, confirmed, ended, narrowed, closed."""

from collections.abc import Callable
from datetime import date
from typing import Any

import pytest
from django.utils.timezone import localdate

from accounts.database.isolation import acting_as
from accounts.models import AuditEvent, User
from memory.models import Override
from tests.people import Api, Talk, tell, the_fact, values

pytestmark = pytest.mark.django_db


def send(api: Api, method: str, path: str, body: object = None) -> Any:
    return getattr(api.client, method)(
        f"/api/v1/{path}",
        body or {},
        content_type="application/json",
        headers={"Authorization": f"Token {api.token}"},
    )


def deeds(user: User) -> list[str]:
    with acting_as(user):
        return list(AuditEvent.objects.order_by("at").values_list("deed", flat=True))


def refused(answer: Any, status: int, words: str) -> bool:
    problem = answer.json()
    shape = answer["Content-Type"] == "application/problem+json"
    return shape and answer.status_code == status and words in problem["detail"]


def test_a_fact_is_written_with_its_beginning(alice: User, alice_api: Api) -> None:
    body = {"slot": "employer", "value": "  Google ", "since": "2024-03-14"}
    made = alice_api.post("profile", body)
    assert made.status_code == 201
    told = made.json()
    assert (told["value"], told["trust"], told["source"]) == ("Google", 1.0, "manual")
    assert told["valid_from"].startswith("2024-03-14T00:00")
    assert alice_api.get(f"profile/{told['id']}").json() == told
    assert deeds(alice) == ["written"]


@pytest.mark.parametrize(
    ("body", "status", "words"),
    [
        ({"slot": "employer", "value": "Initech"}, 409, "already have that"),
        ({"slot": "medical", "value": "asthma"}, 400, "slot"),
        ({"slot": "pets", "value": " "}, 400, "Write what I should remember"),
        ({"slot": "pets", "value": 3}, 400, "a JSON string"),
        ({"slot": "pets", "value": "password: hunter2-Hunter2!"}, 400, "never note"),
        ({"slot": "pets", "value": "a hen", "since": "2999-01-01"}, 400, "in the future"),
        ({"slot": "pets", "value": "a hen", "since": "31.12."}, 400, "since"),
        ({}, 400, "slot"),
    ],
)
def test_a_fact_that_cannot_be_is_refused_in_the_one_shape(
    body: dict[str, object], status: int, words: str, alice: User, alice_api: Api
) -> None:
    tell(alice, "I work at Google")
    assert refused(alice_api.post("profile", body), status, words)
    assert (values(alice, "employer"), values(alice, "pets")) == ({"Google"}, set())


def test_another_wording_makes_another_fact_and_keeps_the_old_one(
    alice: User, alice_api: Api
) -> None:
    tell(alice, "I work at Google")
    old = the_fact(alice, "employer")
    told = send(alice_api, "patch", f"profile/{old.pk}", {"value": "Initech"}).json()
    assert told["id"] != str(old.pk)
    assert values(alice, "employer") == {"Initech"}
    assert values(alice, "employer", "past") == {"Google"}
    assert alice_api.get(f"profile/{old.pk}").json()["valid_to"] is not None


def test_the_beginning_alone_is_changed_and_confirms_it(alice: User, alice_api: Api) -> None:
    tell(alice, "I work at Google")
    fact = the_fact(alice, "employer")
    told = send(alice_api, "patch", f"profile/{fact.pk}", {"since": "2024-03-14"}).json()
    assert told["id"] == str(fact.pk)
    assert told["valid_from"].startswith("2024-03-14T00:00")
    assert told["trust"] == 1.0


def test_a_change_that_cannot_be_is_refused(alice: User, alice_api: Api) -> None:
    tell(alice, "I like tea. I like jazz.")
    fact = the_fact(alice, "likes", value="tea")
    path = f"profile/{fact.pk}"
    assert refused(send(alice_api, "patch", path, {"value": "jazz"}), 409, "already have jazz")
    assert refused(send(alice_api, "patch", path, {"value": ""}), 400, "Write what")
    assert values(alice, "likes") == {"tea", "jazz"}


def test_confirming_makes_it_as_sure_as_can_be(alice: User, alice_api: Api) -> None:
    tell(alice, "I work at Google")
    fact = the_fact(alice, "employer")
    assert alice_api.post(f"profile/{fact.pk}/confirm").json()["trust"] == 1.0
    assert deeds(alice)[-1] == "confirmed"


def test_what_was_taken_back_comes_back_unless_something_holds_its_place(
    alice: User, alice_api: Api
) -> None:
    tell(alice, "I work at Google")
    fact = the_fact(alice, "employer")
    path = f"profile/{fact.pk}"
    assert send(alice_api, "delete", path).status_code == 204
    assert send(alice_api, "delete", path).status_code == 404
    assert values(alice, "employer", "removed") == {"Google"}
    assert alice_api.post(f"{path}/restore").json()["value"] == "Google"
    send(alice_api, "delete", path)
    tell(alice, "I work at Initech")
    assert refused(alice_api.post(f"{path}/restore"), 409, "another value")


def test_what_is_over_keeps_its_years(alice: User, alice_api: Api) -> None:
    body = {"slot": "employer", "value": "Google", "since": "2020-01-01"}
    path = f"profile/{alice_api.post('profile', body).json()['id']}"
    assert refused(
        send(alice_api, "delete", path, {"over_since": "2999-01-01"}), 400, "in the future"
    )
    assert send(alice_api, "delete", path, {"over_since": "2024-03-14"}).status_code == 204
    past = the_fact(alice, "employer", status="past")
    assert past.valid_to is not None
    assert (past.valid_from.year, past.valid_to.year) == (2020, 2024)


def test_what_was_over_before_it_was_written_goes_into_the_history(
    alice: User, alice_api: Api
) -> None:
    tell(alice, "I work at Google")
    years = {"since": "2009-01-01", "over_since": "2016-01-01"}
    made = alice_api.post("profile", {"slot": "employer", "value": "Post AG", **years})
    assert made.status_code == 201
    told = made.json()
    assert (told["valid_from"][:4], told["valid_to"][:4]) == ("2009", "2016")
    assert values(alice, "employer") == {"Google"}
    assert values(alice, "employer", "past") == {"Post AG"}
    again = {"slot": "employer", "value": "Bosch", **years}
    assert refused(alice_api.post("profile", again), 409, "Choose different dates")
    turned = {
        "slot": "employer",
        "value": "Lidl",
        "since": "2008-01-01",
        "over_since": "2006-01-01",
    }
    assert refused(alice_api.post("profile", turned), 400, "end must come after the start")
    secret = {"slot": "pets", "value": "password: hunter2-Hunter2!", "over_since": "2006-01-01"}
    assert refused(alice_api.post("profile", secret), 400, "never note")
    assert values(alice, "employer", "past") == {"Post AG"}


def test_a_fact_is_ended_where_it_is_changed(alice: User, alice_api: Api, bob_api: Api) -> None:
    body = {"slot": "employer", "value": "Google"}
    path = f"profile/{alice_api.post('profile', body).json()['id']}"
    over = {"over_since": "2024-03-14"}
    assert send(bob_api, "patch", path, over).status_code == 404
    turned = over | {"since": "2024-03-15"}
    assert refused(send(alice_api, "patch", path, turned), 400, "end must come after the start")
    both = over | {"value": "Initech"}
    assert refused(send(alice_api, "patch", path, both), 400, "not both")
    assert values(alice, "employer") == {"Google"}
    told = send(alice_api, "patch", path, over | {"since": "2020-01-01"}).json()
    assert (told["valid_from"][:10], told["valid_to"][:10]) == ("2020-01-01", "2024-03-14")
    assert values(alice, "employer", "past") == {"Google"}
    assert alice_api.get(f"profile/{told['id']}").json()["valid_to"] == told["valid_to"]
    assert bob_api.get(f"profile/{told['id']}").status_code == 404
    assert send(alice_api, "patch", path, over).status_code == 404
    assert alice_api.post(f"{path}/restore").json()["valid_to"] is None


@pytest.mark.parametrize("method", ["delete", "patch"])
def test_nothing_is_over_before_it_began(alice: User, alice_api: Api, method: str) -> None:
    body = {"slot": "employer", "value": "Google", "since": "2020-05-01"}
    path = f"profile/{alice_api.post('profile', body).json()['id']}"
    early = send(alice_api, method, path, {"over_since": "2020-04-30"})
    assert refused(early, 400, "The end must come after the start. Pick a later day.")
    assert the_fact(alice, "employer").valid_to is None
    assert send(alice_api, method, path, {"over_since": "2020-05-02"}).status_code in (200, 204)
    past = the_fact(alice, "employer", status="past")
    assert past.valid_to is not None
    assert localdate(past.valid_to) == date(2020, 5, 2)


@pytest.mark.parametrize("method", ["delete", "patch"])
def test_what_was_noted_today_may_be_over_today(alice: User, alice_api: Api, method: str) -> None:
    tell(alice, "I work at Google")
    path = f"profile/{the_fact(alice, 'employer').pk}"
    assert send(alice_api, method, path, {"over_since": "2020-01-01"}).status_code == 400
    today = {"over_since": localdate().isoformat()}
    assert send(alice_api, method, path, today).status_code in (200, 204)
    assert values(alice, "employer", "past") == {"Google"}


def test_a_fact_is_kept_to_its_conversation(
    alice: User, alice_api: Api, talk: Callable[..., Talk]
) -> None:
    there = talk()
    there.say("I work at Google")
    assert there.conversation is not None
    fact = the_fact(alice, "employer")
    told = alice_api.post(f"profile/{fact.pk}/narrow").json()
    assert told["conversation"] == str(there.conversation.pk)
    with acting_as(alice):
        assert Override.objects.get().value == "Google"
    by_hand = alice_api.post("profile", {"slot": "pets", "value": "a hen"}).json()
    assert refused(
        alice_api.post(f"profile/{by_hand['id']}/narrow"), 409, "belong to a conversation"
    )


def test_a_kind_is_closed_listed_and_opened(alice: User, alice_api: Api) -> None:
    tell(alice, "I work at Google")
    assert alice_api.listed("profile/blocked") == []
    made = alice_api.post("profile/blocked", {"slot": "employer"})
    assert (made.status_code, made.json()["label"]) == (201, "Employer")
    assert values(alice, "employer") == set()
    assert [row["slot"] for row in alice_api.listed("profile/blocked")] == ["employer"]
    assert refused(alice_api.post("profile/blocked", {"slot": "nonsense"}), 400, "slot")
    assert alice_api.post("profile/blocked", {"slot": "medical"}).status_code == 201
    assert send(alice_api, "delete", "profile/blocked/medical").status_code == 204
    assert send(alice_api, "delete", "profile/blocked/employer").status_code == 204
    assert send(alice_api, "delete", "profile/blocked/employer").status_code == 404
    assert alice_api.listed("profile/blocked") == []
