"""Many memories at once, by API."""

from typing import Any

import pytest

from accounts.database.isolation import acting_as
from accounts.models import User
from memory.models import Memory
from memory.notes import note_store
from tests.people import Api

pytestmark = pytest.mark.django_db
CYCLES, SINGS = {"content": "Cycles to the office"}, {"content": "Sings in a choir"}


def add(api: Api, *memories: Any, **more: Any) -> Any:
    return api.post("memories/bulk", {"memories": list(memories), **more})


def kept(user: User) -> list[str]:
    with acting_as(user):
        rows = Memory.objects.for_user(user.pk).order_by("said_at")
        return list(rows.values_list("content", flat=True))


def test_each_is_saved_once_in_the_order_sent(alice: User, alice_api: Api) -> None:
    told = add(alice_api, CYCLES, {**SINGS, "category": "preference"}).json()
    assert (told["new"], told["refused"]) == (2, 0)
    assert kept(alice) == ["Cycles to the office", "Sings in a choir"]
    ids = [one["id"] for one in told["memories"]]
    assert alice_api.get(f"memories/{ids[1]}").json()["category"] == "preference"
    again = add(alice_api, SINGS, CYCLES, {"content": "  cycles to the   office "}).json()
    assert [one["id"] for one in again["memories"]] == [ids[1], ids[0], ids[0]]
    assert (again["new"], len(kept(alice))) == (0, 2)


def test_one_that_cannot_be_saved_keeps_no_other_out(alice: User, alice_api: Api) -> None:
    wrong = [{"content": ""}, {"content": "a", "colour": 1}, "words", {**SINGS, "by_agent": True}]
    told = add(alice_api, CYCLES, *wrong, SINGS).json()
    assert [one["new"] for one in told["memories"]] == [True, *[False] * 4, True]
    assert told["refused"] == 4
    assert [list(one["errors"]) for one in told["memories"][1:3]] == [["content"], ["colour"]]
    assert len(kept(alice)) == 2


def test_what_was_removed_since_is_not_brought_back(alice: User, alice_api: Api) -> None:
    (there,) = add(alice_api, CYCLES).json()["memories"]
    with acting_as(alice):
        note_store.remove_note(Memory.objects.get(pk=there["id"]))
    (again,) = add(alice_api, CYCLES).json()["memories"]
    assert again == {"id": there["id"], "new": False, "errors": None}
    assert alice_api.get(f"memories/{there['id']}").json()["status"] == "removed"


def test_what_an_agent_wrote_waits(alice_api: Api) -> None:
    (there,) = add(alice_api, CYCLES, by_agent=True).json()["memories"]
    assert alice_api.get(f"memories/{there['id']}").json()["status"] == "waiting"


@pytest.mark.parametrize("sent", [[], [CYCLES] * 1001])
def test_the_whole_is_refused_for_none_and_for_too_many(alice_api: Api, sent: Any) -> None:
    answer = alice_api.post("memories/bulk", {"memories": sent})
    assert answer.status_code == 400
    assert list(answer.json()["errors"]) == ["memories"]
