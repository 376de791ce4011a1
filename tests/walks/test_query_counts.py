"""List pages cost the same number of queries however much there is to list."""

from collections.abc import Callable

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils.timezone import now

from accounts.database.isolation import acting_as
from accounts.models import User
from memory.core.scope import Scope
from memory.language.origin import Origin
from memory.models import Memory
from memory.notes import note_store
from memory.notes.drafts import NoteDraft
from tests.people import Api, Talk

CITIES = "Bern Basel Lyon Nantes Turin Porto Ghent Malmö Graz Split Brno Lund".split()


def cost(visit: Callable[[], object]) -> int:
    visit()
    with CaptureQueriesContext(
        connection,
    ) as captured:
        response = visit()
    assert response.status_code == 200  # type: ignore[attr-defined]
    # Which model is connected is read again each few seconds, which falls into some visits.
    return sum("conversations_modelconnection" not in query["sql"] for query in captured)


def fill_up(talk: Callable[..., Talk], alice: User, cities: list[str]) -> Talk:
    """Conflicts by the dozen, facts and conversations with them."""
    one = talk()
    for city in cities:
        one.say(f"I live in {city}")
        talk().say(f"I enjoy sailing to {city} and I speak English")
    return one


@pytest.fixture
def visits(
    alice: User, as_alice: Client, alice_api: Api, talk: Callable[..., Talk]
) -> Callable[[], dict[str, int]]:
    one = fill_up(talk, alice, CITIES[:2])

    def count() -> dict[str, int]:
        assert one.conversation is not None
        pages = {
            path: cost(lambda path=path: as_alice.get(path))  # type: ignore[misc]
            for path in (
                one.conversation.get_absolute_url(),
                "/talk/",
                "/notebook/profile/",
                "/notebook/conflicts/",
                "/notebook/timeline/",
            )
        }
        calls = {
            path: cost(lambda path=path: alice_api.get(path))  # type: ignore[misc]
            for path in (
                "conversations",
                f"conversations/{one.conversation.pk}/messages",
                "profile",
                "conflicts",
                "timeline",
            )
        }
        return pages | calls

    return count


def test_every_list_costs_the_same_with_few_and_with_many(
    alice: User, talk: Callable[..., Talk], visits: Callable[[], dict[str, int]]
) -> None:
    few = visits()
    for city in CITIES[2:]:
        talk().say(f"I live in {city}")
        talk().say(f"I like {city} and my hobby is painting {city}")
    assert visits() == few
    # One of them is the row that tells of the visit in the traces.
    assert max(few.values()) <= 27


def fill_notes(alice: User, numbers: range) -> None:
    """Notes in use, waiting and gone, each of a message."""
    with acting_as(alice):
        for number in numbers:
            draft = NoteDraft(
                content=f"Owns the stamp {number * 13} from the year {1900 + number}",
                category=Memory.Category.TOPIC,
                kind=Memory.Kind.SEMANTIC,
                confidence=0.9,
                trust=0.8,
                origin=Origin.PASTED if number % 3 == 0 else Origin.TYPED,
            )
            kept = note_store.keep_note(Scope(alice.pk, None, None, now()), draft)
            assert isinstance(kept, note_store.NoteKept)
            if number % 3 == 1:
                note_store.remove_note(kept.memory)


def test_the_memories_page_costs_the_same_with_three_notes_and_with_sixty(
    alice: User, as_alice: Client, alice_api: Api
) -> None:
    pages = ["", "?q=stamp", "?show=gone", "?show=duplicates", "?sort=newest&kind=topic"]

    def costs() -> dict[str, int]:
        walks = {
            path: cost(lambda p=path: as_alice.get(f"/notebook/memories/{p}")) for path in pages
        }  # type: ignore[misc]
        return walks | {
            path: cost(lambda p=path: alice_api.get(p)) for path in ("memories", "memory")
        }  # type: ignore[misc]

    fill_notes(alice, range(3))
    few = costs()
    fill_notes(alice, range(3, 60))
    assert costs() == few
    assert max(few.values()) <= 28
