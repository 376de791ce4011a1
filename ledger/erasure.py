"""Erasing facts and memories permanently, with everything that repeats them except messages.

Removed facts stay in the history; erased ones do not. Their rows are deleted from profile,
memories, conflicts, shared pages and decisions; log lines lose their text, and a new line records
the erasure. The preview uses the same functions.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import partial
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import Q, QuerySet

from accounts import audit, erased_list
from accounts.audit import Action
from accounts.erased_list import Kind
from accounts.models import AuditEvent
from ledger import decisions
from ledger.conflicts import side_changes
from ledger.models import Contradiction, ContradictionQuerySet, Erasure, Resolution
from ledger.verification import judging, kinds, receipts
from ledger.verification.search import search
from memory import manager
from memory.core.signals import collect_erasure_parts, words_erased
from memory.core.slot_locks import lock_slot, lock_slots
from memory.deletion import erasing
from memory.deletion.sought import ErasurePart, ErasureTarget
from memory.lessons.contribution import erase_support, find_matching_support
from memory.manager import StoredEntry, Tier, find_matching_blocks, remove_from_block
from memory.models import (
    Memory,
    MemoryBlock,
    ProfileFact,
)
from memory.slots import with_opposites


@dataclass(frozen=True)
class Preview:
    """What an erasure would delete."""

    going: erasing.ErasureScope
    entries: list[Contradiction]
    # The user's other facts that contain the text, and stay.
    others: list[ProfileFact]
    # The challengers that become current.
    replacements: list[ProfileFact]
    shared_pages: int
    # Log lines whose text is cleared.
    lines: frozenset[UUID]
    # Everything else that contains the text.
    parts: list[ErasurePart]

    @property
    def counts(self) -> dict[str, int]:
        """Return how many rows are deleted, by the kinds of `ledger.verification.kinds`."""
        return kinds.added(
            counts_of(self.going),
            {
                "questions": len(self.entries),
                "places": self.shared_pages,
                "lines": len(self.lines),
            },
            *({part.kind: part.count} for part in self.parts),
        )

    @property
    def stays(self) -> dict[str, int | None]:
        """Return how many rows stay, by the kinds of `ledger.verification.kinds`; or None."""
        letters = len(self.going.message_ids | self.going.mentioned)
        others = {"other_lines": len(self.others)} if self.others else {}
        return {"letters": letters, "names": None, "history": None, "backups": None, **others}


def preview(fact: ProfileFact) -> Preview:
    """Return what erasing a fact would delete, in a fixed number of queries."""
    erasure, user_id = erasing.find_matching_rows(fact), fact.user_id
    entries = list(_entries_of(user_id, erasure.fact_ids))
    rest = ProfileFact.objects.for_user(user_id).exclude(pk__in=erasure.fact_ids)
    rest = rest.filter(status__in=[ProfileFact.Status.CURRENT, ProfileFact.Status.CHALLENGER])
    return Preview(
        going=erasure,
        entries=entries,
        others=[
            other
            for other in rest.defer("embedding").order_by("created_at")
            if any(words.occur_in(other.value) for words in erasure.redaction_terms)
        ],
        replacements=list(side_changes.find_replacements(user_id, erasure.fact_ids).values()),
        shared_pages=erasing.shared_pages(user_id, erasure.fact_ids),
        lines=find_lines_to_blank(user_id, erasure, entries),
        parts=find_erasure_parts(
            user_id, ErasureTarget(erasure.redaction_terms), erasure.message_ids | erasure.mentioned
        ),
    )


def find_erasure_parts(
    user_id: UUID, target: ErasureTarget, messages: Collection[UUID] = ()
) -> list[ErasurePart]:
    """Return everything else that contains the erased text: namespace entries, blocks, lessons, and
    data of other packages. `messages` contain it too and stay.
    """
    entries = manager.find_matching_entries(user_id, target)
    blocks = find_matching_blocks(user_id, target.is_in)
    supports = find_matching_support(user_id, target.is_in)
    own_parts = [
        *(_entries_part(user_id, target, tier, entries) for tier in Tier),
        ErasurePart("blocks", len(blocks), partial(_rewrite, blocks, target)),
        ErasurePart("lessons", len(supports), partial(erase_support, user_id, supports)),
    ]
    answers: list[tuple[Any, Any]] = collect_erasure_parts.send(
        ErasurePart, user_id=user_id, target=target, messages=messages
    )
    return own_parts + [part for _, parts in answers for part in parts]


def erase(fact: ProfileFact) -> Erasure | None:
    """Erase a fact and everything with the same value. Return the receipt, None if already erased.

    The messages stay in their conversation, but are not quoted elsewhere and not learned from
    again. A later message can state the value anew.
    """
    user_id = fact.user_id
    with transaction.atomic():
        lock_slot(user_id, fact.slot)
        erasure = erasing.find_matching_rows(fact)
        if not erasure.facts:
            return None
        _exclude_messages(user_id, erasure)
        # Collect again under the lock: concurrent learning may have added rows.
        going = preview(fact)
        _delete_rows(user_id, going.going)
        for part in going.parts:
            part.delete()
        current_facts = (
            erased_fact
            for erased_fact in going.going.facts
            if erased_fact.status == ProfileFact.Status.CURRENT
        )
        audit.record(user_id, Action.ERASED, subject=next(current_facts, fact).pk, slot=fact.slot)
        erased_list.note(user_id, Kind.FACT, fact.pk)
        return _receipt(fact, going)


def _receipt(fact: ProfileFact, deleted: Preview) -> Erasure:
    erasure, user_id = deleted.going, fact.user_id
    keys = frozenset(str(key) for key in erasure.fact_ids | erasure.note_ids)
    judge = judging.of_a_fact(user_id, erasure.slots, erasure.fact_ids)
    result = search(user_id, ErasureTarget(erasure.redaction_terms, keys=keys), judge)
    return receipts.write(
        user_id, receipts.Kind.FACT, fact.pk, deleted.counts, result, slot=fact.slot
    )


def erase_all(
    user_id: UUID, facts: Iterable[ProfileFact] = (), notes: Iterable[Memory] = ()
) -> erasing.ErasureScope:
    """Erase only these rows, not others with the same value. Return what was deleted.

    For rows supported only by deleted messages. Each gets its own line in the log.
    """
    facts, notes = list(facts), list(notes)
    with transaction.atomic():
        lock_slots(user_id, {fact.slot for fact in facts})
        erasure = erasing.only_these_rows(user_id, facts, notes)
        _exclude_messages(user_id, erasure)
        _delete_rows(user_id, erasure)
        rows: Iterable[ProfileFact | Memory] = (*erasure.facts, *erasure.notes)
        for row in rows:
            audit.record(user_id, Action.ERASED, subject=row.pk, slot=row.slot)
            kind = Kind.FACT_ALONE if isinstance(row, ProfileFact) else Kind.NOTE
            erased_list.note(user_id, kind, row.pk)
    return erasure


def erase_note(note: Memory) -> erasing.ErasureScope:
    """Erase a memory with its earlier versions and merged memories. Return what was deleted."""
    return erase_all(note.user_id, notes=erasing.wordings_of(note))


def counts_of_all(
    user_id: UUID, facts: Iterable[ProfileFact] = (), notes: Iterable[Memory] = ()
) -> dict[str, int]:
    """Return how many rows `erase_all` would delete, by kind."""
    erasure = erasing.only_these_rows(user_id, facts, notes)
    entries = list(_entries_of(user_id, erasure.fact_ids))
    return kinds.added(
        counts_of(erasure),
        {
            "questions": len(entries),
            "places": erasing.shared_pages(user_id, erasure.fact_ids),
            "lines": len(find_lines_to_blank(user_id, erasure, entries)),
        },
    )


def blank_log_lines(user_id: UUID) -> None:
    """Clear the text of every log line of a user."""
    audit.redact(user_id, Q(pk__in=find_lines_with_text(user_id)))


def find_lines_with_text(user_id: UUID) -> QuerySet[AuditEvent]:
    """Return the log lines of a user that contain text."""
    lines = AuditEvent.objects.for_user(user_id).filter(redacted_at__isnull=True)
    return lines.exclude(deed__in=audit.IN_OUR_WORDS).exclude(before="", after="", why="")


def counts_of(erasure: erasing.ErasureScope) -> dict[str, int]:
    """Return how many facts, memories, summaries and overrides are deleted."""
    waiting = sum(note.status == Memory.Status.WAITING for note in erasure.notes)
    summaries = sum(note.category == Memory.Category.SUMMARY for note in erasure.notes)
    return {
        "facts": len(erasure.facts),
        "notes": len(erasure.notes) - waiting - summaries,
        "proposals": waiting,
        "summaries": summaries,
        "here_only": len(erasure.overrides),
    }


def find_lines_to_blank(
    user_id: UUID, erasure: erasing.ErasureScope, entries: Iterable[Contradiction]
) -> frozenset[UUID]:
    """Return the log lines with text about these rows, or that mention an erased value."""
    subjects = erasure.fact_ids | erasure.note_ids | {entry.pk for entry in entries}
    about = find_lines_with_text(user_id).filter(subject__in=subjects)
    return frozenset([*about.values_list("pk", flat=True), *_lines_telling(user_id, erasure)])


# --- Deleting ------------------------------------------------------------------------------------


def _exclude_messages(user_id: UUID, erasure: erasing.ErasureScope) -> None:
    """Exclude the messages from being quoted and learned from."""
    messages = erasure.message_ids | erasure.mentioned
    subjects = erasure.fact_ids | erasure.note_ids
    words_erased.send(
        erasing.ErasureScope,
        user_id=user_id,
        messages=messages,
        words=erasure.redaction_terms,
        subjects=subjects,
    )


def _delete_rows(user_id: UUID, erasure: erasing.ErasureScope) -> None:
    """Delete the rows and the ledger's rows about them. Their slots are locked."""
    left = side_changes.find_replacements(user_id, erasure.fact_ids)
    side_changes.repoint_to_replacements(user_id, left)
    entries = set(_entries_of(user_id, erasure.fact_ids).values_list("pk", flat=True))
    subjects = erasure.fact_ids | erasure.note_ids | entries
    decisions.forget(user_id, subjects)
    erasing.delete(user_id, erasure)
    _blank_answers(user_id, erasure)
    _blank_lines(user_id, erasure, subjects)
    side_changes.make_replacements_current(left)


def _entries_of(user_id: UUID, facts: Collection[UUID]) -> ContradictionQuerySet:
    """Return the conflicts with one of the facts as a side."""
    sides = Q(old_fact__in=facts) | Q(new_fact__in=facts)
    return Contradiction.objects.filter(sides, user_id=user_id)


def _blank_answers(user_id: UUID, erasure: erasing.ErasureScope) -> None:
    """Clear the answers to other conflicts of the slot that created or dated the value."""
    slots = with_opposites(erasure.slots)
    erased_keys = {str(key) for key in erasure.fact_ids}
    for answer in Resolution.objects.filter(user_id=user_id, contradiction__slot__in=slots):
        facts = answer.before.get("facts", {})
        blanked = {
            "value": "" if _tells(erasure, answer.value) else answer.value,
            "reason": "" if _tells(erasure, answer.reason) else answer.reason,
            "before": answer.before
            if erased_keys.isdisjoint(facts)
            else {
                **answer.before,
                "facts": {k: v for k, v in facts.items() if k not in erased_keys},
            },
        }
        changed = [name for name, value in blanked.items() if getattr(answer, name) != value]
        for name in changed:
            setattr(answer, name, blanked[name])
        if changed:
            answer.save(update_fields=changed)


def _blank_lines(user_id: UUID, erasure: erasing.ErasureScope, subjects: Collection[UUID]) -> None:
    """Clear the text of log lines about these rows, or that mention an erased value; not of those
    about memories that stay.
    """
    audit.redact(user_id, Q(subject__in=subjects))
    audit.redact(user_id, Q(pk__in=_lines_telling(user_id, erasure)))


def _lines_telling(user_id: UUID, erasure: erasing.ErasureScope) -> list[UUID]:
    lines = find_lines_with_text(user_id).filter(slot__in=[*erasure.slots, ""])
    staying = Memory.objects.for_user(user_id).exclude(pk__in=erasure.note_ids).values("pk")
    lines = lines.exclude(subject__isnull=False, subject__in=staying)
    return [line.pk for line in lines if _line_tells(erasure, line)]


def _entries_part(
    user_id: UUID, target: ErasureTarget, tier: Tier, entries: list[StoredEntry]
) -> ErasurePart:
    here = [entry for entry in entries if entry.tier is tier]
    delete_entries = partial(manager.erase_entries, user_id, here, target)
    return ErasurePart(f"entries_{tier}", len(here), delete_entries)


def _rewrite(blocks: list[MemoryBlock], target: ErasureTarget) -> None:
    for block in blocks:
        remove_from_block(block, target.is_in)


def _line_tells(erasure: erasing.ErasureScope, line: AuditEvent) -> bool:
    sides = [*line.before.split(" / "), *line.after.split(" / ")]
    return any(
        words.occur_in(line.before, line.after, line.why)
        or (words.slot == line.slot and any(words.match_value(side) for side in sides))
        for words in erasure.redaction_terms
    )


def _tells(erasure: erasing.ErasureScope, text: str) -> bool:
    return any(words.match_value(text) or words.occur_in(text) for words in erasure.redaction_terms)
