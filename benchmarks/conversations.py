"""What a conversation of 10,000 messages costs.

One person has talked in many conversations and in one very long one, which is summed up as far as
it goes. Timed side by side with a `select 1`: opening its page at the end, in the middle and at the
beginning, through the whole stack; a range of numbers; what an answer reads of it; and summing up
the next 25 messages by rules. The same of a conversation of 60 messages stands beside it, and how
many statements each takes: neither may grow with the length.
"""

import argparse
from collections.abc import Iterator
from datetime import timedelta

from django.conf import settings
from django.core.management import call_command
from django.test import Client

from accounts.database.isolation import acting_as
from accounts.models import User
from benchmarks.support import load
from benchmarks.support.load import NOW, tidy
from benchmarks.support.markdown import table
from benchmarks.support.sentences import sentences
from benchmarks.support.timing import Operation, Times, count_statements
from conversations.messages import in_range
from conversations.models import Conversation, Message
from conversations.summaries import compaction, extractive_summary
from memory import manager
from memory.context.turn_context import read_talk
from memory.core.scope import Scope

LONG, SHORT = 10_000, 60
QUICK = ("--rounds=1", "--others=100", "--messages=120")
# The first ones prepare the statements, compile the templates and load the word vectors.
WARM_UP = 5
# How many different sentences everybody else's messages are made of.
_REMARKS = 4_000


def add_arguments(reader: argparse.ArgumentParser) -> None:
    reader.add_argument("--rounds", type=int, default=100, help="how often each is done")
    reader.add_argument("--others", type=int, default=200_000, help="messages of everybody else")
    reader.add_argument("--messages", type=int, default=LONG, help="of the long conversation")


def report(namespace: argparse.Namespace) -> Iterator[str]:
    # Pages name their static files by what is in them.
    call_command("collectstatic", interactive=False, verbosity=0)
    each = min(2_500, namespace.others)
    everybody = load.fill([each] * max(1, namespace.others // 2_500), remarks=_REMARKS)
    person = User.objects.get(pk=everybody[0].user_id)
    yield f"{namespace.rounds} rounds, milliseconds; {namespace.others:,} messages of everybody.\n"
    yield table(
        (
            "what",
            "messages of the conversation",
            "statements",
            "median",
            "95 %",
            "of `select 1`",
        ),
        [
            _row(Times(what, messages), operation, namespace.rounds)
            for messages in (SHORT, namespace.messages)
            for what, operation in _operations(person, messages).items()
        ],
    )


def _row(times: Times, operation: Operation, rounds: int) -> tuple[str, ...]:
    for _ in range(WARM_UP):
        operation()
    statements = count_statements(operation)
    for _ in range(rounds):
        times.take(operation)
    return (
        times.what,
        f"{times.size:,}",
        str(statements),
        f"{times.at(50):.2f}",
        f"{times.at(95):.2f}",
        f"{times.multiple(50):.1f}",
    )


def _operations(person: User, messages: int) -> dict[str, Operation]:
    conversation = _talk_of(person, messages)
    with acting_as(person):
        newest = Message.objects.get(conversation=conversation, number=messages)
        said = list(in_range(person.pk, conversation.pk, messages - 24, messages))
    scope = Scope(person.pk, conversation.pk, newest.pk, newest.said_at)
    stretch = [compaction.as_spoken_message(message) for message in said]
    client = Client(SERVER_NAME="localhost")
    client.force_login(person)
    page = conversation.get_absolute_url()

    def look(query: str) -> object:
        response = client.get(page + query)
        assert response.status_code == 200, response.status_code
        return response

    def inside(operation: Operation) -> Operation:
        def run() -> object:
            with acting_as(person):
                return operation()

        return run

    most = settings.HISTORY_MESSAGES
    return {
        "its page, at the end": lambda: look(""),
        "its page, in the middle": lambda: look(f"?at={messages // 2}"),
        "its page, at the beginning": lambda: look("?at=1"),
        "25 messages by number": inside(
            lambda: list(in_range(person.pk, conversation.pk, messages // 2, messages // 2 + 24))
        ),
        "the context alone": inside(lambda: read_talk(scope, most)),
        "profile and context, one statement": inside(lambda: manager.recall(scope, newest=most)),
        "summing up 25 messages by rules": lambda: extractive_summary.extract(
            conversation.compact_summary, stretch
        ),
    }


def _talk_of(person: User, messages: int) -> Conversation:
    """One conversation of so many messages, summed up as far as it goes."""
    texts = sentences(messages)
    with acting_as(person):
        conversation = Conversation.objects.create(
            user=person, title="A talk", last_number=messages
        )
        Message.objects.bulk_create(
            (
                Message(
                    user=person,
                    conversation=conversation,
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
        said = [
            compaction.as_spoken_message(message)
            for message in in_range(person.pk, conversation.pk, up_to - 99, up_to)
        ]
        conversation.compact_summary = extractive_summary.extract("", said).text()
        conversation.compacted_up_to = up_to
        conversation.save()
    tidy()
    return conversation
