"""`python -m benchmarks.disputes --out FILE.md`: what it costs to notice that two values disagree.

Each round, side by side: eight kibibytes appended to a file beside the database and flushed with
`fdatasync`, which is the least that keeping anything can cost; a `select 1`; and, for a person who
has another employer noted, the check for a conflict with the writing of the challenger, its
evidence, the entry of the ledger and the log, committed for good.
"""

import argparse
import os
from collections.abc import Callable
from pathlib import Path
from time import perf_counter

from benchmarks.site import site

_BLOCK = b"\0" * 8192
# What the check and the writing may take: so many times a flush, and so many milliseconds more.
TIMES, MORE = 1.5, 1.0


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
    import numpy as np
    from django.conf import settings
    from django.db import connection
    from django.utils.timezone import now

    from accounts.isolation import acting_as
    from accounts.models import User
    from conversations.messages import Draft, append
    from conversations.models import Conversation, Message
    from ledger import promotion
    from ledger.gates import Gates
    from ledger.models import Contradiction
    from memory.extraction import extract
    from memory.scope import Scope

    held, rival = "I work at Microsoft.", "I work at Google."
    (candidate,) = extract(rival)
    flushes, shortest, disputes = [], [], []
    with (Path(settings.DATA_DIR) / "flushed").open("wb", buffering=0) as file:
        for place in range(rounds + 20):
            person = User.objects.create_user(f"person{place}@example.org", None)
            with acting_as(person):
                talk = Conversation.objects.create(user=person)
                drafts = [Draft(Message.Role.USER, held), Draft(Message.Role.USER, rival)]
                first, second = append(person, talk, drafts)
                scope = Scope(person.pk, talk.pk, first.pk, now())
                told = [promotion.Told(one) for one in extract(held)]
                list(promotion.consider_all(scope, held, told))
            flushes.append(_time(lambda: _flush(file.fileno())))
            shortest.append(_time(lambda: connection.cursor().execute("select 1")))

            def dispute(
                person: User = person, talk: Conversation = talk, said: Message = second
            ) -> None:
                with acting_as(person):
                    scope = Scope(person.pk, talk.pk, said.pk, now())
                    promotion.consider(scope, rival, promotion.Told(candidate), Gates())

            disputes.append(_time(dispute))
            with acting_as(person):
                # A figure for a conflict that was not noticed would say nothing.
                assert Contradiction.objects.filter(user=person).count() == 1
    # The first ones prepare the statements and load the word vectors.
    flush, one, whole = (np.array(times[20:]) for times in (flushes, shortest, disputes))
    rows = [
        f"| {what} | {np.median(times):.2f} | {np.percentile(times, 95):.2f} |"
        for what, times in (
            ("fdatasync of 8 KiB", flush),
            ("select 1", one),
            ("conflict noticed and kept", whole),
            (f"asked: {TIMES} times fdatasync and {MORE:g} ms", flush * TIMES + MORE),
        )
    ]
    return "\n".join(
        [
            f"{rounds} rounds, milliseconds.",
            "",
            "| what | median | 95 % |",
            "|---|---|---|",
            *rows,
            "",
        ]
    )


def _flush(file: int) -> None:
    os.write(file, _BLOCK)
    os.fdatasync(file)


def _time(deed: Callable[[], object]) -> float:
    before = perf_counter()
    deed()
    return (perf_counter() - before) * 1000


if __name__ == "__main__":
    main()
