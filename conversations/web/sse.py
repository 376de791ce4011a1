"""Server-sent events: a blocking generator of events, carried to an asynchronous response."""

import asyncio
import contextlib
import threading
import weakref
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from uuid import UUID

import structlog
from django.conf import settings
from django.db import connections
from django.http import StreamingHttpResponse

from conversations import scheduling

log = structlog.get_logger(__name__)

# A stream occupies a thread until its answer is written; most of the time that thread waits, for
# the model or for a place to work. More streams than threads wait for theirs.
_threads = ThreadPoolExecutor(max_workers=500, thread_name_prefix="answer")
# A comment line keeps proxies from closing a stream that has nothing to say, in seconds.
KEEP_ALIVE = 15

_open: Counter[UUID] = Counter()
_counting = threading.Lock()


class TooManyStreams(Exception):
    """A person has settings.STREAMS_PER_PERSON streams in this process."""


def event(name: str, data: str) -> str:
    """One event; every line of `data` gets its own field, as the format asks."""
    lines = "".join(f"data: {line}\n" for line in data.split("\n"))
    return f"event: {name}\n{lines}\n"


class Stream:
    """A person's right to one stream, from here to the end of what is written for it.

    Raises TooManyStreams. The right goes with the object where no response comes of it.
    """

    def __init__(self, person: UUID) -> None:
        with _counting:
            if _open[person] >= settings.STREAMS_PER_PERSON:
                raise TooManyStreams
            _open[person] += 1
        self.person = person
        self.end = weakref.finalize(self, _end, person)

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
                with scheduling.working(self.person):
                    yield from make(gone)
            # The reader waits for an end whatever broke, and a thread has nobody to raise to.
            except Exception as error:
                log.exception(
                    "stream_failed", error=type(error).__name__, user_id=str(self.person), **ids
                )
                yield from failed()
            finally:
                self.end()

        streaming = StreamingHttpResponse(_carry(events), content_type="text/event-stream")
        streaming["Cache-Control"] = "no-cache"
        streaming["X-Accel-Buffering"] = "no"
        return streaming


def _end(person: UUID) -> None:
    with _counting:
        _open[person] -= 1
        if not _open[person]:
            del _open[person]


async def _carry(make: Callable[[threading.Event], Iterator[str]]) -> AsyncIterator[str]:
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

    _threads.submit(produce)
    try:
        while True:
            try:
                item = await asyncio.wait_for(queue.get(), KEEP_ALIVE)
            except TimeoutError:
                yield ": still here\n\n"
                continue
            if item is None:
                return
            yield item
    finally:
        gone.set()
