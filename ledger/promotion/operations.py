"""Applying checked operations to the profile, the memories or an open conflict.

A language model proposes operations (`memory.operations`). Facts pass the same gates as those of
the trained reader (`ledger.promotion.candidate_promotion`). Nothing is overwritten: changed and
ended values stay in the history, and can be restored.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from django.conf import settings
from django.db.models import Q, QuerySet

from ledger.conflicts.auto_settling import is_by_hand, settle_correction
from ledger.conflicts.resolution import AlreadySettled, Answer, resolve
from ledger.models import Contradiction, Resolution
from ledger.promotion import candidate_promotion
from ledger.promotion.fact_ends import OVER, ask_about_end, end_known
from ledger.promotion.gates import Gates, SourcedCandidate, request_of
from ledger.promotion.outcomes import (
    ConflictOpened,
    ConflictSettled,
    FactTakenBack,
    NotedOutsideProfile,
    NoteEnded,
    Outcome,
    WithheldPrivate,
)
from memory import manager
from memory.core.persistence_gate import KeepingPlace, decide_persistence
from memory.core.scope import Scope
from memory.facts.profile import Conflict, FactReinforced, matching_fact, propose_fact
from memory.facts.refinement import refine_fact
from memory.language.origin import Origin
from memory.language.reader.facts import TYPED_TRUST, FactCandidate
from memory.language.reading import Reading
from memory.models import Memory, ProfileFact
from memory.notes.drafts import NoteDraft
from memory.notes.note_store import NoteAgreed, end_note, keep_note, remove_note
from memory.operations.checks import Checked
from memory.operations.evidence import KnownItem, as_date
from memory.operations.schema import CONFIDENTIAL, SENSITIVE, Operation
from memory.slots import SLOTS, same_value

Method = Resolution.Method
_ASKED_TRUST = 0.6
_KINDS = {"change": "transition", "correction": "correction"}


@dataclass(frozen=True)
class _Task:
    """An operation to apply: its scope, text and gates."""

    scope: Scope
    checked: Checked
    text: str
    gates: Gates

    @property
    def operation(self) -> Operation:
        return self.checked.operation

    @property
    def at_once(self) -> bool:
        """Return whether the operation applies without the user's approval."""
        return not self.checked.asked and not self.gates.allowed.ask

    @property
    def origin(self) -> Origin:
        if not self.checked.case.typed:
            return Origin.PASTED
        return Origin.TYPED if self.at_once else Origin.MODEL

    def question(self) -> Contradiction | None:
        """Return the open conflict that the operation is about, or that has its fact as a side not
        written by hand; else None.
        """
        item = self.checked.target
        if item is None or item.is_note:
            return None
        rows = self._questions()
        if not item.is_fact:
            return rows.filter(pk=item.key).first()
        sides = rows.filter(Q(old_fact=item.key) | Q(new_fact=item.key))
        return next((entry for entry in sides if not is_by_hand(entry.old_fact)), None)

    def question_of_slot(self) -> Contradiction | None:
        """Return the earlier open conflict about the operation's single-valued slot; None if its
        old value was written by hand.
        """
        slot = self.operation.slot
        if not slot or SLOTS[slot].many:
            return None
        rows = self._questions().filter(slot=slot, opened_at__lt=self.checked.line.said_at)
        return next((entry for entry in rows if not is_by_hand(entry.old_fact)), None)

    def _questions(self) -> QuerySet[Contradiction]:
        rows = Contradiction.objects.for_user(self.scope.user_id).open()
        return rows.select_related("old_fact", "new_fact")

    def fact(self) -> ProfileFact | None:
        """Return the current fact that the operation is about, or None."""
        item = self.checked.target
        if item is None or not item.is_fact:
            return None
        return (
            ProfileFact.objects.for_user(self.scope.user_id).current().filter(pk=item.key).first()
        )

    def note(self) -> Memory | None:
        """Return the active memory that the operation is about, or None."""
        item = self.checked.target
        if item is None or not item.is_note:
            return None
        return Memory.objects.for_user(self.scope.user_id).active().filter(pk=item.key).first()


def apply(scope: Scope, checked: Checked, text: str, gates: Gates) -> Iterator[Outcome]:
    """Apply an operation that was not refused; `text` is the message. Runs within
    `acting_as(user)`. Sensitive content stays in its conversation.
    """
    task = _Task(replace(scope, allowed=gates.allowed), checked, text, gates)
    if gates.allowed.private or not gates.allowed.memory_on:
        return
    slot = _sensitive_slot(checked)
    if slot is not None:
        if slot:
            yield WithheldPrivate(SLOTS[slot])
        if task.operation.op == "update":
            # The new value stays in its conversation, but the old one is ended.
            yield from _end(task)
        return
    yield from _CARRY_OUT[task.operation.op](task)


def _sensitive_slot(checked: Checked) -> str | None:
    """Return the private slot that an operation touches, '' for confidential content. None for
    ordinary content, and for changes to a private item saved with consent.
    """
    operation, target = checked.operation, checked.target
    if operation.op in ("confirm", "forget", "end") or _is_kept_private(target):
        return None
    if operation.sensitive == CONFIDENTIAL:
        return ""
    if operation.sensitive:
        return SENSITIVE[operation.sensitive]
    return operation.slot if operation.slot and SLOTS[operation.slot].sensitive else None


def _is_kept_private(target: KnownItem | None) -> bool:
    return target is not None and bool(target.slot) and SLOTS[target.slot].sensitive


# --- Operations ----------------------------------------------------------------------------------


def _add(task: _Task) -> Iterator[Outcome]:
    question = task.question_of_slot()
    if question is not None and task.at_once:
        yield from _settle(task, question)
    elif task.operation.slot:
        yield from _offer(task, task.operation.slot, "statement")
    else:
        yield from _keep(task)


def _update(task: _Task) -> Iterator[Outcome]:
    fact, note, question = task.fact(), task.note(), task.question()
    if question is not None and task.at_once:
        yield from _settle(task, question)
    elif fact is not None:
        yield from _update_fact(task, fact)
    elif note is not None and task.operation.slot:
        # The memory now fits a slot of the profile: the fact replaces it.
        yield from _offer(task, task.operation.slot, "statement")
        if task.at_once:
            end_note(note)
    elif note is not None:
        yield from _keep(task, replaces=note)


def _update_fact(task: _Task, fact: ProfileFact) -> Iterator[Outcome]:
    value = task.operation.value or task.operation.text
    if fact.value.casefold() == value.casefold():
        yield from _confirm(task)
        return
    kind = _KINDS.get(task.operation.reason, "transition")
    closer = task.operation.reason == "refinement" or same_value(fact.slot, fact.value, value)
    # In a multi-valued slot a wrong value is replaced at once, not ended.
    corrects = not closer and kind == "correction" and SLOTS[fact.slot].many
    candidate = _candidate(task, fact.slot, "statement")
    request = request_of(SourcedCandidate(candidate, task.origin))
    allowed = decide_persistence(request, task.gates.allowed).place == KeepingPlace.PROFILE
    if (closer or corrects) and allowed and task.at_once and not is_by_hand(fact):
        refined = refine_fact(task.scope, candidate, fact, None, corrects=corrects)
        task.scope.reread()
        if not isinstance(refined, Conflict):
            yield refined
            return
    if SLOTS[fact.slot].many:
        yield from _end(task)
    for outcome in _offer(task, fact.slot, kind):
        if isinstance(outcome, ConflictOpened) and task.at_once:
            settle_correction(outcome.contradiction)
            task.scope.reread()
        yield outcome


def _end(task: _Task) -> Iterator[Outcome]:
    fact, note = task.fact(), task.note()
    if fact is not None:
        ended = end_known(task.scope, fact) if task.at_once else None
        sourced = SourcedCandidate(_candidate(task, fact.slot, "past", fact.value), task.origin)
        asked = None if ended else ask_about_end(task.scope, sourced, fact)
        if ended or asked:
            yield ended or asked  # type: ignore[misc]
    elif note is not None and task.at_once and note.source != Memory.Source.MANUAL:
        end_note(note)
        task.scope.reread()
        yield NoteEnded(note)
    elif note is not None:
        yield from _keep(task, replaces=note, ask=True, content=f"{OVER}{note.content}")


def _conflict(task: _Task) -> Iterator[Outcome]:
    fact, note = task.fact(), task.note()
    if fact is not None:
        yield from _offer(task, fact.slot, "statement")
    elif note is not None:
        yield from _keep(task, replaces=note, ask=True)


def _confirm(task: _Task) -> Iterator[Outcome]:
    fact, note, question = task.fact(), task.note(), task.question()
    if not task.at_once:
        return
    if question is not None and (fact is None or task.operation.value):
        yield from _settle(task, question)
    elif fact is not None:
        if matching_fact(task.scope, _candidate(task, fact.slot, "statement", fact.value)):
            outcome = propose_fact(task.scope, _candidate(task, fact.slot, "statement", fact.value))
            if isinstance(outcome, FactReinforced):
                yield outcome
    elif note is not None:
        yield NotedOutsideProfile(NoteAgreed(note))


def _settle(task: _Task, entry: Contradiction) -> Iterator[Outcome]:
    """Settle an open conflict by the value that the user says is right, or by another value."""
    value = task.operation.value or task.operation.text
    if not value:
        return
    if same_value(entry.slot, entry.new_fact.value, value):
        answer = Answer(Method.KEEP_NEW)
    elif same_value(entry.slot, entry.old_fact.value, value):
        answer = Answer(Method.KEEP_OLD)
    else:
        answer = Answer(Method.MERGE, value)
    try:
        resolve(entry, answer, by=None, reason="You said so in the conversation.")
    except AlreadySettled:
        return
    task.scope.reread()
    yield ConflictSettled(entry)


def _forget(task: _Task) -> Iterator[Outcome]:
    fact, note = task.fact(), task.note()
    if not task.at_once:
        return
    if fact is not None:
        manager.retract(fact)
        yield FactTakenBack(fact)
    elif note is not None:
        remove_note(note)
        yield NoteEnded(note)
    task.scope.reread()


_CARRY_OUT = {
    "add": _add,
    "update": _update,
    "end": _end,
    "conflict": _conflict,
    "confirm": _confirm,
    "forget": _forget,
}


# --- Facts and memories --------------------------------------------------------------------------


def _offer(task: _Task, slot: str, kind: str) -> Iterator[Outcome]:
    """Pass a value through the gates of the profile and return the outcome."""
    sourced = SourcedCandidate(_candidate(task, slot, kind), task.origin)
    outcome = candidate_promotion.consider(task.scope, task.text, sourced, task.gates)
    if outcome is not None:
        yield outcome


def _candidate(task: _Task, slot: str, kind: str, value: str = "") -> FactCandidate:
    operation = task.operation
    value = value or operation.value or operation.text
    start, end = _place(task, value)
    return FactCandidate(
        slot=slot,
        value=value,
        confidence=operation.confidence,
        trust=TYPED_TRUST if task.at_once else _ASKED_TRUST,
        start=start,
        end=end,
        scope="conversation" if operation.scope == "conversation" else "profile",
        kind=kind,  # type: ignore[arg-type]
        cue="model",
        changes=kind == "transition",
    )


def _place(task: _Task, value: str) -> tuple[int, int]:
    """Return the position of the value in the message, else of a quote, else the whole message."""
    text = task.text.casefold()
    for words in (value, *(quote.words for quote in task.operation.quotes)):
        start = text.find(words.casefold())
        if start >= 0:
            return start, start + len(words)
    return 0, len(task.text)


def _keep(
    task: _Task, *, replaces: Memory | None = None, ask: bool = False, content: str = ""
) -> Iterator[Outcome]:
    """Save a memory, unless it is valid only in its conversation."""
    operation = task.operation
    if operation.scope == "conversation":
        return
    by_hand = replaces is not None and replaces.source == Memory.Source.MANUAL
    draft = NoteDraft(
        content=content or operation.text or operation.value,
        original="; ".join(quote.words for quote in operation.quotes),
        category=Memory.Category(operation.category or "fact"),
        kind=_kind_of_note(operation),
        confidence=operation.confidence,
        trust=TYPED_TRUST if task.at_once else settings.MEMORY["trust_by_origin"][Origin.MODEL],
        happened_on=as_date(operation.day),
        origin=task.origin,
        source=ProfileFact.Source.REFLECTION,
        replaces=replaces.pk if replaces else None,
        ask=ask or by_hand or not task.at_once,
        tells=_slots_told(task),
    )
    outcome = keep_note(task.scope, draft)
    if outcome is not None:
        yield NotedOutsideProfile(outcome)


def _slots_told(task: _Task) -> tuple[tuple[str, str], ...]:
    """Return the slots and values that the trained reader finds in the lines, and private slots of
    the memory and its sentences, so that blocked slots stay blocked.
    """
    if not task.gates.allowed.blocked:
        return ()
    case, operation = task.checked.case, task.operation
    facts = [fact for line in case.lines for fact in line.reading.facts]
    texts = [operation.text, *(span.sentence for span in case.spans if span)]
    matters = [slot for text in texts for _, _, slot in Reading(text).sentence_slots if slot]
    return (*((fact.slot, fact.value) for fact in facts), *((slot, "") for slot in matters))


def _kind_of_note(operation: Operation) -> Memory.Kind:
    if operation.category == "style":
        return Memory.Kind.PROCEDURAL
    return Memory.Kind.EPISODIC if operation.day else Memory.Kind.SEMANTIC
