"""Saving and changing memories. All functions must run in the user's transaction.

A replaced memory's row stays, with a status and a link to its successor.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.conf import settings
from django.utils.timezone import now

from accounts import audit
from accounts.audit import Action
from memory.core import allowances, trust
from memory.core.known_facts import KnownRecords
from memory.core.persistence_gate import Authority, KeepingPlace, PersistenceDecision
from memory.core.scope import Scope
from memory.core.slot_locks import lock_notes
from memory.language.origin import Origin
from memory.language.safety import claims
from memory.language.text import dedup, terms
from memory.models import CONTENT_LENGTH, Memory, MemoryQuerySet, ProfileFact
from memory.notes import same_note
from memory.notes.drafts import NoteDraft
from memory.notes.note_extraction import day_named
from memory.notes.note_gate import NotKept, check_note, check_note_return, judge, why_not
from memory.slots import alike_to

Status = Memory.Status

UNCHECKED = (
    "This claim is unchecked, so I can’t rank it above “Normal”. I’ll still find it when you ask "
    "for it."
)


@dataclass(frozen=True)
class NoteKept:
    """Result: a new memory was saved. `instead_of` is the memory that it replaced, if any."""

    memory: Memory
    instead_of: Memory | None = None


@dataclass(frozen=True)
class NoteAgreed:
    """Result: a known memory was said again, so its trust may have risen."""

    memory: Memory


NoteOutcome = NoteKept | NoteAgreed


# --- Saving --------------------------------------------------------------------------------------


def keep_note(
    scope: Scope, draft: NoteDraft, *, authority: Authority = Authority.READ
) -> NoteOutcome | None:
    """Save a memory; return None if it may not be stored or is too uncertain.

    An equal memory gains trust instead, once per message. The persistence gate decides whether the
    memory is active or waits for approval. Idempotent for the same message.
    """
    decision = judge(scope, draft, authority=authority)
    # The original words: shortened text can look like an instruction.
    typed = draft.origin == Origin.TYPED and authority == Authority.READ
    # A language model's proposal has passed the checks in `memory.operations`.
    proposed = draft.source == ProfileFact.Source.REFLECTION
    unfit = not proposed and why_not(draft.original or draft.content, typed_in_talk=typed)
    if not decision.kept or unfit:
        return None
    known = scope.known or KnownRecords(scope.user_id, (), notes=True)
    content = draft.content[:CONTENT_LENGTH].strip()
    meaning = terms.meaning_vectors([content])[0]
    same = same_note.find(known.notes(), content, meaning, draft)
    if same is not None and same.pk == draft.replaces:
        # A more precise or changed text of the replaced memory is not a repetition.
        same = None
    if same is not None and not (same_note.gives_way(same) and same_note.is_fuller(draft, same)):
        return _agree(scope, same)
    old = same or _replaced(scope.user_id, draft)
    memory = _write(scope, draft, content, meaning, decision)
    known.add(memory)
    if old is not None and memory.status == Status.ACTIVE:
        _end(old, Status.SUPERSEDED, successor=memory)
        known.forget()
    if memory.status == Status.ACTIVE and _is_full(known.notes()):
        make_room(scope.user_id)
        known.forget()
    return NoteKept(memory, old if memory.status == Status.ACTIVE else None)


def _agree(scope: Scope, note: Memory) -> NoteAgreed:
    """Raise the trust of a known memory, unless it is an unchecked claim."""
    if note.claim:
        return NoteAgreed(note)
    if scope.message_id is not None and note.source_message_id != scope.message_id:
        said_before = note.trust_changes.filter(message_id=scope.message_id).exists()
        if not said_before:
            trust.agree(note, scope.message_id)
    return NoteAgreed(note)


def update_waiting_note(memory: Memory, scope: Scope, content: str) -> None:
    """Replace the text of a waiting memory by a fuller one."""
    memory.content = content[:CONTENT_LENGTH]
    memory.content_key = dedup.make_content_key(content)[:CONTENT_LENGTH]
    memory.said_at, memory.source_message_id = scope.said_at, scope.message_id
    memory.source_conversation_id = scope.conversation_id
    for name, value in findable_columns(content, terms.meaning_vectors([content])[0]).items():
        setattr(memory, name, value)
    memory.save()


def _replaced(user_id: UUID, draft: NoteDraft) -> Memory | None:
    if draft.replaces is None:
        return None
    rows = Memory.objects.for_user(user_id).active()
    rows = rows.exclude(priority=Memory.Priority.CORE).exclude(source=Memory.Source.MANUAL)
    return rows.filter(pk=draft.replaces).first()


def _write(
    scope: Scope,
    draft: NoteDraft,
    content: str,
    meaning: terms.Float32Array | None,
    decision: PersistenceDecision,
) -> Memory:
    own = draft.origin == Origin.TYPED or draft.source == Memory.Source.MANUAL
    claim = claims.find_claim(draft.original or content)
    return Memory.objects.create(
        user_id=scope.user_id,
        kind=draft.kind,
        category=draft.category,
        claim=claim or "",
        priority=min(draft.priority, Memory.Priority.NORMAL) if claim else draft.priority,
        status=Status.WAITING if decision.place == KeepingPlace.WAITS else Status.ACTIVE,
        content=content,
        content_key=dedup.make_content_key(content)[:CONTENT_LENGTH],
        mode=draft.mode,
        original=draft.original,
        key_spans=list(draft.key_spans),
        significance=draft.significance,
        slot=draft.slot,
        value=draft.value[:500],
        ends_id=draft.ends,
        replaces_id=draft.replaces if decision.place == KeepingPlace.WAITS else None,
        trust=_trust_in(draft, claim, typed=own),
        confidence=draft.confidence,
        source=draft.source,
        origin=draft.origin,
        written_by=draft.written_by,
        source_conversation_id=scope.conversation_id,
        source_message_id=scope.message_id,
        said_at=scope.said_at,
        happened_on=draft.happened_on,
        # A shortened memory is found by its original words.
        **findable_columns(
            content if draft.mode == Memory.Mode.LOSSLESS else draft.original, meaning
        ),
    )


def _trust_in(draft: NoteDraft, claim: claims.Claim | None, *, typed: bool) -> float:
    """Return the trust of a draft, limited by its origin; for a claim, to that of pasted text."""
    if typed and claim is None:
        return draft.trust
    by_origin = settings.MEMORY["trust_by_origin"]
    return min(draft.trust, float(by_origin[Origin.PASTED if claim else draft.origin]))


def findable_columns(content: str, meaning: terms.Float32Array | None) -> dict[str, Any]:
    """Return the columns by which a memory is searched."""
    numbers = [terms.stem_id(word) for word in terms.content_words(content)]
    return terms.columns(numbers, meaning)


# --- Capacity ------------------------------------------------------------------------------------


def _is_full(notes: Iterable[Memory]) -> bool:
    """Return whether active memories not written by hand exceed the capacity."""
    noted = [note for note in notes if note.source != Memory.Source.MANUAL]
    return sum(note.status == Status.ACTIVE for note in noted) > int(settings.MEMORY["capacity"])


def make_room(user_id: UUID) -> int:
    """Retire memories over the capacity, lowest priority and oldest first; return the number."""
    extracted = (
        Memory.objects.for_user(user_id)
        .active()
        .exclude(category=Memory.Category.SUMMARY)
        .exclude(source=Memory.Source.MANUAL)
    )
    over = extracted.count() - int(settings.MEMORY["capacity"])
    if over <= 0:
        return 0
    spare = extracted.exclude(priority=Memory.Priority.CORE).order_by("priority", "said_at", "pk")
    return Memory.objects.filter(
        user_id=user_id, pk__in=list(spare.values_list("pk", flat=True)[:over])
    ).update(status=Status.RETIRED, ended_at=now(), updated_at=now())


# --- Changes by the user -------------------------------------------------------------------------


def write_by_hand(
    user_id: UUID, content: str, category: Memory.Category = Memory.Category.FACT
) -> Memory:
    """Save a memory written by hand. Raises NotKept with the reason."""
    content = " ".join(content.split())[:CONTENT_LENGTH]
    procedural = category == Memory.Category.STYLE
    draft = NoteDraft(
        content=content,
        category=category,
        kind=Memory.Kind.PROCEDURAL if procedural else Memory.Kind.SEMANTIC,
        priority=Memory.Priority.HIGH,
        confidence=1.0,
        trust=settings.MEMORY["manual_trust"],
        significance=1.0,
        source=Memory.Source.MANUAL,
        happened_on=day_named(content, now()),
    )
    scope = Scope(user_id, None, None, now(), allowed=allowances.allowances_of(user_id))
    check_note(scope, draft, Authority.HAND)
    outcome = keep_note(scope, draft, authority=Authority.HAND)
    if not isinstance(outcome, NoteKept):
        raise NotKept("I already remember that.")
    return outcome.memory


def rewrite(memory: Memory, content: str) -> Memory:
    """Replace the text of a memory by hand; the old row stays, linked. Raises NotKept."""
    content = " ".join(content.split())[:CONTENT_LENGTH]
    if content == memory.content:
        return memory
    draft = NoteDraft(
        content=content,
        category=Memory.Category(memory.category),
        kind=Memory.Kind(memory.kind),
        priority=Memory.Priority(memory.priority),
        confidence=1.0,
        trust=settings.MEMORY["manual_trust"],
        significance=1.0,
        happened_on=day_named(content, memory.said_at) or memory.happened_on,
        source=Memory.Source.MANUAL,
    )
    decision = check_note(
        Scope(memory.user_id, None, None, memory.said_at), draft, Authority.CHANGE
    )
    lock_notes(memory.user_id)
    if _has_duplicate(memory.user_id, dedup.make_content_key(content), but=memory):
        raise NotKept("I already remember that.")
    _end(memory, Status.SUPERSEDED)
    scope = Scope(
        memory.user_id, memory.source_conversation_id, memory.source_message_id, memory.said_at
    )
    written = _write(scope, draft, content, terms.meaning_vectors([content])[0], decision)
    memory.superseded_by = written
    memory.save(update_fields=["superseded_by"])
    return written


def accept_note(memory: Memory) -> None:
    """Accept a waiting memory. Raises NotKept if an equal one is active."""
    lock_notes(memory.user_id)
    if memory.status != Status.WAITING:
        return
    reopen(memory)
    if memory.replaces is not None:
        take_over_notes(memory, [memory.replaces])
    if not memory.claim:
        trust.move_trust(memory, settings.MEMORY["manual_trust"], trust.Cause.CONFIRMED)
    _log(memory, Action.ACCEPTED, after=memory.content)
    make_room(memory.user_id)


def prioritise(memory: Memory, priority: Memory.Priority) -> None:
    """Set the priority of a memory; the highest is in every prompt.

    Raises NotKept if an unchecked claim would get more than normal priority.
    """
    if memory.claim and priority > max(memory.priority, Memory.Priority.NORMAL):
        raise NotKept(UNCHECKED)
    memory.priority, memory.faded_at = priority, None
    memory.save(update_fields=["priority", "faded_at", "updated_at"])


def pause_note(memory: Memory) -> None:
    """Pause a memory: it stays stored but is not used."""
    if memory.status == Status.ACTIVE:
        _end(memory, Status.PAUSED)


def remove_note(memory: Memory) -> None:
    """Remove a memory, or decline a waiting one. It can be restored."""
    if memory.status == Status.WAITING:
        decline_note(memory)
    elif memory.status in (Status.ACTIVE, Status.PAUSED):
        _end(memory, Status.REMOVED)


def decline_note(memory: Memory) -> None:
    """Decline a waiting memory, which is then not proposed again."""
    if memory.status == Status.WAITING:
        _end(memory, Status.DECLINED)
        _log(memory, Action.DECLINED, before=memory.content)


def was_declined(user_id: UUID, slot: str, value: str) -> bool:
    """Return whether the user declined this value of the slot."""
    said_no = Memory.objects.for_user(user_id).filter(status=Status.DECLINED, slot=slot)
    return any(
        dedup.tells_the_same(slot, declined, value)
        for declined in said_no.values_list("value", flat=True)
    )


def fulfil_note(memory: Memory) -> None:
    """Close a waiting memory whose fact was saved, or whose fact to be ended has ended."""
    if memory.status == Status.WAITING:
        _end(memory, Status.SUPERSEDED)


def restore_note(memory: Memory) -> None:
    """Restore a memory. Raises NotKept if an equal one is active, or its slot is blocked."""
    lock_notes(memory.user_id)
    check_note_return(memory)
    if memory.status == Status.DECLINED:
        memory.status, memory.ended_at = Status.WAITING, None
        memory.save(update_fields=["status", "ended_at", "updated_at"])
    elif memory.status in (Status.PAUSED, Status.REMOVED, Status.RETIRED, Status.SUPERSEDED):
        reopen(memory)


def settle_slot(user_id: UUID, fact: ProfileFact, known: KnownRecords | None = None) -> None:
    """End the memories that state the value of a fact in the profile."""
    alike = alike_to(fact.slot)
    if known is None:
        rows = list(Memory.objects.for_user(user_id).shown().filter(slot__in=alike))
    else:
        rows = [note for note in known.notes() if note.slot in alike]
    for row in rows:
        if dedup.tells_the_same(fact.slot, row.value, fact.value):
            _end(row, Status.SUPERSEDED)


def take_over_notes(memory: Memory, others: Iterable[Memory]) -> None:
    """Replace other memories by an active memory that says they are over."""
    for other in others:
        if memory.status == Status.ACTIVE and other.pk != memory.pk:
            _end(other, Status.SUPERSEDED, successor=memory)


def end_note(memory: Memory) -> None:
    """End a memory because the user said it is over; it can be restored."""
    if memory.status == Status.ACTIVE:
        _end(memory, Status.SUPERSEDED)


def withdraw_note(memory: Memory) -> None:
    """Remove a misread memory, and restore the memory that it replaced."""
    if memory.status in (Status.ACTIVE, Status.WAITING):
        _end(memory, Status.WITHDRAWN)
        restore_replaced(memory)


def restore_replaced(memory: Memory) -> None:
    """Restore the memories that a memory replaced, except those equal to an active one."""
    for other in Memory.objects.filter(superseded_by=memory, status=Status.SUPERSEDED):
        if not _has_duplicate(memory.user_id, other.content_key, but=other):
            reopen(other)


def retract_notes_of_fact(fact: ProfileFact) -> None:
    """Remove the memories made from the same words as a retracted fact."""
    for row in notes_from_same_words(fact):
        _end(row, Status.REMOVED)


def notes_from_same_words(fact: ProfileFact) -> MemoryQuerySet:
    """Return the memories made from the words of a fact."""
    said_so = fact.mentions.values("message")
    rows = Memory.objects.for_user(fact.user_id).shown().filter(source_message__in=said_so)
    return rows.filter(content__icontains=fact.value)


def _has_duplicate(user_id: UUID, key: str, *, but: Memory) -> bool:
    rows = Memory.objects.for_user(user_id).active().exclude(pk=but.pk)
    return rows.filter(content_key=key[:CONTENT_LENGTH]).exists()


def reopen(memory: Memory) -> None:
    """Make a memory active, from any status. Raises NotKept if an equal one is active."""
    if _has_duplicate(memory.user_id, memory.content_key, but=memory):
        raise NotKept("I already remember that.")
    memory.status, memory.ended_at, memory.superseded_by = Status.ACTIVE, None, None
    memory.save(update_fields=["status", "ended_at", "superseded_by", "updated_at"])


def _log(memory: Memory, deed: Action, *, before: str = "", after: str = "") -> None:
    audit.record(
        memory.user_id,
        deed,
        subject=memory.pk,
        slot=memory.slot,
        conversation=memory.source_conversation_id,
        message=memory.source_message_id,
        before=before,
        after=after,
    )


def _end(memory: Memory, status: Memory.Status, successor: Memory | None = None) -> None:
    memory.status, memory.ended_at, memory.superseded_by = status, now(), successor
    memory.save(update_fields=["status", "ended_at", "superseded_by", "updated_at"])
