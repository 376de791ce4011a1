"""Server-sent events: a blocking generator of events, carried to an asynchronous response."""

import asyncio
import contextlib
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

from django.db import connections
from django.http import StreamingHttpResponse

# An answer occupies a thread while it is written. More at once wait for their turn.
_threads = ThreadPoolExecutor(max_workers=48, thread_name_prefix="answer")
# A comment line keeps proxies from closing a stream that has nothing to say, in seconds.
KEEP_ALIVE = 15


def event(name: str, data: str) -> str:
    """One event; every line of `data` gets its own field, as the format asks."""
    lines = "".join(f"data: {line}\n" for line in data.split("\n"))
    return f"event: {name}\n{lines}\n"


def response(make: Callable[[threading.Event], Iterator[str]]) -> StreamingHttpResponse:
    """Stream what `make(gone)` yields. It runs in a thread of its own, to its end: a reader who
    leaves sets `gone` and stops the sending, not the writing.
    """
    streaming = StreamingHttpResponse(_carry(make), content_type="text/event-stream")
    streaming["Cache-Control"] = "no-cache"
    streaming["X-Accel-Buffering"] = "no"
    return streaming


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
