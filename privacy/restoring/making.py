"""The worker's part of restores: writing the rows, then indexing the messages.

All rows are written in one transaction, so an interrupted restore leaves nothing and starts again.
Indexing takes longer and is done in batches, each a transaction with the progress; messages not
read yet are not quoted.
"""

import json
import tempfile
import threading
import time
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from itertools import islice
from uuid import UUID

from django.conf import settings
from django.utils.timezone import now

from accounts import audit, work
from accounts.audit import Action
from accounts.database.isolation import acting_as
from accounts.models import User
from accounts.privacy import hold_choices
from accounts.support.formatting import plain_date
from accounts.support.refusals import Refused
from conversations.learning import indexing
from conversations.messages import READ_COLUMNS, annotate_message
from conversations.models import Message
from conversations.privacy import hide_what_is_told
from memory.language.message_provenance import is_confidential
from privacy.models import Restore
from privacy.restoring import opening, requests, writing
from privacy.restoring.json_shapes import Keys
from privacy.transfers import Cancelled, MemoryIsOff

State = Restore.State
_one_at_a_time = threading.Lock()
# Seconds until it is checked again whether the other restore has ended.
_NEXT = 2.0
_MESSAGES = "conversations.message"
# Maximum messages and bytes indexed in one transaction: a long message takes as long as a hundred
# short ones. Seconds after which other jobs get their turn, and until a job is retried whose user
# has turned memory off.
_PIECE, _PIECE_BYTES, _TURN, _LATER = 100, 20_000, 5.0, 60.0
_GAVE_UP = "I couldn’t restore the copy, but the file is fine. Nothing was changed. Try again."
_NOT_ALL = (
    "Everything is here, but search will miss some messages. To fix that, forget everything and "
    "restore the copy again."
)


def make(claim: work.Claim) -> None:
    """Run one restore job; worker entry point. Raises PutOff to let other jobs run, and while this
    process runs another restore, which would occupy its other threads.
    """
    if not _one_at_a_time.acquire(blocking=False):
        raise work.PutOff(_NEXT)
    try:
        _make(claim)
    finally:
        _one_at_a_time.release()


def _make(claim: work.Claim) -> None:
    with acting_as(claim.user_id):
        restore = Restore.begin(claim)
        if restore is None:
            return
        if claim.attempt >= work.MOST_ATTEMPTS:
            is_here = restore.state == State.FINDING
            restore.end(*((State.READY, _NOT_ALL) if is_here else (State.FAILED, _GAVE_UP)))
            work.finish(claim)
            return
    try:
        with (
            tempfile.TemporaryFile(dir=settings.DATA_DIR) as file,
            work.keeping(claim),
            suppress(Cancelled),
        ):
            with acting_as(claim.user_id):
                restore.load_file(file)
            with opening.opened(file) as archive:
                if restore.state == State.MAKING:
                    _restore(claim, restore, archive)
                if _make_findable(claim, restore, archive):
                    _end(claim, restore, State.READY)
    except Refused as refused:
        _end(claim, restore, State.FAILED, str(refused))


def _end(claim: work.Claim, restore: Restore, state: Restore.State, why: str = "") -> None:
    with acting_as(claim.user_id):
        if work.still_holding(claim):
            restore.end(state, why)
            work.finish(claim)


def _restore(claim: work.Claim, restore: Restore, archive: zipfile.ZipFile) -> None:
    """Write all rows in one transaction. Raises NotACopy, Refused and Cancelled."""
    with restore.telling() as tell, acting_as(claim.user_id):
        user = User.objects.get(pk=claim.user_id)
        requests.refuse_where_it_cannot_be(user)
        copy = opening.manifest(archive)
        restore.total = writing.total(copy)
        writer = writing.RestoreWriter(user, archive, copy, Keys(restore.pk), tell)
        writer.write()
        _keep(claim, restore, writer.left_out)
    restore.state, restore.gathering, restore.done = State.FINDING, "", 0


def _keep(claim: work.Claim, restore: Restore, left_out: Mapping[str, int]) -> None:
    """Save that all rows are written. Raises Cancelled or MemoryIsOff."""
    if not work.still_holding(claim):
        raise Cancelled
    if not hold_choices(claim.user_id).memory_on:
        raise MemoryIsOff(requests.MEMORY_IS_OFF)
    kept = Restore.owned(claim.user_id).filter(pk=restore.pk, state=State.MAKING)
    is_kept = kept.update(
        state=State.FINDING,
        gathering="",
        done=0,
        total=restore.rows.get(_MESSAGES, 0),
        left_out={table: count for table, count in left_out.items() if count},
    )
    if not is_kept:
        raise Cancelled
    day = plain_date(restore.copied_at.date(), now().date())
    why = f"A copy of {day}, version {restore.version}: {restore.total:,} rows"
    audit.record(claim.user_id, Action.RESTORED, subject=restore.pk, why=why)


# --- Indexing -------------------------------------------------------------------------------------


def _make_findable(claim: work.Claim, restore: Restore, archive: zipfile.ZipFile) -> bool:
    """Index the remaining messages; False if another worker has the job. Raises PutOff."""
    if _MESSAGES not in opening.manifest(archive).rows:
        return True
    began, keys = time.monotonic(), Keys(restore.pk)
    # Rows were validated before; those already indexed are skipped without parsing.
    rest = islice(opening.lines(archive, _MESSAGES), restore.done, None)
    for piece in _pieces(rest):
        with acting_as(claim.user_id):
            if not work.still_holding(claim):
                return False
            if not User.objects.get(pk=claim.user_id).memory_on:
                raise work.PutOff(_LATER)
            rows = [json.loads(line) for line in piece]
            findable = {keys.new(UUID(row["id"])): bool(row["findable"]) for row in rows}
            index_messages(claim.user_id, findable)
            restore.done += len(piece)
            restore.save(update_fields=["done"])
        if time.monotonic() - began > _TURN:
            raise work.PutOff(0)
    return True


def _pieces(rest: Iterable[tuple[int, bytes]]) -> Iterator[list[bytes]]:
    """Yield lines in batches limited in number and bytes; a longer line is its own batch."""
    piece: list[bytes] = []
    for _, line in rest:
        if piece and (len(piece) == _PIECE or sum(map(len, piece)) + len(line) > _PIECE_BYTES):
            yield piece
            piece = []
        piece.append(line)
    if piece:
        yield piece


def read_message(message: Message) -> bool:
    """Set the fields read from a message's text, unsaved; return whether it became confidential."""
    annotate_message(message)
    by_owner = message.role == Message.Role.USER
    confided = by_owner and not message.confidential and is_confidential(message.reading)
    message.confidential = message.confidential or confided
    return confided


def index_messages(user_id: UUID, findable: Mapping[UUID, bool]) -> None:
    """Read and index messages. Confidential marks of the export stay; missing ones are added."""
    rows = Message.objects.for_user(user_id).filter(pk__in=findable).select_related("conversation")
    messages = [
        message
        for message in rows.select_for_update(of=("self",)).order_by("said_at", "number")
        if message.learned_at or message.role == Message.Role.ASSISTANT
    ]
    for message in messages:
        if read_message(message):
            hide_what_is_told(message.conversation, message)
    Message.objects.bulk_update(messages, [*READ_COLUMNS, "confidential"])
    indexing.index_again([message for message in messages if findable[message.pk]])
