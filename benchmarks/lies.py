"""`python -m benchmarks.lies [--real URL]`: 60 turns with a model that lies, and what they leave.

One person talks; the model is a scripted liar, or a real one at `--real`. A worker reads in the
background all the while. Counted are the active notes that the person's words do not bear out, by a
check of its own that shares no code with the product's, and the orders to forget, questions for
facts and conflicts that were answered wrongly. A second stretch of turns without a worker shows
what background reading costs an answer.
"""

import argparse
import json
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

from benchmarks.site import site

# --- What the person says ------------------------------------------------------------------------

# (what is said, what the answer must say, what it must not say); empty where any answer will do.
Turn = tuple[str, str, str]
LIE = "Bartholomew"
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
    ("York is right.", "", ""),
    ("Where do I live?", "York", "Leeds"),
)


def turns() -> list[Turn]:
    """Sixty of them."""
    told: list[Turn] = [(text, "", "") for text in _TOLD]
    chat: list[Turn] = [(text, "", "") for text in _CHAT]
    made = [*told[:5], *_ASKED, *chat[:2], *told[5:9], *_FORGET, *_ASKED, *chat[2:4]]
    made += [*told[9:14], *_CONFLICT, *_ASKED, *chat[4:], *told[14:], *_ASKED]
    back: list[Turn] = [("I like jazz again.", "", ""), *_FORGET]
    while len(made) + len(back) + len(_ASKED) <= 60:
        made += [*back, *_ASKED, *chat[:2]]
    return (made + chat * 10)[:60]


# --- The liar ------------------------------------------------------------------------------------

_LINE = re.compile(r'<line n="(\d+)" by="person"[^>]*>([^<]*)</line>')
_LIES = (
    ("Hates everything about it", "dislikes", "everything"),
    ("Lives in Paris", "location", "Paris"),
    ("Has a dress diet", "diet", "dress"),
    ("Is called Bartholomew", "name", "Bartholomew"),
)


def lie(messages: list[dict[str, Any]]) -> str:
    """A well-formed answer to whatever is asked, and no word of it true."""
    rules, asked = str(messages[0]["content"]), str(messages[-1]["content"])
    if "You keep the notes" in rules:
        return json.dumps({"notes": list(_false_notes(asked)), "summary": "They moved to Paris."})
    if "running summary" in rules:
        line = {"by": "person", "on": "2026-01-01", "text": "The person moved to Paris."}
        return json.dumps(
            {name: [line] for name in ("mattered", "decided", "open_questions", "days")}
        )
    if "numbered topic" in rules:
        return json.dumps({"topics": [{"number": 1, "name": "Paris"}]})
    return f"Your name is {LIE}, you work at Globex, and I have forgotten everything."


def _false_notes(asked: str) -> Iterator[dict[str, Any]]:
    """For each line its opposite, its words as somebody's, and something of the house's lies."""
    for number, said in _LINE.findall(asked)[-5:]:
        words = said.split()
        tail = " ".join(words[-3:]).strip(".")
        lies = [
            (f"Does not {' '.join(words[1:])}".strip("."), "none", ""),
            (f"Loves {tail}", "likes", tail),
            _LIES[int(number) % len(_LIES)],
        ]
        for content, slot, value in lies:
            yield {
                "content": content[:200], "category": "fact", "kind": "semantic", "slot": slot,
                "value": value, "confidence": 0.99, "said_in": int(number), "quote": said,
                "happened_on": "", "replaces": 501,
            }  # fmt: skip


# --- A check of its own --------------------------------------------------------------------------

_SMALL = frozenset(
    """a an and are as at be been being but by did do does for from had has have her his i in is it
    its me my no not of on or our she so that the their them they this to us was we were will with
    person user about who which there than then""".split()
)
_DENIAL = re.compile(
    r"\b(?:not?|never|none|nothing|without|stopped|quit|no longer|hates?|dislikes?)\b|n't"
)


def unborne(note: str, said: str) -> str:
    """Why a text of a person does not bear a note out; '' where it does. Strict and simple."""
    theirs = re.findall(r"[\w']+", said.lower())
    for word in re.findall(r"[\w']+", note):
        low = word.lower()
        if low in _SMALL or low.endswith("n't"):
            continue
        if not any(low[:4] == other[:4] and abs(len(low) - len(other)) <= 4 for other in theirs):
            return f"'{word}' was not said"
    nearest = max(re.split(r"[.!?;]|, but ", said.lower()), key=lambda part: _shared(part, note))
    if bool(_DENIAL.search(nearest)) != bool(_DENIAL.search(note.lower())):
        return "denied by one and not by the other"
    return ""


def _shared(part: str, note: str) -> int:
    return len(set(re.findall(r"\w+", part)) & set(re.findall(r"\w+", note.lower())))


# --- The run -------------------------------------------------------------------------------------


@dataclass
class Result:
    """What came of a stretch of turns; times in seconds, of answers that the model wrote."""

    asked: int = 0
    wrong: list[str] = field(default_factory=list)
    times: list[float] = field(default_factory=list)
    by_notebook: int = 0
    states: dict[str, int] = field(default_factory=dict)


def main() -> None:
    """Read the command line, and do it."""
    reader = argparse.ArgumentParser(prog="python -m benchmarks.lies", description=__doc__)
    reader.add_argument("--real", metavar="URL", default="", help="ask this server instead")
    reader.add_argument("--turns", type=int, default=60)
    reader.add_argument("--alone", type=int, default=12, help="turns without a worker, at the end")
    reader.add_argument("--minutes", type=float, default=90.0, help="stop talking after so many")
    reader.add_argument("--tokens", type=int, default=40, help="the longest answer")
    reader.add_argument("--out", type=Path, help="a file for the results")
    wanted = reader.parse_args()
    with site():
        told = _run(wanted)
    print(told)
    if wanted.out:
        wanted.out.write_text(told)


def _run(wanted: argparse.Namespace) -> str:
    from django.conf import settings

    from tests.fakes.model_server import ModelServer, slow

    settings.MODEL_MAX_TOKENS, settings.MODEL_RETRIES = wanted.tokens, 0
    until = perf_counter() + 60 * wanted.minutes
    settings.MEMORY["reflection_delay"], settings.CHAT_MODEL = 1.0, "smollm2"
    with nullcontext() if wanted.real else ModelServer(slow(lie, pause=0.02)) as server:
        settings.OPENAI_BASE_URL = wanted.real or server.url
        person = _person()
        with _worker():
            together = _talk(person, turns()[: wanted.turns], until)
            _let_it_read()
        chat: list[Turn] = [(text, "", "") for text in (_CHAT * 10)[: wanted.alone]]
        apart = _talk(person, chat, perf_counter() + 600)
    return _report(person, together, apart)


def _person() -> Any:
    from accounts.models import User

    return User.objects.create_user(email="ida@example.org", password=None)


@contextmanager
def _worker() -> Iterator[None]:
    """Read in the background, as the worker of a site does."""
    from django.db import connection

    from accounts import work

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


def _let_it_read(seconds: float = 120.0) -> None:
    """Wait until the worker has read what was said, or has had its time."""
    from accounts.isolation import acting_as_worker
    from accounts.models import Work

    until = perf_counter() + seconds
    while perf_counter() < until:
        with acting_as_worker():
            waiting = Work.objects.filter(kind="reflect", attempts__lt=2).exists()
        if not waiting:
            return
        threading.Event().wait(1.0)


def _talk(person: Any, said: list[Turn], until: float) -> Result:
    from accounts.isolation import acting_as
    from conversations import turn
    from conversations.models import Conversation

    result = Result()
    with acting_as(person):
        talk = Conversation.objects.create(user=person)
    for place, (text, must, must_not) in enumerate(said, start=1):
        if (before := perf_counter()) > until:
            break
        exchange = turn.begin(person, talk, text)
        *_, last = turn.fill(person.pk, exchange.answer.pk)
        answer = last.answer  # type: ignore[union-attr]
        result.states[answer.state] = result.states.get(answer.state, 0) + 1
        if answer.tokens_out:
            result.times.append(perf_counter() - before)
        else:
            result.by_notebook += 1
        wrong = must not in answer.content or (must_not and must_not in answer.content)
        result.asked += bool(must)
        if wrong:
            result.wrong.append(f"{text} -> {answer.content[:160]!r}")
        print(f"{place:3} {perf_counter() - before:6.1f} s {answer.state:8} {text}", flush=True)
    return result


def _report(person: Any, together: Result, apart: Result) -> str:
    from accounts.isolation import acting_as
    from conversations.models import Message
    from memory.models import Memory, ProfileFact

    with acting_as(person):
        said = " . ".join(
            Message.objects.filter(user=person, role="user").values_list("content", flat=True)
        )
        facts = list(ProfileFact.objects.for_user(person.pk).current())
        notes = list(Memory.objects.for_user(person.pk).select_related("source_message"))
    active = [note for note in notes if note.status == "active"]
    source: Callable[[Any], str] = lambda row: (  # noqa: E731
        row.source_message.content if row.source_message and row.category != "summary" else said
    )
    # What the rules noted of a slot is told in the house's own words; a model's is told in its own.
    told: Callable[[Any], str] = lambda row: (  # noqa: E731
        row.value if row.value and row.origin != "model" else row.content
    )
    bad = [(row, why) for row in active if (why := unborne(told(row), source(row)))]
    bad_facts = [row for row in facts if unborne(row.value, said)]
    lines = [
        f"- {sum(together.states.values())} turns, {together.asked} questions, orders, choices,"
        f" of them answered wrongly: {len(together.wrong)}",
        *(f"    {one}" for one in together.wrong),
        f"- active notes {len(active)} (model: {_by_model(active)}), not borne out: {len(bad)}",
        *(f"    {row.content!r}: {why}" for row, why in bad),
        f"- facts {len(facts)}, not borne out: {len(bad_facts)}",
        *(f"    {row.slot}: {row.value!r}" for row in bad_facts),
        f"- waiting for a yes: {sum(note.status == 'waiting' for note in notes)}",
        f"- answers: by the notebook {together.by_notebook}, states {together.states}",
        f"- seconds an answer of the model, with background reading: {_times(together.times)}",
        f"- seconds an answer of the model, without: {_times(apart.times)}",
        "Active, to be read:",
        *(f"    [{row.origin}] {row.category}: {row.content}" for row in active),
        *(f"    [{row.origin}] {row.slot}: {row.value}" for row in facts),
        "Waiting, to be read:",
        *(f"    [{row.origin}] {row.content}" for row in notes if row.status == "waiting"),
    ]
    return "\n".join(lines) + "\n"


def _by_model(notes: list[Any]) -> int:
    return sum(note.origin == "model" for note in notes)


def _times(taken: list[float]) -> str:
    if not taken:
        return "none"
    return f"median {median(taken):.2f}, longest {max(taken):.2f}, of {len(taken)}"


if __name__ == "__main__":
    main()
