"""The profile over the API: written, changed, confirmed, ended, narrowed, closed."""

from typing import Any

import pytest
from django.test import Client

from accounts.database.isolation import acting_as
from accounts.models import AuditEvent, User
from tests.people import Api, tell, the_fact, values

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


def test_a_second_employer_is_told_where_to_change_the_first_and_how_to_keep_both(
    alice: User, as_alice: Client
) -> None:
    tell(alice, "I work at Google.")
    sent = {"slot": "employer", "value": "Salt & Wax", "since": ""}
    answer = as_alice.post("/notebook/profile/add/", sent)
    page = answer.content.decode()
    assert answer.status_code == 422
    assert 'value="Salt &amp; Wax"' in page
    edit = f"/notebook/facts/{the_fact(alice, 'employer').pk}/edit/?value=Salt+%26+Wax"
    assert edit in page
    assert 'value="Salt &amp; Wax"' in as_alice.get(edit).content.decode()
    assert values(alice, "employer") == {"Google"}


@pytest.mark.parametrize(
    ("body", "status", "words"),
    [
        ({"slot": "employer", "value": "Initech"}, 409, "already have that"),
        ({"slot": "medical", "value": "asthma"}, 400, "slot"),
        ({"slot": "pets", "value": "password: hunter2-Hunter2!"}, 400, "never note"),
        ({"slot": "pets", "value": "a hen", "since": "2999-01-01"}, 400, "in the future"),
    ],
)
def test_a_fact_that_cannot_be_is_refused(
    body: dict[str, object], status: int, words: str, alice: User, alice_api: Api
) -> None:
    tell(alice, "I work at Google")
    assert refused(alice_api.post("profile", body), status, words)
    assert (values(alice, "employer"), values(alice, "pets")) == ({"Google"}, set())


def test_a_fact_is_written_with_its_beginning(alice: User, alice_api: Api) -> None:
    body = {"slot": "employer", "value": "  Google ", "since": "2024-03-14"}
    made = alice_api.post("profile", body)
    assert made.status_code == 201
    told = made.json()
    assert (told["value"], told["trust"], told["source"]) == ("Google", 1.0, "manual")
    assert told["valid_from"].startswith("2024-03-14T00:00")
    assert alice_api.get(f"profile/{told['id']}").json() == told
    assert deeds(alice) == ["written"]


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
    turned = {"slot": "employer", "value": "Lidl", **years, "over_since": "2006-01-01"}
    assert refused(alice_api.post("profile", turned), 400, "end must come after the start")
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
