"""What copies, restores and imports have in common: asked for by their owner, done by the worker.

Their files are rows, so that they lie behind row security, reach every machine of a site, and go
when everything goes. What a person asks for runs in their open block.
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

# How long a file waits to be accepted.
WAITS = timedelta(days=1)
# How often the owner sees the progress move, in seconds.
_EVERY = 0.5
_PIECE = 1024 * 1024

Tell = Callable[[str, int], None]


class OneAtATime(Refused):
    """Another one is still running."""


class TooMany(Refused):
    """There were as many today as one person may have."""

    status, title = 429, "Too many today"


class MemoryIsOff(Refused):
    """Nothing is remembered while memory is off."""


class Cancelled(Exception):
    """The owner has cancelled it meanwhile."""


class FilePiece(OwnedModel):
    """A piece of a file, by its number."""

    number = models.PositiveIntegerField()
    data = models.BinaryField()

    class Meta:
        abstract = True


class Transfer(OwnedModel):
    """Something that the worker makes while its owner looks on. Its file is in `pieces`."""

    # The kind of its work, the states in which there is some, and the sentences of a refusal.
    KIND: ClassVar[str]
    RUNNING: ClassVar[tuple[str, ...]] = ("waiting", "making")
    BUSY: ClassVar[str]
    # How many a day, by the name of the setting.
    DAILY: ClassVar[str] = "restores_a_day"
    ENOUGH: ClassVar[str]

    asked_at = models.DateTimeField(default=now)
    # The part that is at hand, and rows so far of how many.
    gathering = models.CharField(max_length=20, blank=True)
    done = models.PositiveIntegerField(default=0)
    total = models.PositiveIntegerField(default=0)

    # Its choices are those of each kind.
    state = models.CharField(max_length=10)

    pieces: Any

    class Meta:
        abstract = True

    @property
    def percent(self) -> int:
        """How much is done, of 100."""
        return 100 * self.done // self.total if self.total else 0

    @property
    def in_progress(self) -> bool:
        """Whether the worker has something to do for it."""
        return self.state in self.RUNNING

    @classmethod
    def alone(cls, user: User) -> "models.QuerySet[Self]":
        """Return those of a person, who asks for nothing else meanwhile. Raises OneAtATime."""
        User.objects.select_for_update(no_key=True).get(pk=user.pk)
        rows = cls.owned(user.pk)
        if rows.filter(state__in=cls.RUNNING).exists():
            raise OneAtATime(cls.BUSY)
        return rows

    @classmethod
    def refuse_too_many(cls, user_id: UUID) -> None:
        """Raise TooMany where there were as many today as there may be."""
        most, since = settings.PRIVACY[cls.DAILY], now() - timedelta(days=1)
        if cls.owned(user_id).filter(asked_at__gt=since).count() >= most:
            raise TooMany(cls.ENOUGH.format(most=most))

    @classmethod
    def stop(cls, user: User, key: UUID, states: tuple[str, ...], **changes: Any) -> bool:
        """Cancel it while it is in one of the states; False where it is not."""
        rows = cls.owned(user.pk).filter(pk=key, state__in=states)
        if not rows.update(state="cancelled", **changes):
            return False
        work.withdraw(user, cls.KIND, key)
        return True

    @classmethod
    def newest(cls, user_id: UUID) -> Self | None:
        """Return the one that was asked for last."""
        return cls.owned(user_id).order_by("-asked_at").first()

    @classmethod
    def begin(cls, claim: work.Claim) -> Self | None:
        """Return what the work is for, in its owner's open block; None when it was cancelled, is
        over, or somebody else has taken the work over.
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
        """Save the progress from another thread, because what makes it is one transaction.

        Call what this yields with the part at hand and the rows done by now; it raises Cancelled.
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
        """Save a file in pieces."""
        file.seek(0)
        for number, data in enumerate(iter(lambda: file.read(_PIECE), b"")):
            self.pieces.create(user_id=self.user_id, number=number, data=data)

    def load_file(self, file: IO[bytes]) -> None:
        """Write the saved file into another one."""
        pieces = self.pieces.filter(user_id=self.user_id).order_by("number")
        for data in pieces.values_list("data", flat=True).iterator(1):
            file.write(data)

    def drop_file(self) -> None:
        """Delete the saved file."""
        self.pieces.filter(user_id=self.user_id).delete()

    @classmethod
    def drop_all(cls, over: models.Q, most: int) -> int:
        """Delete those that are over, each person's in their own block; returns of how many."""
        with acting_as_worker():
            rows = cls._default_manager.filter(over)
            owners = set(rows.values_list("user_id", flat=True)[:most])
        for user_id in owners:
            with acting_as(user_id):
                cls.owned(user_id).filter(over).delete()
        return len(owners)


class Upload(Transfer):
    """A file that its owner uploads, looks at and accepts, and that the worker then takes in."""

    ended_at = models.DateTimeField(null=True, blank=True)
    size = models.PositiveBigIntegerField("bytes")
    # What is wrong with the file and what to do, for its owner.
    failure = models.CharField(max_length=500, blank=True)

    class Meta:
        abstract = True

    @classmethod
    def newest(cls, user_id: UUID) -> Self | None:
        """Return the one that was uploaded last, unless it was cancelled."""
        row = super().newest(user_id)
        return None if row is None or row.state == "cancelled" else row

    @classmethod
    def keep(cls, user: User, file: IO[bytes], **fields: Any) -> Self:
        """Save a file that was looked at, in the place of one that waits to be accepted."""
        for row in cls.owned(user.pk).filter(state="brought"):
            cls.stop(user, row.pk, ("brought",))
        row = cls._default_manager.create(user=user, size=file.seek(0, 2), **fields)
        row.save_file(file)
        return row

    @classmethod
    def stop(cls, user: User, key: UUID, states: tuple[str, ...], **changes: Any) -> bool:
        """Cancel it, and delete its file."""
        stopped = super().stop(user, key, states, ended_at=now(), **changes)
        if stopped:
            cls(user=user, id=key).drop_file()
        return stopped

    def accept(self) -> Self:
        """Have the worker take it in."""
        self.state = "waiting"
        self.save(update_fields=["state"])
        work.enqueue(self.user, self.KIND, self.pk)
        return self

    def end(self, state: str, why: str = "") -> None:
        """Save how it ended, and delete its file."""
        changes = {"state": state, "gathering": "", "failure": why[:500], "ended_at": now()}
        self.owned(self.user_id).filter(pk=self.pk).update(**changes)
        self.drop_file()

    @classmethod
    def drop_expired(cls, over: models.Q, most: int) -> int:
        """Delete what nobody accepted, and what is `over` and ended long ago."""
        ended = now() - timedelta(days=settings.PRIVACY["export_days"])
        waited = models.Q(state="brought", asked_at__lt=now() - WAITS)
        return cls.drop_all(waited | (over & models.Q(ended_at__lt=ended)), most)
