"""`python -m benchmarks.conversations --out FILE.md`: what a conversation of 10,000 messages costs.

One person has talked in many conversations and in one very long one, which is summed up as far as
it goes. Timed side by side with a `select 1`: opening its page at the end, in the middle and at the
beginning, through the whole stack; a range of numbers; what an answer reads of it; and summing up
the next 25 messages by rules. The same of a conversation of 60 messages stands beside it, and how
many statements each takes: neither may grow with the length.
"""

import argparse
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from benchmarks.support.site import site

LONG, SHORT = 10_000, 60
# The first ones prepare the statements, compile the templates and load the word vectors.
WARM_UP = 5
# How many different sentences everybody else's messages are made of.
_REMARKS = 4_000


def main() -> None:
    """Read the command line, and do it."""
    reader = argparse.ArgumentParser(prog="python -m benchmarks.conversations", description=__doc__)
    reader.add_argument("--out", type=Path, required=True, help="the file for the results")
    reader.add_argument("--rounds", type=int, default=100, help="how often each is done")
    reader.add_argument("--others", type=int, default=200_000, help="messages of everybody else")
    wanted = reader.parse_args()
    with site():
        told = _measured(wanted.rounds, wanted.others)
    wanted.out.parent.mkdir(parents=True, exist_ok=True)
    wanted.out.write_text(told)
    print(told)


@dataclass
class _Times:
    """Milliseconds a round of one thing and of the `select 1` before it, and its statements."""

    what: str
    messages: int
    statements: int
    taken: list[float] = field(default_factory=list)
    shortest: list[float] = field(default_factory=list)

    def told(self) -> str:
        """As a line of the table."""
        middle, late = np.median(self.taken), np.percentile(self.taken, 95)
        times = middle / np.median(self.shortest)
        return (
            f"| {self.what} | {self.messages:,} | {self.statements} | {middle:.2f} | {late:.2f}"
            f" | {times:.1f} |"
        )


def _measured(rounds: int, others: int) -> str:
    # What needs the settings is imported when there is a database for them to point at.
    from django.core.management import call_command

    from accounts.models import User
    from benchmarks.support import load

    # Pages name their static files by what is in them.
    call_command("collectstatic", interactive=False, verbosity=0)
    everybody = load.fill([2_500] * max(1, others // 2_500), remarks=_REMARKS)
    person = User.objects.get(pk=everybody[0].user_id)
    lines = []
    for messages in (SHORT, LONG):
        for what, deed in _deeds(person, messages).items():
            lines.append(_timed(what, messages, deed, rounds).told())
    return "\n".join(
        [
            f"{rounds} rounds, milliseconds; {others:,} messages of everybody on the site.",
            "",
            "| what | messages of the conversation | statements | median | 95 % | of `select 1` |",
            "|---|---|---|---|---|---|",
            *lines,
            "",
        ]
    )


def _deeds(person: Any, messages: int) -> dict[str, Callable[[], object]]:
    from django.conf import settings
    from django.test import Client

    from accounts.database.isolation import acting_as
    from conversations.messages import in_range
    from conversations.models import Message
    from conversations.summaries import compaction, extractive_summary
    from memory import manager
    from memory.context import turn_context
    from memory.core.scope import Scope

    talk = _talk_of(person, messages)
    with acting_as(person):
        newest = Message.objects.get(conversation=talk, number=messages)
        said = list(in_range(person.pk, talk.pk, messages - 24, messages))
    scope = Scope(person.pk, talk.pk, newest.pk, newest.said_at)
    stretch = [compaction.said(one) for one in said]
    client = Client(SERVER_NAME="localhost")
    client.force_login(person)
    page = talk.get_absolute_url()

    def look(query: str) -> object:
        response = client.get(page + query)
        assert response.status_code == 200, response.status_code
        return response

    def inside(deed: Callable[[], object]) -> Callable[[], object]:
        def run() -> object:
            with acting_as(person):
                return deed()

        return run

    most = settings.HISTORY_MESSAGES
    return {
        "its page, at the end": lambda: look(""),
        "its page, in the middle": lambda: look(f"?at={messages // 2}"),
        "its page, at the beginning": lambda: look("?at=1"),
        "25 messages by number": inside(
            lambda: list(in_range(person.pk, talk.pk, messages // 2, messages // 2 + 24))
        ),
        "the context alone": inside(lambda: turn_context.talk(scope, most)),
        "profile and context, one statement": inside(lambda: manager.recall(scope, newest=most)),
        "summing up 25 messages by rules": lambda: extractive_summary.extract(
            talk.compact_summary, stretch
        ),
    }


def _talk_of(person: Any, messages: int) -> Any:
    """One conversation of so many messages, summed up as far as it goes."""
    from django.conf import settings

    from accounts.database.isolation import acting_as
    from benchmarks.support.load import NOW, tidy
    from benchmarks.support.sentences import sentences
    from conversations.messages import in_range
    from conversations.models import Conversation, Message
    from conversations.summaries import compaction, extractive_summary

    texts = sentences(messages)
    with acting_as(person):
        talk = Conversation.objects.create(user=person, title="A talk", last_number=messages)
        Message.objects.bulk_create(
            (
                Message(
                    user=person,
                    conversation=talk,
                    number=number,
                    role=Message.Role.USER if number % 2 else Message.Role.ASSISTANT,
                    content=text,
                    said_at=NOW - timedelta(minutes=messages - number),
                    learned_at=NOW,
                )
                for number, text in enumerate(texts, start=1)
            ),
            batch_size=1_000,
        )
        every = settings.COMPACT_EVERY
        up_to = (messages - 1) // every * every
        said = [compaction.said(one) for one in in_range(person.pk, talk.pk, up_to - 99, up_to)]
        talk.compact_summary = extractive_summary.extract("", said).text()
        talk.compacted_up_to = up_to
        talk.save()
    tidy()
    return talk


def _timed(what: str, messages: int, deed: Callable[[], object], rounds: int) -> _Times:
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    for _ in range(WARM_UP):
        deed()
    with CaptureQueriesContext(connection) as captured:
        deed()
    times = _Times(what, messages, len(captured))
    for _ in range(rounds):
        times.shortest.append(_time(lambda: connection.cursor().execute("select 1")))
        times.taken.append(_time(deed))
    return times


def _time(deed: Callable[[], object]) -> float:
    before = perf_counter()
    deed()
    return (perf_counter() - before) * 1000


if __name__ == "__main__":
    main()
