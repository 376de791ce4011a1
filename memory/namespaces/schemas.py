"""What an entry of each namespace holds. Whatever does not fit is refused with pydantic's words.

Shares run from 0 to 1 and are kept to a tenth, times to the minute and in UTC: so the compact form
gives back exactly what is kept.
"""

from datetime import UTC, date, datetime
from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints

from memory.namespaces.codes import (
    Level,
    Outcome,
    Relation,
    Route,
    SignalKind,
    State,
    Trait,
)


def _to_a_tenth(share: float) -> float:
    return round(share, 1)


def _to_the_minute(moment: datetime) -> datetime:
    if moment.tzinfo is None:
        raise ValueError("Include the time zone, as in 2026-11-24T06:30:00Z.")
    return moment.astimezone(UTC).replace(second=0, microsecond=0)


class Bare:
    """Marks a code: a word without a space, that nothing need be escaped in."""


class Phrase:
    """Marks a field that holds words of the writer's own: the compact form puts it last."""


Text = Annotated[
    str, StringConstraints(strip_whitespace=True, min_length=1, max_length=500), Phrase
]
Name = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=80)]
Code = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]{1,39}$"), Bare]
Share = Annotated[float, Field(ge=0, le=1), AfterValidator(_to_a_tenth)]
Times = Annotated[int, Field(ge=0, le=1_000_000)]
Moment = Annotated[datetime, AfterValidator(_to_the_minute)]
Phrases = Annotated[list[Name], Field(max_length=12), Phrase]
Codes = Annotated[list[Code], Field(max_length=12), Bare]


class Entry(BaseModel):
    """What all entries have in common: no field but the named ones."""

    model_config = ConfigDict(extra="forbid", use_enum_values=False)


class RegisteredEntry(Entry):
    """An entry of a namespace that a person registered."""


class Signal(Entry):
    """Something that a message gave away."""

    kind: SignalKind
    strength: Share = 1.0
    turn: Times = 0


class Session(Entry):
    """Where the current session stands."""

    level: Level = Level.TASK
    turn: Times = 0
    threads: Phrases = []
    subject: Text | None = None


class HistoryItem(Entry):
    """What one session was about, for a rolling window of the last ones."""

    day: date
    turns: Times
    topics: Phrases = []
    decisions: Phrases = []
    summary: Text


class Pattern(Entry):
    """How somebody works, seen again and again. A code of one's own brings its text."""

    code: Code
    seen: Times = 1
    strength: Share = 0.5
    last_seen: date | None = None
    text: Text | None = None


class Coaching(Entry):
    """How the assistant is to behave towards this person."""

    code: Code
    active: bool = True
    text: Text | None = None


class FastState(Entry):
    """The state of the loop that runs with every message."""

    turn: Times = 0
    route: Route | None = None
    signals: Annotated[list[SignalKind], Field(max_length=12)] = []
    subject: Text | None = None


class SlowState(Entry):
    """What somebody committed to, and when it is looked at again."""

    review_on: date | None = None
    decisions: Phrases = []
    commitment: Text


class Lane(Entry):
    """One line of work beside others."""

    name: Name
    state: State = State.ACTIVE
    next_step: Text | None = None
    goal: Text | None = None


class ConsentPreference(Entry):
    """What somebody said they want, or do not want, to be asked about."""

    allowed: bool
    day: date | None = None
    subject: Text


class GateTransition(Entry):
    """A gate that opened or closed, in the order in which it happened."""

    gate: Code
    before: State
    after: State
    at: Moment
    reason: Text | None = None


class Strategy(Entry):
    """A way of answering, and how often it worked."""

    code: Code
    worked: Times = 0
    failed: Times = 0
    text: Text | None = None


class Escalation(Entry):
    """What made an answer go to somebody stronger, and how that went."""

    code: Code
    before: Route
    after: Route
    outcome: Outcome = Outcome.OPEN
    seen: Times = 1


class Routing(Entry):
    """Who answered a message, why, and how it went."""

    route: Route
    strategy: Code
    turn: Times = 0
    confidence: Share = 1.0
    outcome: Outcome = Outcome.OPEN
    signals: Annotated[list[SignalKind], Field(max_length=12)] = []


class LearnedPattern(Entry):
    """Which route worked after which signals."""

    route: Route
    outcome: Outcome
    seen: Times = 1
    strength: Share = 0.5
    signals: Annotated[list[SignalKind], Field(max_length=12)] = []


class Feedback(Entry):
    """What somebody said, or showed, about an answer."""

    outcome: Outcome
    about: Code
    day: date | None = None
    text: Text | None = None


class Generalization(Entry):
    """What several patterns have in common."""

    seen: Times = 1
    strength: Share = 0.5
    codes: Codes = []
    text: Text


class NorthStar(Entry):
    """What somebody wants to be or stand for."""

    since: date | None = None
    text: Text


class Priority(Entry):
    """What comes first for now."""

    rank: Times
    until: date | None = None
    text: Text


class Person(Entry):
    """Somebody around the person."""

    name: Name
    relation: Relation = Relation.OTHER
    mentioned: Times = 1
    last_mentioned: date | None = None
    traits: Annotated[list[Trait], Field(max_length=8)] = []
    note: Text | None = None


class Fact(Entry):
    """A fact of the person's profile."""

    slot: Code
    trust: Share
    last_verified: date
    disputed: bool = False
    value: Text


class Note(Entry):
    """A note from a conversation, or the summary of one."""

    day: date
    trust: Share
    text: Annotated[str, StringConstraints(max_length=2000), Phrase]


class Block(Entry):
    """A short text that stands in every prompt."""

    text: Annotated[str, StringConstraints(max_length=8000), Phrase]
