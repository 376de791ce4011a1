"""What a language model's operations do to the profile, to the notes and to open questions."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import date, timedelta
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
    NotedOutsideProfile,
    NoteEnded,
    Outcome,
    OverrideKept,
    WithheldPrivate,
)
from memory import manager
from memory.core.known_facts import KnownRecords
from memory.facts import blocked_slots, revision
from memory.facts.profile import FactReinforced, FactStored, propose_fact
from memory.models import Memory, Override, ProfileFact
from memory.notes import note_store
from memory.notes.note_extraction import as_note_draft
from memory.notes.note_store import NoteAgreed, accept_note, keep_note
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


def kind_of(outcomes: list[Outcome]) -> list[type[Outcome]]:
    return [type(outcome) for outcome in outcomes]


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


def test_a_note_is_kept_in_the_models_words_with_the_persons_behind_it(alice: User) -> None:
    text = "We signed the lease for the shop yesterday"
    (noted,) = carry_out(alice, text, text="Signed a lease for a shop", day="2024-05-06")
    assert isinstance(noted, NotedOutsideProfile)
    note = the_note(alice)
    assert (note.content, note.original) == ("Signed a lease for a shop", text)
    assert (note.kind, note.happened_on) == (Memory.Kind.EPISODIC, date(2024, 5, 6))
    manager.undo(note)
    assert again(note).status == NOTE.REMOVED


def test_a_value_of_many_stands_beside_the_others(alice: User) -> None:
    fact_of(alice, "likes", "jazz")
    carry_out(alice, "Old maps, I could look at them all day", slot="likes", value="old maps")
    assert values(alice, "likes") == {"jazz", "old maps"}


def test_what_holds_in_its_conversation_only_is_an_override(alice: User) -> None:
    text = "For this conversation, call me Nicky"
    (kept,) = carry_out(alice, text, slot="preferred_name", value="Nicky", scope="conversation")
    assert isinstance(kept, OverrideKept)
    assert Override.objects.get().value == "Nicky"
    assert values(alice, "preferred_name") == set()


def test_a_note_that_holds_in_its_conversation_only_is_none(alice: User) -> None:
    assert carry_out(alice, "Be brief today", text="Be brief", scope="conversation") == []
    assert notes(alice) == []


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


def test_a_correction_of_one_of_several_values_takes_its_place_and_ends_nothing(
    alice: User,
) -> None:
    old = fact_of(alice, "pets", "cat Gravy")
    (stored,) = carry_out(
        alice, "The cat is Grady", target=old, op="update", reason="correction", value="cat Grady"
    )
    assert isinstance(stored, FactStored)
    assert (values(alice, "pets"), again(old).status) == ({"cat Grady"}, FACT.SET_ASIDE)
    manager.undo(stored.fact)
    assert values(alice, "pets") == {"cat Gravy"}


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


def test_one_of_many_values_is_changed_without_the_others(alice: User) -> None:
    fact_of(alice, "pets", "a dog called Rex")
    old = fact_of(alice, "pets", "a cat called Tom")
    outcomes = carry_out(
        alice, "Our cat is called Tim since the vet", target=old, op="update", reason="change",
        value="a cat called Tim",
    )  # fmt: skip
    assert kind_of(outcomes) == [FactEnded, FactStored]
    assert values(alice, "pets") == {"a dog called Rex", "a cat called Tim"}
    assert values(alice, "pets", FACT.PAST) == {"a cat called Tom"}


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


def test_a_note_that_fits_the_profile_by_now_gives_way_to_the_fact(alice: User) -> None:
    old = note_of(alice, "I may move to Leeds for the new job")
    carry_out(
        alice, "So, Leeds it is, the boxes are in", target=old, op="update", reason="change",
        slot="location", value="Leeds",
    )  # fmt: skip
    assert values(alice, "location") == {"Leeds"}
    assert again(old).status == NOTE.SUPERSEDED


# --- Ending and forgetting -----------------------------------------------------------------------


def test_a_fact_that_is_over_stays_in_the_history_and_can_go_on(alice: User) -> None:
    fact = fact_of(alice, "employer", "Acme")
    (ended,) = carry_out(alice, "My last day at Acme was Friday", target=fact, op="end")
    assert isinstance(ended, FactEnded)
    assert again(fact).status == FACT.PAST
    manager.resume(again(fact))
    assert values(alice, "employer") == {"Acme"}


def test_a_note_that_is_over_can_be_brought_back(alice: User) -> None:
    note = note_of(alice, "I am training for the marathon in October")
    (ended,) = carry_out(alice, "The marathon is behind me", target=note, op="end")
    assert isinstance(ended, NoteEnded)
    assert again(note).status == NOTE.SUPERSEDED
    manager.restore(again(note))
    assert again(note).status == NOTE.ACTIVE


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


def test_a_conflict_with_a_note_waits_and_ends_it_after_a_yes(alice: User) -> None:
    old = note_of(alice, "The party is on the 14th")
    carry_out(alice, "Or is the party on the 21st?!", target=old, op="conflict",
              text="The party is on the 21st")  # fmt: skip
    assert again(old).status == NOTE.ACTIVE
    proposals.accept(the_note(alice, NOTE.WAITING))
    assert notes(alice) == ["The party is on the 21st"]
    assert again(old).status == NOTE.SUPERSEDED


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


def test_what_is_said_of_a_single_value_that_is_asked_about_answers_the_question(
    alice: User,
) -> None:
    entry = question_of(alice)
    (settled,) = carry_out(alice, "I live in Leeds", slot="location", value="Leeds")
    assert isinstance(settled, ConflictSettled)
    assert again(entry).status == Contradiction.Status.RESOLVED
    assert values(alice, "location") == {"Leeds"}


@pytest.mark.parametrize("op", ["add", "update"])
def test_a_question_about_a_fact_by_hand_waits_for_its_owners_choice(alice: User, op: str) -> None:
    fact = _by_hand(alice, "written")
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


def test_a_fact_that_is_said_again_is_believed_more(alice: User) -> None:
    fact = fact_of(alice, "employer", "Acme")
    (said_again,) = carry_out(alice, "At the firm, as ever", target=fact, op="confirm")
    assert isinstance(said_again, FactReinforced)
    assert again(fact).trust > fact.trust


def test_a_note_that_is_said_again_stays_one(alice: User) -> None:
    note = note_of(alice, "I am training for the marathon in October")
    (said_again,) = carry_out(alice, "Still running every day", target=note, op="confirm")
    assert isinstance(said_again, NotedOutsideProfile)
    assert isinstance(said_again.outcome, NoteAgreed)
    assert Memory.objects.count() == 1


# --- Against what its owner entered by hand ------------------------------------------------------


def _by_hand(user: User, how: str) -> ProfileFact:
    if how == "written":
        return revision.write_by_hand(user.pk, "employer", "Acme")
    fact = fact_of(user, "employer", "Acme")
    revision.confirm(fact)
    return fact


@pytest.mark.parametrize("how", ["written", "confirmed"])
@pytest.mark.parametrize("reason", ["change", "correction", "refinement"])
def test_against_a_fact_by_hand_its_owner_is_asked(alice: User, how: str, reason: str) -> None:
    _by_hand(alice, how)
    held = the_fact(alice, "employer")
    carry_out(alice, "I started at Globex", target=held, op="update", reason=reason, value="Globex")
    assert values(alice, "employer") == {"Acme"}
    assert Contradiction.objects.for_user(alice.pk).open().get().new_fact.value == "Globex"


@pytest.mark.parametrize("how", ["written", "confirmed"])
def test_the_end_of_a_fact_by_hand_waits_for_a_yes(alice: User, how: str) -> None:
    _by_hand(alice, how)
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


def test_a_no_is_a_no(alice: User) -> None:
    text = "I think I am at Globex"
    carry_out(alice, text, asked="unsure", slot="employer", value="Globex")
    proposals.decline(the_note(alice, NOTE.WAITING))
    assert carry_out(alice, text, asked="unsure", slot="employer", value="Globex") == []
    assert (values(alice, "employer"), notes(alice, NOTE.WAITING)) == (set(), [])


def test_a_note_that_waits_takes_over_after_a_yes(alice: User) -> None:
    old = note_of(alice, "The party is on the 14th")
    carry_out(
        alice, "The party may be on the 21st now", target=old, asked="unsure", op="update",
        reason="change", text="The party is on the 21st",
    )  # fmt: skip
    assert notes(alice) == [old.content]
    waits = the_note(alice, NOTE.WAITING)
    assert waits.replaces == old
    accept_note(waits)
    assert notes(alice) == ["The party is on the 21st"]
    assert again(old).superseded_by == waits


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


def test_a_change_that_waits_leaves_the_old_value(alice: User) -> None:
    old = fact_of(alice, "employer", "Acme")
    carry_out(
        alice, "Globex, if you ask me", target=old, asked="unsure", op="update", reason="change",
        value="Globex",
    )  # fmt: skip
    assert values(alice, "employer") == {"Acme"}


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


def test_of_a_sensitive_change_only_the_end_of_the_old_value_is_told_on(alice: User) -> None:
    old = fact_of(alice, "employer", "Acme")
    outcomes = carry_out(
        alice, "Acme let me go, I am on sick leave", target=old, op="update", reason="change",
        value="on sick leave", sensitive="health",
    )  # fmt: skip
    assert kind_of(outcomes) == [WithheldPrivate, FactEnded]
    assert values(alice, "employer") == set()


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
