"""How far something is that the worker makes, told while it is made in one long transaction."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from django.db import DatabaseError, InterfaceError, connection

from accounts.database.isolation import acting_as
from privacy.models import Export, Restore

# How often its owner sees it move, in seconds.
_EVERY = 0.5

Tell = Callable[[str, int], None]


class Cancelled(Exception):
    """Its owner does not want it any more."""


@contextmanager
def telling(made: Export | Restore) -> Iterator[Tell]:
    """Write down how far it is, in a thread of its own: what makes it is in one transaction.

    Tell it the part that is at hand and the rows done by now; that raises Cancelled when its owner
    has cancelled it.
    """
    over, cancelled = threading.Event(), threading.Event()

    def tell(part: str, done: int) -> None:
        if cancelled.is_set():
            raise Cancelled
        made.gathering, made.done = part, done

    def write_down() -> None:
        model = type(made)
        while not over.wait(_EVERY):
            with suppress(DatabaseError, InterfaceError), acting_as(made.user_id):
                rows = model._default_manager.filter(user_id=made.user_id, pk=made.pk)
                going = rows.filter(state=model.State.MAKING).update(
                    gathering=made.gathering, done=made.done, total=made.total
                )
                if not going:
                    cancelled.set()
            connection.close()

    thread = threading.Thread(target=write_down, name="progress", daemon=True)
    thread.start()
    try:
        yield tell
    finally:
        over.set()
        thread.join()
