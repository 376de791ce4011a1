"""List pages cost the same number of queries however much there is to list."""

from collections.abc import Callable

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from tests.people import Api, Talk

CITIES = "Bern Basel Lyon Nantes Turin Porto Ghent Malmö Graz Split Brno Lund".split()


def cost(visit: Callable[[], object]) -> int:
    visit()
    with CaptureQueriesContext(
        connection,
    ) as captured:
        response = visit()
    assert response.status_code == 200  # type: ignore[attr-defined]
    return len(captured)


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
            )
        }
        calls = {
            path: cost(lambda path=path: alice_api.get(path))  # type: ignore[misc]
            for path in (
                "conversations",
                f"conversations/{one.conversation.pk}/messages",
                "profile",
                "conflicts",
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
    assert max(few.values()) <= 24
