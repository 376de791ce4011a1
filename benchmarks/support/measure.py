"""How long the product's own functions take for one person, beside the shortest question there is.

Every figure is a wall-clock time in milliseconds, taken inside the person's block as the
application's role. A `select 1` over the same way is timed before each of them, so that a figure
can be read as a multiple of it: that says more about the code than about the machine.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import cycle
from time import perf_counter

import numpy as np
from django.db import transaction

from accounts.database.isolation import acting_as
from accounts.models import User
from benchmarks.support.load import NOW, Person
from benchmarks.support.sentences import QUESTIONS
from conversations import prompt
from conversations.messages import Draft, append
from conversations.models import Message
from memory import manager
from memory.context import turn_context
from memory.core import statements
from memory.core.scope import Scope
from memory.retrieval import passage_search
from memory.slots import SLOTS

SHORTEST = "select 1"
# The figures, in the order in which they are shown.
ONE_FACT = "one fact"
TEN_FACTS = "ten facts"
AT_HAND = "profile and thread, one statement"
SEARCH = "search, ten best of all that was said"
PROMPT = "all that an answer is made from"
# How many messages of the conversation come with the profile.
NEWEST = 49


@dataclass(frozen=True)
class Times:
    """What was measured of one thing for one person, and the shortest statement before each."""

    what: str
    passages: int
    milliseconds: list[float]
    shortest: list[float]

    def at(self, percent: float) -> float:
        """So many percent were faster, in milliseconds."""
        return float(np.percentile(self.milliseconds, percent))

    def multiple(self, percent: float) -> float:
        """The same, as a multiple of the shortest statement's."""
        return self.at(percent) / float(np.percentile(self.shortest, percent))


def measure(person: Person, rounds: int) -> list[Times]:
    """Time each thing `rounds` times for each of the questions; the first round warms up."""
    with questions(person) as asked:
        return [
            _timed(what, person, deed, rounds, len(asked))
            for what, deed in deeds(person, asked).items()
        ]


def _timed(
    what: str, person: Person, deed: Callable[[], object], rounds: int, questions: int
) -> Times:
    for _ in range(questions):
        deed()
    times = Times(what, person.passages, [], [])
    for _ in range(rounds * questions):
        times.shortest.append(milliseconds(shortest))
        times.milliseconds.append(milliseconds(deed))
    return times


@contextmanager
def questions(person: Person) -> Iterator[list[Message]]:
    """The questions, asked at the end of the person's newest conversation and taken back after."""
    with transaction.atomic():
        with acting_as(person.user_id):
            user = User.objects.get(pk=person.user_id)
            newest = Message.objects.for_user(user.pk).select_related("conversation")
            talk = newest.order_by("-said_at")[0].conversation
            drafts = [Draft(Message.Role.USER, text, said_at=NOW) for text in QUESTIONS]
            asked = append(user, talk, drafts)
            for message in asked:
                message.user, message.conversation = user, talk
            yield asked
        transaction.set_rollback(True)


def deeds(person: Person, asked: list[Message]) -> dict[str, Callable[[], object]]:
    """What is timed, by what it is called; each goes through the questions in turn."""
    single = [slot.key for slot in SLOTS.values() if not slot.sensitive]
    questions = cycle(asked)
    scopes = cycle([Scope(m.user_id, m.conversation_id, m.pk, m.said_at) for m in asked])

    def search() -> object:
        return passage_search.search(
            person.user_id, next(questions).content, k=10, asked_at=NOW, but=None
        )

    return {
        ONE_FACT: lambda: turn_context.facts(person.user_id, single[:1]),
        TEN_FACTS: lambda: turn_context.facts(person.user_id, single[:10]),
        AT_HAND: lambda: manager.recall(next(scopes), newest=NEWEST),
        SEARCH: search,
        PROMPT: lambda: prompt.build(next(questions)),
    }


def shortest() -> object:
    """The least that asking the database can cost."""
    return statements.rows(SHORTEST)


def milliseconds(deed: Callable[[], object]) -> float:
    """How long it takes, by the clock."""
    before = perf_counter()
    deed()
    return (perf_counter() - before) * 1000
