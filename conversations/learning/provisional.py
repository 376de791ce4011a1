"""Withdrawing what the trained reader (a local classifier) learned and the language model does not
confirm. Outcomes that the user has changed by hand since are kept.
"""

from collections.abc import Sequence

from conversations.models import LearningOutcome, Message
from ledger.conflicts.auto_settling import is_by_hand
from ledger.conflicts.resolution import Answer, resolve
from ledger.conflicts.undo import CannotUndo, undo
from ledger.models import READ_OTHERWISE, Contradiction, Resolution
from memory import manager
from memory.core.trust import move_trust
from memory.models import Memory, ProfileFact, TrustChange
from memory.notes.note_store import withdraw_note
from memory.operations.checks import Checked
from memory.slots import alike_to, same_value

Kind = LearningOutcome.Kind
PROVISIONAL = frozenset({Kind.STORED, Kind.ENDED, Kind.CONFLICT, Kind.MEMORY, Kind.WAITING})
"""What a model that reads the message may withdraw."""


def withdraw_unsaid(message: Message, operations: Sequence[Checked]) -> int:
    """Withdraw a message's provisional outcomes that no operation confirms; return how many. Must
    run in the user's transaction (`acting_as`).
    """
    rows = LearningOutcome.objects.filter(user_id=message.user_id, message=message)
    rows = rows.select_related("fact", "memory", "contradiction", "override")
    withdrawn = [row for row in rows if _withdraw(row, operations)]
    LearningOutcome.objects.filter(
        user_id=message.user_id, pk__in=[row.pk for row in withdrawn]
    ).delete()
    return len(withdrawn)


def _withdraw(row: LearningOutcome, operations: Sequence[Checked]) -> bool:
    """Withdraw one outcome; return False where it is kept."""
    match row.kind:
        case Kind.STORED if row.fact is not None and row.fact.source == ProfileFact.Source.USER:
            return not _says_fact(operations, row.fact) and _take_out(row.fact, row.message)
        case Kind.ENDED if row.fact is not None:
            return not _ends(operations, row.fact) and _resume(row.fact)
        case Kind.CONFLICT if row.contradiction is not None:
            entry = row.contradiction
            return not _changes_to(operations, entry.new_fact) and _take_off(entry)
        case Kind.MEMORY | Kind.WAITING if row.memory is not None:
            return _let_go(row.memory)
        case _:
            return False


def _says_fact(operations: Sequence[Checked], fact: ProfileFact) -> bool:
    slots = alike_to(fact.slot)
    for checked in operations:
        slot = checked.operation.slot or (checked.target.slot if checked.target else "")
        if slot in slots and same_value(fact.slot, fact.value, checked.operation.value):
            return True
    return False


def _changes_to(operations: Sequence[Checked], fact: ProfileFact) -> bool:
    changes = [checked for checked in operations if checked.operation.reason != "refinement"]
    return _says_fact(changes, fact)


def _ends(operations: Sequence[Checked], fact: ProfileFact) -> bool:
    targets = {checked.target.key for checked in operations if checked.target and not checked.asked}
    return fact.pk in targets


def _take_out(fact: ProfileFact, message: Message) -> bool:
    fact.refresh_from_db()
    said_elsewhere = fact.mentions.exclude(message=message).exists()
    # True if the fact was told as past, not ended later by other messages.
    told_as_past = fact.valid_to is not None and fact.valid_to <= message.said_at
    stands = fact.status == ProfileFact.Status.CURRENT or (
        fact.status == ProfileFact.Status.PAST and told_as_past
    )
    if not stands or is_by_hand(fact) or said_elsewhere:
        return False
    manager.withdraw(fact, READ_OTHERWISE)
    return True


def _resume(fact: ProfileFact) -> bool:
    try:
        manager.resume(fact, READ_OTHERWISE)
    except manager.SlotTaken:
        return False
    return True


def _take_off(entry: Contradiction) -> bool:
    """Revert a conflict that a withdrawn statement opened or settled, for the older value."""
    if not entry.is_open:
        try:
            undo(entry)
        except CannotUndo:
            return False
        entry.refresh_from_db()
    resolve(entry, Answer(Resolution.Method.KEEP_OLD), by=None, reason=READ_OTHERWISE)
    _restore_trust(entry)
    return True


def _restore_trust(entry: Contradiction) -> None:
    """Restore the trust that the older value lost by the withdrawn statement."""
    drifts = TrustChange.objects.filter(
        user_id=entry.user_id,
        fact=entry.old_fact_id,
        cause=TrustChange.Cause.DRIFT,
        message=entry.new_fact.source_message_id,
    )
    lost = sum(change.before - change.after for change in drifts)
    old = ProfileFact.objects.get(pk=entry.old_fact_id, user_id=entry.user_id)
    move_trust(old, min(1.0, old.trust + lost), TrustChange.Cause.UNDONE)


def _let_go(memory: Memory) -> bool:
    memory.refresh_from_db(fields=["status", "trust"])
    if memory.source != ProfileFact.Source.USER or memory.ends_id is not None:
        return False
    withdraw_note(memory)
    return memory.status == Memory.Status.WITHDRAWN
