"""Waiting for a model in a thread that can be left at any time."""

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
# How long nothing may come before whoever reads is told that nothing came, in seconds.
SILENCE = 0.4
# What looking whether to go on costs, in seconds.
_CHECK_SECONDS = 0.004
_END = object()


def read(
    begin: Callable[[], Iterable[Item]],
    until: float | None = None,
    is_over: Callable[[], bool] = lambda: False,
) -> Generator[Item | None, None, None]:
    """Yield what `begin` yields, and None for each interval of silence.

    Raises what it raises, and ModelFailure once `until` (of time.monotonic) is past.
    """
    pieces: queue.SimpleQueue[Any] = queue.SimpleQueue()
    left = threading.Event()
    opened: list[Any] = []

    def work() -> None:
        try:
            # All that `begin` may raise is raised again in the thread that waits for it.
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
            # Whoever waits leaves the place to others; who is told of silence asks the database.
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
    """Wake whoever reads from the network in vain: closing alone would let them wait on."""
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
    """Return what `request` returns, run in a thread; `shut` cancels it.

    Raises GaveWay as soon as `give_way` says so, ModelFailure once `until` is past.
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
    """Raised where background work makes room for a waiting person's answer."""
