"""Server-sent events, written by a thread or by an asynchronous task."""

import asyncio
import contextlib
import threading
import weakref
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, nullcontext
from contextvars import Context, copy_context
from typing import Any, TypeVar
from uuid import UUID

import structlog
from django.db import connections
from django.http import StreamingHttpResponse
from rest_framework.renderers import BaseRenderer, JSONRenderer

log = structlog.get_logger(__name__)

T = TypeVar("T")

# Seconds between comment lines, which keep proxies from closing an idle stream.
KEEP_ALIVE = 15
STILL_HERE = ": still here\n\n"
# An event as the schema describes it; `data` is JSON text.
EVENT_SCHEMA = {
    "type": "object",
    "properties": {name: {"type": "string"} for name in ("id", "event", "data")},
}


class TooManyStreams(Exception):
    """Raised when a user has the maximum number of streams of a kind in this process."""


def event(name: str, data: str, number: int | None = None) -> str:
    """Return one event as text; clients send its number as `Last-Event-ID` when reconnecting."""
    known = "" if number is None else f"id: {number}\n"
    lines = "".join(f"data: {line}\n" for line in data.split("\n"))
    return f"{known}event: {name}\n{lines}\n"


class Streams:
    """All streams of one kind in this process, their number per user, and their threads.

    A stream is written by its own thread (`Stream.response`), or by a task that uses a thread only
    for database queries (`Stream.waiting`, `run`).
    """

    def __init__(
        self,
        kind: str,
        a_person: Callable[[], int],
        within: Callable[[UUID], AbstractContextManager[object]] = lambda _: nullcontext(),
        *,
        threads: int,
    ) -> None:
        """`a_person` returns the maximum per user; `within` is a context entered while writing."""
        self.a_person, self.within = a_person, within
        self.threads = ThreadPoolExecutor(max_workers=threads, thread_name_prefix=kind)
        self._open: Counter[UUID] = Counter()
        self._counting = threading.Lock()

    def open(self, person: UUID) -> "Stream":
        """Return a new stream of a user. Raises TooManyStreams."""
        with self._counting:
            if self._open[person] >= self.a_person():
                raise TooManyStreams
            self._open[person] += 1
        return Stream(self, person)

    async def run(self, work: Callable[[], T]) -> T:
        """Return the result of `work`, run in a thread that closes its connections afterwards."""

        def here() -> T:
            try:
                return work()
            finally:
                connections.close_all()

        return await asyncio.get_running_loop().run_in_executor(
            self.threads, copy_context().run, here
        )

    def end(self, person: UUID) -> None:
        """Count a stream of a user as ended."""
        with self._counting:
            self._open[person] -= 1
            if not self._open[person]:
                del self._open[person]


class Stream:
    """One stream of a user, counted until it ends or is garbage collected."""

    def __init__(self, streams: Streams, person: UUID) -> None:
        self.streams, self.person = streams, person
        self.end = weakref.finalize(self, streams.end, person)

    def response(
        self,
        make: Callable[[threading.Event], Iterator[str]],
        failed: Callable[[], Iterable[str]],
        **ids: str,
    ) -> StreamingHttpResponse:
        """Stream the events of `make(gone)`; if it fails, log that with `ids` and add those of
        `failed()`.

        It runs in its own thread to the end: when the client disconnects, `gone` is set and sending
        stops, but not writing.
        """

        def events(gone: threading.Event) -> Iterator[str]:
            try:
                with self.streams.within(self.person):
                    yield from make(gone)
            # Any exception: the client needs an end, and a thread has no caller to raise to.
            except Exception as error:
                log.exception(
                    "stream_failed", error=type(error).__name__, user_id=str(self.person), **ids
                )
                yield from failed()
            finally:
                self.end()

        # Copy the context variables of the request.
        return _as_response(_carry(events, self.streams.threads, copy_context()))

    def waiting(self, events: AsyncIterator[str]) -> StreamingHttpResponse:
        """Stream these events from an asynchronous task, which ends when the client disconnects."""

        async def carried() -> AsyncIterator[str]:
            try:
                async for item in events:
                    yield item
            except Exception as error:
                log.exception("stream_failed", error=type(error).__name__, user_id=str(self.person))
            finally:
                self.end()

        return _as_response(carried())


def _as_response(events: AsyncIterator[str]) -> StreamingHttpResponse:
    streaming = StreamingHttpResponse(events, content_type="text/event-stream")
    streaming["Cache-Control"] = "no-cache"
    streaming["X-Accel-Buffering"] = "no"
    return streaming


class EventStream(BaseRenderer):
    """A renderer for the media type of server-sent events; the view itself writes them."""

    media_type = "text/event-stream"
    format = "sse"
    charset = None

    def render(self, data: Any, *args: Any, **kwargs: Any) -> bytes:
        """Return the error of a streaming request as JSON."""
        return bytes(JSONRenderer().render(data))


async def _carry(
    make: Callable[[threading.Event], Iterator[str]], threads: ThreadPoolExecutor, within: Context
) -> AsyncIterator[str]:
    loop = asyncio.get_running_loop()
    queue: asyncio.Queue[str | None] = asyncio.Queue()
    gone = threading.Event()

    def put(item: str | None) -> None:
        # The loop may be closed during a shutdown.
        with contextlib.suppress(RuntimeError):
            loop.call_soon_threadsafe(queue.put_nowait, item)

    def produce() -> None:
        try:
            for item in make(gone):
                if not gone.is_set():
                    put(item)
        finally:
            put(None)
            connections.close_all()

    threads.submit(within.run, produce)
    try:
        while True:
            try:
                item = await asyncio.wait_for(queue.get(), KEEP_ALIVE)
            except TimeoutError:
                yield STILL_HERE
                continue
            if item is None:
                return
            yield item
    finally:
        gone.set()
