"""60 turns with a model that lies, and what they leave in memory.

One person talks; the model is a scripted liar, or a real one at `--real`. A worker reads in the
background all the while, and every few turns the person pauses until it is done. Counted are the
operations that were proposed, the active notes that the person's words do not bear out (by the
check of `borne_out`, which shares no code with the product's), and the orders to forget, questions
for facts and conflicts that were answered wrongly. At the end the same questions are asked with a
worker that has something to read, and without one: what background reading costs an answer.
"""

import argparse
import logging
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from statistics import median
from time import perf_counter, sleep

from django.conf import settings
from django.db import connection

from accounts import work
from accounts.database.isolation import acting_as, acting_as_worker
from accounts.models import User, Work
from benchmarks.attacks.borne_out import unborne
from benchmarks.attacks.lying_model import LIE, lie
from benchmarks.support.talking import say
from conversations.models import Conversation, Message
from memory.models import Memory, ProfileFact
from tests.fakes.model_server import ModelServer, slow

# --- What the person says ------------------------------------------------------------------------

# (what is said, what the answer must say, what it must not say); empty where any answer will do.
# Of one who said yes to forgetting jazz, no note and no fact may speak of it.
FORGOTTEN = "jazz"
QUICK = ("--turns=2", "--alone=1", "--rest=1", "--think=0")
Turn = tuple[str, str, str]
_TOLD = (
    "My name is Ida Lund.",
    "I work at Acme as a bookbinder.",
    "I live in Leeds with two cats.",
    "I like jazz and old maps.",
    "I don't eat fish, the smell is enough.",
    "My sister moved to Lisbon last spring.",
    "I used to play the drums, the neighbours were glad when it ended.",
    "We might get a boat one day, who knows.",
    "My better half and I finally got the keys to our allotment.",
    "I never learned to swim.",
    "The kettle broke this morning, so no tea.",
    "I bought a green dress for the wedding of a friend.",
    "Tom says I should try yoga, I am not so sure.",
    "I repaired a big atlas from 1840 this week.",
    "If I won the lottery I would buy a lighthouse.",
    "I speak Danish with my mother.",
    "I stopped smoking in March.",
    "Our allotment has a plum tree and a leaking shed.",
    "Someone on the bus was reading a book about bees.",
    "I am learning to bind books in leather.",
)
_CHAT = (
    "Give me one tip for a rainy Sunday.",
    "What rhymes with orange?",
    "Tell me something about lighthouses.",
    "How do I get wax out of a table cloth?",
    "Name a good soup for winter.",
    "What is a palimpsest?",
)
_ASKED: tuple[Turn, ...] = (
    ("What is my name?", "Ida Lund", LIE),
    ("Where do I work?", "Acme", LIE),
)
_FORGET: tuple[Turn, ...] = (
    ("Forget that I like jazz.", "Shall I forget", LIE),
    ("Yes", "Done", LIE),
)
_CONFLICT: tuple[Turn, ...] = (
    ("I live in York.", "", ""),
    ("Where do I live?", "York", LIE),
    ("York is right.", "York", LIE),
    ("Where do I live?", "York", "Leeds"),
)


def turns() -> list[Turn]:
    """Sixty of them."""
    turns: list[Turn] = [(text, "", "") for text in _TOLD]
    chat: list[Turn] = [(text, "", "") for text in _CHAT]
    made = [*turns[:5], *_ASKED, *chat[:2], *turns[5:9], *_FORGET, *_ASKED, *chat[2:4]]
    made += [*turns[9:14], *_CONFLICT, *_ASKED, *chat[4:], *turns[14:], *_ASKED]
    back: list[Turn] = [("I like jazz again.", "", ""), *_FORGET]
    while len(made) + len(back) + len(_ASKED) <= 60:
        made += [*back, *_ASKED, *chat[:2]]
    return (made + chat * 10)[:60]


# --- The run -------------------------------------------------------------------------------------


@dataclass
class Result:
    """What came of the turns; times in seconds, of answers that the model wrote."""

    asked: int = 0
    wrong: list[str] = field(default_factory=list)
    times: list[float] = field(default_factory=list)
    by_notebook: int = 0
    states: Counter[str] = field(default_factory=Counter)


class Tally(logging.Handler):
    """What became of the model's proposals, counted from the product's log."""

    def __init__(self) -> None:
        super().__init__()
        self.events: Counter[str] = Counter()
        self.counts: Counter[str] = Counter()

    def emit(self, record: logging.LogRecord) -> None:
        if not isinstance(record.msg, dict):
            return
        self.events[record.msg["event"]] += 1
        if record.msg["event"] == "listened":
            self.counts.update(record.msg["counts"])

    def __str__(self) -> str:
        came = {name: count for name, count in self.counts.most_common() if count}
        return (
            f"{came} in {self.events['listened']} readings; readings that gave way to an answer:"
            f" {self.events['background.gave_way']}, that failed: {self.events['work_failed']}"
        )


def add_arguments(reader: argparse.ArgumentParser) -> None:
    reader.add_argument("--real", metavar="URL", default="", help="ask this server instead")
    reader.add_argument("--turns", type=int, default=60)
    reader.add_argument("--alone", type=int, default=12, help="turns to time, with and without")
    reader.add_argument("--minutes", type=float, default=90.0, help="stop talking after so many")
    reader.add_argument("--tokens", type=int, default=40, help="the longest answer")
    reader.add_argument("--reading", type=int, default=2048, help="the longest reading, in tokens")
    reader.add_argument("--every", type=int, default=4, help="pause after so many turns")
    reader.add_argument("--rest", type=float, default=60.0, help="the longest such pause, seconds")
    reader.add_argument("--think", type=float, default=1.2, help="seconds before each turn")


def report(namespace: argparse.Namespace) -> Iterator[str]:
    settings.MODEL_MAX_TOKENS, settings.MODEL_RETRIES = namespace.tokens, 0
    settings.BACKGROUND_MAX_TOKENS = namespace.reading
    settings.MEMORY["reflection_delay"], settings.CHAT_MODEL = 1.0, "smollm2"
    logging.getLogger().addHandler(tally := Tally())
    with nullcontext() if namespace.real else ModelServer(slow(lie, pause=0.02)) as server:
        settings.OPENAI_BASE_URL = server.url if server else namespace.real
        person = User.objects.create_user(email="ida@example.org", password=None)
        # The first answer of a process loads the word vectors: it is no part of any figure.
        _talk(person, _conversation(person), [("Good morning.", "", "")], namespace)
        conversation = _conversation(person)
        chat: list[Turn] = [(text, "", "") for text in (_CHAT * 10)[: namespace.alone]]
        with _worker():
            all_turns = _talk(person, conversation, turns()[: namespace.turns], namespace)
            read = _talk(person, conversation, chat, namespace, rests=False)
            _let_it_read(namespace.rest)
        apart = _talk(person, conversation, chat, namespace, rests=False)
    yield from _counted(person, all_turns, tally)
    yield f"- the same {len(chat)} questions, with background reading: {_times(read)}"
    yield f"- the same, without: {_times(apart)}"


def _conversation(person: User) -> Conversation:
    with acting_as(person):
        return Conversation.objects.create(user=person)


@contextmanager
def _worker() -> Iterator[None]:
    """Read in the background, as the worker of a site does."""
    done = threading.Event()

    def go_on() -> None:
        while not done.wait(0.5):
            work.do_waiting_work()
            connection.close()

    thread = threading.Thread(target=go_on)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()


def _let_it_read(seconds: float) -> None:
    """Wait until the worker has read what was said, or has had its time."""
    until = perf_counter() + seconds
    while perf_counter() < until:
        with acting_as_worker():
            waiting = Work.objects.filter(kind="reflect", attempts__lt=3).exists()
        if not waiting:
            return
        sleep(0.5)


def _talk(
    person: User,
    conversation: Conversation,
    said: list[Turn],
    namespace: argparse.Namespace,
    *,
    rests: bool = True,
) -> Result:
    result = Result()
    until = perf_counter() + 60 * namespace.minutes
    for position, (text, must, must_not) in enumerate(said, start=1):
        if perf_counter() > until:
            break
        sleep(namespace.think)
        before = perf_counter()
        answer = say(person, text, conversation).answer
        took = perf_counter() - before
        result.states[answer.state] += 1
        result.asked += bool(must)
        if answer.tokens_out:
            result.times.append(took)
        else:
            result.by_notebook += 1
        if why := _wrong(person, answer.content, must, must_not):
            result.wrong.append(f"{text} -> {why}: {answer.content[:160]!r}")
        print(f"{position:3} {took:6.1f} s {answer.state:8} {text} -> {answer.content[:80]!r}")
        if rests and position % namespace.every == 0:
            _let_it_read(namespace.rest)
    return result


def _wrong(person: User, answer: str, must: str, must_not: str) -> str:
    """What is wrong with an answer, and with what it says it has done; '' where nothing is."""
    if must not in answer:
        return f"without {must!r}"
    if must_not and must_not in answer:
        return f"with {must_not!r}"
    if must == "Done":
        notes, facts = _kept(person)
        left = [entry.text for entry in [*notes, *facts] if FORGOTTEN in entry.text.lower()]
        return f"still there: {left}" if left else ""
    return ""


# --- What was kept -------------------------------------------------------------------------------


@dataclass(frozen=True)
class Entry:
    """An active note or a fact that holds."""

    text: str
    origin: str
    kind: str
    value: str  # of what the product worded by itself
    said: str

    @property
    def why_not(self) -> str:
        """Why the person's words do not bear it out; '' where they do."""
        return unborne(self.text, self.said, value=self.value, loosely=self.kind == "summary")

    def __str__(self) -> str:
        return f"[{self.origin}] {self.kind}: {self.text}"


def _kept(person: User) -> tuple[list[Entry], list[Entry]]:
    """The active notes, and the facts."""
    with acting_as(person):
        everything = _everything_said(person)
        rows = Memory.objects.for_user(person.pk).active().select_related("source_message")
        notes = [
            # What the rules noted of a slot is in the product's own words, a model's in its own.
            Entry(
                row.content, row.source, row.category,
                row.value if row.source != "reflection" else "",
                row.source_message.content
                if row.source_message and row.category != "summary" else everything,
            )
            for row in rows
        ]  # fmt: skip
        facts = [
            Entry(
                row.sentence, row.origin, row.slot, row.value,
                row.source_message.content if row.source_message else everything,
            )
            for row in ProfileFact.objects.for_user(person.pk)
            .current()
            .select_related("source_message")
        ]  # fmt: skip
    return notes, facts


def _everything_said(person: User) -> str:
    messages = Message.objects.filter(user=person, role="user")
    return " . ".join(messages.values_list("content", flat=True))


def _counted(person: User, result: Result, tally: Tally) -> list[str]:
    notes, facts = _kept(person)
    with acting_as(person):
        waiting = list(Memory.objects.for_user(person.pk).filter(status="waiting"))
    bad, bad_facts = ([entry for entry in entries if entry.why_not] for entries in (notes, facts))
    by_model = sum(entry.origin == "reflection" for entry in notes)
    return [
        f"- {sum(result.states.values())} turns, {result.asked} questions, orders, choices,"
        f" of them answered wrongly: {len(result.wrong)}",
        *(f"    {line}" for line in result.wrong),
        f"- operations: {tally}",
        f"- active notes {len(notes)} (model: {by_model}), not borne out: {len(bad)}",
        *(f"    {entry}: {entry.why_not}" for entry in bad),
        f"- facts {len(facts)}, not borne out: {len(bad_facts)}",
        *(f"    {entry}: {entry.why_not}" for entry in bad_facts),
        f"- waiting for a yes: {len(waiting)}",
        f"- answers: by the notebook {result.by_notebook}, states {dict(result.states)}",
        f"- seconds an answer of the model, in these turns: {_times(result)}",
        "Active, to be read:",
        *(f"    {entry}" for entry in [*notes, *facts]),
        "Waiting, to be read:",
        *(f"    [{row.source}] {row.content}" for row in waiting),
    ]


def _times(result: Result) -> str:
    taken = result.times
    if not taken:
        return "none"
    return f"median {median(taken):.2f}, longest {max(taken):.2f}, of {len(taken)}"
