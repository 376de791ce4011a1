"""Making what was restored findable again: read by rules like everything that is said, which takes
the longest, so it comes when all is there and can be talked about.

Batch by batch, each a transaction with how far it is: whoever is killed goes on where it stopped,
and twice is once. What was not read yet is quoted nowhere.
"""

import json
import time
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from uuid import UUID

from accounts import work
from accounts.database.isolation import acting_as
from accounts.models import User
from conversations.learning import indexing
from conversations.messages import READ_COLUMNS, annotate_message
from conversations.models import Message
from conversations.privacy import hide_what_is_told
from memory.language import is_confidential
from privacy.models import Restore
from privacy.restoring import opening
from privacy.restoring.keys import Keys

_MESSAGES = "conversations.message"
# How many messages a transaction makes findable, and of how many bytes: a long one takes as long as
# a hundred short ones. After how many seconds others get their turn, and how long until somebody is
# asked again who has turned memory off.
_PIECE, _PIECE_BYTES, _TURN, _LATER = 100, 20_000, 5.0, 60.0


def go_on(claim: work.Claim, restore: Restore, archive: zipfile.ZipFile) -> bool:
    """Go on from where it stopped; whether all is findable, False where somebody else took over.

    Raises PutOff when others have waited long enough, and while memory is off.
    """
    if _MESSAGES not in opening.manifest(archive).rows:
        return True
    began, keys = time.monotonic(), Keys(restore.pk)
    # Each row was judged before it was restored: those that are done are passed over unread.
    rest = islice(opening.lines(archive, _MESSAGES), restore.done, None)
    for piece in _pieces(rest):
        with acting_as(claim.user_id):
            if not work.still_holding(claim):
                return False
            if not User.objects.get(pk=claim.user_id).memory_on:
                raise work.PutOff(_LATER)
            rows = [json.loads(line) for line in piece]
            findable = {keys.new(UUID(told["id"])): bool(told["findable"]) for told in rows}
            index_messages(claim.user_id, findable)
            restore.done += len(piece)
            restore.save(update_fields=["done"])
        if time.monotonic() - began > _TURN:
            raise work.PutOff(0)
    return True


def _pieces(rest: Iterable[tuple[int, bytes]]) -> Iterator[list[bytes]]:
    """Lines in pieces of at most so many and so long; a longer one stands alone."""
    piece: list[bytes] = []
    for _, line in rest:
        if piece and (len(piece) == _PIECE or sum(map(len, piece)) + len(line) > _PIECE_BYTES):
            yield piece
            piece = []
        piece.append(line)
    if piece:
        yield piece


def read_message(message: Message) -> bool:
    """Set what is read of a message, not saved yet; whether that makes it confidential."""
    annotate_message(message)
    by_owner = message.role == Message.Role.USER
    confided = by_owner and not message.confidential and is_confidential(message.reading)
    message.confidential = message.confidential or confided
    return confided


def index_messages(user_id: UUID, findable: Mapping[UUID, bool]) -> None:
    """See whose words they hold and what stays in its conversation, and index them. A mark of the
    copy stays; one that it lacks is made.
    """
    rows = Message.objects.for_user(user_id).filter(pk__in=findable).select_related("conversation")
    messages = list(rows.select_for_update(of=("self",)).order_by("said_at", "number"))
    messages = [one for one in messages if one.learned_at or one.role == Message.Role.ASSISTANT]
    for message in messages:
        if read_message(message):
            hide_what_is_told(message.conversation, message)
    Message.objects.bulk_update(messages, [*READ_COLUMNS, "confidential"])
    indexing.index_again([message for message in messages if findable[message.pk]])
