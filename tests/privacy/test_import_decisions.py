"""What an import says is decided about once a kind of fact; nothing is believed before."""

from typing import Any

import pytest
from django.test import Client

from accounts.database.isolation import acting_as
from accounts.models import User
from memory.models import Memory, ProfileFact
from privacy.importing import deciding
from privacy.models import Import
from tests.people import Api, Talk
from tests.privacy.exports import as_json, imported, talk
from tests.privacy.test_imports_web import ask, text_of

for_real = pytest.mark.django_db(transaction=True)
YEAR = 31_557_600.0
OLD, LATER, NEW = 1_610_000_000.0, 1_610_000_000.0 + 2 * YEAR, 1_610_000_000.0 + 3 * YEAR
WORK = [
    talk("a", "I work at Qwertzfirm.", "Nice!", at=OLD),
    talk("b", "I still work at Qwertzfirm.", "Fine.", at=LATER),
    talk("c", "I work at Zephyrsoft.", "Oh!", at=NEW),
]
LIKES = [talk("d", "I like jazz.", "Ok", at=OLD), talk("e", "I like tea.", "Ok", at=OLD)]
MEMORIES = as_json(
    [
        {"id": "1", "memory": "Plays the cello on Sundays", "created_at": "2024-03-14"},
        {"id": "2", "memory": "Repairs old bicycles in the cellar", "created_at": "2024-03-15"},
        {"id": "3", "memory": "Grew up beside a lighthouse", "created_at": "2023-01-15"},
    ]
)


def offered(user: User, row: Import) -> dict[str, list[tuple[str, int]]]:
    """The values of each kind that wait, and how often each was said."""
    with acting_as(user):
        return {
            one.slot.key: [(value.memory.value, len(value.said)) for value in one.values]
            for one in deciding.slots_of(row)
        }


def key_of(user: User, value: str) -> Any:
    with acting_as(user):
        return Memory.objects.get(user=user, value=value).pk


def facts(user: User) -> set[tuple[str, str, str]]:
    with acting_as(user):
        rows = ProfileFact.objects.filter(user=user)
        return set(rows.values_list("value", "status", "origin"))


CASES: dict[str, tuple[str | None, bool, set[tuple[str, str, str]]]] = {
    "the newest holds, the other is past": (
        "Zephyrsoft",
        True,
        {("Zephyrsoft", "current", "imported"), ("Qwertzfirm", "past", "imported")},
    ),
    "the newest holds, the other is declined": (
        "Zephyrsoft",
        False,
        {("Zephyrsoft", "current", "imported")},
    ),
    "none holds, both are past": (
        None,
        True,
        {("Zephyrsoft", "past", "imported"), ("Qwertzfirm", "past", "imported")},
    ),
    "none holds, none is kept": (None, False, set()),
}


@for_real
@pytest.mark.parametrize("name", CASES)
def test_one_decision_settles_all_values_of_a_kind(alice: User, name: str) -> None:
    chosen, keep_past, expected = CASES[name]
    row = imported(alice, as_json(WORK))
    keys = [key_of(alice, chosen)] if chosen else []
    with acting_as(alice):
        done = deciding.decide(row, "employer", keys, keep_past=keep_past)
    assert len(done) == 2
    assert facts(alice) == expected
    assert offered(alice, row) == {}


@for_real
def test_a_value_against_another_is_asked_about(alice: User) -> None:
    Talk(alice).say("I work at Acme")
    row = imported(alice, as_json(WORK))
    with acting_as(alice):
        chosen = key_of(alice, "Zephyrsoft")
        done = deciding.decide(row, "employer", [chosen], keep_past=False)
    assert done[chosen].contradiction is not None
    assert ("Acme", "current", "typed") in facts(alice)


@for_real
def test_memories_are_answered_by_month_and_all_of_an_import_is_declined(alice: User) -> None:
    row, other = imported(alice, MEMORIES), imported(alice, as_json(WORK))
    with acting_as(alice):
        assert [(one.key, len(one.notes)) for one in deciding.notes_of(row, 50)] == [
            ("2024-03", 2),
            ("2023-01", 1),
        ]
        march = [note.pk for note in deciding.notes_of(row, 50)[0].notes]
        assert len(deciding.answer_notes(row, march, keep=True)) == 2
        assert len(deciding.decline_all(row)) == 1
        assert deciding.waiting_of(row).count() == 0
        assert deciding.waiting_of(other).count() == 2
        notes = Memory.objects.filter(user=alice, slot="").values_list("content", "status")
        statuses = dict(notes)
    assert statuses["Grew up beside a lighthouse"] == "declined"
    assert statuses["Plays the cello on Sundays"] == "active"


@for_real
def test_what_came_after_the_page_was_made_goes_on_waiting(as_alice: Client, alice: User) -> None:
    row, memories = imported(alice, as_json(WORK)), imported(alice, MEMORIES)
    chosen = key_of(alice, "Zephyrsoft")
    answer = {"slot": "employer", "chosen": str(chosen), "shown": str(chosen), "past": "1"}
    as_alice.post(f"/notebook/privacy/import/{row.pk}/decide/", answer)
    assert facts(alice) == {("Zephyrsoft", "current", "imported")}
    assert offered(alice, row) == {"employer": [("Qwertzfirm", 2)]}
    with acting_as(alice):
        cello = Memory.objects.get(user=alice, content="Plays the cello on Sundays").pk
    shown = as_alice.get(f"/notebook/privacy/import/{memories.pk}/decide/").content.decode()
    assert f'name="shown" value="{cello}"' in shown
    answer = {"shown": str(cello), "answer": "keep"}
    told = as_alice.post(f"/notebook/privacy/import/{memories.pk}/decide/", answer, follow=True)
    assert "Kept 1." in text_of(told)
    with acting_as(alice):
        assert deciding.waiting_of(memories).count() == 2


@for_real
def test_the_page_shows_saves_and_declines(as_alice: Client, alice: User) -> None:
    row = imported(alice, as_json(WORK + LIKES))
    here = f"/notebook/privacy/import/{row.pk}/decide/"
    assert here in text_of(as_alice.get("/notebook/privacy/import/"))
    shown = text_of(as_alice.get(here))
    for words in ("Employer", "2 messages, 2021 to 2023", "None of these are true now"):
        assert words in shown
    chosen = key_of(alice, "Zephyrsoft")
    answer = {"slot": "employer", "chosen": str(chosen), "past": "1"}
    assert "Saved." in text_of(as_alice.post(here, answer, follow=True))
    assert len(facts(alice)) == 2
    assert "already answered this" in text_of(as_alice.post(here, answer, follow=True))
    bad = {"slot": "likes", "chosen": "x"}
    assert "Choose one" in text_of(as_alice.post(here, bad, follow=True))
    declined = text_of(as_alice.post(here, follow=True))
    assert "Declined 2." in declined
    assert "There’s nothing waiting for you here." in declined


@for_real
def test_other_software_decides_the_same_way(alice_api: Api, alice: User) -> None:
    row = imported(alice, as_json(WORK))
    path = f"imports/{row.pk}/decisions"
    told = ask(alice_api, "get", path).json()
    (slot,) = told["slots"]
    assert (told["waiting"], slot["slot"], slot["several"], slot["has_past"]) == (
        2, "employer", False, True,
    )  # fmt: skip
    newest = slot["values"][0]
    assert (newest["proposal"]["value"], newest["messages"]) == ("Zephyrsoft", 1)
    answer = {"slot": "employer", "chosen": [newest["proposal"]["id"]], "others": "past"}
    done = alice_api.post(path, answer)
    assert (done.status_code, done.json()["count"], len(done.json()["facts"])) == (200, 2, 2)
    assert alice_api.post(path, answer).status_code == 409
    assert ask(alice_api, "delete", path).json()["count"] == 0


@for_real
def test_a_stranger_decides_nothing(as_bob: Client, bob_api: Api, alice: User) -> None:
    row = imported(alice, as_json(WORK))
    assert as_bob.get(f"/notebook/privacy/import/{row.pk}/decide/").status_code == 404
    assert as_bob.post(f"/notebook/privacy/import/{row.pk}/decide/").status_code == 404
    for method in ("get", "delete"):
        assert ask(bob_api, method, f"imports/{row.pk}/decisions").status_code == 404
    assert len(offered(alice, row)["employer"]) == 2
