"""Server-sent events: written by a thread of their own, or by a task that waits without one."""

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

# A comment line keeps proxies from closing a stream that has nothing to say, in seconds.
KEEP_ALIVE = 15
STILL_HERE = ": still here\n\n"
# One event as the schema describes it; `data` is a JSON value as text.
EVENT_SCHEMA = {
    "type": "object",
    "properties": {name: {"type": "string"} for name in ("id", "event", "data")},
}


class TooManyStreams(Exception):
    """A person has as many streams of a kind in this process as one may have."""


def event(name: str, data: str, number: int | None = None) -> str:
    """Return one event; its number comes back as `Last-Event-ID` when the reader reconnects."""
    known = "" if number is None else f"id: {number}\n"
    lines = "".join(f"data: {line}\n" for line in data.split("\n"))
    return f"{known}event: {name}\n{lines}\n"


class Streams:
    """All streams of one kind in this process, how many a person has, and the threads they use.

    One that is written by a thread has it to its end (`Stream.response`); one that waits for news
    (`Stream.waiting`) has one only while it asks the database (`run`).
    """

    def __init__(
        self,
        kind: str,
        a_person: Callable[[], int],
        within: Callable[[UUID], AbstractContextManager[object]] = lambda _: nullcontext(),
        *,
        threads: int,
    ) -> None:
        """`a_person` is how many one may have; `within` is entered while one is written."""
        self.a_person, self.within = a_person, within
        self.threads = ThreadPoolExecutor(max_workers=threads, thread_name_prefix=kind)
        self._open: Counter[UUID] = Counter()
        self._counting = threading.Lock()

    def open(self, person: UUID) -> "Stream":
        """A person's right to one more. Raises TooManyStreams."""
        with self._counting:
            if self._open[person] >= self.a_person():
                raise TooManyStreams
            self._open[person] += 1
        return Stream(self, person)

    async def run(self, work: Callable[[], T]) -> T:
        """Return what `work` returns, called in one of the threads, which keeps no connection."""

        def here() -> T:
            try:
                return work()
            finally:
                connections.close_all()

        return await asyncio.get_running_loop().run_in_executor(
            self.threads, copy_context().run, here
        )

    def end(self, person: UUID) -> None:
        """Give the right back."""
        with self._counting:
            self._open[person] -= 1
            if not self._open[person]:
                del self._open[person]


class Stream:
    """A person's right to one stream, from here to the end of what is written for it.

    The right goes with the object where no response comes of it.
    """

    def __init__(self, streams: Streams, person: UUID) -> None:
        self.streams, self.person = streams, person
        self.end = weakref.finalize(self, streams.end, person)

    def response(
        self,
        make: Callable[[threading.Event], Iterator[str]],
        failed: Callable[[], Iterable[str]],
        **ids: str,
    ) -> StreamingHttpResponse:
        """Stream what `make(gone)` yields, and `failed()` after it if it breaks down, which is
        logged with these ids.

        It runs in a thread of its own, to its end: a reader who leaves sets `gone` and stops the
        sending, not the writing.
        """

        def events(gone: threading.Event) -> Iterator[str]:
            try:
                with self.streams.within(self.person):
                    yield from make(gone)
            # The reader waits for an end whatever broke, and a thread has nobody to raise to.
            except Exception as error:
                log.exception(
                    "stream_failed", error=type(error).__name__, user_id=str(self.person), **ids
                )
                yield from failed()
            finally:
                self.end()

        # What the request is a part of, its stream is a part of too.
        return _as_response(_carry(events, self.streams.threads, copy_context()))

    def waiting(self, events: AsyncIterator[str]) -> StreamingHttpResponse:
        """Stream these events from a task that ends when its reader leaves."""

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
    """Lets a client ask for server-sent events; the view itself writes them."""

    media_type = "text/event-stream"
    format = "sse"
    charset = None

    def render(self, data: Any, *args: Any, **kwargs: Any) -> bytes:
        """An error of a streaming request is still a JSON document."""
        return bytes(JSONRenderer().render(data))


async def _carry(
    make: Callable[[threading.Event], Iterator[str]], threads: ThreadPoolExecutor, within: Context
) -> AsyncIterator[str]:
    loop = asyncio.get_running_loop()
    queue: asyncio.Queue[str | None] = asyncio.Queue()
    gone = threading.Event()

    def put(item: str | None) -> None:
        # The loop may be closed when the server is going down while an answer is being written.
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
