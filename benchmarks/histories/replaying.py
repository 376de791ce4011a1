"""Replays an annotated history (`benchmarks.histories.gold`) through the product."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from time import process_time
from typing import Any
from uuid import UUID

from accounts import work
from accounts.database.isolation import acting_as
from accounts.models import User, Work
from benchmarks.histories.gold import NOTE, Entry, messages_of
from benchmarks.support.talking import say
from ledger.models import Contradiction
from memory.models import Memory, ProfileFact
from tests.clock import Clock

# Due by any clock: the database goes by its own, whatever day a message is of.
_LONG_AGO = datetime(2000, 1, 1, tzinfo=UTC)
# How often work that other work brings is looked for after one message.
_ROUNDS = 5
Entries = tuple[Entry, ...]


@dataclass
class Replayed:
    """What was held after each message, by its id, in order; and what it took."""

    states: dict[str, Entries] = field(default_factory=dict)
    last_of: dict[str, str] = field(default_factory=dict)
    """The last message of the conversation of each message."""
    answering: float = 0.0
    """Processor seconds of the turns, all of them; `learning` those of the work afterwards."""
    learning: float = 0.0

    def before(self, message: str) -> Entries:
        """What was held when the message was said."""
        ids = list(self.states)
        position = ids.index(message)
        return self.states[ids[position - 1]] if position else ()

    offered: dict[str, Entries] = field(default_factory=dict)
    """What waited for a yes after each message."""
    user: User | None = None

    @property
    def end(self) -> Entries:
        """What is held after the last message."""
        return next(reversed(self.states.values()), ())


def replay(history: dict[str, Any], address: str, clock: type[Clock]) -> Replayed:
    """Say every message of the person at its date, and record what is held after each."""
    replayed = Replayed()
    first = next(messages_of(history))
    clock.at = _moment(first)
    user = replayed.user = User.objects.create_user(address)
    ids: dict[UUID | None, str] = {}
    for talk in history["conversations"]:
        conversation = None
        messages = list(messages_of({"conversations": [talk]}))
        for message in messages:
            clock.at = _moment(message)
            with _timed(replayed, "answering"):
                question = say(user, message["text"], conversation).question
            conversation = question.conversation
            ids[question.pk] = message["id"]
            with _timed(replayed, "learning"):
                _do_all_work(user)
            replayed.states[message["id"]] = held_by(user, ids)
            replayed.offered[message["id"]] = offered_to(user)
            replayed.last_of[message["id"]] = messages[-1]["id"]
    return replayed


def _moment(message: dict[str, Any]) -> datetime:
    return datetime.fromisoformat(message["at"]).replace(tzinfo=UTC)


@contextmanager
def _timed(replayed: Replayed, name: str) -> Iterator[None]:
    before = process_time()
    yield
    setattr(replayed, name, getattr(replayed, name) + process_time() - before)


def _do_all_work(user: User) -> None:
    """Do what waits, also what usually waits for a pause."""
    for _ in range(_ROUNDS):
        with acting_as(user):
            Work.objects.filter(user=user).update(run_after=_LONG_AGO)
        if not work.do_waiting_work():
            return


def held_by(user: User, ids: Mapping[UUID | None, str]) -> Entries:
    """The current facts, marked where a question about them is open, and the active notes.

    `ids` names the messages of the history by their keys.

    Summaries of conversations are left out: they tell what a talk was about.
    """
    with acting_as(user):
        facts = list(ProfileFact.objects.for_user(user.pk).current())
        waiting = list(Memory.objects.for_user(user.pk).waiting())
        disputes = Contradiction.objects.for_user(user.pk).open()
        questioned = {dispute.old_fact_id for dispute in disputes}
        notes = Memory.objects.for_user(user.pk).active().exclude(category=Memory.Category.SUMMARY)
        note_entries = [
            Entry(
                NOTE,
                note.content,
                source=ids.get(note.source_message_id, ""),
                verbatim=not note.slot,
            )
            for note in notes
        ]
    questioned |= {note.ends_id for note in waiting if note.ends_id}
    proposed = {note.slot for note in waiting}
    return (
        *(
            Entry(
                fact.slot,
                fact.value,
                marked=fact.pk in questioned or (not fact.many and fact.slot in proposed),
            )
            for fact in facts
        ),
        *note_entries,
    )


def offered_to(user: User) -> Entries:
    """What takes effect with one click: the notes that wait for a yes, where one would end a fact
    in its words too, and the newer sides of open questions.
    """
    with acting_as(user):
        waiting = list(Memory.objects.for_user(user.pk).waiting())
        disputes = list(Contradiction.objects.for_user(user.pk).open().select_related("new_fact"))
    return (
        *(Entry(NOTE, f"{note.content} {note.value}".strip()) for note in waiting),
        *(Entry(dispute.slot, dispute.new_fact.value) for dispute in disputes),
    )
