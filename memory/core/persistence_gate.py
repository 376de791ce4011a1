"""Decides whether something may be stored about a user, and where: called before every write.

`decide_persistence` is pure: it gets the request and the user's allowances, and reads nothing
itself (`memory.core.allowances` does). The gates are in `_GATES` in this order; the first that
objects decides:

1.  secret: a password, key or card number is never stored, whoever asks.
2.  memory on: with memory off nothing new is stored; namespace entries last for the session, and
    stored records may still be edited.
3.  private: a plain fact of a private conversation is used in that conversation only, as are its
    messages in search; nothing else is stored.
4.  consent: a namespace, or sharing lessons, that the user has not allowed.
5.  sensitive: health, money and the like only if the user explicitly says so.
6.  blocked: a slot that the user blocked.
7.  here only: a value said to apply to this conversation stays in this conversation.
8.  too faint: read with too little confidence for a memory.
9.  origin: text that was not typed waits for approval.
10. profile-worthy: a value not stated plainly becomes a memory, or waits if it could conflict with
    the value of a single-valued slot; a doubtful record waits.
11. auto or ask: with "ask first", new facts and memories wait for approval, and past facts,
    summaries and topics are not stored.
"""

from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from enum import Enum, StrEnum

from memory.language.origin import Origin
from memory.language.safety import guard, sensitivity
from memory.slots import SLOTS

HEALTH = "medical"


class RecordKind(StrEnum):
    """The kind of a record that is to be stored."""

    FACT = "fact"
    PAST_FACT = "past fact"
    NOTE = "note"
    SUMMARY = "summary"
    TOPIC = "topic"
    ENTRY = "namespace entry"
    BLOCK = "memory block"
    LESSON = "lesson"
    ROLE = "role"
    PASSAGE = "archival passage"


class Authority(StrEnum):
    """On whose authority a record is stored."""

    READ = "read in what the user said"
    YES = "the user was asked and said yes"
    HAND = "the user wrote it"
    CHANGE = "the user changes or confirms something already saved"


class KeepingPlace(StrEnum):
    """Where a record may be stored."""

    PROFILE = "profile"
    # For all conversations: among the memories, topics or entries.
    MEMORY = "memory"
    WAITS = "waits"
    CONVERSATION = "conversation"
    SESSION = "session"
    NOWHERE = "nowhere"


class Remedy(StrEnum):
    """What the user can do about a refusal, in words; a page shows a link or button for it."""

    NONE = ""
    SWITCH = "Turn it on under Memories."
    PRIVACY = "You can change that under Privacy."
    CONVERSATION = "You can change that in the conversation’s menu."
    ACTIVITY = "You can allow it under Memory activity."
    COHORT = "Turn sharing on to share lessons."
    ANYWAY = "You can choose “Note it anyway”."
    ANSWER = "You can decide on your profile."


class PersistenceReason(Enum):
    """The reason for a decision: a code for software, a sentence for the user, and the remedy."""

    SECRET = "secret", guard.NEVER_KEPT
    MEMORY_OFF = "memory_off", "Memory is off, so I don’t note anything.", Remedy.SWITCH
    HELD_MEMORY_OFF = (
        "held_memory_off",
        "Memory is off, so this is kept for only two hours.",
        Remedy.SWITCH,
    )
    PRIVATE = (
        "private",
        "You marked this conversation private, so I don’t note anything from it.",
        Remedy.CONVERSATION,
    )
    PRIVATE_HERE = (
        "private_here",
        "Kept only in this conversation because you marked it private.",
        Remedy.CONVERSATION,
    )
    HELD_NOT_ALLOWED = (
        "held_not_allowed",
        "You haven’t allowed this yet, so it’s kept for only two hours.",
        Remedy.ACTIVITY,
    )
    NOT_SHARED = ("not_shared", "You turned off sharing lessons.", Remedy.COHORT)
    SENSITIVE = (
        "sensitive",
        "That’s private, so it stays in this conversation and I haven’t noted it.",
        Remedy.ANYWAY,
    )
    SENSITIVE_BY_HAND = (
        "sensitive_by_hand",
        "That’s private. Say it in a conversation and choose “Note it anyway” there.",
    )
    BLOCKED = ("blocked", "You asked me never to note things like this.", Remedy.PRIVACY)
    SAID_HERE = (
        "said_here",
        "Kept only in this conversation because you said it’s just for this conversation.",
    )
    FAINT = "faint", "I’m not sure enough about this to keep it."
    NOT_TYPED = (
        "not_typed",
        "It’s waiting for you to confirm it, because you didn’t write it yourself.",
        Remedy.ANSWER,
    )
    DOUBTFUL = (
        "doubtful",
        "It’s waiting for you to confirm it, because I may have misread it.",
        Remedy.ANSWER,
    )
    NOT_PLAIN = "not_plain", "Kept as a memory, not a fact, because you didn’t say it clearly."
    ASKED_NOT_PLAIN = (
        "asked_not_plain",
        "It’s waiting for you to confirm it, because you didn’t say it clearly.",
        Remedy.ANSWER,
    )
    ASK_FIRST = (
        "ask_first",
        "It’s waiting for you to confirm it, because you want to be asked first.",
        Remedy.ANSWER,
    )
    UNASKED = (
        "unasked",
        "You want to be asked first, so I don’t note anything on my own.",
        Remedy.PRIVACY,
    )
    ALLOWED = "allowed", "Kept because you said it."
    SAID_YES = "said_yes", "Kept because you said yes."
    BY_HAND = "by_hand", "Kept because you wrote it yourself."

    def __init__(self, code: str, sentence: str, remedy: Remedy = Remedy.NONE) -> None:
        self.code, self.sentence, self.remedy = code, sentence, remedy

    @property
    def in_full(self) -> str:
        """The sentence followed by the remedy."""
        return f"{self.sentence} {self.remedy}".rstrip()


@dataclass(frozen=True)
class PersistenceRequest:
    """A record to be stored. The defaults are: typed, plain, no objections.

    `tells` are further slots and values that its text states. `plain`: stated as true now, clearly
    enough for its conversation. `worthy`: belongs in the profile. `known`: already stored, or
    contradicts a stored value. `doubtful`: waits for approval.
    """

    kind: RecordKind
    slot: str = ""
    value: str = ""
    tells: tuple[tuple[str, str], ...] = ()
    origin: Origin = Origin.TYPED
    authority: Authority = Authority.READ
    secret: bool = False
    sensitive: bool = False
    here_only: bool = False
    plain: bool = True
    faint: bool = False
    worthy: bool = True
    known: bool = False
    doubtful: bool = False


@dataclass(frozen=True)
class Allowances:
    """What a user allows. `consented` refers to the namespace, or to sharing lessons."""

    memory_on: bool = True
    private: bool = False
    consented: bool = True
    blocked: frozenset[str] = field(default_factory=frozenset)
    ask: bool = False


@dataclass(frozen=True)
class PersistenceDecision:
    """Where a record may be stored, and why; `slot` is the blocked slot that excludes it."""

    place: KeepingPlace
    reason: PersistenceReason
    slot: str = ""

    @property
    def kept(self) -> bool:
        """Whether the record is stored for all conversations, now or after approval."""
        return self.place in (KeepingPlace.PROFILE, KeepingPlace.MEMORY, KeepingPlace.WAITS)


class Refused(ValueError):
    """Raised if a record may not be stored.

    `reason` is that of the persistence gate; None if the record itself is invalid.
    """

    def __init__(self, why: str | PersistenceReason) -> None:
        self.reason = why if isinstance(why, PersistenceReason) else None
        super().__init__(why.in_full if isinstance(why, PersistenceReason) else why)

    @property
    def code(self) -> str:
        """The code of the reason; '' if the persistence gate did not refuse."""
        return self.reason.code if self.reason else ""


def decide_persistence(request: PersistenceRequest, allowed: Allowances) -> PersistenceDecision:
    """Return where a record may be stored, and why: the decision of the first gate that objects."""
    for gate in _GATES:
        decision = gate(request, allowed)
        if decision is not None:
            return decision
    place = (
        KeepingPlace.PROFILE
        if request.kind in (RecordKind.FACT, RecordKind.PAST_FACT)
        else KeepingPlace.MEMORY
    )
    return PersistenceDecision(place, _BECAUSE[request.authority])


def closing(closed: Collection[str], slot: str, text: str) -> str:
    """Return the blocked slot that excludes a text, else ''; a food allergy counts as health."""
    if slot in closed:
        return slot
    return HEALTH if HEALTH in closed and sensitivity.has_food_allergy(text) else ""


# --- The gates, in order --------------------------------------------------------------------------


def _secret(request: PersistenceRequest, allowed: Allowances) -> PersistenceDecision | None:
    return (
        PersistenceDecision(KeepingPlace.NOWHERE, PersistenceReason.SECRET)
        if request.secret
        else None
    )


def _memory_on(request: PersistenceRequest, allowed: Allowances) -> PersistenceDecision | None:
    if allowed.memory_on or request.authority == Authority.CHANGE:
        return None
    if request.kind == RecordKind.ENTRY:
        return PersistenceDecision(KeepingPlace.SESSION, PersistenceReason.HELD_MEMORY_OFF)
    return PersistenceDecision(KeepingPlace.NOWHERE, PersistenceReason.MEMORY_OFF)


def _private(request: PersistenceRequest, allowed: Allowances) -> PersistenceDecision | None:
    if not allowed.private:
        return None
    holds = request.kind == RecordKind.FACT and request.plain and request.origin == Origin.TYPED
    apart = request.sensitive or _blocked(request, allowed) is not None
    if request.kind == RecordKind.PASSAGE or (holds and not apart):
        return PersistenceDecision(KeepingPlace.CONVERSATION, PersistenceReason.PRIVATE_HERE)
    return PersistenceDecision(KeepingPlace.NOWHERE, PersistenceReason.PRIVATE)


def _consent(request: PersistenceRequest, allowed: Allowances) -> PersistenceDecision | None:
    if allowed.consented:
        return None
    if request.kind == RecordKind.ENTRY:
        return PersistenceDecision(KeepingPlace.SESSION, PersistenceReason.HELD_NOT_ALLOWED)
    if request.kind == RecordKind.LESSON:
        return PersistenceDecision(KeepingPlace.NOWHERE, PersistenceReason.NOT_SHARED)
    return None


def _sensitive(request: PersistenceRequest, allowed: Allowances) -> PersistenceDecision | None:
    if not request.sensitive or request.authority in (Authority.YES, Authority.CHANGE):
        return None
    by_hand = request.authority == Authority.HAND
    return PersistenceDecision(
        KeepingPlace.NOWHERE,
        PersistenceReason.SENSITIVE_BY_HAND if by_hand else PersistenceReason.SENSITIVE,
    )


def _blocked(request: PersistenceRequest, allowed: Allowances) -> PersistenceDecision | None:
    for slot, value in ((request.slot, request.value), *request.tells):
        if closed := closing(allowed.blocked, slot, value):
            return PersistenceDecision(KeepingPlace.NOWHERE, PersistenceReason.BLOCKED, closed)
    return None


def _here_only(request: PersistenceRequest, allowed: Allowances) -> PersistenceDecision | None:
    if request.here_only and request.kind == RecordKind.FACT:
        return PersistenceDecision(KeepingPlace.CONVERSATION, PersistenceReason.SAID_HERE)
    return None


def _faint(request: PersistenceRequest, allowed: Allowances) -> PersistenceDecision | None:
    return (
        PersistenceDecision(KeepingPlace.NOWHERE, PersistenceReason.FAINT)
        if request.faint
        else None
    )


def _origin(request: PersistenceRequest, allowed: Allowances) -> PersistenceDecision | None:
    if request.authority != Authority.READ or request.kind not in (
        RecordKind.FACT,
        RecordKind.NOTE,
    ):
        return None
    # A model's reading is valid only if every word was said: see `memory.operations`.
    by_model = request.origin in (Origin.TYPED, Origin.MODEL)
    return (
        None if by_model else PersistenceDecision(KeepingPlace.WAITS, PersistenceReason.NOT_TYPED)
    )


def _profile_worthy(request: PersistenceRequest, allowed: Allowances) -> PersistenceDecision | None:
    if request.doubtful:
        return PersistenceDecision(KeepingPlace.WAITS, PersistenceReason.DOUBTFUL)
    if request.authority != Authority.READ or request.kind not in (
        RecordKind.FACT,
        RecordKind.NOTE,
    ):
        return None
    supposed = request.kind == RecordKind.NOTE or not request.worthy
    # An uncertain value of a single-valued slot could conflict with the next, so the user is asked.
    if supposed and request.slot and not SLOTS[request.slot].many:
        return PersistenceDecision(KeepingPlace.WAITS, PersistenceReason.ASKED_NOT_PLAIN)
    if request.kind == RecordKind.FACT and supposed and not allowed.ask:
        return PersistenceDecision(KeepingPlace.MEMORY, PersistenceReason.NOT_PLAIN)
    return None


def _auto_or_ask(request: PersistenceRequest, allowed: Allowances) -> PersistenceDecision | None:
    if not allowed.ask or request.authority != Authority.READ:
        return None
    if request.kind in (RecordKind.FACT, RecordKind.NOTE):
        # A known fact is nothing new, and a conflict is asked about anyway.
        no_news = request.known and request.worthy
        return (
            None
            if no_news
            else PersistenceDecision(KeepingPlace.WAITS, PersistenceReason.ASK_FIRST)
        )
    if request.kind in (RecordKind.PAST_FACT, RecordKind.SUMMARY, RecordKind.TOPIC):
        # There is no approval for these kinds, so they are not stored.
        return PersistenceDecision(KeepingPlace.NOWHERE, PersistenceReason.UNASKED)
    return None


_GATES: tuple[Callable[[PersistenceRequest, Allowances], PersistenceDecision | None], ...] = (
    _secret,
    _memory_on,
    _private,
    _consent,
    _sensitive,
    _blocked,
    _here_only,
    _faint,
    _origin,
    _profile_worthy,
    _auto_or_ask,
)
_BECAUSE = {
    Authority.READ: PersistenceReason.ALLOWED,
    Authority.YES: PersistenceReason.SAID_YES,
    Authority.HAND: PersistenceReason.BY_HAND,
    Authority.CHANGE: PersistenceReason.BY_HAND,
}
