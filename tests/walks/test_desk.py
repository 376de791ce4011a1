"""The staff desk: what staff see, of whom, what they may do, and what its owner gets to know."""

from collections.abc import Callable

import pytest
from django.contrib import admin
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Permission
from django.test import Client
from django.utils.timezone import now

from accounts.audit import Action, By
from accounts.database.isolation import acting_as
from accounts.models import AuditEvent, User
from ledger.conflicts import opening
from ledger.models import Contradiction, ProfileClassifier, Resolution
from memory.models import ProfileFact
from tests.people import client_for, dispute, tell, values

pytestmark = pytest.mark.django_db
LIST = "/admin/ledger/contradiction/"
REASON = "You told both in one week"


def asked(user: User, old: str = "Google", new: str = "Microsoft") -> Contradiction:
    """A contradiction whose owner asked for help."""
    entry = dispute(user, old, new)
    with acting_as(user):
        opening.ask_for_help(entry)
    return entry


def page_of(entry: Contradiction) -> str:
    return f"{LIST}{entry.pk}/"


def answer(entry: Contradiction, resolution: str = "keep_new", **more: str) -> dict[str, str]:
    sides = {"old": str(entry.old_fact_id), "new": str(entry.new_fact_id)}
    return {"resolution": resolution, "reason": REASON, **sides, **more}


def again(entry: Contradiction) -> Contradiction:
    with acting_as(entry.user_id):
        return Contradiction.objects.for_user(entry.user_id).get(pk=entry.pk)


def log_of(user: User, deed: Action) -> list[AuditEvent]:
    with acting_as(user):
        return list(AuditEvent.objects.filter(deed=deed).order_by("at"))


@pytest.fixture
def as_mira(mira: User) -> Client:
    return client_for(mira)


# --- Who may enter -------------------------------------------------------------------------------


@pytest.fixture
def colleague(db: None) -> Callable[..., User]:
    """A member of staff who may do what is named and nothing else."""

    def make(*permissions: str) -> User:
        user = User.objects.create_user("joe@example.org", "a phrase 42", is_staff=True)
        user.user_permissions.set(
            Permission.objects.filter(codename__in=permissions, content_type__app_label="ledger")
        )
        return user

    return make


def test_the_owner_a_stranger_and_nobody_are_sent_to_sign_in_as_staff(
    alice: User, bob: User
) -> None:
    entry = asked(alice)
    for visitor_ in (client_for(alice), client_for(bob), Client()):
        for path in (LIST, page_of(entry)):
            assert visitor_.get(path)["Location"].startswith("/admin/login/")
            assert visitor_.post(path, answer(entry))["Location"].startswith("/admin/login/")
    assert again(entry).is_open


def test_staff_without_the_permission_are_refused(
    alice: User, colleague: Callable[..., User]
) -> None:
    entry, client = asked(alice), client_for(colleague())
    for path in (LIST, page_of(entry), "/admin/ledger/profileclassifier/"):
        assert client.get(path).status_code == 403
        assert client.post(path, answer(entry)).status_code == 403
    assert again(entry).is_open
    assert log_of(alice, Action.LOOKED) == []


def test_staff_who_may_only_look_cannot_settle_and_those_who_may_do(
    alice: User, colleague: Callable[..., User]
) -> None:
    entry, person = asked(alice), colleague("view_contradiction")
    client = client_for(person)
    page = client.get(page_of(entry)).content.decode()
    assert "Google" in page
    assert "Settle and tell" not in page
    assert client.post(page_of(entry), answer(entry)).status_code == 403
    deed = {"action": "settle_by_rule", "_selected_action": str(entry.pk)}
    assert client.post(LIST, deed).status_code == 403
    assert again(entry).is_open
    person.user_permissions.add(Permission.objects.get(codename="change_contradiction"))
    assert client.post(page_of(entry), answer(entry)).status_code == 302
    assert values(alice, "employer") == {"Microsoft"}


# --- What staff see ------------------------------------------------------------------------------


def test_a_value_is_hidden_until_its_owner_asks_for_help(
    alice: User, bob: User, as_mira: Client
) -> None:
    hidden, shown = dispute(alice), asked(bob, "Initech", "Umbrella")
    listed = as_mira.get(LIST).content.decode()
    assert "alice@example.org" in listed
    assert "Google" not in listed
    assert "Microsoft" not in listed
    assert listed.count(">hidden<") == 2
    assert "Initech" in listed
    assert "Umbrella" in listed
    page = as_mira.get(page_of(hidden)).content.decode()
    assert "has not asked for help" in page
    assert "Google" not in page
    assert "Settle and tell" not in page
    page = as_mira.get(page_of(shown)).content.decode()
    assert "Initech or Umbrella?" in page
    assert "Settle and tell Bob" in page


def test_no_other_word_of_the_owner_is_on_the_page(alice: User, as_mira: Client) -> None:
    tell(alice, "I live in Wolkenkuckucksheim")
    entry = asked(alice)
    tell(alice, "I work at Google and nowhere else, whatever they tell you")
    page = as_mira.get(page_of(entry)).content.decode()
    for word in ("Wolkenkuckucksheim", "whatever they tell"):
        assert word not in page + as_mira.get(LIST).content.decode()


def test_once_it_is_settled_the_values_are_its_owners_alone_again(
    alice: User, as_mira: Client
) -> None:
    entry = asked(alice)
    as_mira.post(page_of(entry), answer(entry))
    for path in (page_of(entry), f"{LIST}?state=settled"):
        page = as_mira.get(path)
        assert page.status_code == 200
        assert "Google" not in page.content.decode()
    assert "This is settled. Now only" in as_mira.get(page_of(entry)).content.decode()


def test_its_owner_reads_who_looked_once_a_day(alice: User, bob: User, mira: User) -> None:
    entry = asked(alice)
    dispute(bob)
    for _ in range(2):
        client_for(mira).get(LIST)
        client_for(mira).get(page_of(entry))
    (line,) = log_of(alice, Action.LOOKED)
    assert (line.by, line.actor, line.subject) == (By.STAFF, mira.audit_pseudonym, entry.pk)
    assert (line.before, line.after) == ("", "")
    assert log_of(bob, Action.LOOKED) == []
    other = User.objects.create_superuser("max@example.org", "a phrase 42")
    client_for(other).get(LIST)
    assert [line.actor for line in log_of(alice, Action.LOOKED)] == [
        mira.audit_pseudonym,
        other.audit_pseudonym,
    ]


def test_no_address_lets_staff_guess_at_a_column(alice: User, as_mira: Client) -> None:
    dispute(alice)
    for column in ("since_words__contains", "old_fact__value__startswith", "drift"):
        assert as_mira.get(f"{LIST}?{column}=G").status_code == 400


def test_no_page_of_the_admin_tells_staff_a_value(alice: User, as_mira: Client) -> None:
    entry = dispute(alice, "Qwertzfirm", "Zephyrsoft")
    tell(alice, "I live in Alphaville")
    for model in admin.site._registry:
        base = f"/admin/{model._meta.app_label}/{model._meta.model_name}/"
        pages = [base, f"{base}{entry.pk}/", f"{base}{alice.pk}/change/", f"{base}add/"]
        pages += [f"{base}{alice.pk}/history/", f"{base}?q=Qwertzfirm"]
        for path in pages:
            body = as_mira.get(path, follow=True).content.decode()
            assert not [w for w in ("Zephyrsoft", "Alphaville") if w in body], path


# --- Settling ------------------------------------------------------------------------------------

WAYS: dict[str, tuple[dict[str, str], set[str]]] = {
    "keep_old": ({}, {"Google"}),
    "keep_new": ({}, {"Microsoft"}),
    "merge": ({"value": "Alphabet"}, {"Alphabet"}),
    "timeline": ({"until": "2024-02-29", "since": "2024-03-01"}, {"Microsoft"}),
    "trust_based": ({}, {"Microsoft"}),
    "dismiss": ({}, {"Google"}),
}


@pytest.mark.parametrize("way", WAYS)
def test_staff_settle_it_in_every_way_there_is(
    alice: User, mira: User, as_mira: Client, way: str
) -> None:
    entry = asked(alice)
    with acting_as(alice):
        ProfileFact.objects.filter(pk=entry.old_fact_id).update(trust=0.4)
    more, held = WAYS[way]
    told = answer(entry, way, **more)
    if way == "dismiss":
        told["dismiss"] = told.pop("resolution")
    response = as_mira.post(page_of(entry), told, follow=True)
    assert "Alice will see who settled it" in response.content.decode()
    assert values(alice, "employer") == held
    with acting_as(alice):
        made = Resolution.objects.get()
    assert (made.method, made.by, made.by_whom, made.reason) == (way, mira, By.STAFF, REASON)
    (line,) = log_of(alice, Action.SETTLED)
    assert (line.by, line.actor, line.why) == (By.STAFF, mira.audit_pseudonym, REASON)


def test_what_nobody_asked_about_cannot_be_settled_by_staff(alice: User, as_mira: Client) -> None:
    entry = dispute(alice)
    response = as_mira.post(page_of(entry), answer(entry))
    assert response.status_code == 409
    assert "has not asked for help" in response.content.decode()
    assert again(entry).is_open


def test_the_admins_own_log_says_how_and_never_what(alice: User, as_mira: Client) -> None:
    entry = asked(alice)
    as_mira.post(page_of(entry), answer(entry))
    line = LogEntry.objects.get()
    assert "the new value is right" in line.get_change_message()
    assert "oogle" not in line.object_repr + line.change_message
    assert REASON not in line.change_message
    assert "oogle" not in as_mira.get("/admin/").content.decode()


# --- The classifier ------------------------------------------------------------------------------

CLASSIFIERS = "/admin/ledger/profileclassifier/"


@pytest.fixture
def versions(db: None) -> list[ProfileClassifier]:
    figures = {
        "classifier": {"precision": 0.912, "recall": 0.9, "f1": 0.906},
        "heuristic": {"precision": 0.5, "recall": 0.4, "f1": 0.444},
        "learned": {"decisions": 300, "kept": 150, "people": 15},
        "held_out": {"decisions": 100, "kept": 50, "people": 5},
    }
    return [
        ProfileClassifier.objects.create(
            version=number, trained_at=now(), weights={}, figures=figures
        )
        for number in (1, 2)
    ]


def test_staff_see_the_figures_and_switch_one_version_on_and_all_off(
    as_mira: Client, versions: list[ProfileClassifier]
) -> None:
    page = as_mira.get(CLASSIFIERS).content.decode()
    assert "0.912, 0.900, 0.906" in page
    assert "0.500, 0.400, 0.444" in page
    assert "300 decisions by 15 people" in page

    def press(action: str, *chosen: ProfileClassifier) -> set[int]:
        keys = [str(one.pk) for one in chosen]
        as_mira.post(CLASSIFIERS, {"action": action, "_selected_action": keys, "index": "0"})
        on = ProfileClassifier.objects.filter(switched_on=True)
        return set(on.values_list("version", flat=True))

    assert press("switch_on", *versions) == set()
    assert press("switch_on", versions[0]) == {1}
    assert press("switch_on", versions[1]) == {2}
    assert press("switch_off", versions[0]) == set()


def test_staff_who_may_only_look_switch_nothing_on(
    colleague: Callable[..., User], versions: list[ProfileClassifier]
) -> None:
    client = client_for(colleague("view_profileclassifier"))
    assert client.get(CLASSIFIERS).status_code == 200
    told = {"action": "switch_on", "_selected_action": str(versions[0].pk), "index": "0"}
    client.post(CLASSIFIERS, told)
    assert not ProfileClassifier.objects.filter(switched_on=True).exists()
