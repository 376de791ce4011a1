"""A change of name, job or city is never silent, and what is not about the person asks nothing."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from pytest_django import DjangoDbBlocker

from accounts.database.isolation import acting_as
from accounts.models import User
from ledger.models import Contradiction
from ledger.promotion import proposals
from memory.models import Memory, ProfileFact
from tests.ledger.phrasings import HELD, MISSED, PHRASINGS, Phrasing, table
from tests.once import made_once, rolled_back
from tests.people import PASSWORD, tell

PAGE = Path(__file__).parents[2] / "docs" / "phrasings.md"


def current(user: User) -> dict[str, str]:
    """What is held of the four slots that every phrasing starts from."""
    with acting_as(user):
        rows = ProfileFact.objects.for_user(user.pk).current().filter(many=False)
        told = rows.filter(slot__in=("name", "employer", "job_title", "location"))
        return dict(told.values_list("slot", "value"))


def asked_about(user: User) -> dict[str, str]:
    """The slots with an open entry or a waiting proposal, and which of the two it is."""
    with acting_as(user):
        entries = Contradiction.objects.for_user(user.pk).open().values_list("slot", flat=True)
        waiting = Memory.objects.for_user(user.pk).filter(status="waiting").exclude(slot="")
        waits = waiting.values_list("slot", flat=True)
        return dict.fromkeys(waits, "proposal") | dict.fromkeys(entries, "entry")


@pytest.fixture(scope="module")
def told(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[User]:
    """Somebody of whom a name, an employer, a job and a city are known."""
    with made_once(django_db_blocker):
        nick = User.objects.create_user("nick@example.org", PASSWORD)
        for text in HELD:
            tell(nick, text)
        assert current(nick) == {
            "name": "Nick Adler",
            "employer": "Microsoft",
            "job_title": "software engineer",
            "location": "Rome",
        }
        yield nick


@pytest.fixture
def db(told: User, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    with rolled_back(django_db_blocker):
        yield


@pytest.fixture
def nick(db: None, told: User) -> User:
    return User.objects.get(pk=told.pk)


@pytest.mark.parametrize("phrasing", PHRASINGS, ids=lambda phrasing: phrasing.text)
def test_a_change_is_asked_about_and_nothing_else_is(nick: User, phrasing: Phrasing) -> None:
    before = current(nick)
    tell(nick, phrasing.text)
    assert current(nick) == before, "nothing changes silently"
    asked = asked_about(nick)
    assert phrasing.asks <= asked.keys(), "a change that nobody was asked about"
    assert asked.keys() <= phrasing.asks, "a question about something that is no change"
    assert set(asked.values()) <= {phrasing.way}, "asked in another way than the page says"


@pytest.mark.parametrize("phrasing", MISSED, ids=lambda phrasing: phrasing.text)
def test_a_change_that_is_missed_changes_nothing(nick: User, phrasing: Phrasing) -> None:
    before = current(nick)
    tell(nick, phrasing.text)
    assert current(nick) == before
    assert not asked_about(nick), "read by now: it belongs to the phrasings"


def test_an_ending_without_a_name_asks_nothing_where_nothing_is_held(alice: User) -> None:
    tell(alice, "They let me go.")
    assert not asked_about(alice)


def test_an_ending_and_its_successor_are_one_question(nick: User) -> None:
    tell(nick, "They let me go. I work at Google now.")
    assert asked_about(nick) == {"employer": "entry"}


def test_a_yes_to_an_ending_that_names_nobody_ends_the_employer_that_was_held(nick: User) -> None:
    tell(nick, "I lost my job.")
    with acting_as(nick):
        proposal = Memory.objects.for_user(nick.pk).get(status="waiting")
        proposals.accept(proposal)
    assert "employer" not in current(nick)


def test_the_page_of_phrasings_shows_the_list() -> None:
    page = PAGE.read_text()
    assert table(PHRASINGS) in page
    assert [one.text for one in MISSED if f"- {one.text}\n" not in page] == []
    shares = (f"{len(PHRASINGS)} phrasings", f"{len(MISSED)} are missed")
    assert [share for share in shares if share not in page] == []
