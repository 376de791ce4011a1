"""Taking an import out again: its conversations with their messages, what was learned from these
alone, and its memories. Each goes in a transaction of its own, as when its owner deletes it.
"""

import time

from accounts import work
from accounts.database.isolation import acting_as
from accounts.models import User
from accounts.privacy import hold_choices
from conversations.deletion import message_deletion
from conversations.deletion.message_deletion import BeingWritten, NotThere, everything
from conversations.messages import lock_conversation
from conversations.models import Conversation
from ledger import erasure
from memory.core import lock_deletions
from memory.models import Memory
from privacy.importing import writing
from privacy.models import Import, ImportedRow

# After how many seconds others get their turn.
_TURN = 5.0


def take_out(claim: work.Claim, row: Import) -> None:
    """Take out what is left of it. A conversation in which its owner went on here stays, and is
    counted.

    Raises PutOff when others have waited long enough.
    """
    began = time.monotonic()
    while _take_out_next(claim, row):
        if time.monotonic() - began > _TURN:
            raise work.PutOff(0)


def _take_out_next(claim: work.Claim, row: Import) -> bool:
    """Take out one conversation or memory; False where none is left."""
    with acting_as(claim.user_id):
        writing.go_on(claim, row.pk, Import.State.UNDOING)
        brought = ImportedRow.objects.filter(user_id=claim.user_id, brought=row).first()
        if brought is None:
            return False
        lock_deletions(claim.user_id)
        if brought.conversation is not None:
            lock_conversation(brought.conversation)
        user = hold_choices(claim.user_id)
        row.continued += not _erase(user, brought)
        row.done += 1
        brought.delete()
        row.save(update_fields=["done", "continued"])
    return True


def _erase(user: User, brought: ImportedRow) -> bool:
    """Whether it is gone."""
    if brought.memory is not None:
        erasure.erase_all(
            user.pk, notes=list(Memory.objects.for_user(user.pk).filter(pk=brought.memory))
        )
        return True
    rows = Conversation.objects.for_user(user.pk)
    conversation = rows.filter(pk__in=[brought.conversation]).first()
    if conversation is None:
        return True
    if conversation.last_number > conversation.imported_up_to:
        return False
    try:
        message_deletion.remove_conversation(user, conversation, everything, everything)
    except BeingWritten:
        return False
    except NotThere:
        return True
    return True
