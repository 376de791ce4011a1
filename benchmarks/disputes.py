"""What it costs to notice that two values disagree.

Each round, side by side: eight kibibytes appended to a file beside the database and flushed with
`fdatasync`, which is the least that keeping anything can cost; a `select 1`; and, for a person who
has another employer noted, telling a rival: writing the challenger, its evidence, the entry of the
ledger and the log, committed for good; and all of it, with the lock on the slot, the look at what
is held, and the rules.
"""

import argparse
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from time import perf_counter
from typing import Any
from unittest.mock import patch
from uuid import uuid4

import numpy as np
from django.conf import settings
from django.utils.timezone import now

from accounts.database.isolation import acting_as
from accounts.models import User
from benchmarks.support.markdown import table
from benchmarks.support.timing import milliseconds, shortest
from conversations.messages import NewMessage, append
from conversations.models import Conversation, Message
from ledger.promotion import candidate_promotion
from ledger.promotion.gates import Gates, SourcedCandidate
from ledger.promotion.outcomes import ConflictOpened
from memory.core.scope import Scope
from memory.facts import fact_writing
from memory.language.reading import extract_facts

_BLOCK = b"\0" * 8192
HELD, RIVAL = "I work at Microsoft.", "I work at Google."
# The first ones prepare the statements and load the word vectors.
WARM_UP = 20
QUICK = ("--rounds=1",)
WHAT = (
    "fdatasync of 8 KiB",
    "select 1",
    "writing it down, committed",
    "all of it: the lock, the look before, and the rules with it",
)


def add_arguments(reader: argparse.ArgumentParser) -> None:
    reader.add_argument("--rounds", type=int, default=300, help="how often each is done")


def report(namespace: argparse.Namespace) -> Iterator[str]:
    with (Path(settings.DATA_DIR) / "flushed").open("wb", buffering=0) as file:
        rounds = [_round(file.fileno()) for _ in range(WARM_UP + namespace.rounds)][WARM_UP:]
    yield f"{len(rounds)} rounds, milliseconds.\n"
    yield table(
        ("what", "median", "95 %"),
        [
            (what, f"{np.median(times):.2f}", f"{np.percentile(times, 95):.2f}")
            for what, times in zip(WHAT, zip(*rounds, strict=True), strict=True)
        ],
    )


def _round(file: int) -> tuple[float, ...]:
    """Milliseconds, in the order of WHAT."""
    dispute = _about_to_disagree()
    flush, least = milliseconds(lambda: _flush(file)), milliseconds(shortest)
    began: list[float] = []
    whole = milliseconds(lambda: dispute(began))
    return flush, least, (perf_counter() - began[-1]) * 1000, whole


def _about_to_disagree() -> Callable[[list[float]], None]:
    """Somebody who has an employer, and the telling of another.

    It adds to its list when the writing begins.
    """
    person = User.objects.create_user(f"{uuid4()}@example.org", None)
    with acting_as(person):
        conversation = Conversation.objects.create(user=person)
        first, second = append(
            person, conversation, [NewMessage(Message.Role.USER, w) for w in (HELD, RIVAL)]
        )
        sourced_candidates = [SourcedCandidate(candidate) for candidate in extract_facts(HELD)]
        scope = Scope(person.pk, conversation.pk, first.pk, now())
        list(candidate_promotion.consider_all(scope, HELD, sourced_candidates, Gates()))
    (rival,) = extract_facts(RIVAL)

    def dispute(began: list[float]) -> None:
        write = fact_writing.write_challenger

        def timed(*about: Any) -> Any:
            began.append(perf_counter())
            return write(*about)

        with patch.object(fact_writing, "write_challenger", timed), acting_as(person):
            scope = Scope(person.pk, conversation.pk, second.pk, now())
            outcome = candidate_promotion.consider(scope, RIVAL, SourcedCandidate(rival), Gates())
        # A figure for a conflict that was not noticed would say nothing.
        assert isinstance(outcome, ConflictOpened)

    return dispute


def _flush(file: int) -> None:
    os.write(file, _BLOCK)
    os.fdatasync(file)
