"""Exports: requested by the user, made by the worker, downloadable until they expire."""

import tempfile
from collections.abc import Collection, Iterator
from contextlib import suppress
from datetime import timedelta
from functools import partial
from typing import Any
from uuid import UUID

from django.conf import settings
from django.core import signing
from django.db.models import F, Q
from django.utils.timezone import now

from accounts import audit, work
from accounts.audit import Action
from accounts.database.isolation import acting_as
from accounts.models import User
from accounts.support.refusals import Refused
from memory.deletion.sought import ErasurePart
from privacy import archive
from privacy.models import Export, ExportPiece
from privacy.parts import PARTS
from privacy.transfers import Cancelled

State = Export.State
_SALT = "privacy.export"


class UnknownPart(Refused):
    """Raised when an export is requested with an unknown part."""


# --- Requesting it, within `acting_as(user)` ------------------------------------------------------


def ask(user: User, chosen: Collection[str] = ()) -> Export:
    """Request an export of these parts, or of all. Raises UnknownPart, OneAtATime or TooMany."""
    for name in chosen:
        if name not in PARTS:
            raise UnknownPart(f'There is no part called "{name}". Choose from: {", ".join(PARTS)}.')
    Export.alone(user)
    Export.refuse_too_many(user.pk)
    wanted = [name for name in PARTS if name in chosen or not chosen]
    export = Export.objects.create(user=user, parts=wanted)
    work.enqueue(user, Export.KIND, export.pk)
    everything = len(wanted) == len(PARTS)
    labels = "Everything" if everything else ", ".join(PARTS[name].label for name in wanted)
    audit.record(user.pk, Action.EXPORTED, subject=export.pk, why=labels)
    return export


def cancel(user: User, key: UUID) -> bool:
    """Cancel an export; False if it is not in progress."""
    return Export.stop(user, key, Export.RUNNING)


def newest(user_id: UUID) -> Export | None:
    """Return the latest export of the user, None if there is none or it has expired."""
    export = Export.newest(user_id)
    expired = export and export.expires_at is not None and export.expires_at <= now()
    return None if expired else export


# --- Making it ------------------------------------------------------------------------------------


def make(claim: work.Claim) -> None:
    """Read the requested parts in one database snapshot and save the file; worker entry point."""
    with acting_as(claim.user_id):
        export = Export.begin(claim)
        if export is None:
            return
        if claim.attempt >= work.MOST_ATTEMPTS:
            export.state = State.FAILED
            export.save(update_fields=["state"])
            work.finish(claim)
            return
    # A file without a name disappears when the process is killed.
    with (
        tempfile.TemporaryFile(dir=settings.DATA_DIR) as file,
        work.keeping(claim),
        suppress(Cancelled),
        export.telling() as tell,
    ):
        with acting_as(claim.user_id, snapshot=True):
            export.total = archive.total(claim.user_id, export.parts)
            archive.write(file, claim.user_id, export.parts, now(), tell)
        size = file.tell()
        with acting_as(claim.user_id):
            if not work.still_holding(claim):
                return
            export.save_file(file)
            made_at = now()
            kept = Export.owned(claim.user_id).filter(pk=export.pk, state=State.MAKING)
            is_kept = kept.update(
                state=State.READY,
                gathering="",
                done=export.total,
                total=export.total,
                made_at=made_at,
                expires_at=made_at + timedelta(days=settings.PRIVACY["export_days"]),
                size=size,
            )
            if not is_kept:
                export.drop_file()
            work.finish(claim)


# --- After erasures -------------------------------------------------------------------------------


def holding(*, user_id: UUID, **kwargs: Any) -> list[ErasurePart]:
    """Return the stored exports as erasure parts: they contain what the user erases."""
    ready = Export.objects.filter(user_id=user_id, state=State.READY).count()
    return [ErasurePart("copies", ready, partial(drop_all_of, user_id))]


def drop_all_of(user_id: UUID) -> None:
    """Delete a user's finished exports, and restart the one in progress."""
    exports = Export.objects.filter(user_id=user_id, state__in=[State.WAITING, State.MAKING])
    for export in exports.select_related("user"):
        # Wait for a worker that is saving the file; one still reading finds its claim void.
        work.withdraw(export.user, Export.KIND, export.pk)
        if exports.filter(pk=export.pk).update(state=State.WAITING, gathering="", done=0):
            work.enqueue(export.user, Export.KIND, export.pk)
    Export.objects.filter(user_id=user_id, state=State.READY).delete()


# --- Downloading it -------------------------------------------------------------------------------


def signature(export: Export) -> str:
    """Return the signature in the download address of an export, valid only for its owner."""
    return signing.TimestampSigner(salt=_SALT).sign(str(export.pk))


def opened(user_id: UUID, signed: str) -> Export | None:
    """Return the export of a valid signature and log the download; None if it is invalid."""
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
    """Yield the file in pieces, each read in its own short transaction."""
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
    """Delete expired and long-failed exports of at most `most` users; return how many users."""
    over = Q(expires_at__lte=now()) | Q(
        state__in=[State.CANCELLED, State.FAILED], asked_at__lt=now() - timedelta(days=2)
    )
    return Export.drop_all(over, most)
