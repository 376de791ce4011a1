"""`python -m benchmarks.search_page --out FILE.md`: looking something up as the search page does.

For one person with many messages, among others: the whole of `finding.find`, from the words to the
snippets, with a `select 1` before each. Every search is timed `--rounds` times in turn with all the
others, and the number of statements it sends is counted.
"""

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING
from uuid import UUID

import numpy as np

from benchmarks.support.site import site

if TYPE_CHECKING:
    from benchmarks.support.load import Person
    from conversations.search.search_query import Sought

# Everybody else on the site talks as much as this.
ORDINARY, OTHERS = 2_500, 20


def main() -> None:
    """Read the command line, and do it."""
    reader = argparse.ArgumentParser(prog="python -m benchmarks.search_page", description=__doc__)
    reader.add_argument("--out", type=Path, required=True, help="the file for the results")
    reader.add_argument("--messages", type=int, default=100_000, help="of the one who searches")
    reader.add_argument("--rounds", type=int, default=20, help="how often each search is done")
    wanted = reader.parse_args()
    with site():
        told = _measured(wanted.messages, wanted.rounds)
    wanted.out.parent.mkdir(parents=True, exist_ok=True)
    wanted.out.write_text(told)
    print(told)


def _measured(messages: int, rounds: int) -> str:
    # What needs the settings is imported when there is a database for them to point at.
    from benchmarks.support import load

    print(f"Filling the site: {messages + ORDINARY * OTHERS:,} messages ...", flush=True)
    counts = [messages, *[min(ORDINARY, messages)] * OTHERS]
    person = load.fill(counts, remarks=min(load.REMARKS, messages))[0]
    return _table(person, rounds)


def _searches() -> dict[str, "Sought"]:
    from datetime import timedelta

    from benchmarks.support.load import NOW
    from conversations.search.search_query import Role, Sought

    month = (NOW - timedelta(days=60)).date()
    return {
        "one word": Sought("guitar"),
        "a rare name": Sought("Harbrook"),
        "a question": Sought("Where did we go hiking with my sister?"),
        "what means the same": Sought("musical instrument"),
        "nonsense": Sought("xqzzwv blorptang"),
        "a phrase": Sought('"the guitar with my sister"'),
        "a phrase of common words": Sought('"I have been"'),
        "a time in words": Sought("hiking last month"),
        "words in a month": Sought("hiking", since=month, until=month + timedelta(days=30)),
        "words since a year": Sought("hiking", since=month - timedelta(days=365)),
        "both who talk": Sought("hiking", role=Role.BOTH),
        "titles": Sought("talk", title_only=True),
        "plain words, as with memory off": Sought("hiking sister", plain=True),
    }


def _table(person: "Person", rounds: int) -> str:
    times = {what: _Times() for what in _searches()}
    for _ in range(rounds + 1):
        for what, sought in _searches().items():
            times[what].take(person.user_id, sought)
    head = (
        f"{person.passages:,} messages of the one who searches, {rounds} rounds; milliseconds."
        "\n\n| search | found | statements | median | 95 % | times `select 1` |"
        "\n|---|---|---|---|---|---|\n"
    )
    return head + "".join(one.line(what) for what, one in times.items())


class _Times:
    """Of one search: milliseconds, the shortest statement before each, what came of it."""

    def __init__(self) -> None:
        self.milliseconds: list[float] = []
        self.shortest: list[float] = []
        self.found = self.statements = 0

    def take(self, user_id: UUID, sought: "Sought") -> None:
        """Search once; the first time warms up and counts the statements."""
        from accounts.database.isolation import acting_as
        from benchmarks.support.load import NOW
        from conversations.search import message_search
        from memory.core import statements

        with acting_as(user_id):
            if not self.statements:
                self.statements = _counted(lambda: message_search.find(user_id, sought, at=NOW))
                return
            self.shortest.append(_timed(lambda: statements.rows("select 1")))
            self.milliseconds.append(_timed(lambda: self._find(user_id, sought)))

    def _find(self, user_id: UUID, sought: "Sought") -> None:
        from benchmarks.support.load import NOW
        from conversations.search import message_search

        self.found = message_search.find(user_id, sought, at=NOW).total

    def line(self, what: str) -> str:
        """As a row of the table."""
        median, late = (float(np.percentile(self.milliseconds, at)) for at in (50, 95))
        times = median / _median(self.shortest)
        return (
            f"| {what} | {self.found} | {self.statements} | {median:.1f} | {late:.1f}"
            f" | {times:.0f} |\n"
        )


def _median(values: Sequence[float]) -> float:
    return float(np.percentile(values, 50))


def _timed(deed: Callable[[], object]) -> float:
    before = perf_counter()
    deed()
    return (perf_counter() - before) * 1000


def _counted(deed: Callable[[], object]) -> int:
    """How many statements it sends; those that are planned once are counted with the others."""
    from unittest.mock import patch

    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    from memory.core import statements
    from memory.retrieval import passage_candidates, passage_search

    prepared = 0

    def counting(statement: str, parameters: object = None) -> list[statements.Row]:
        nonlocal prepared
        prepared += 1
        return plainly(statement, parameters)  # type: ignore[arg-type]

    plainly = statements.rows
    with (
        patch.object(passage_candidates, "rows", counting),
        patch.object(passage_search, "rows", counting),
        CaptureQueriesContext(connection) as sent,
    ):
        deed()
    return prepared + len(sent)


if __name__ == "__main__":
    main()
