"""What of the product is timed for one person: its own functions, inside the person's block, as the
application's role.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import cycle

from django.db import transaction

from accounts.database.isolation import acting_as
from accounts.models import User
from benchmarks.support.load import NOW, Person
from benchmarks.support.sentences import QUESTIONS
from benchmarks.support.timing import Operation, Times
from conversations import prompt
from conversations.messages import NewMessage, append
from conversations.models import Message
from memory import manager
from memory.context import turn_context
from memory.core.scope import Scope
from memory.retrieval.passage_search import search_passages
from memory.slots import SLOTS

# The figures, in the order in which they are shown.
ONE_FACT = "one fact"
TEN_FACTS = "ten facts"
AT_HAND = "profile and thread, one statement"
SEARCH = "search, ten best of all that was said"
PROMPT = "all that an answer is made from"
# How many messages of the conversation come with the profile.
NEWEST = 49


def measure(person: Person, rounds: int) -> list[Times]:
    """Time each operation `rounds` times for each of the questions; the first round warms up."""
    with questions(person) as messages:
        return [
            _timed(Times(what, person.passages), operation, rounds, len(messages))
            for what, operation in operations(person, messages).items()
        ]


def _timed(times: Times, operation: Operation, rounds: int, questions: int) -> Times:
    for _ in range(questions):
        operation()
    for _ in range(rounds * questions):
        times.take(operation)
    return times


@contextmanager
def questions(person: Person) -> Iterator[list[Message]]:
    """The questions, asked at the end of the person's newest conversation and taken back after."""
    with transaction.atomic():
        with acting_as(person.user_id):
            user = User.objects.get(pk=person.user_id)
            newest = Message.objects.for_user(user.pk).select_related("conversation")
            conversation = newest.order_by("-said_at")[0].conversation
            drafts = [NewMessage(Message.Role.USER, text, said_at=NOW) for text in QUESTIONS]
            messages = append(user, conversation, drafts)
            for message in messages:
                message.user, message.conversation = user, conversation
            yield messages
        transaction.set_rollback(True)


def operations(person: Person, messages: list[Message]) -> dict[str, Operation]:
    """What is timed, by what it is called; each goes through the questions in turn."""
    single = [slot.key for slot in SLOTS.values() if not slot.sensitive]
    questions = cycle(messages)
    scopes = cycle([Scope(m.user_id, m.conversation_id, m.pk, m.said_at) for m in messages])

    def search() -> object:
        return search_passages(
            person.user_id, next(questions).content, k=10, asked_at=NOW, but=None
        )

    return {
        ONE_FACT: lambda: turn_context.facts(person.user_id, single[:1]),
        TEN_FACTS: lambda: turn_context.facts(person.user_id, single[:10]),
        AT_HAND: lambda: manager.recall(next(scopes), newest=NEWEST),
        SEARCH: search,
        PROMPT: lambda: prompt.build(next(questions)),
    }
