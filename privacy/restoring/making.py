"""The worker's part: what was brought and said yes to is restored in one transaction.

One, because half a memory would answer wrongly and nobody could tell what is missing: whoever is
killed in the middle leaves nothing, and the work, a row, is begun anew by the next.
"""

import tempfile
from collections.abc import Mapping
from contextlib import suppress
from uuid import UUID

from django.conf import settings
from django.utils.timezone import now

from accounts import audit, work
from accounts.audit import Action
from accounts.isolation import acting_as
from accounts.models import User
from accounts.words import plain_date
from privacy import progress
from privacy.models import Restore, RestorePiece
from privacy.restoring import opening, requests, writing
from privacy.restoring.keys import Keys
from privacy.restoring.opening import NotACopy
from privacy.restoring.requests import CannotRestore

State = Restore.State
_GAVE_UP = "It could not be restored, for a reason that is not in the file. Nothing was changed."


def make(held: work.Claim) -> None:
    """The worker's way in."""
    restore = _begin(held)
    if restore is None:
        return
    try:
        with (
            tempfile.TemporaryFile(dir=settings.DATA_DIR) as file,
            work.keeping(held),
            suppress(progress.Cancelled),
            progress.telling(restore) as tell,
        ):
            with acting_as(held.user_id):
                for data in requests.pieces(held.user_id, restore.pk):
                    file.write(data)
            with opening.opened(file) as archive, acting_as(held.user_id):
                user = User.objects.get(pk=held.user_id)
                requests.refuse_where_it_cannot_be(user)
                copy = opening.manifest(archive)
                restore.total = writing.total(copy)
                made = writing.Writing(user, archive, copy, Keys(restore.pk), tell)
                made.write()
                _keep(held, restore, made.left_out)
    except (NotACopy, CannotRestore) as refused:
        _fail(held, restore.pk, str(refused))


def _begin(held: work.Claim) -> Restore | None:
    """None when it was cancelled, or restored by somebody who did not come to say so."""
    with acting_as(held.user_id):
        if not work.still_holding(held):
            return None
        restore = Restore.objects.filter(user_id=held.user_id, pk=held.subject).first()
        if restore is None or not restore.in_progress:
            work.finish(held)
            return None
        if held.attempt < work.MOST_ATTEMPTS:
            restore.state = State.MAKING
            restore.save(update_fields=["state"])
            return restore
    _fail(held, held.subject, _GAVE_UP)
    return None


def _keep(held: work.Claim, restore: Restore, left_out: Mapping[str, int]) -> None:
    """The end of the transaction. Raises Cancelled where it is not wanted any more."""
    going = Restore.objects.filter(user_id=held.user_id, pk=restore.pk, state=State.MAKING)
    kept = work.still_holding(held) and going.update(
        state=State.READY,
        gathering="",
        done=restore.total,
        total=restore.total,
        ended_at=now(),
        left_out={table: count for table, count in left_out.items() if count},
    )
    if not kept:
        raise progress.Cancelled
    RestorePiece.objects.filter(user_id=held.user_id, restore=restore).delete()
    day = plain_date(restore.copied_at.date(), now().date())
    why = f"A copy of {day}, version {restore.version}: {restore.total:,} rows"
    audit.record(held.user_id, Action.RESTORED, subject=restore.pk, why=why)
    work.finish(held)


def _fail(held: work.Claim, key: UUID, why: str) -> None:
    with acting_as(held.user_id):
        if not work.still_holding(held):
            return
        rows = Restore.objects.filter(user_id=held.user_id, pk=key)
        rows.update(state=State.FAILED, gathering="", failure=why[:500], ended_at=now())
        RestorePiece.objects.filter(user_id=held.user_id, restore=key).delete()
        work.finish(held)
