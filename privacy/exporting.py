"""Making a copy: asked for by its owner, made by the worker, downloaded until it expires."""

import tempfile
from collections.abc import Collection, Iterator
from contextlib import suppress
from datetime import timedelta
from functools import partial
from typing import IO, Any
from uuid import UUID

from django.conf import settings
from django.core import signing
from django.db.models import F, Q
from django.utils.timezone import now

from accounts import audit, work
from accounts.audit import Action
from accounts.database.isolation import acting_as
from accounts.models import User
from memory.deletion import ErasurePart
from privacy import archive, progress
from privacy.models import Export, ExportPiece, pieces_of
from privacy.parts import PARTS

KIND = "export"
State = Export.State
_SALT = "privacy.export"


class OneAtATime(ValueError):
    """A copy is already being made."""


class TooOften(ValueError):
    """So many copies were made today that there is none more."""


class UnknownPart(ValueError):
    """There is no such part."""


# --- Asking for it, in the person's open block ----------------------------------------------------


def ask(user: User, chosen: Collection[str] = ()) -> Export:
    """Have a copy made of these parts, or of all. Raises UnknownPart, OneAtATime or TooOften."""
    for name in chosen:
        if name not in PARTS:
            raise UnknownPart(f'There is no part called "{name}". Choose from: {", ".join(PARTS)}.')
    # Two that are asked for at once are asked for one after the other.
    User.objects.select_for_update(no_key=True).get(pk=user.pk)
    exports = Export.objects.filter(user=user)
    if exports.filter(state__in=[State.WAITING, State.MAKING]).exists():
        raise OneAtATime("A copy is already being made. Wait for it, or cancel it.")
    most, since = settings.PRIVACY["exports_a_day"], now() - timedelta(days=1)
    if exports.filter(asked_at__gt=since).count() >= most:
        raise TooOften(
            f"You can make up to {most} copies a day. You’ll be able to make another tomorrow."
        )
    wanted = [name for name in PARTS if name in chosen or not chosen]
    export = Export.objects.create(user=user, parts=wanted)
    work.enqueue(user, KIND, export.pk)
    labels = "Everything" if len(wanted) == len(PARTS) else _labels(wanted)
    audit.record(user.pk, Action.EXPORTED, subject=export.pk, why=labels)
    return export


def cancel(user: User, key: UUID) -> bool:
    """Stop making it; False when there is nothing to stop."""
    rows = Export.objects.filter(user=user, pk=key, state__in=[State.WAITING, State.MAKING])
    if not rows.update(state=State.CANCELLED):
        return False
    work.withdraw(user, KIND, key)
    return True


def newest(user_id: UUID) -> Export | None:
    """The copy that was asked for last; an expired one is none."""
    export = Export.objects.filter(user_id=user_id).order_by("-asked_at").first()
    gone = export is not None and export.expires_at is not None and export.expires_at <= now()
    return None if gone else export


def _labels(names: Collection[str]) -> str:
    return ", ".join(PARTS[name].label for name in names)


# --- Making it ------------------------------------------------------------------------------------


def make(claim: work.Claim) -> None:
    """Worker entry point: gather what was asked for, in one snapshot, and keep it as pieces."""
    export = _begin(claim)
    if export is None:
        return
    # Without a name in any folder: nothing is left of it when the process is killed.
    with (
        tempfile.TemporaryFile(dir=settings.DATA_DIR) as file,
        work.keeping(claim),
        suppress(progress.Cancelled),
        progress.telling(export) as tell,
    ):
        with acting_as(claim.user_id, snapshot=True):
            export.total = archive.total(claim.user_id, export.parts)
            archive.write(file, claim.user_id, export.parts, now(), tell)
        _keep(claim, export, file)


def _begin(claim: work.Claim) -> Export | None:
    """None when it was cancelled, or made by somebody who did not come to say so."""
    with acting_as(claim.user_id):
        if not work.still_holding(claim):
            return None
        export = Export.objects.filter(user_id=claim.user_id, pk=claim.subject).first()
        if export is None or not export.in_progress:
            work.finish(claim)
            return None
        failed = claim.attempt >= work.MOST_ATTEMPTS
        export.state = State.FAILED if failed else State.MAKING
        export.save(update_fields=["state"])
        if failed:
            work.finish(claim)
        return None if failed else export


def _keep(claim: work.Claim, export: Export, file: IO[bytes]) -> None:
    size = file.tell()
    with acting_as(claim.user_id):
        if not work.still_holding(claim):
            return
        for number, data in pieces_of(file):
            ExportPiece.objects.create(
                user_id=claim.user_id, export=export, number=number, data=data
            )
        made_at = now()
        rows = Export.objects.filter(user_id=claim.user_id, pk=export.pk, state=State.MAKING)
        kept = rows.update(
            state=State.READY,
            gathering="",
            done=export.total,
            total=export.total,
            made_at=made_at,
            expires_at=made_at + timedelta(days=settings.PRIVACY["export_days"]),
            size=size,
        )
        if not kept:
            ExportPiece.objects.filter(user_id=claim.user_id, export=export).delete()
        work.finish(claim)


# --- Something is erased --------------------------------------------------------------------------


def holding(*, user_id: UUID, **kwargs: Any) -> list[ErasurePart]:
    """The copies that lie here, which have what its owner erases: another is soon made."""
    ready = Export.objects.filter(user_id=user_id, state=State.READY).count()
    return [ErasurePart("copies", ready, partial(drop_all_of, user_id))]


def drop_all_of(user_id: UUID) -> None:
    """Delete the copies that were made, and begin the one that is being made anew."""
    exports = Export.objects.filter(user_id=user_id, state__in=[State.WAITING, State.MAKING])
    for export in exports.select_related("user"):
        # Who is just keeping it is waited for; who is still gathering finds the claim void.
        work.withdraw(export.user, KIND, export.pk)
        if exports.filter(pk=export.pk).update(state=State.WAITING, gathering="", done=0):
            work.enqueue(export.user, KIND, export.pk)
    Export.objects.filter(user_id=user_id, state=State.READY).delete()


# --- Downloading it -------------------------------------------------------------------------------


def signature(export: Export) -> str:
    """What stands in the address of its download; it opens nothing to who is not its owner."""
    return signing.TimestampSigner(salt=_SALT).sign(str(export.pk))


def opened(user_id: UUID, signed: str) -> Export | None:
    """The copy that a signature is for, and a line in the log that it was downloaded.

    None for a signature that was changed or has expired, and for what is gone or another's. In the
    person's open block.
    """
    days = timedelta(days=settings.PRIVACY["export_days"])
    try:
        key = signing.TimestampSigner(salt=_SALT).unsign(signed, max_age=days)
    except signing.BadSignature:
        return None
    ready = Export.objects.filter(user_id=user_id, state=State.READY, expires_at__gt=now())
    export = ready.filter(pk=key).first()
    if export is not None:
        ready.filter(pk=key).update(downloads=F("downloads") + 1)
        audit.record(user_id, Action.DOWNLOADED, subject=export.pk)
    return export


def pieces(user_id: UUID, key: UUID) -> Iterator[bytes]:
    """The file, a piece at a time, each read in a short block of its own."""
    number = 0
    while True:
        with acting_as(user_id):
            rows = ExportPiece.objects.filter(user_id=user_id, export_id=key, number=number)
            data = rows.values_list("data", flat=True).first()
        if data is None:
            return
        yield bytes(data)
        number += 1


def drop_all_expired(most: int = 500) -> int:
    """Delete the copies that nobody may download any more; returns of how many people.

    Those that never were ready go when they no longer count for a day's number.
    """
    over = Q(expires_at__lte=now()) | Q(
        state__in=[State.CANCELLED, State.FAILED], asked_at__lt=now() - timedelta(days=2)
    )
    return Export.drop_all(over, most)
