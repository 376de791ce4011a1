"""A proposal of a language model beside all that it is held against."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from uuid import UUID

from pydantic import BaseModel, Field

from memory.language.reader.facts import CURRENT_KINDS, FactCandidate
from memory.language.reading import extract_facts
from memory.language.text import entailment, evidence, terms
from memory.language.text.entailment import Verdict
from memory.language.text.evidence import QuoteSpan
from memory.language.text.stemming import stem
from memory.notes.drafts import NoteDraft
from memory.slots import SLOTS, same_value

CATEGORIES = ("fact", "preference", "topic", "style")
KINDS = ("semantic", "episodic", "procedural")
# Some servers refuse an empty word in a list of choices.
NO_SLOT = "none"
LONGEST_VALUE = 120


@dataclass(frozen=True)
class SaidLine:
    """Something that was said, numbered for the model; unless `fresh`, it is context only."""

    alias: int
    by_user: bool
    text: str
    said_at: datetime
    typed: bool = True
    fresh: bool = True


@dataclass(frozen=True)
class KnownLine:
    """A note (`note` is its key) or a fact, under a number; `made_from` are the person's words."""

    alias: int
    text: str
    note: UUID | None = None
    made_from: str = ""


@dataclass(frozen=True)
class AcceptedProposal:
    """A draft that stood every check, and the user's line whose words it rests on."""

    line: int
    quote: str
    draft: NoteDraft


def _one_of(*choices: str) -> dict[str, list[str]]:
    """Choices for the model to keep to; what does not keep to them is dropped, not the answer."""
    return {"enum": list(choices)}


class ProposedNote(BaseModel):
    """One note as the model proposes it."""

    content: str
    category: str = Field(json_schema_extra=_one_of(*CATEGORIES))  # type: ignore[arg-type]
    kind: str = Field(json_schema_extra=_one_of(*KINDS))  # type: ignore[arg-type]
    slot: str = Field(json_schema_extra=_one_of(NO_SLOT, *SLOTS))  # type: ignore[arg-type]
    value: str
    confidence: float
    said_in: int
    quote: str
    happened_on: str
    replaces: int


@dataclass
class ProposalEvidence:
    """Everything a proposal is held against; `texts` grows with what was accepted."""

    lines: Sequence[SaidLine]
    known: Sequence[KnownLine]
    texts: list[str] = field(default_factory=list)
    _read: dict[int, list[FactCandidate]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.by_alias = {line.alias: line for line in self.lines}
        self.notes = {line.alias: line for line in self.known if line.note is not None}
        self.texts = [line.text for line in self.known]

    def by_rules(self, line: SaidLine) -> list[FactCandidate]:
        """What the rules read in a line."""
        if line.alias not in self._read:
            self._read[line.alias] = extract_facts(line.text)
        return self._read[line.alias]

    def heard_before(self, line: SaidLine) -> Iterator[str]:
        """What the assistant had said by then."""
        for other in self.lines:
            if other.alias >= line.alias:
                return
            if not other.by_user:
                yield other.text


@dataclass(frozen=True)
class ProposalCheck:
    """A proposal whose line exists, beside all it is held against."""

    proposal: ProposedNote
    line: SaidLine
    evidence: ProposalEvidence

    @cached_property
    def quote_span(self) -> QuoteSpan | None:
        """Where its quote stands in its line."""
        return evidence.find(self.proposal.quote, self.line.text)

    @property
    def replaced(self) -> KnownLine | None:
        """The known note on the same subject that it replaces; pasted text replaces none."""
        known = self.evidence.notes.get(self.proposal.replaces) if self.line.typed else None
        if known is None or not stems(known.text) & stems(self.proposal.content):
            return None
        return known

    @cached_property
    def verdict(self) -> Verdict:
        """How far the sentence of its quote supports it."""
        if self.quote_span is None:
            return Verdict.NOT_SAID
        framed = [SLOTS[self.proposal.slot].note] if self.rules_agree else []
        return entailment.compare(self.proposal.content, self.quote_span.sentence, framed=framed)

    @cached_property
    def has_value(self) -> bool:
        """Whether it has a value of the kind that its slot holds."""
        slot, value = self.proposal.slot, self.proposal.value
        if not (slot and 0 < len(value) <= LONGEST_VALUE):
            return False
        return self.rules_agree or _fits(slot, value)

    @property
    def must_ask(self) -> bool:
        """Whether its owner is asked: not word for word, or a value that the rules do not read."""
        return self.verdict != Verdict.SAID or (self.has_value and not self.rules_agree)

    @cached_property
    def rules_agree(self) -> bool:
        """Whether the rules read the same value for the same slot in what was typed."""
        return self.line.typed and any(
            candidate.kind in CURRENT_KINDS and self.has_value_of(candidate)
            for candidate in self.evidence.by_rules(self.line)
        )

    def has_value_of(self, candidate: FactCandidate) -> bool:
        """Whether it says what the rules read."""
        slot, value = self.proposal.slot, self.proposal.value
        return candidate.slot == slot and same_value(slot, candidate.value, value)


def tidied(finding: ProposedNote) -> ProposedNote:
    """The same without loose blanks, its choices in small letters, no slot being an empty one."""
    texts = {
        name: " ".join(getattr(finding, name).split())
        for name in ("content", "category", "kind", "slot", "value", "quote", "happened_on")
    }
    texts |= {name: texts[name].lower() for name in ("category", "kind", "slot")}
    if texts["slot"] == NO_SLOT:
        texts["slot"] = ""
    return finding.model_copy(update=texts)


def stems(text: str) -> set[str]:
    """The stems of the words that tell something."""
    return {stem(word) for word in terms.content_words(text)}


def _fits(slot: str, value: str) -> bool:
    """Whether the rules read this value for this slot in a sentence that is made of both."""
    answer = SLOTS[slot].answer.format(value=value)
    own = answer.replace("You are", "I am").replace("Your", "My").replace("You", "I")
    return any(
        candidate.slot == slot and same_value(slot, candidate.value, value)
        for text in (own, f"My {SLOTS[slot].noun} is {value}.")
        for candidate in extract_facts(text)
    )
