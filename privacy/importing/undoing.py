"""Taking an import out again: its conversations with their messages, what was learned from these
alone, and its memories; batch by batch, each a transaction with how far it is. At the end all is
searched once, and one receipt tells what went.
"""

import time
from collections.abc import Sequence
from itertools import accumulate
from uuid import UUID

from accounts import work
from accounts.database.isolation import acting_as
from accounts.models import User
from accounts.privacy import hold_choices
from conversations.deletion import conversation_plan, message_deletion
from conversations.deletion.message_deletion import BeingWritten, everything
from conversations.messages import lock_conversations
from conversations.models import Conversation
from ledger import erasure
from ledger.verification import kinds
from memory.core import lock_deletions
from memory.deletion import ErasureTarget
from memory.models import Memory
from privacy.importing import writing
from privacy.models import Import, ImportedRow

# After how many seconds others get their turn, and until it is tried again. A transaction takes so
# many items at most, and of conversations no more than have so many messages together.
_TURN, _LATER = 5.0, 2.0
_ITEMS, _MESSAGES = 50, 1_000


def take_out(claim: work.Claim, row: Import) -> None:
    """Take out what is left of it, and write the receipt. A conversation in which its owner went on
    here stays, and is counted.

    Raises PutOff when others have waited long enough, and while an answer is written there.
    """
    began = time.monotonic()
    try:
        while _take_out_next(claim, row):
            if time.monotonic() - began > _TURN:
                raise work.PutOff(0)
    except BeingWritten:
        raise work.PutOff(_LATER) from None
    with acting_as(claim.user_id):
        writing.go_on(claim, row.pk, Import.State.UNDOING)
        give_receipt(row)


def give_receipt(row: Import) -> None:
    """Search for what went and write down how much it was, in the person's open block; once."""
    if not row.gone:
        return
    counts, marks = row.gone, _marks_of(row)
    # They are no part of what is searched.
    row.gone, row.gone_marks = {}, {}
    row.save(update_fields=["gone", "gone_marks"])
    conversation_plan.receipt(User.objects.get(pk=row.user_id), row.pk, counts, marks)


def _take_out_next(claim: work.Claim, row: Import) -> bool:
    """Take out the next conversations and memories; False where none are left."""
    with acting_as(claim.user_id):
        writing.go_on(claim, row.pk, Import.State.UNDOING)
        batch = _next_of(row)
        if not batch:
            return False
        lock_deletions(claim.user_id)
        lock_conversations(one.conversation for one in batch if one.conversation)
        user = hold_choices(claim.user_id)
        _erase_conversations(user, row, batch)
        _erase_memories(user, row, batch)
        row.done += len(batch)
        ImportedRow.objects.filter(user=user, pk__in=[one.pk for one in batch]).delete()
        row.save(update_fields=["done", "continued", "gone", "gone_marks"])
    return True


def _next_of(row: Import) -> list[ImportedRow]:
    rows = ImportedRow.objects.filter(user_id=row.user_id, brought=row).order_by("pk")
    batch = list(rows[:_ITEMS])
    here = Conversation.objects.for_user(row.user_id)
    here = here.filter(pk__in=[one.conversation for one in batch if one.conversation])
    lengths = dict(here.values_list("pk", "last_number"))
    sums = accumulate(lengths.get(one.conversation or one.pk, 0) for one in batch)
    return batch[: max(sum(size <= _MESSAGES for size in sums), 1)]


def _erase_conversations(user: User, row: Import, batch: Sequence[ImportedRow]) -> None:
    here = Conversation.objects.for_user(user.pk)
    here = here.filter(pk__in=[one.conversation for one in batch if one.conversation])
    going = [one.pk for one in here if one.last_number <= one.imported_up_to]
    row.continued += len(here) - len(going)
    if not going:
        return
    gone = message_deletion.remove_conversations(user, going, everything, everything)
    row.gone = kinds.added(row.gone, gone.counts)
    marks = conversation_plan.added_marks(_marks_of(row), gone.marks)
    row.gone_marks = {"sentences": list(marks.sentences), "keys": sorted(marks.keys)}


def _erase_memories(user: User, row: Import, batch: Sequence[ImportedRow]) -> None:
    keys: list[UUID] = [one.memory for one in batch if one.memory]
    notes = list(Memory.objects.for_user(user.pk).filter(pk__in=keys))
    if notes:
        row.gone = kinds.added(row.gone, erasure.counts_of(erasure.erase_all(user.pk, notes=notes)))


def _marks_of(row: Import) -> ErasureTarget:
    marks = row.gone_marks
    return ErasureTarget(
        sentences=tuple(marks.get("sentences", ())), keys=frozenset(marks.get("keys", ()))
    )
