"""Waiting for a model in another thread, so that the wait can end at any time."""

from __future__ import annotations

import queue
import socket
import threading
import time
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import suppress
from typing import Any, TypeVar

from accounts.support.best_effort import best_effort
from conversations import scheduling
from conversations.llm.failures import failure

Item = TypeVar("Item")
# Seconds of silence after which the caller is informed with None.
SILENCE = 0.4
# Estimated seconds that the caller's check takes.
_CHECK_SECONDS = 0.004
_END = object()


def read(
    begin: Callable[[], Iterable[Item]],
    until: float | None = None,
    is_over: Callable[[], bool] = lambda: False,
) -> Generator[Item | None, None, None]:
    """Yield the items of `begin()`, which runs in a thread, and None for each interval of silence.
    Raises what `begin` raises, and ModelFailure once `until` (time.monotonic) is past.
    """
    pieces: queue.SimpleQueue[Any] = queue.SimpleQueue()
    left = threading.Event()
    opened: list[Any] = []

    def work() -> None:
        try:
            # Every exception of `begin` is raised again in the waiting thread.
            with best_effort(pieces.put):
                source = begin()
                opened.append(source)
                for piece in source:
                    if left.is_set():
                        break
                    pieces.put(piece)
                pieces.put(_END)
        finally:
            for source in opened:
                with suppress(Exception):
                    source.close()

    threading.Thread(target=work, name="model", daemon=True).start()
    try:
        yield from _gathered(pieces, until)
    finally:
        left.set()
        if not is_over():
            _shut(opened)


def _gathered(pieces: queue.SimpleQueue[Any], until: float | None) -> Iterator[Any]:
    while True:
        if until is not None and time.monotonic() >= until:
            raise failure("out of time")
        try:
            # The place (`scheduling`) is released while waiting; on None the caller queries the
            # database.
            with scheduling.waiting():
                piece = pieces.get(timeout=scheduling.spaced(SILENCE, _CHECK_SECONDS))
        except queue.Empty:
            yield None
            continue
        if piece is _END:
            return
        if isinstance(piece, Exception):
            raise piece
        yield piece


def _shut(opened: list[Any]) -> None:
    """Shut down the sockets: closing alone would leave a blocked reader waiting."""
    for source in opened:
        with suppress(Exception):
            stream = source.response.extensions["network_stream"]
            stream.get_extra_info("socket").shutdown(socket.SHUT_RDWR)


def call(
    request: Callable[[], Item],
    shut: Callable[[], None],
    until: float,
    give_way: Callable[[], bool],
) -> Item:
    """Return what `request` returns, run in a thread; `shut` cancels the request. Raises GaveWay as
    soon as `give_way` returns True, and ModelFailure once `until` is past.
    """
    try:
        for answer in read(lambda: [request()], until):
            if answer is not None:
                return answer
            _raise_if_over(give_way)
    except BaseException:
        shut()
        raise
    raise failure("nonsense")


def _raise_if_over(give_way: Callable[[], bool]) -> None:
    if give_way():
        raise GaveWay


class GaveWay(Exception):
    """Raised where background work stops because a user waits for an answer."""
