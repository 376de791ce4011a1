"""What bringing a copy and bringing an export have in common, in the person's open block."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import IO, Any, Generic, TypeVar
from uuid import UUID

from django.conf import settings
from django.db.models import Q, QuerySet
from django.utils.timezone import now

from accounts import work
from accounts.models import User
from privacy.models import FilePiece, Import, Restore, pieces_of

# How long a file waits for a yes.
WAITS = timedelta(days=1)
File = TypeVar("File", Restore, Import)


@dataclass(frozen=True)
class FileRequests(Generic[File]):
    """Files of one kind: their tables, the kind of work, and which state means that it is going on.

    `parent` names the file in a piece; `one_at_a_time` and `too_many` are raised with a sentence.
    """

    model: type[File]
    pieces: type[FilePiece]
    parent: str
    kind: str
    running: tuple[str, ...]
    one_at_a_time: type[ValueError]
    busy: str
    too_many: type[ValueError]
    things: str

    def of(self, user_id: UUID) -> "QuerySet[File]":
        """Those of a person."""
        return self.model._default_manager.filter(user_id=user_id)

    def alone(self, user: User) -> "QuerySet[File]":
        """This person's, asked for by one at a time. Raises what says that another is going on."""
        User.objects.select_for_update(no_key=True).get(pk=user.pk)
        rows = self.of(user.pk)
        if rows.filter(state__in=self.running).exists():
            raise self.one_at_a_time(self.busy)
        return rows

    def refuse_too_many(self, rows: "QuerySet[File]") -> None:
        """Raise what says so where as many were brought today as are taken."""
        most, since = settings.PRIVACY["restores_a_day"], now() - timedelta(days=1)
        if rows.filter(asked_at__gt=since).count() >= most:
            raise self.too_many(
                f"You can upload up to {most} {self.things} a day. Try again tomorrow."
            )

    def keep(self, user: User, file: IO[bytes], **fields: Any) -> File:
        """Keep a file that was looked at; one that waited for a yes gives way."""
        waiting = self.of(user.pk).filter(state=self.model.State.BROUGHT)
        keys = list(waiting.values_list("pk", flat=True))
        self.drop_pieces(user.pk, *keys)
        waiting.update(state=self.model.State.CANCELLED, ended_at=now())
        row = self.model._default_manager.create(user=user, size=file.seek(0, 2), **fields)
        for number, data in pieces_of(file):
            self.pieces._default_manager.create(
                user=user, number=number, data=data, **{self.parent: row}
            )
        return row

    def accept(self, user: User, key: UUID) -> File:
        """Write down that the worker is to take it in."""
        self.of(user.pk).filter(pk=key).update(state=self.model.State.WAITING)
        work.enqueue(user, self.kind, key)
        return self.of(user.pk).get(pk=key)

    def cancel(self, user: User, key: UUID, states: tuple[str, ...]) -> bool:
        """Leave it while it is in one of the states; False where it is not."""
        rows = self.of(user.pk).filter(pk=key, state__in=states)
        if not rows.update(state=self.model.State.CANCELLED, ended_at=now()):
            return False
        self.drop_pieces(user.pk, key)
        work.withdraw(user, self.kind, key)
        return True

    def newest(self, user_id: UUID) -> File | None:
        """The one that was brought last, for as long as there is something to say about it."""
        row = self.of(user_id).order_by("-asked_at").first()
        return None if row is None or row.state == self.model.State.CANCELLED else row

    def file_of(self, user_id: UUID, key: UUID) -> Iterator[bytes]:
        """The file, a piece at a time."""
        rows = self.pieces._default_manager.filter(user_id=user_id, **{f"{self.parent}_id": key})
        for data in rows.order_by("number").values_list("data", flat=True).iterator(1):
            yield bytes(data)

    def end(self, user_id: UUID, key: UUID, state: str, why: str = "") -> None:
        """It is over: its state says how, and the file goes."""
        rows = self.of(user_id).filter(pk=key)
        rows.update(state=state, gathering="", failure=why[:500], ended_at=now())
        self.drop_pieces(user_id, key)

    def drop_all(self, over: Q, most: int) -> int:
        """Let go of files that nobody said yes to, and of those that are `over`; of how many
        people.
        """
        waited = Q(state=self.model.State.BROUGHT, asked_at__lt=now() - WAITS)
        return self.model.drop_all(over | waited, most)

    def drop_pieces(self, user_id: UUID, *keys: UUID) -> None:
        """Let go of these files, and keep what is said of them."""
        of_these = {f"{self.parent}_id__in": keys}
        self.pieces._default_manager.filter(user_id=user_id, **of_these).delete()


def long_ago() -> datetime:
    """What ended before this moment is no news any more."""
    return now() - timedelta(days=settings.PRIVACY["export_days"])
