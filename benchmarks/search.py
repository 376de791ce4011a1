"""Searching for one person with many messages among others, twice.

First what an answer is made from, in three runs on the same site, of which the best and the worst
stand beside each other: what differs between them is the machine. Processor time of this process
and of the database's own stands beside the time that went by, for on a busy machine only those can
be compared with another day's. Then looking something up as the search page does, from the words to
the snippets, each search in turn with all others.
"""

import argparse
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from time import process_time

import numpy as np
from django.db import connection

from accounts.database.isolation import acting_as
from benchmarks.support import load
from benchmarks.support.load import NOW, Person
from benchmarks.support.markdown import table
from benchmarks.support.measure import PROMPT, SEARCH, operations, questions
from benchmarks.support.timing import (
    Operation,
    Times,
    count_statements,
    milliseconds,
    shortest,
)
from conversations.search import message_search
from conversations.search.search_query import Role, SearchQuery

# Everybody else on the site talks as much as this.
ORDINARY = 2_500
RUNS = 3
QUICK = ("--messages=100", "--others=0", "--rounds=1")


def add_arguments(reader: argparse.ArgumentParser) -> None:
    reader.add_argument("--messages", type=int, default=25_000, help="of the one who searches")
    reader.add_argument("--others", type=int, default=75_000, help="messages of everybody else")
    reader.add_argument("--rounds", type=int, default=20, help="how often each is done")


def report(namespace: argparse.Namespace) -> Iterator[str]:
    yield f"Filling the site: {namespace.messages + namespace.others:,} messages ..."
    ordinary = min(ORDINARY, namespace.messages)
    counts = [namespace.messages, *[ordinary] * (namespace.others // ORDINARY)]
    person = load.fill(counts, remarks=namespace.messages)[0]
    yield (
        f"{namespace.messages:,} messages of the person, {namespace.others:,} of others;"
        f" {namespace.rounds} rounds; milliseconds.\n"
    )
    yield f"What an answer is made from, of ten questions, in each of {RUNS} runs:\n"
    yield _answers(person, namespace.rounds)
    yield "\nLooking something up:\n"
    yield _page(person, namespace.rounds)


# --- What an answer is made from ------------------------------------------------------------------


@dataclass
class _Run(Times):
    """Of one operation in one run; with the shares of the two processors, in milliseconds."""

    here: list[float] = field(default_factory=list)
    database: list[float] = field(default_factory=list)

    def take(self, operation: Operation) -> None:
        """Time it once more."""
        self.shortest.append(milliseconds(shortest))
        here, database = process_time(), _database_time()
        self.milliseconds.append(milliseconds(operation))
        self.here.append((process_time() - here) * 1000)
        self.database.append(_database_time() - database)

    def figures(self) -> list[float]:
        """Median and 95 % in milliseconds, the same as multiples, the floor, the processors."""
        return [
            self.at(50),
            self.at(95),
            self.multiple(50),
            self.multiple(95),
            float(np.median(self.shortest)),
            min(self.shortest),
            float(np.mean(self.here)),
            float(np.mean(self.database)),
        ]


def _answers(person: Person, rounds: int) -> str:
    runs: dict[str, list[_Run]] = {SEARCH: [], PROMPT: []}
    for _ in range(RUNS):
        for what, run in _timed(person, rounds).items():
            runs[what].append(run)
    head = (
        "what",
        "run",
        "median",
        "95 %",
        "times `select 1`: median",
        "95 %",
        "`select 1`: median",
        "least",
        "processor: Python",
        "PostgreSQL",
    )
    return table(head, _best_and_worst(runs))


def _best_and_worst(runs: Mapping[str, Sequence[_Run]]) -> Iterator[list[str]]:
    """By their medians."""
    for what, some in runs.items():
        ordered = sorted((run.figures() for run in some), key=lambda figures: figures[0])
        for name, figures in (("best", ordered[0]), ("worst", ordered[-1])):
            yield [what, f"{name} of {len(some)}", *(f"{figure:.2f}" for figure in figures)]


def _timed(person: Person, rounds: int) -> dict[str, _Run]:
    """Search and context in turn, so that both meet the same machine; the first round warms up."""
    runs = {what: _Run(what, person.passages) for what in (SEARCH, PROMPT)}
    with questions(person) as messages:
        timed = operations(person, messages)
        for position in range((rounds + 1) * len(messages)):
            for what, run in runs.items():
                if position < len(messages):
                    timed[what]()
                else:
                    run.take(timed[what])
    return runs


def _database_time() -> float:
    """Milliseconds that the connection's server process has been on a processor."""
    process = connection.connection.info.backend_pid
    nanoseconds = Path(f"/proc/{process}/schedstat").read_text().split()[0]
    return int(nanoseconds) / 1e6


# --- As the search page does ----------------------------------------------------------------------


def _page(person: Person, rounds: int) -> str:
    searches = _searches()
    times = {what: Times(what, person.passages) for what in searches}
    totals, statements = {}, {}
    for number in range(rounds + 1):
        for what, query in searches.items():
            with acting_as(person.user_id):
                if number:
                    times[what].take(lambda: _find(person, query))  # noqa: B023 - called at once
                else:
                    # It warms up, too.
                    statements[what] = count_statements(lambda: _find(person, query))  # noqa: B023
                    totals[what] = _find(person, query).total
    return table(
        ("search", "found", "statements", "median", "95 %", "times `select 1`"),
        [
            (
                what,
                totals[what],
                statements[what],
                f"{timed.at(50):.1f}",
                f"{timed.at(95):.1f}",
                f"{timed.multiple(50):.0f}",
            )
            for what, timed in times.items()
        ],
    )


def _find(person: Person, query: SearchQuery) -> message_search.SearchResults:
    return message_search.find(person.user_id, query, at=NOW)


def _searches() -> dict[str, SearchQuery]:
    month = (NOW - timedelta(days=60)).date()
    return {
        "one word": SearchQuery("guitar"),
        "a rare name": SearchQuery("Harbrook"),
        "a question": SearchQuery("Where did we go hiking with my sister?"),
        "what means the same": SearchQuery("musical instrument"),
        "nonsense": SearchQuery("xqzzwv blorptang"),
        "a phrase": SearchQuery('"the guitar with my sister"'),
        "a phrase of common words": SearchQuery('"I have been"'),
        "a time in words": SearchQuery("hiking last month"),
        "words in a month": SearchQuery("hiking", since=month, until=month + timedelta(days=30)),
        "words since a year": SearchQuery("hiking", since=month - timedelta(days=365)),
        "both who talk": SearchQuery("hiking", role=Role.BOTH),
        "titles": SearchQuery("talk", title_only=True),
        "plain words, as with memory off": SearchQuery("hiking sister", plain=True),
    }
