"""`python -m benchmarks.disputes --out FILE.md`: what it costs to notice that two values disagree.

Each round, side by side: eight kibibytes appended to a file beside the database and flushed with
`fdatasync`, which is the least that keeping anything can cost; a `select 1`; and, for a person who
has another employer noted, telling a rival: writing the challenger, its evidence, the entry of the
ledger and the log, committed for good; and all of it, with the lock on the slot, the look at what
is held, and the rules.
"""

import argparse
import os
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter
from typing import Any
from unittest.mock import patch
from uuid import uuid4

import numpy as np

from benchmarks.support.site import site

_BLOCK = b"\0" * 8192
HELD, RIVAL = "I work at Microsoft.", "I work at Google."
# The first ones prepare the statements and load the word vectors.
WARM_UP = 20


def main() -> None:
    """Read the command line, and do it."""
    reader = argparse.ArgumentParser(prog="python -m benchmarks.disputes", description=__doc__)
    reader.add_argument("--out", type=Path, required=True, help="the file for the results")
    reader.add_argument("--rounds", type=int, default=300, help="how often each is done")
    wanted = reader.parse_args()
    with site():
        told = _measured(wanted.rounds)
    wanted.out.parent.mkdir(parents=True, exist_ok=True)
    wanted.out.write_text(told)
    print(told)


def _measured(rounds: int) -> str:
    # What needs the settings is imported when there is a database for them to point at.
    from django.conf import settings

    times = _Times()
    with (Path(settings.DATA_DIR) / "flushed").open("wb", buffering=0) as file:
        for _ in range(WARM_UP):
            _round(file.fileno(), _Times())
        for _ in range(rounds):
            _round(file.fileno(), times)
    return times.told()


@dataclass
class _Times:
    """Milliseconds, one a round: a flush, the shortest statement, both measures of a dispute."""

    flush: list[float] = field(default_factory=list)
    shortest: list[float] = field(default_factory=list)
    writing: list[float] = field(default_factory=list)
    whole: list[float] = field(default_factory=list)

    def told(self) -> str:
        """As a table."""
        lines = {
            "fdatasync of 8 KiB": self.flush,
            "select 1": self.shortest,
            "writing it down, committed": self.writing,
            "all of it: the lock, the look before, and the rules with it": self.whole,
        }
        head = (
            f"{len(self.flush)} rounds, milliseconds.\n\n| what | median | 95 % |\n|---|---|---|\n"
        )
        return head + "".join(
            f"| {what} | {np.median(times):.2f} | {np.percentile(times, 95):.2f} |\n"
            for what, times in lines.items()
        )


def _round(file: int, times: _Times) -> None:
    from django.db import connection

    dispute = _about_to_disagree()
    times.flush.append(_time(lambda: _flush(file)))
    times.shortest.append(_time(lambda: connection.cursor().execute("select 1")))
    began: list[float] = []
    times.whole.append(_time(lambda: dispute(began)))
    times.writing.append((perf_counter() - began[-1]) * 1000)


def _about_to_disagree() -> Callable[[list[float]], None]:
    """Somebody who has an employer, and the deed of telling another.

    The deed adds to its list when the writing begins.
    """
    from django.utils.timezone import now

    from accounts.database.isolation import acting_as
    from accounts.models import User
    from conversations.messages import Draft, append
    from conversations.models import Conversation, Message
    from ledger.promotion import candidate_promotion
    from ledger.promotion.gates import Gates, Told
    from memory.core.scope import Scope
    from memory.facts import fact_writing
    from memory.language.extraction import extract

    person = User.objects.create_user(f"{uuid4()}@example.org", None)
    with acting_as(person):
        talk = Conversation.objects.create(user=person)
        first, second = append(person, talk, [Draft(Message.Role.USER, w) for w in (HELD, RIVAL)])
        told = [Told(one) for one in extract(HELD)]
        scope = Scope(person.pk, talk.pk, first.pk, now())
        list(candidate_promotion.consider_all(scope, HELD, told, Gates()))
    (rival,) = extract(RIVAL)

    def dispute(began: list[float]) -> None:
        write = fact_writing.write_challenger

        def timed(*about: Any) -> Any:
            began.append(perf_counter())
            return write(*about)

        with patch.object(fact_writing, "write_challenger", timed), acting_as(person):
            scope = Scope(person.pk, talk.pk, second.pk, now())
            outcome = candidate_promotion.consider(scope, RIVAL, Told(rival), Gates())
        # A figure for a conflict that was not noticed would say nothing.
        assert isinstance(outcome, candidate_promotion.Opened)

    return dispute


def _flush(file: int) -> None:
    os.write(file, _BLOCK)
    os.fdatasync(file)


def _time(deed: Callable[[], object]) -> float:
    before = perf_counter()
    deed()
    return (perf_counter() - before) * 1000


if __name__ == "__main__":
    main()
