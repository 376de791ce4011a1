"""What a memory of an earlier store may become, by the gates that hold for all that is noted."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from uuid import UUID

from django.conf import settings

from ledger.promotion.gates import Gates, SourcedCandidate, request_of
from ledger.promotion.promotion_policy import is_worthy
from memory.core import (
    Allowances,
    Authority,
    KeepingPlace,
    PersistenceDecision,
    PersistenceReason,
    Scope,
    decide_persistence,
)
from memory.language import (
    CURRENT_KINDS,
    FactCandidate,
    Origin,
    Reading,
    find_claim,
    holds_a_secret,
    is_private_text,
    truncate_at_clause,
)
from memory.models import CONTENT_LENGTH, Memory, ProfileFact
from memory.notes import NoteDraft, NotKept, as_note_draft, let_pass
from privacy.legacy.rows import number_of, share_of, text_of

Source = ProfileFact.Source
_OWNER = "user"
_SOURCES = {source.value: source for source in (Source.USER, Source.SYSTEM, Source.FALLBACK)}
_SOURCES["reflection"] = Source.REFLECTION
# Of whom nobody wrote down how far they are believed.
_TRUST, _CONFIDENCE = 0.5, 0.5
UNFIT = "unfit"


@dataclass(frozen=True)
class LegacyMemory:
    """A memory as its row has it; trust and confidence from 0 to 1."""

    text: str
    source: ProfileFact.Source
    trust: float
    confidence: float
    mode: Memory.Mode | None
    deprecated: bool

    @property
    def by_owner(self) -> bool:
        """Whether its person said it."""
        return self.source == Source.USER


def from_original(original: Mapping[str, Any]) -> LegacyMemory:
    """What a row of `memories` says, whichever columns it lacks."""
    source = text_of(original, "source").lower() or _OWNER
    mode = text_of(original, "sse_mode").upper()
    return LegacyMemory(
        text=text_of(original, "text"),
        source=_SOURCES.get(source, Source.IMPORT),
        trust=share_of(original, "trust", _TRUST),
        confidence=share_of(original, "confidence", _CONFIDENCE),
        mode=Memory.Mode(mode) if mode in Memory.Mode.values else None,
        deprecated=number_of(original, "deprecated") != 0,
    )


def reads_nothing(reading: Reading) -> bool:
    """Return whether no fact is taken from a message: it cannot be read, only asks, gives orders
    or asks to forget.
    """
    return bool(
        reading.could_not_be_read
        or reading.asks_to_forget
        or reading.orders_gravely
        or reading.only_asks
    )


def judge(sourced: SourcedCandidate, gates: Gates) -> PersistenceDecision:
    """Return where the gate lets a value be kept that was said in an interaction."""
    candidate = sourced.candidate
    worthy = sourced.origin == Origin.TYPED and is_worthy(
        candidate.slot, candidate.trust, candidate.confidence, by=gates.classifier
    )
    return decide_persistence(replace(request_of(sourced), worthy=worthy), gates.allowed)


def value_of(
    memory: LegacyMemory, reading: Reading, gates: Gates
) -> tuple[FactCandidate, PersistenceDecision] | None:
    """The one value that it names of now, and where the gate lets it be kept.

    None where it names none or several, is no longer in use, or was not said by its owner.
    """
    if memory.deprecated or not memory.by_owner:
        return None
    facts = reading.facts
    if len(facts) != 1 or facts[0].kind not in CURRENT_KINDS or _has_others_words(reading):
        return None
    worthy = is_worthy(facts[0].slot, memory.trust, memory.confidence, by=gates.classifier)
    request = replace(request_of(SourcedCandidate(facts[0])), worthy=worthy)
    return facts[0], decide_persistence(request, gates.allowed)


def note_of(
    memory: LegacyMemory, user_id: UUID, at: datetime, allowed: Allowances
) -> tuple[NoteDraft, KeepingPlace] | str:
    """It as a note, and where it may be kept; or the code of the gate that keeps it out."""
    draft = _draft(memory, at)
    if holds_a_secret(memory.text):
        return PersistenceReason.SECRET.code
    if is_private_text(memory.text):
        return PersistenceReason.SENSITIVE.code
    scope = Scope(user_id, None, None, at, allowed=allowed)
    try:
        decision = let_pass(scope, draft, Authority.READ)
    except NotKept as refused:
        return refused.code or UNFIT
    return draft, decision.place


def _draft(memory: LegacyMemory, at: datetime) -> NoteDraft:
    """Its words as they are; the gist of those that are too long for a note."""
    line = " ".join(memory.text.split())
    fits = len(line) <= CONTENT_LENGTH
    read = as_note_draft(line, at)
    return replace(
        read,
        content=line if fits else truncate_at_clause(line, CONTENT_LENGTH),
        original="" if fits else line,
        mode=memory.mode or (Memory.Mode.LOSSLESS if fits else Memory.Mode.COMPRESSED),
        key_spans=(),
        trust=_trust_in(memory),
        confidence=memory.confidence,
        source=memory.source,
        origin=Origin.TYPED if memory.by_owner else Origin.ASSISTANT,
    )


def _trust_in(memory: LegacyMemory) -> float:
    """As it was, but what nobody has checked is believed no more than what was pasted."""
    if find_claim(memory.text) is None:
        return memory.trust
    return min(memory.trust, float(settings.MEMORY["trust_by_origin"][Origin.PASTED]))


def _has_others_words(reading: Reading) -> bool:
    return bool(reading.foreign or reading.only_asks or reading.orders_gravely)
