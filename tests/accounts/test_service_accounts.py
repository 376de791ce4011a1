"""Service accounts: people whom a program creates and acts for, and nobody else."""

import re
from datetime import timedelta
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.db import ProgrammingError, connection
from django.test import Client
from django.utils.timezone import now
from pytest_django import Settings

from accounts import erased_list, work
from accounts.access import addresses, scopes, sub_users, tokens
from accounts.access.backends import PasswordBackend
from accounts.access.organisations import organisation_of
from accounts.database.ids import new_id
from accounts.database.isolation import acting_as
from accounts.erased_list import Kind
from accounts.models import ApiToken, SubUser, User
from conversations.models import Conversation
from privacy import account_deletion
from privacy.erase_again import erase_again
from privacy.tasks import do_what_is_due
from tests.people import PASSWORD, Api, client_for, tell, values

pytestmark = pytest.mark.django_db
for_real = pytest.mark.django_db(transaction=True)


@pytest.fixture
def service(alice: User) -> Api:
    """Alice's app."""
    return Api(alice, scopes.PEOPLE)


def created(creator: User, external_id: str, name: str = "") -> User:
    return sub_users.create(creator, external_id, name)[0].person


def acting(creator: User, external_id: str, *more: str) -> Api:
    return Api(creator, scopes.PEOPLE, *more, act_as=external_id)


def test_a_service_creates_lists_and_reads_its_people(service: Api) -> None:
    made = service.post("people", {"external_id": "u-1", "name": "Jo"})
    assert made.status_code == 201
    row = made.json()
    assert (row["external_id"], row["name"]) == ("u-1", "Jo")
    assert service.post("people", {"external_id": "u-2"}).status_code == 201
    again = service.post("people", {"external_id": "u-1", "name": "Somebody else"})
    assert (again.status_code, again.json()) == (200, row)
    listed = service.get("people").json()
    assert [one["external_id"] for one in listed["results"]] == ["u-2", "u-1"]
    assert service.get("people?external_id=u-1").json()["results"] == [row]
    assert service.get(f"people/{row['id']}").json() == row


@pytest.mark.parametrize("name", ["", "x" * 201, "u-1\nX-Act-As: u-2", "  "])
def test_an_external_id_that_no_header_can_name_is_refused(service: Api, name: str) -> None:
    refused = service.post("people", {"external_id": name})
    assert refused.status_code == 400
    assert refused.json()["errors"].keys() == {"external_id"}


def test_an_account_creates_so_many_people_and_no_more(
    alice: User, service: Api, settings: Settings
) -> None:
    settings.SUB_USERS = 1
    assert service.post("people", {"external_id": "u-1"}).status_code == 201
    refused = service.post("people", {"external_id": "u-2"})
    assert refused.status_code == 403
    assert "limit of 1 people" in refused.json()["detail"]
    assert service.post("people", {"external_id": "u-1"}).status_code == 200


@for_real
def test_a_person_is_deleted_with_all_that_is_kept(alice: User, service: Api) -> None:
    person, other = created(alice, "u-1"), created(alice, "u-2")
    tell(person, "I live in Rome")
    tell(other, "I live in Oslo")
    answer = service.send("delete", f"people/{person.pk}")
    assert answer.status_code == 200
    assert answer.json()["left"] == {}
    assert "1 conversation" in answer.json()["deleted"]
    assert service.get(f"people/{person.pk}").status_code == 404
    assert service.send("delete", f"people/{person.pk}").status_code == 404
    assert Kind.ACCOUNT in {line.kind for line in erased_list.lines() if line.user_id == person.pk}
    assert account_deletion.left_of(person.pk, person.email) == {}
    assert values(other, "location") == {"Oslo"}
    assert not mail.outbox
    assert acting(alice, "u-1").get("profile").status_code == 404


@for_real
def test_people_go_with_the_account_that_created_them(alice: User, bob: User) -> None:
    people = [created(alice, f"u-{number}") for number in range(3)]
    kept = created(bob, "u-1")
    for person in (*people, kept):
        tell(person, "I live in Rome")
    tokens.make(alice, "Service", scopes=[scopes.PEOPLE])
    User.objects.filter(pk=alice.pk).update(deleted_from=now() - timedelta(seconds=1))
    do_what_is_due()
    work.do_waiting_work()
    assert set(User.objects.values_list("pk", flat=True)) == {bob.pk, kept.pk}
    for person in (alice, *people):
        assert account_deletion.left_of(person.pk, person.email) == {}
    listed = {line.user_id for line in erased_list.lines() if line.kind == Kind.ACCOUNT}
    assert listed >= {alice.pk, *(person.pk for person in people)}
    assert values(kept, "location") == {"Rome"}
    (letter,) = mail.outbox
    assert letter.to == [alice.email]
    assert "people your programs created: 3" in letter.body


@for_real
def test_what_a_backup_brings_back_is_erased_again(alice: User) -> None:
    person = created(alice, "u-1")
    account_deletion.delete(person)
    again = User.objects.create(pk=person.pk, email=person.email, is_sub_user=True)
    with acting_as(alice):
        SubUser.objects.create(user=alice, person=again, external_id="u-1")
    assert erase_again()[Kind.ACCOUNT] == 1
    assert not User.objects.filter(pk=person.pk).exists()
    with acting_as(alice):
        assert not SubUser.objects.exists()


@for_real
def test_whose_people_are_being_deleted_cannot_be_kept_and_gets_no_more(alice: User) -> None:
    created(alice, "u-1")
    with acting_as(alice):
        account_deletion.ask(alice)
    User.objects.filter(pk=alice.pk).update(deleted_from=now() - timedelta(seconds=1))
    account_deletion._close_with_people(alice.pk, only_if_due=True)
    with acting_as(alice), pytest.raises(account_deletion.TooLate):
        account_deletion.keep(alice)
    with pytest.raises(sub_users.CannotCreate, match="being deleted"):
        created(alice, "u-2")
    assert not tokens.of(alice).exists()
    assert account_deletion.delete(alice, only_if_due=True).left == {}


def test_a_request_acts_for_whom_it_names_and_without_for_the_owner(alice: User) -> None:
    person = created(alice, "Jürgen 7%")
    tell(person, "I live in Oslo")
    tell(alice, "I live in Rome")
    for name in ("J%C3%BCrgen%207%25", str(person.pk)):
        told = acting(alice, name).get("profile").json()["results"]
        assert [fact["value"] for fact in told] == ["Oslo"]
    (fact,) = Api(alice, scopes.PEOPLE).get("profile").json()["results"]
    assert fact["value"] == "Rome"
    api = acting(alice, str(person.pk))
    assert api.send("delete", f"profile/{fact['id']}").status_code == 404
    conversation = api.post("conversations").json()["id"]
    api.post(f"conversations/{conversation}/messages", {"content": "I work at Initech"})
    assert values(person, "employer") == {"Initech"}
    assert values(alice, "employer") == set()


@pytest.mark.parametrize("path", ["profile", "conversations", "people", "/v1/models"])
def test_whom_it_did_not_create_is_not_found_whether_there_or_not(
    alice: User, bob: User, path: str
) -> None:
    theirs = created(bob, "u-1")
    tell(theirs, "I live in Oslo")
    answers = [
        acting(alice, str(name)).get(path)
        for name in ("u-1", theirs.pk, bob.pk, bob.email, alice.pk, new_id())
    ]
    assert {answer.status_code for answer in answers} == {404}
    told = {re.sub(r'"request_id": ?"[^"]+"', "", answer.content.decode()) for answer in answers}
    assert len(told) == 1


def test_a_sub_user_is_no_service(alice: User) -> None:
    person = created(alice, "u-1")
    api = acting(alice, "u-1")
    for answer in (api.get("people"), api.post("people", {"external_id": "u-2"})):
        assert answer.status_code == 403
        assert "X-Act-As" in answer.json()["detail"]
    made = api.post("tokens", {"name": "Own", "password": PASSWORD})
    assert made.status_code == 400
    with pytest.raises(ValueError, match="created by other software"):
        tokens.make(person, scopes=[scopes.PEOPLE])


def test_a_session_acts_for_nobody_else(alice: User) -> None:
    created(alice, "u-1")
    window = client_for(alice)
    refused = window.get("/api/v1/profile", headers={"X-Act-As": "u-1"})
    assert refused.status_code == 403
    assert "with a token" in refused.json()["detail"]
    assert window.get("/api/v1/people").status_code == 403


def test_a_service_that_acts_for_many_is_one_caller(alice: User, settings: Settings) -> None:
    settings.API_LIMIT = 3
    for number in range(3):
        created(alice, f"u-{number}")
        assert acting(alice, f"u-{number}").get("memory").status_code == 200
    assert acting(alice, "u-0").get("memory").status_code == 429


@pytest.mark.parametrize(
    ("held", "method", "path", "lacks"),
    [
        ([], "get", "people", "people"),
        (["read", "write"], "post", "people", "people"),
        (["people", "read"], "post", "people", "write"),
        (["people", "write"], "get", "people", "read"),
        (["read"], "post", "memories", "write"),
        (["write"], "get", "memories", "read"),
        (["write"], "post", "context", "read"),
        (["read", "shared.people"], "put", "namespaces/shared.people/consent", "write"),
    ],
)
def test_a_scope_that_is_missing_is_named(
    alice: User, held: list[str], method: str, path: str, lacks: str
) -> None:
    refused = Api(alice, *held).send(method, path, {"external_id": "u-1"})
    assert refused.status_code == 403
    assert f"doesn’t have the scope “{lacks}”" in refused.json()["detail"]


def test_a_token_that_only_reads_starts_no_answer_of_openais_endpoint(alice: User) -> None:
    held = ["read", "people"]
    body = {"model": "throughline", "messages": [{"role": "user", "content": "I live in Oslo"}]}
    refused = Api(alice, *held).send("post", "/v1/chat/completions", body)
    assert refused.status_code == 403
    assert "“write”" in refused.json()["error"]["message"]
    assert Api(alice, *held).send("get", "/v1/models").status_code == 200
    assert values(alice, "location") == set()


@pytest.mark.parametrize("held", [[], ["read"], ["read", "write"], ["shared.*"]])
def test_without_the_scope_nobody_is_acted_for(alice: User, held: list[str]) -> None:
    created(alice, "u-1")
    for name in ("u-1", "u-2"):
        refused = Api(alice, *held, act_as=name).get("profile")
        assert refused.status_code == 403
        assert "doesn’t have the scope “people”" in refused.json()["detail"]


@pytest.mark.parametrize(
    ("held", "method", "path", "body"),
    [
        (["read"], "post", "context", {"question": "Where do I live?"}),
        (["write"], "post", "memories", {"content": "Keeps three hens"}),
        (["people"], "post", "memories", {"content": "Keeps three hens"}),
        (["people", "shared.people"], "get", "people", None),
        (["read", "shared.people"], "get", "namespaces", None),
    ],
)
def test_a_scope_opens_what_it_says(
    alice: User, held: list[str], method: str, path: str, body: Any
) -> None:
    assert Api(alice, *held).send(method, path, body).status_code in {200, 201}


def test_a_service_limited_to_a_namespace_is_limited_for_its_people(alice: User) -> None:
    created(alice, "u-1")
    refused = acting(alice, "u-1", "shared.people").get("profile")
    assert refused.status_code == 403
    assert "some memory namespaces" in refused.json()["detail"]


def test_a_service_token_ends_and_its_people_stay(alice: User) -> None:
    created(alice, "u-1")
    token, secret = tokens.make(alice, "Service", days=1, scopes=[scopes.PEOPLE])
    sent = {"Authorization": f"Token {secret}", "X-Act-As": "u-1"}
    assert Client().get("/api/v1/profile", headers=sent).status_code == 200
    found = sub_users.find(alice, "u-1")
    assert found is not None
    person = found.person
    assert tokens.still_opens(token, person)
    ApiToken.objects.filter(pk=token.pk).update(expiry=now() - timedelta(seconds=1))
    assert Client().get("/api/v1/profile", headers=sent).status_code == 401
    assert not tokens.still_opens(token, person)
    assert acting(alice, "u-1").get("profile").status_code == 200


@for_real
def test_a_stream_ends_for_a_person_who_is_deleted(alice: User) -> None:
    person = created(alice, "u-1")
    token, _ = tokens.make(alice, scopes=[scopes.PEOPLE])
    assert tokens.still_opens(token, person)
    account_deletion.delete(person)
    assert not tokens.still_opens(token, person)
    assert tokens.still_opens(token, alice)


def test_a_demo_person_and_a_site_that_turned_it_off_have_no_services(
    alice: User, settings: Settings
) -> None:
    made = {"name": "App", "scopes": ["people"], "password": PASSWORD}
    assert Api(alice).post("tokens", made).status_code == 201
    settings.SUB_USERS = 0
    refused = Api(alice).post("tokens", made)
    assert refused.json()["errors"]["scopes"] == ["Creating people is turned off on this site."]
    assert Api(alice, "people").post("people", {"external_id": "u-1"}).status_code == 403
    settings.SUB_USERS, settings.DEMO = 5, True
    User.objects.filter(pk=alice.pk).update(is_demo=True)
    alice.refresh_from_db()
    with pytest.raises(ValueError, match="Everyone shares this demo account"):
        tokens.make(alice, scopes=["people"])


@for_real
def test_a_sub_user_cannot_sign_in_by_any_way(alice: User) -> None:
    person = created(alice, "u-1")
    # Whatever password somebody might manage to set.
    person.set_password(PASSWORD)
    person.save()
    EmailAddress.objects.create(user=person, email=person.email, verified=True, primary=True)
    tried = Client().post("/accounts/login/", {"login": person.email, "password": PASSWORD})
    assert tried.status_code == 200
    assert not PasswordBackend().user_can_authenticate(person)
    assert client_for(person).get("/notebook/profile/").status_code == 302
    Client().post("/accounts/password/reset/", {"email": person.email})
    new = {"email": person.email, "password1": PASSWORD, "password2": PASSWORD}
    Client().post("/accounts/signup/", new)
    assert not mail.outbox
    assert User.objects.filter(email=person.email).get() == person


def test_neither_a_person_nor_their_creator_gives_way_to_who_claims_an_address(
    alice: User,
) -> None:
    person = created(alice, "u-1")
    long_ago = now() - timedelta(days=400)
    User.objects.filter(pk__in=[alice.pk, person.pk]).update(date_joined=long_ago)
    assert not addresses.release(person.email)
    assert not addresses.release(alice.email)


def test_all_people_of_services_are_one_organisation(alice: User, bob: User) -> None:
    people = [created(alice, "u-1"), created(alice, "u-2"), created(bob, "u-1")]
    assert len({organisation_of(person.email) for person in people} - {""}) == 1
    assert "" not in {organisation_of(person.email) for person in people}


def test_who_created_whom_is_shown_to_these_two_alone(alice: User, bob: User) -> None:
    person = created(alice, "u-1")
    created(bob, "u-1")
    assert not SubUser.objects.exists()
    with acting_as(person):
        assert [row.user_id for row in SubUser.objects.all()] == [alice.pk]
    with acting_as(bob):
        assert [row.user_id for row in SubUser.objects.all()] == [bob.pk]
        assert SubUser.objects.filter(person=person).delete()[0] == 0


@pytest.mark.parametrize("of_another", [True, False])
def test_nobody_makes_a_person_theirs(alice: User, bob: User, of_another: bool) -> None:
    person = created(alice, "u-1")
    statement = "update accounts_subuser set user_id = %s where person_id = %s"
    # They themselves may read the line and delete it, and never change it.
    thief = bob if of_another else person
    with acting_as(thief), connection.cursor() as cursor:
        cursor.execute(statement, [thief.pk, person.pk])
        assert cursor.rowcount == 0
    with pytest.raises(ProgrammingError, match="row-level security"), acting_as(bob):
        SubUser.objects.create(user=alice, person=bob, external_id="u-2")


def test_the_acting_person_is_the_sub_user_in_the_database_too(
    alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    person = created(alice, "u-1")
    tell(alice, "I live in Rome")
    # Whoever forgets to ask whose a conversation is.
    everybodys = Conversation.objects.all
    monkeypatch.setattr(type(Conversation.objects.all()), "for_user", lambda self, _: self.filter())
    assert acting(alice, "u-1").get("conversations").json()["results"] == []
    assert Api(alice, "people").get("conversations").json()["count"] == 1
    with acting_as(person):
        assert not everybodys().exists()
