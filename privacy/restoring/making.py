"""The worker's part: what was brought and said yes to is restored, and then made findable.

All rows come in one transaction, because half a memory would answer wrongly and nobody could tell
what is missing: whoever is killed in it leaves nothing, and the work, a row, is begun anew by the
next. What finds them is made in batches after that (`finding`): there is nothing to lose in it, and
it takes much longer than others should wait.
"""

import tempfile
import threading
import zipfile
from collections.abc import Mapping
from contextlib import suppress
from uuid import UUID

from django.conf import settings
from django.utils.timezone import now

from accounts import audit, work
from accounts.audit import Action
from accounts.database.isolation import acting_as
from accounts.models import User
from accounts.privacy import hold_choices
from accounts.support.formatting import plain_date
from privacy import progress
from privacy.models import Restore
from privacy.restoring import finding, opening, requests, writing
from privacy.restoring.keys import Keys
from privacy.restoring.opening import NotACopy
from privacy.restoring.requests import CannotRestore, MemoryIsOff

State = Restore.State
_one_at_a_time = threading.Lock()
# After how many seconds it is asked again whether the other copy is done.
_NEXT = 2.0
_GAVE_UP = "I couldn’t restore the copy, but the file is fine. Nothing was changed. Try again."
_NOT_ALL = (
    "Everything is here, but search will miss some messages. To fix that, forget everything and "
    "restore the copy again."
)


def make(claim: work.Claim) -> None:
    """Worker entry point. Raises PutOff to let others come first, and while another copy is being
    restored in this process: its other threads are for everybody else's work.
    """
    if not _one_at_a_time.acquire(blocking=False):
        raise work.PutOff(_NEXT)
    try:
        _make(claim)
    finally:
        _one_at_a_time.release()


def _make(claim: work.Claim) -> None:
    restore = _begin(claim)
    if restore is None:
        return
    try:
        with (
            tempfile.TemporaryFile(dir=settings.DATA_DIR) as file,
            work.keeping(claim),
            suppress(progress.Cancelled),
        ):
            with acting_as(claim.user_id):
                for data in requests.COPIES.file_of(claim.user_id, restore.pk):
                    file.write(data)
            with opening.opened(file) as archive:
                if restore.state == State.MAKING:
                    _restore(claim, restore, archive)
                if finding.go_on(claim, restore, archive):
                    _end(claim, restore.pk, State.READY)
    except (NotACopy, CannotRestore) as refused:
        _end(claim, restore.pk, State.FAILED, str(refused))


def _begin(claim: work.Claim) -> Restore | None:
    """None when it was cancelled, or restored by somebody who did not come to say so."""
    with acting_as(claim.user_id):
        if not work.still_holding(claim):
            return None
        restore = Restore.objects.filter(user_id=claim.user_id, pk=claim.subject).first()
        if restore is None or not restore.in_progress:
            work.finish(claim)
            return None
        found = restore.state == State.FINDING
        if claim.attempt < work.MOST_ATTEMPTS:
            restore.state = State.FINDING if found else State.MAKING
            restore.save(update_fields=["state"])
            return restore
    state, why = (State.READY, _NOT_ALL) if found else (State.FAILED, _GAVE_UP)
    _end(claim, claim.subject, state, why)
    return None


def _restore(claim: work.Claim, restore: Restore, archive: zipfile.ZipFile) -> None:
    """All rows, in one transaction. Raises NotACopy, CannotRestore and Cancelled."""
    with progress.telling(restore) as tell, acting_as(claim.user_id):
        user = User.objects.get(pk=claim.user_id)
        requests.refuse_where_it_cannot_be(user)
        copy = opening.manifest(archive)
        restore.total = writing.total(copy)
        made = writing.RestoreWriter(user, archive, copy, Keys(restore.pk), tell)
        made.write()
        _keep(claim, restore, made.left_out)
    restore.state, restore.gathering, restore.done = State.FINDING, "", 0


def _keep(claim: work.Claim, restore: Restore, left_out: Mapping[str, int]) -> None:
    """The end of the transaction. Raises Cancelled where it is not wanted any more, MemoryIsOff
    where memory was turned off meanwhile.
    """
    if not work.still_holding(claim):
        raise progress.Cancelled
    if not hold_choices(claim.user_id).memory_on:
        raise MemoryIsOff(requests.MEMORY_IS_OFF)
    restores = Restore.objects.filter(user_id=claim.user_id, pk=restore.pk, state=State.MAKING)
    kept = restores.update(
        state=State.FINDING,
        gathering="",
        done=0,
        total=restore.rows.get("conversations.message", 0),
        left_out={table: count for table, count in left_out.items() if count},
    )
    if not kept:
        raise progress.Cancelled
    day = plain_date(restore.copied_at.date(), now().date())
    why = f"A copy of {day}, version {restore.version}: {restore.total:,} rows"
    audit.record(claim.user_id, Action.RESTORED, subject=restore.pk, why=why)


def _end(claim: work.Claim, key: UUID, state: Restore.State, why: str = "") -> None:
    """It is over: the file goes, and the work with it."""
    with acting_as(claim.user_id):
        if not work.still_holding(claim):
            return
        requests.COPIES.end(claim.user_id, key, state, why)
        work.finish(claim)
