"""What a message costs by its length: processor time of the web process and of the reading process,
for the first and the tenth message of a conversation, and for a short one after them.

The turns go through the product's own functions, without a language model, until the answer is
finished. Seconds of processor time, so that a busy machine changes them little.
"""

import argparse
import os
from collections.abc import Callable, Iterator
from itertools import count, cycle, islice
from pathlib import Path
from time import process_time

from accounts.models import User
from benchmarks.support.markdown import table
from benchmarks.support.talking import say
from conversations.models import Conversation
from memory.language.reading_process import shared

LENGTHS = (200, 2_000, 20_000)
# So many messages in one conversation; the first and the last of them are reported.
MESSAGES = 10
QUICK = ("--messages=2", "--lengths", "200")
_SHORT = "I bought a new kettle yesterday."
_HEAD = (
    "message",
    "characters",
    "first: web",
    "first: reading",
    "tenth: web",
    "tenth: reading",
    "a short one after: web",
)
_SAID = (
    "The tram to the harbour was late again and I walked the last part in the rain.",
    "My colleague Ada shows the new plans on Thursday, and I have to prepare the figures.",
    "We argued about the fence, because the neighbours would rather have a hedge.",
    "I used to swim every morning, now I go on Sundays when the pool is quiet.",
    "What do you think about the second draft?",
    "The printer on the third floor is broken, so everybody comes down to ours.",
)
Cost = tuple[float, float]


def add_arguments(reader: argparse.ArgumentParser) -> None:
    reader.add_argument("--lengths", type=int, nargs="+", default=LENGTHS, help="in characters")
    reader.add_argument("--messages", type=int, default=MESSAGES, help="in one conversation")


def report(namespace: argparse.Namespace) -> Iterator[str]:
    people = count()
    # The first turns load vectors and compile patterns, here and in the reading process.
    _costs(next(people), prose, 2_000, 1)
    rows = []
    for name, make in (("prose", prose), ("table", rows_of_a_table), ("list", items_of_a_list)):
        for length in namespace.lengths:
            costs = _costs(next(people), make, length, namespace.messages)
            seconds = [*costs[0], *costs[-2], costs[-1][0]]
            rows.append((name, f"{length:,}", *(f"{value:.2f}" for value in seconds)))
    yield table(_HEAD, rows)


def _costs(number: int, make: Callable[[int, int], str], length: int, messages: int) -> list[Cost]:
    """What each message of one person costs, and a short one after them, in seconds."""
    user = User.objects.create_user(f"person{number}@example.org", "a long phrase 42")
    conversation: Conversation | None = None
    costs = []
    for text in [*(make(length, 100 * number + i) for i in range(messages)), _SHORT]:
        before = _spent()
        conversation = say(user, text, conversation).question.conversation
        costs.append(tuple(now - then for now, then in zip(_spent(), before, strict=True)))
    return costs  # type: ignore[return-value]


def _spent() -> Cost:
    """The processor time of this process and of its reading process, in seconds."""
    pid = shared().pid
    if pid is None:
        return process_time(), 0.0
    stat = Path(f"/proc/{pid}/stat").read_text("ascii")
    user, system = stat.rpartition(")")[2].split()[11:13]
    return process_time(), (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


# --- What is said, never twice the same ----------------------------------------------------------


def prose(length: int, number: int) -> str:
    """Sentences about somebody's days."""
    lines = (f"{line} That was day {number}.{i}." for i, line in enumerate(cycle(_SAID)))
    return " ".join(islice(lines, length // 60 + 1))[:length]


def rows_of_a_table(length: int, number: int) -> str:
    """A table with rules, as it is pasted from a terminal."""
    rule = f"+{'-' * 30}+{'-' * 12}+{'-' * 12}+"
    rows = (f"| item {number}.{i:<22} | {i * 7:>10} | {i * 13:>10} |\n{rule}" for i in count())
    return "\n".join([rule, *islice(rows, length // 120 + 1)])[:length]


def items_of_a_list(length: int, number: int) -> str:
    """Short items, one a line."""
    things = islice(cycle(("rice", "oats", "two lamps", "a rope", "stamps")), length // 10 + 1)
    return "\n".join(f"- {thing} {number}.{i}" for i, thing in enumerate(things))[:length]
