"""What a language model's operations do to the profile, to the notes and to open questions."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django.utils.timezone import now

from accounts.database.isolation import acting_as
from accounts.models import User
from conversations.models import Message
from ledger.conflicts.undo import undo
from ledger.models import Contradiction, Resolution
from ledger.promotion import operations, proposals
from ledger.promotion.gates import gates_of
from ledger.promotion.outcomes import (
    ConflictOpened,
    ConflictSettled,
    FactEnded,
    FactTakenBack,
    NoteEnded,
    Outcome,
    WithheldPrivate,
)
from memory import manager
from memory.core.known_facts import KnownRecords
from memory.facts import blocked_slots, revision
from memory.facts.profile import FactReinforced, FactStored, propose_fact
from memory.models import Memory, ProfileFact
from memory.notes import note_store
from memory.notes.note_extraction import as_note_draft
from memory.notes.note_store import accept_note, keep_note
from memory.operations.checks import check
from memory.operations.evidence import Evidence, KnownItem, SaidLine
from memory.operations.schema import Operation, Quote
from memory.slots import SLOTS
from tests.people import candidate, said, scope_of, the_fact, values

pytestmark = pytest.mark.django_db
FACT, NOTE = ProfileFact.Status, Memory.Status
Kept = ProfileFact | Memory | Contradiction


@pytest.fixture(autouse=True)
def inside(alice: User) -> Iterator[None]:
    with acting_as(alice):
        yield


# --- What is known, and what is done with it -----------------------------------------------------


def fact_of(user: User, slot: str, value: str) -> ProfileFact:
    """A fact that was said a week ago."""
    scope = scope_of(said(user, f"{value}.", said_at=now() - timedelta(days=7)))
    outcome = propose_fact(scope, candidate(slot, value))
    assert isinstance(outcome, FactStored)
    return outcome.fact


def note_of(user: User, text: str) -> Memory:
    """A note of what was said a week ago."""
    week_ago = now() - timedelta(days=7)
    kept = keep_note(scope_of(said(user, text, said_at=week_ago)), as_note_draft(text, week_ago))
    assert kept is not None
    return kept.memory


def question_of(user: User) -> Contradiction:
    """The open question whether they live in York or in Leeds."""
    fact_of(user, "location", "York")
    carry_out(user, "I live in Leeds", target=the_fact(user, "location"), op="conflict",
              value="Leeds")  # fmt: skip
    return Contradiction.objects.get()


def carry_out(
    user: User, words: str, *, target: Kept | None = None, asked: str = "", **changes: Any
) -> list[Outcome]:
    """Say something and carry out the operation that a model makes of it."""
    message = said(user, words)
    return list(applied(message, target, asked, **changes))


def applied(message: Message, target: Kept | None, asked: str, **changes: Any) -> Iterator[Outcome]:
    """Carry out an operation on all that a message says; `asked` is the rule that has it wait."""
    known = [_item(target)] if target is not None else []
    operation = Operation.model_validate(
        {
            "op": "add", "target": known[0].alias if known else "", "slot": "", "value": "",
            "text": "", "category": "fact", "reason": "", "day": "", "since": "",
            "scope": "everywhere", "sensitive": "", "confidence": 0.9,
            "quotes": [Quote(line=1, words=message.content)],
        } | changes
    )  # fmt: skip
    line = SaidLine(1, by_user=True, text=message.content, said_at=message.said_at)
    checked = check(operation, Evidence([line], known))
    assert checked.refused == ""
    gates = gates_of(message.user_id, message.conversation.privacy)
    scope = replace(message.scope, known=KnownRecords(message.user_id, SLOTS, notes=True))
    yield from operations.apply(scope, replace(checked, asked=asked), message.content, gates)


def _item(target: Kept) -> KnownItem:
    if isinstance(target, Contradiction):
        return KnownItem("c1", target.pk, "York / Leeds", target.opened_at, target.slot)
    if isinstance(target, Memory):
        return KnownItem("n1", target.pk, target.content, target.said_at)
    return KnownItem(
        "f1", target.pk, target.sentence, target.last_verified, target.slot, target.value
    )


def again(kept: Any) -> Any:
    """A row as it stands by now."""
    return type(kept).objects.get(pk=kept.pk)


def notes(user: User, status: str = NOTE.ACTIVE) -> list[str]:
    rows = Memory.objects.for_user(user.pk).filter(status=status)
    return list(rows.values_list("content", flat=True).order_by("content"))


def the_note(user: User, status: str = NOTE.ACTIVE) -> Memory:
    return Memory.objects.for_user(user.pk).get(status=status)


# --- Adding --------------------------------------------------------------------------------------


def test_a_fact_enters_the_profile_and_can_be_taken_back(alice: User) -> None:
    text = "The badge of Globex hangs by my door now"
    (stored,) = carry_out(alice, text, slot="employer", value="Globex")
    assert isinstance(stored, FactStored)
    assert (stored.fact.value, stored.fact.origin) == ("Globex", "typed")
    manager.undo(stored.fact)
    assert values(alice, "employer") == set()


# --- Changing ------------------------------------------------------------------------------------


def test_a_change_leaves_the_older_value_in_the_history(alice: User) -> None:
    old = fact_of(alice, "employer", "Acme")
    (opened,) = carry_out(
        alice, "I started at Globex on Monday", target=old, op="update", reason="change",
        value="Globex",
    )  # fmt: skip
    assert isinstance(opened, ConflictOpened)
    assert not opened.contradiction.is_open
    assert values(alice, "employer") == {"Globex"}
    assert again(old).status == FACT.PAST
    undo(opened.contradiction)
    assert values(alice, "employer") == {"Acme"}


def test_a_correction_leaves_the_wrong_value_out_of_the_history(alice: User) -> None:
    old = fact_of(alice, "employer", "Acme")
    (opened,) = carry_out(
        alice, "No, it is Globex", target=old, op="update", reason="correction", value="Globex"
    )
    assert isinstance(opened, ConflictOpened)
    assert values(alice, "employer") == {"Globex"}
    assert again(old).status not in (FACT.CURRENT, FACT.PAST)
    undo(opened.contradiction)
    assert values(alice, "employer") == {"Acme"}


def test_a_refinement_takes_the_place_of_the_rougher_value(alice: User) -> None:
    old = fact_of(alice, "location", "Leeds")
    (stored,) = carry_out(
        alice, "Headingley in Leeds, to be exact", target=old, op="update", reason="refinement",
        value="Headingley, Leeds",
    )  # fmt: skip
    assert isinstance(stored, FactStored)
    assert values(alice, "location") == {"Headingley, Leeds"}
    manager.undo(stored.fact)
    assert values(alice, "location") == {"Leeds"}


def test_the_same_value_again_is_a_confirmation(alice: User) -> None:
    old = fact_of(alice, "employer", "Acme")
    (said_again,) = carry_out(
        alice, "Acme, as ever", target=old, op="update", reason="change", value="acme"
    )
    assert isinstance(said_again, FactReinforced)
    assert again(old).trust > old.trust


def test_a_note_gives_way_to_its_later_version(alice: User) -> None:
    old = note_of(alice, "The party is on the 14th")
    carry_out(
        alice, "The party is on the 21st now", target=old, op="update", reason="change",
        text="The party is on the 21st",
    )  # fmt: skip
    assert notes(alice) == ["The party is on the 21st"]
    assert (again(old).status, again(old).superseded_by_id) == (
        NOTE.SUPERSEDED, the_note(alice).pk,
    )  # fmt: skip
    manager.undo(the_note(alice))
    assert notes(alice) == [old.content]


# --- Ending and forgetting -----------------------------------------------------------------------


def test_a_fact_that_is_over_stays_in_the_history_and_can_go_on(alice: User) -> None:
    fact = fact_of(alice, "employer", "Acme")
    (ended,) = carry_out(alice, "My last day at Acme was Friday", target=fact, op="end")
    assert isinstance(ended, FactEnded)
    assert again(fact).status == FACT.PAST
    manager.resume(again(fact))
    assert values(alice, "employer") == {"Acme"}


@pytest.mark.parametrize("what", ["fact", "note"])
def test_what_is_to_be_forgotten_is_taken_back(alice: User, what: str) -> None:
    held: Any = (
        fact_of(alice, "likes", "jazz")
        if what == "fact"
        else note_of(alice, "I bought a trumpet in Ghent")
    )
    (gone,) = carry_out(alice, "Forget that, please", target=held, op="forget")
    assert isinstance(gone, FactTakenBack if what == "fact" else NoteEnded)
    assert again(held).status == "removed"
    manager.restore(again(held))
    assert again(held).status in ("current", "active")


# --- Conflicts and confirmations -----------------------------------------------------------------


def test_a_conflict_is_a_question_and_the_old_value_holds_meanwhile(alice: User) -> None:
    entry = question_of(alice)
    assert entry.is_open
    assert (entry.old_fact.value, entry.new_fact.value) == ("York", "Leeds")
    assert values(alice, "location") == {"York"}


@pytest.mark.parametrize(
    ("value", "method", "holds"),
    [
        ("Leeds", Resolution.Method.KEEP_NEW, "Leeds"),
        ("York", Resolution.Method.KEEP_OLD, "York"),
        ("Ripon", Resolution.Method.MERGE, "Ripon"),
    ],
)
def test_an_open_question_is_answered_by_a_side_or_another_value(
    alice: User, value: str, method: Resolution.Method, holds: str
) -> None:
    entry = question_of(alice)
    (settled,) = carry_out(alice, f"{value} is right", target=entry, op="confirm", value=value)
    assert isinstance(settled, ConflictSettled)
    resolution = again(entry).resolution
    assert (resolution.method, values(alice, "location")) == (method, {holds})
    undo(again(entry))
    assert again(entry).is_open
    assert values(alice, "location") == {"York"}


@pytest.mark.parametrize("value", ["York", "Bristol"])
def test_a_change_of_a_value_that_is_asked_about_answers_the_question(
    alice: User, value: str
) -> None:
    entry = question_of(alice)
    fact = the_fact(alice, "location")
    (settled,) = carry_out(alice, f"{value}, I was joking", target=fact, op="update", value=value,
                           reason="correction")  # fmt: skip
    assert isinstance(settled, ConflictSettled)
    assert again(entry).status == Contradiction.Status.RESOLVED
    assert values(alice, "location") == {value}


@pytest.mark.parametrize("op", ["add", "update"])
def test_a_question_about_a_fact_by_hand_waits_for_its_owners_choice(alice: User, op: str) -> None:
    fact = revision.write_by_hand(alice.pk, "employer", "Acme")
    changed = {"op": "update", "target": fact, "value": "Globex", "reason": "change"}
    carry_out(alice, "I work at Globex", **changed)
    entry = Contradiction.objects.get()
    again_said = changed if op == "update" else {"slot": fact.slot, "value": "Globex"}
    carry_out(alice, "Globex it is, as I said", **again_said)
    assert again(entry).is_open
    assert again(fact).status == FACT.CURRENT


def test_a_question_that_was_answered_meanwhile_stays_as_it_is(alice: User) -> None:
    entry = question_of(alice)
    carry_out(alice, "York is right", target=entry, op="confirm", value="York")
    assert carry_out(alice, "Leeds is right", target=entry, op="confirm", value="Leeds") == []
    assert values(alice, "location") == {"York"}


# --- Against what its owner entered by hand ------------------------------------------------------


def test_the_end_of_a_fact_by_hand_waits_for_a_yes(alice: User) -> None:
    revision.write_by_hand(alice.pk, "employer", "Acme")
    held = the_fact(alice, "employer")
    carry_out(alice, "My last day at Acme was Friday", target=held, op="end")
    assert values(alice, "employer") == {"Acme"}
    proposals.accept(the_note(alice, NOTE.WAITING))
    assert values(alice, "employer", FACT.PAST) == {"Acme"}


@pytest.mark.parametrize("op", ["update", "end"])
def test_against_a_note_by_hand_its_owner_is_asked(alice: User, op: str) -> None:
    own = note_store.write_by_hand(alice.pk, "Rents a place above the bakery")
    text = "Rents a place by the canal" if op == "update" else ""
    carry_out(alice, "The place above the bakery is history", target=own, op=op, text=text)
    assert again(own).status == NOTE.ACTIVE
    waits = the_note(alice, NOTE.WAITING)
    assert waits.replaces == own
    accept_note(waits)
    assert again(own).status == NOTE.SUPERSEDED


# --- What its owner is asked about ---------------------------------------------------------------


def test_a_fact_that_waits_enters_after_a_yes(alice: User) -> None:
    carry_out(alice, "I think I am at Globex", asked="unsure", slot="employer", value="Globex")
    assert values(alice, "employer") == set()
    accepted = proposals.accept(the_note(alice, NOTE.WAITING))
    assert accepted.fact is not None
    assert values(alice, "employer") == {"Globex"}


@pytest.mark.parametrize("what", ["fact", "note"])
def test_an_end_that_waits_comes_after_a_yes(alice: User, what: str) -> None:
    held: Any = (
        fact_of(alice, "likes", "jazz")
        if what == "fact"
        else note_of(alice, "I play the trumpet in the town band")
    )
    carry_out(alice, "The trumpet is silent", target=held, asked="read otherwise", op="end")
    assert again(held).status in ("current", "active")
    proposals.accept(the_note(alice, NOTE.WAITING))
    assert again(held).status in (FACT.PAST, NOTE.SUPERSEDED)


@pytest.mark.parametrize("op", ["forget", "confirm"])
def test_what_only_its_owner_can_mean_is_not_done_on_a_doubt(alice: User, op: str) -> None:
    held = fact_of(alice, "likes", "jazz")
    assert carry_out(alice, "Hm, jazz", target=held, asked="unsure", op=op) == []
    assert (again(held).status, again(held).trust) == (FACT.CURRENT, held.trust)


# --- Private matters -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changes", "slot"),
    [
        ({"text": "Has epilepsy", "sensitive": "health"}, "medical"),
        ({"slot": "medical", "value": "epilepsy"}, "medical"),
        ({"slot": "employer", "value": "Globex", "sensitive": "money"}, "financial"),
    ],
)
def test_a_sensitive_operation_stays_in_its_conversation(
    alice: User, changes: dict[str, Any], slot: str
) -> None:
    (withheld,) = carry_out(alice, "I was told so at the hospital of Globex", **changes)
    assert withheld == WithheldPrivate(SLOTS[slot])
    assert not ProfileFact.objects.exists()
    assert not Memory.objects.exists()


def test_what_is_told_in_confidence_leaves_no_word(alice: User) -> None:
    assert carry_out(alice, "I dye my hair", text="Dyes their hair", sensitive="confidential") == []
    assert not Memory.objects.exists()


@pytest.mark.parametrize(
    ("words", "text"),
    [
        ("I was diagnosed with epilepsy", "Was diagnosed with epilepsy"),
        ("I work at Globex. My sister has diabetes.", "Sister has diabetes"),
        ("My mum was diagnosed with cancer last week", "Mum heard the news last week"),
    ],
)
def test_a_note_of_a_closed_kind_is_not_even_asked_about(
    alice: User, words: str, text: str
) -> None:
    blocked_slots.block_slot(alice.pk, "medical")
    carry_out(alice, words, text=text, asked="may be private")
    assert not Memory.objects.exists()


@pytest.mark.parametrize("how", ["private", "memory off"])
def test_a_private_conversation_and_memory_off_take_nothing(alice: User, how: str) -> None:
    message = said(alice, "I work at Globex")
    if how == "private":
        message.conversation.privacy = "private"
        message.conversation.save()
    else:
        User.objects.filter(pk=alice.pk).update(memory_on=False)
    assert list(applied(message, None, "", slot="employer", value="Globex")) == []
    assert list(applied(message, None, "", text="Works at Globex")) == []
    assert not ProfileFact.objects.exists()
    assert not Memory.objects.exists()


def test_carried_out_twice_is_carried_out_once(alice: User) -> None:
    message = said(alice, "The badge of Globex hangs by my door now")
    for _ in range(2):
        list(applied(message, None, "", slot="employer", value="Globex"))
        list(applied(message, None, "", text="Has a badge by the door"))
    assert ProfileFact.objects.count() == 1
    assert notes(alice) == ["Has a badge by the door"]
