"""The product itself on the same threads: its own functions, each in a block of the person's own,
as the application's role and behind row-level security.
"""

from collections.abc import Mapping, Sequence
from itertools import count
from typing import Any
from uuid import UUID

import numpy as np
from django.db import models

from accounts.database.isolation import acting_as
from accounts.models import User
from benchmarks.storage_options.threads import (
    Encoder,
    Fact,
    Said,
    Thread,
    Vector,
    threads_of,
)
from benchmarks.support import load
from benchmarks.support.load import NOW
from benchmarks.support.timing import shortest
from config import grants
from conversations.messages import NewMessage, append
from conversations.models import Conversation, Message
from ledger.conflicts.resolution import Answer, resolve
from ledger.models import Contradiction, Resolution
from ledger.promotion import candidate_promotion
from ledger.promotion.gates import Gates, SourcedCandidate
from ledger.promotion.outcomes import ConflictOpened, Outcome
from memory import manager
from memory.context import turn_context
from memory.core.scope import Scope
from memory.facts.profile import contradicted_fact
from memory.language.reader.facts import FactCandidate
from memory.language.text import EMBEDDING_DIMENSIONS
from memory.language.text.terms import meaning_vectors
from memory.models import Mention, Override, Passage, ProfileFact
from memory.retrieval.passage_search import search_passages
from memory.slots import SLOTS

# How many facts a profile has, and how many different remarks the threads are made of.
FACTS, REMARKS = 100, 5_000
# Tables with what is measured here; an account has more, for what the designs do not do.
_TABLES: tuple[type[models.Model], ...] = (
    Conversation,
    Message,
    Passage,
    ProfileFact,
    Mention,
    Override,
)
# Messages of the thread that come with the profile, and the passages of all threads that are found.
_NEWEST, _FOUND = 49, 10


def encode(text: str) -> Vector:
    """The meaning of a text by the product's own vectors; zero without a known word."""
    vector = meaning_vectors([text])[0]
    return np.zeros(EMBEDDING_DIMENSIONS, np.float32) if vector is None else vector


class Product:
    """One person who has so many threads, alone on the site; what a thread may do is timed."""

    def __init__(self, threads: int) -> None:
        self.count = threads
        load.empty()
        remarks = min(REMARKS, threads * load.TURNS)
        (person,) = load.fill([threads * load.TURNS], remarks=remarks, facts=FACTS)
        self._user_id = person.user_id
        self._numbers = count(1)
        with acting_as(self._user_id):
            self._user = User.objects.get(pk=self._user_id)
            newest = Message.objects.for_user(self._user_id).order_by("-said_at")
            self._message = newest.select_related("conversation")[0]
            self._conversation = self._message.conversation
        self._scope = self._scope_of(self._message)

    def threads(self, encoder: Encoder) -> list[Thread]:
        """What it holds, for the designs to hold the same; facts that are asked for come first."""
        with acting_as(self._user_id):
            rows = Passage.objects.filter(user_id=self._user_id).order_by("place")
            talks: dict[UUID, list[Said]] = {}
            for row in rows.values_list("conversation_id", "text", "said_at", "by_user"):
                talks.setdefault(row[0], []).append(Said(row[1], row[2].timestamp(), row[3]))
        return threads_of(list(talks.values()), self.known(), encoder)

    def known(self) -> list[Fact]:
        """The facts of the profile, those of slots with one value first."""
        with acting_as(self._user_id):
            rows = list(ProfileFact.objects.for_user(self._user_id).order_by("many", "pk"))
        return [
            Fact(row.slot, row.value, SLOTS[row.slot].note.format(value=row.value), row.many)
            for row in rows
        ]

    # --- What is timed ---

    def nothing(self) -> object:
        """The shortest statement, in a block of the person's own."""
        with acting_as(self._user_id):
            return shortest()

    def facts(self, slots: Sequence[str]) -> dict[str, str]:
        """The values of some slots, from the profile."""
        with acting_as(self._user_id):
            return {fact.slot: fact.value for fact in turn_context.facts(self._user_id, slots)}

    def recall(self, question: str) -> object:
        """The profile, what holds in this thread, its newest messages, and a search of all."""
        with acting_as(self._user_id):
            known = manager.recall(self._scope, newest=_NEWEST)
            return known, search_passages(self._user_id, question, k=_FOUND, asked_at=NOW, but=None)

    def write(self) -> Outcome | None:
        """Keep a message, and note the new fact that it states."""
        return self._say("interests", f"pastime {next(self._numbers)}")

    def contradicted(self, fact: Fact) -> ProfileFact | None:
        """What is known and cannot hold beside another value of its slot."""
        with acting_as(self._user_id):
            return contradicted_fact(self._scope, _candidate(fact.slot, fact.value))

    def dispute(self, slot: str) -> Contradiction:
        """Keep a message that states another value of a slot, and open the question about it."""
        outcome = self._say(slot, f"rival {next(self._numbers)}")
        assert isinstance(outcome, ConflictOpened)
        return outcome.contradiction

    def settle(self, entry: Contradiction) -> None:
        """Keep the earlier value, so that the next question meets the same profile."""
        with acting_as(self._user_id):
            resolve(entry, Answer(Resolution.Method.KEEP_OLD), by=self._user)

    def _say(self, slot: str, value: str) -> Outcome | None:
        text = SLOTS[slot].note.format(value=value)
        candidate = _candidate(slot, value)
        with acting_as(self._user_id):
            draft = NewMessage(Message.Role.USER, text)
            (message,) = append(self._user, self._conversation, [draft])
            scope = self._scope_of(message)
            return candidate_promotion.consider(scope, text, SourcedCandidate(candidate), Gates())

    def _scope_of(self, message: Message) -> Scope:
        return Scope(self._user_id, message.conversation_id, message.pk, message.said_at)


def _candidate(slot: str, value: str) -> FactCandidate:
    return FactCandidate(
        slot=slot,
        value=value,
        confidence=0.95,
        trust=0.92,
        start=0,
        end=len(value),
        scope="profile",
        kind="statement",
        cue="measured",
    )


def rows_and_bytes() -> tuple[int, int]:
    """The rows of the tables that are measured, and what they take with their indexes."""
    rows = size = 0
    with grants.as_owner() as owner, owner.cursor() as cursor:
        for model in _TABLES:
            table = model._meta.db_table
            cursor.execute(f"select count(*), pg_total_relation_size('{table}') from {table}")
            counted: Mapping[int, Any] = dict(enumerate(cursor.fetchone()))
            rows, size = rows + counted[0], size + counted[1]
    return rows, size
