"""Every namespace there is: its purpose, schema, size, retention and tier."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum
from functools import partial
from typing import Any

from memory.language.text.compression import truncate_at_clause
from memory.namespaces import schemas
from memory.namespaces.line_codec import LineCodec
from memory.namespaces.schemas import Entry

# In how many characters the summary of a session, or a note, is told.
_SUMMARY, _NOTE = 45, 80
CODECS: dict[type[Entry], LineCodec[Any]] = {
    codec.schema: codec
    for codec in (
        LineCodec("session", schemas.Session),
        LineCodec(
            "history",
            schemas.HistoryItem,
            {"summary": partial(truncate_at_clause, most=_SUMMARY)},
        ),
        LineCodec("patterns", schemas.Pattern),
        LineCodec("coaching", schemas.Coaching),
        LineCodec("fast", schemas.FastState),
        LineCodec("slow", schemas.SlowState),
        LineCodec("lanes", schemas.Lane),
        LineCodec("consent", schemas.ConsentPreference),
        LineCodec("gates", schemas.GateTransition),
        LineCodec("strategies", schemas.Strategy),
        LineCodec("escalations", schemas.Escalation),
        LineCodec("routing", schemas.Routing),
        LineCodec("learned", schemas.LearnedPattern),
        LineCodec("feedback", schemas.Feedback),
        LineCodec("generalizations", schemas.Generalization),
        LineCodec("north stars", schemas.NorthStar),
        LineCodec("priorities", schemas.Priority),
        LineCodec("people", schemas.Person),
        LineCodec("signals", schemas.Signal),
        LineCodec("profile", schemas.Fact),
        LineCodec("notes", schemas.Note, {"text": partial(truncate_at_clause, most=_NOTE)}),
        LineCodec("block", schemas.Block),
    )
}


class Tier(StrEnum):
    """Where an entry lies."""

    HOT = "hot"
    WARM = "warm"
    COLD = "cold"


class UnknownNamespace(LookupError):
    """There is no namespace of this name."""


@dataclass(frozen=True)
class Namespace:
    """One namespace.

    `most` entries fit in it; where it is `rolling`, the oldest goes for a new one, otherwise a new
    one is refused. `keep` is how long an entry stays after it was last written (None: until it is
    removed), `cold_after` how long after it was last used it moves to the archive (None: never).
    `own` namespaces show what the product itself remembers; they are written by its own verbs.
    """

    name: str
    purpose: str
    schema: type[Entry]
    tier: Tier = Tier.WARM
    most: int = 200
    rolling: bool = False
    keep: timedelta | None = None
    cold_after: timedelta | None = timedelta(days=30)
    needs_consent: bool = True
    own: bool = False

    @property
    def codec(self) -> LineCodec[Entry]:
        """How its entries are written in few tokens."""
        return CODECS[self.schema]

    @property
    def group(self) -> str:
        """What stands before the dot."""
        return self.name.partition(".")[0]


# The longest an entry may be, as JSON, in bytes.
MOST_BYTES = 16_384
# How long after its last use an entry of the hot tier is gone: a session.
SESSION = timedelta(hours=2)
_YEAR = timedelta(days=365)
_hot = partial(Namespace, tier=Tier.HOT, cold_after=None, needs_consent=False)
_own = partial(Namespace, own=True, cold_after=None, needs_consent=False)

_ALL = (
    _hot("altitude.session", "What you are doing right now", schemas.Session),
    Namespace(
        "altitude.history",
        "What your last 20 sessions were about",
        schemas.HistoryItem,
        most=20,
        rolling=True,
        keep=_YEAR,
    ),
    Namespace("altitude.patterns", "How you work", schemas.Pattern),
    Namespace("altitude.coaching", "How you want software to treat you", schemas.Coaching),
    _hot("focus.fast", "Where our current conversation stands", schemas.FastState),
    Namespace("focus.slow", "Your commitments and decisions", schemas.SlowState),
    Namespace("focus.lanes", "Your areas of work", schemas.Lane, most=50),
    Namespace(
        "focus.consent",
        "What you want to be asked about",
        schemas.ConsentPreference,
        cold_after=None,
    ),
    Namespace(
        "focus.gates",
        "What was allowed or blocked, and when",
        schemas.GateTransition,
        most=500,
        rolling=True,
        keep=_YEAR,
        cold_after=timedelta(days=7),
    ),
    Namespace("reasoning.strategies", "Ways of answering that worked", schemas.Strategy),
    Namespace("reasoning.escalations", "When a stronger model had to answer", schemas.Escalation),
    Namespace(
        "reasoning.routing",
        "How each message was answered, and why",
        schemas.Routing,
        most=500,
        rolling=True,
        keep=timedelta(days=90),
        cold_after=timedelta(days=7),
    ),
    Namespace("learning.patterns", "What worked in which situation", schemas.LearnedPattern),
    Namespace(
        "learning.feedback",
        "What you said about answers",
        schemas.Feedback,
        most=500,
        rolling=True,
        keep=_YEAR,
    ),
    Namespace(
        "learning.generalizations", "What several patterns have in common", schemas.Generalization
    ),
    Namespace(
        "shared.north_stars",
        "What you want to be or stand for",
        schemas.NorthStar,
        most=20,
        cold_after=None,
    ),
    Namespace("shared.priorities", "Your current priorities", schemas.Priority, most=20),
    Namespace("shared.people", "The people around you", schemas.Person, most=500),
    _own("user.facts", "Your profile", schemas.Fact),
    _own("user.notes", "Memories from your conversations", schemas.Note),
    _own("user.summaries", "Summaries of your conversations", schemas.Note),
    _own("user.blocks", "What I may read for every answer", schemas.Block),
)
NAMESPACES = {namespace.name: namespace for namespace in _ALL}


def namespace_named(name: str) -> Namespace:
    """The namespace of this name. Raises UnknownNamespace, with the names that there are."""
    try:
        return NAMESPACES[name]
    except KeyError:
        raise UnknownNamespace(
            f"There is no namespace {name!r}. Choose from: {', '.join(NAMESPACES)}."
        ) from None


def scopes() -> list[str]:
    """What a token may be limited to: every namespace, and every group of them."""
    groups = dict.fromkeys(f"{namespace.group}.*" for namespace in _ALL)
    return [*groups, *NAMESPACES]


def matching(patterns: Iterable[str]) -> set[str]:
    """The names that scopes like 'shared.people', 'shared.*' or '*' allow."""
    wanted = set(patterns)
    return {
        name
        for name, namespace in NAMESPACES.items()
        if name in wanted or f"{namespace.group}.*" in wanted or "*" in wanted
    }
