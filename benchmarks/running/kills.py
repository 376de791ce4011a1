"""kill -9 of each process at each moment, and what is left.

Starts a whole copy with `manage.py up` and a scripted model, talks to it, kills one process, waits
until the copy is well again, and reads in the database whether each accepted message is there once,
numbered without a gap, learned from, findable and answered.
"""

import argparse
import contextlib
import http.client
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import product

import psycopg

from benchmarks.running.copies import BACK_SECONDS, Copy, children, command_of, wait_for
from benchmarks.support.markdown import table
from tests.fakes.model_server import Messages

SLOWLY = "Tell me slowly"
QUICK = ("--process", "worker", "--moment", "idle")
LONG_ANSWER, SHORT_ANSWER = " ".join(f"word{number}" for number in range(40)), "Noted."
# What must be done for every message, as kinds of work.
MUST_BE_DONE = ["learn", "answer", "index"]


def answer(messages: Messages) -> str:
    """What the model says: much where it was asked to, so that there is time to kill."""
    return LONG_ANSWER if SLOWLY in str(messages[-1].get("content")) else SHORT_ANSWER


# --- Who is killed -------------------------------------------------------------------------------


def _child(words: str) -> Callable[[Copy], list[int]]:
    def find(copy: Copy) -> list[int]:
        assert copy.up is not None
        return [pid for pid in children(copy.up.pid) if words in command_of(pid)]

    return find


def _postmaster(copy: Copy) -> list[int]:
    pid = copy.cluster.pid()
    return [pid] if pid else []


def _backend(copy: Copy) -> list[int]:
    rows = copy.rows(
        "select pid from pg_stat_activity where backend_type = 'client backend'"
        " and usename <> current_user order by state = 'active' desc, query_start desc"
    )
    return [pid for (pid,) in rows]


def _supervisor(copy: Copy) -> list[int]:
    assert copy.up is not None
    return [copy.up.pid]


def _everything(copy: Copy) -> list[int]:
    """The supervisor first, so that it starts nothing in between."""
    own = _supervisor(copy)
    return [*own, *(pid for parent in own for pid in children(parent)), *_postmaster(copy)]


PROCESSES: dict[str, Callable[[Copy], list[int]]] = {
    "postmaster": _postmaster,
    "backend": _backend,
    "web": _child("uvicorn"),
    "worker": _child("manage.py work"),
    "supervisor": _supervisor,
    "everything": _everything,
}
# After these nobody is left to start anything: the copy is started again, as a person or a service
# manager does.
STARTED_AGAIN = {"supervisor", "everything"}


def kill(copy: Copy, process: str) -> float:
    """kill -9, and wait until the copy is well with another in its place; how many seconds."""
    before = wait_for(lambda: PROCESSES[process](copy), f"a {process} to kill")
    victims = before if process == "everything" else before[:1]
    began, at = time.monotonic(), datetime.now(UTC)
    for pid in victims:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    if process in STARTED_AGAIN:
        assert copy.up is not None
        copy.up.wait()
        copy.start()
    wait_for(lambda: _replaced(copy, process, before), f"another {process}")
    wait_for(lambda: copy.is_well() and _worked_since(copy, at), "a copy that is well")
    return time.monotonic() - began


def _worked_since(copy: Copy, at: datetime) -> bool:
    """Whether a worker has looked for work since then: it lives, and something wakes it."""
    with contextlib.suppress(psycopg.Error):
        return bool(copy.rows("select from accounts_workerseen where at > %s", at))
    return False


def _replaced(copy: Copy, process: str, before: list[int]) -> bool:
    """Whether such a process lives that is new; raises when `manage.py up` has given up."""
    if copy.up_ended():
        raise RuntimeError("manage.py up ended")
    with contextlib.suppress(psycopg.Error):
        return bool(set(PROCESSES[process](copy)) - set(before))
    return False


# --- At which moment -----------------------------------------------------------------------------


@dataclass
class AcceptedMessages:
    """What was said in one conversation, and accepted with 201 or a stream."""

    talk: str
    contents: list[str] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def accepted(self, content: str) -> None:
        """Take note of one."""
        with self.lock:
            self.contents.append(content)


Moment = Callable[[Copy, AcceptedMessages, Callable[[], None]], None]


def say(copy: Copy, said: AcceptedMessages, content: str) -> None:
    """Send a message until it is accepted, under one key as a careful client does."""

    def accepted() -> bool:
        path = f"/api/v1/conversations/{said.talk}/messages"
        with contextlib.suppress(OSError, ValueError, http.client.HTTPException):
            key = {"Idempotency-Key": f"{said.talk} {content}"}
            return copy.ask("POST", path, {"content": content}, **key)[0] == 201
        return False

    wait_for(accepted, f"a place for {content!r}")
    said.accepted(content)


def idle(copy: Copy, accepted: AcceptedMessages, strike: Callable[[], None]) -> None:
    """Nobody says anything."""
    say(copy, accepted, "I enjoy rowing")
    strike()
    say(copy, accepted, "I enjoy knitting")


def sending(copy: Copy, accepted: AcceptedMessages, strike: Callable[[], None]) -> None:
    """Three write to one conversation at once, and go on."""
    some = threading.Semaphore(0)

    def write(who: int) -> None:
        for number in range(4):
            say(copy, accepted, f"I enjoy hobby {who} {number}")
            some.release()

    writers = [threading.Thread(target=write, args=[who]) for who in range(3)]
    for writer in writers:
        writer.start()
    for _ in range(3):
        some.acquire(timeout=BACK_SECONDS)
    strike()
    for writer in writers:
        writer.join()


def answering(copy: Copy, accepted: AcceptedMessages, strike: Callable[[], None]) -> None:
    """An answer is being written, and somebody reads it."""
    with copy.stream(accepted.talk, SLOWLY) as stream:
        accepted.accepted(SLOWLY)
        while b"delta" not in stream.readline():
            pass
        strike()


def waiting(copy: Copy, accepted: AcceptedMessages, strike: Callable[[], None]) -> None:
    """Messages were accepted, and nobody waits for their answers."""
    for number in range(4):
        content = f"I enjoy hobby {number}. {SLOWLY}"
        with copy.stream(accepted.talk, content) as stream:
            stream.readline()
        accepted.accepted(content)
    strike()


MOMENTS: dict[str, Moment] = {
    "idle": idle,
    "while sending": sending,
    "while answering": answering,
    "while work waits": waiting,
}


# --- What is left --------------------------------------------------------------------------------


@dataclass(frozen=True)
class Row:
    """One kill: how long until all was well, how much was said, and what is wrong afterwards."""

    process: str
    moment: str
    seconds: float
    accepted: int
    problems: list[str]


def row(copy: Copy, process: str, moment: str) -> Row:
    """Kill one process at one moment, and look."""
    _, made = copy.ask("POST", "/api/v1/conversations", {})
    accepted, seconds = AcceptedMessages(made["id"]), float("nan")

    def strike() -> None:
        nonlocal seconds
        seconds = kill(copy, process)

    try:
        MOMENTS[moment](copy, accepted, strike)
        problems = left(copy, accepted)
    except (TimeoutError, RuntimeError) as error:
        problems = [str(error)]
    return Row(process, moment, seconds, len(accepted.contents), problems)


def left(copy: Copy, accepted: AcceptedMessages) -> list[str]:
    """What is wrong with a conversation once all its work is done; nothing in a clean one."""
    wait_for(lambda: not _unfinished(copy, accepted), "all work done")
    return _problems(copy, accepted)


def _unfinished(copy: Copy, accepted: AcceptedMessages) -> bool:
    try:
        (count,) = copy.rows(
            "select count(*) from accounts_work w join conversations_message m on m.id = w.subject"
            " where m.conversation_id = %s and w.kind = any(%s)",
            accepted.talk,
            MUST_BE_DONE,
        )[0]
    except psycopg.Error:
        return True
    return bool(count)


def _problems(copy: Copy, accepted: AcceptedMessages) -> list[str]:
    kept = copy.rows(
        "select number, role, content, state, learned_at is not null,"
        " exists (select from memory_passage p where p.message_id = m.id)"
        " from conversations_message m where conversation_id = %s order by number",
        accepted.talk,
    )
    contents = [content for _, role, content, *_ in kept if role == "user"]
    wrong = [f"lost: {content}" for content in sorted(set(accepted.contents) - set(contents))]
    wrong += [
        f"not accepted: {content}" for content in sorted(set(contents) - set(accepted.contents))
    ]
    wrong += [
        f"twice: {content}" for content in sorted(set(contents)) if contents.count(content) > 1
    ]
    if [number for number, *_ in kept] != list(range(1, len(kept) + 1)):
        wrong.append(f"misnumbered: {[number for number, *_ in kept]}")
    for number, role, content, state, learned, findable in kept:
        if role == "user":
            wrong += [f"{number} was not learned from"] * (not learned)
        elif state == "cut":
            # What had come is kept, and said to be a part.
            begun = any(text.startswith(content) for text in (LONG_ANSWER, SHORT_ANSWER))
            wrong += [f"{number} is cut, with other words"] * (not begun)
            continue
        # Behind the model's words the notebook may ask about what does not go together.
        elif state != "done" or content.split("\n\n")[0] not in {LONG_ANSWER, SHORT_ANSWER}:
            wrong.append(f"{number} is {state} with {len(content.split())} words")
        wrong += [f"{number} cannot be found"] * (not findable)
    return wrong


# --- The table -----------------------------------------------------------------------------------


def add_arguments(reader: argparse.ArgumentParser) -> None:
    reader.add_argument("--process", nargs="*", choices=PROCESSES, default=list(PROCESSES))
    reader.add_argument("--moment", nargs="*", choices=MOMENTS, default=list(MOMENTS))


def report(namespace: argparse.Namespace) -> Iterator[str]:
    """Kill, and yield the table row by row; exit code 1 when a row is not clean."""
    yield table(("killed", "moment", "well again after", "accepted", "afterwards"), [])
    clean = True
    with Copy(answer) as copy:
        for process, moment in product(namespace.process, namespace.moment):
            if copy.up_ended():
                copy.start()
            now = row(copy, process, moment)
            clean = clean and not now.problems
            yield (
                f"| {process} | {moment} | {now.seconds:.1f} s | {now.accepted} |"
                f" {'; '.join(now.problems) or 'nothing lost, doubled or misnumbered'} |"
            )
    if not clean:
        raise SystemExit(1)
