"""What exports, restores and imports share: requested by the user, run by the worker.

Files are stored as rows, so that row-level security covers them, every server of a site can read
them, and deleting the account deletes them. Functions for the user run within `acting_as(user)`.
"""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import IO, Any, ClassVar, Self
from uuid import UUID

from django.conf import settings
from django.db import models
from django.utils.timezone import now

from accounts import work
from accounts.database.isolation import acting_as, acting_as_worker
from accounts.database.owned import OwnedModel
from accounts.models import User
from accounts.support.refusals import Refused

# How long an upload waits to be accepted.
WAITS = timedelta(days=1)
# Seconds between updates of the progress.
_EVERY = 0.5
_PIECE = 1024 * 1024

Tell = Callable[[str, int], None]


class OneAtATime(Refused):
    """Raised when the user already has an export, restore or import of the kind in progress."""


class TooMany(Refused):
    """Raised when the user's daily limit of exports, restores or imports is reached."""

    status, title = 429, "Too many today"


class MemoryIsOff(Refused):
    """Raised when the user's memory is off, so nothing can be stored."""


class Cancelled(Exception):
    """Raised in the worker when the user has cancelled the job."""


class FilePiece(OwnedModel):
    """A numbered piece of a stored file; base class of one model for each kind of file."""

    number = models.PositiveIntegerField()
    data = models.BinaryField()

    class Meta:
        abstract = True


class Transfer(OwnedModel):
    """An export, restore or import that the worker runs. Its file is in `pieces`."""

    # The kind of its job, the states in which it is in progress, and messages of refusals.
    KIND: ClassVar[str]
    RUNNING: ClassVar[tuple[str, ...]] = ("waiting", "making")
    BUSY: ClassVar[str]
    # The setting with the daily limit.
    DAILY: ClassVar[str] = "restores_a_day"
    ENOUGH: ClassVar[str]

    asked_at = models.DateTimeField(default=now)
    # The current part, rows done, and rows in total.
    gathering = models.CharField(max_length=20, blank=True)
    done = models.PositiveIntegerField(default=0)
    total = models.PositiveIntegerField(default=0)

    # Subclasses define the choices.
    state = models.CharField(max_length=10)

    pieces: Any

    class Meta:
        abstract = True

    @property
    def percent(self) -> int:
        """Return the progress in percent."""
        return 100 * self.done // self.total if self.total else 0

    @property
    def in_progress(self) -> bool:
        """Return whether the worker still has to run it."""
        return self.state in self.RUNNING

    @classmethod
    def alone(cls, user: User) -> "models.QuerySet[Self]":
        """Lock the user and return their rows of this kind. Raises OneAtATime."""
        User.objects.select_for_update(no_key=True).get(pk=user.pk)
        rows = cls.owned(user.pk)
        if rows.filter(state__in=cls.RUNNING).exists():
            raise OneAtATime(cls.BUSY)
        return rows

    @classmethod
    def refuse_too_many(cls, user_id: UUID) -> None:
        """Raise TooMany if the daily limit is reached."""
        most, since = settings.PRIVACY[cls.DAILY], now() - timedelta(days=1)
        if cls.owned(user_id).filter(asked_at__gt=since).count() >= most:
            raise TooMany(cls.ENOUGH.format(most=most))

    @classmethod
    def stop(cls, user: User, key: UUID, states: tuple[str, ...], **changes: Any) -> bool:
        """Cancel the row if it is in one of the states; False if not."""
        rows = cls.owned(user.pk).filter(pk=key, state__in=states)
        if not rows.update(state="cancelled", **changes):
            return False
        work.withdraw(user, cls.KIND, key)
        return True

    @classmethod
    def newest(cls, user_id: UUID) -> Self | None:
        """Return the user's latest row of this kind, or None."""
        return cls.owned(user_id).order_by("-asked_at").first()

    @classmethod
    def begin(cls, claim: work.Claim) -> Self | None:
        """Return the row of a claimed job within `acting_as(user)`; None if it was cancelled, is
        over, or another worker has the job.
        """
        if not work.still_holding(claim):
            return None
        row = cls.owned(claim.user_id).filter(pk=claim.subject).first()
        if row is None or not row.in_progress:
            work.finish(claim)
            return None
        if row.state == "waiting":
            row.state = "making"
            row.save(update_fields=["state"])
        return row

    @contextmanager
    def telling(self) -> Iterator[Tell]:
        """Yield a function that saves the progress from another thread, outside the transaction.

        Call it with the current part and the number of rows done; it raises Cancelled.
        """
        cancelled = threading.Event()

        def tell(part: str, done: int) -> None:
            if cancelled.is_set():
                raise Cancelled
            self.gathering, self.done = part, done

        def save() -> None:
            with acting_as(self.user_id):
                progress = {"gathering": self.gathering, "done": self.done, "total": self.total}
                rows = self.owned(self.user_id).filter(pk=self.pk, state="making")
                if not rows.update(**progress):
                    cancelled.set()

        with work.repeatedly(save, _EVERY):
            yield tell

    def save_file(self, file: IO[bytes]) -> None:
        """Store a file in pieces."""
        file.seek(0)
        for number, data in enumerate(iter(lambda: file.read(_PIECE), b"")):
            self.pieces.create(user_id=self.user_id, number=number, data=data)

    def load_file(self, file: IO[bytes]) -> None:
        """Write the stored file to another file."""
        pieces = self.pieces.filter(user_id=self.user_id).order_by("number")
        for data in pieces.values_list("data", flat=True).iterator(1):
            file.write(data)

    def drop_file(self) -> None:
        """Delete the stored file."""
        self.pieces.filter(user_id=self.user_id).delete()

    @classmethod
    def drop_all(cls, over: models.Q, most: int) -> int:
        """Delete rows matching `over` of at most `most` users; return the number of users."""
        with acting_as_worker():
            rows = cls._default_manager.filter(over)
            owners = set(rows.values_list("user_id", flat=True)[:most])
        for user_id in owners:
            with acting_as(user_id):
                cls.owned(user_id).filter(over).delete()
        return len(owners)


class Upload(Transfer):
    """A file that the user uploads, previews and accepts, and that the worker then processes."""

    ended_at = models.DateTimeField(null=True, blank=True)
    size = models.PositiveBigIntegerField("bytes")
    # Why it failed and what to do, shown to the user.
    failure = models.CharField(max_length=500, blank=True)

    class Meta:
        abstract = True

    @classmethod
    def newest(cls, user_id: UUID) -> Self | None:
        """Return the latest upload, None if it was cancelled."""
        row = super().newest(user_id)
        return None if row is None or row.state == "cancelled" else row

    @classmethod
    def keep(cls, user: User, file: IO[bytes], **fields: Any) -> Self:
        """Save a checked upload, replacing one that was not accepted yet."""
        for row in cls.owned(user.pk).filter(state="brought"):
            cls.stop(user, row.pk, ("brought",))
        row = cls._default_manager.create(user=user, size=file.seek(0, 2), **fields)
        row.save_file(file)
        return row

    @classmethod
    def stop(cls, user: User, key: UUID, states: tuple[str, ...], **changes: Any) -> bool:
        """Cancel the upload and delete its file; False if it is in none of the states."""
        stopped = super().stop(user, key, states, ended_at=now(), **changes)
        if stopped:
            cls(user=user, id=key).drop_file()
        return stopped

    def accept(self) -> Self:
        """Enqueue the accepted upload."""
        self.state = "waiting"
        self.save(update_fields=["state"])
        work.enqueue(self.user, self.KIND, self.pk)
        return self

    def end(self, state: str, why: str = "") -> None:
        """Save the final state, and delete the file."""
        changes = {"state": state, "gathering": "", "failure": why[:500], "ended_at": now()}
        self.owned(self.user_id).filter(pk=self.pk).update(**changes)
        self.drop_file()

    @classmethod
    def drop_expired(cls, over: models.Q, most: int) -> int:
        """Delete expired uploads, and old ones matching `over`; return the number of users."""
        ended = now() - timedelta(days=settings.PRIVACY["export_days"])
        waited = models.Q(state="brought", asked_at__lt=now() - WAITS)
        return cls.drop_all(waited | (over & models.Q(ended_at__lt=ended)), most)
