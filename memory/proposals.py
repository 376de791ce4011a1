"""What a language model proposes as a note, and everything it must stand before it is one.

The model proposes and code decides: `_CHECKS` is the list. A proposal must show the person's own
words that it rests on, and is dropped alone, with a reason, when anything is wrong with it.
"""

import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from functools import cached_property
from uuid import UUID

from django.conf import settings
from pydantic import BaseModel, Field
from rapidfuzz import fuzz

from memory import dedup, evidence, extraction, guard, lexicon
from memory.drafts import Draft
from memory.evidence import Found
from memory.extraction import Candidate
from memory.grammar.private import PRIVATE_VALUE
from memory.instructions import instructs
from memory.models import Memory
from memory.origin import Origin
from memory.slots import SLOTS, same_value
from memory.stems import stem

CATEGORIES = ("fact", "preference", "topic", "style")
KINDS = ("semantic", "episodic", "procedural")
# Some servers refuse an empty word in a list of choices.
NO_SLOT = "none"
LONGEST_NOTE, LONGEST_SUMMARY, LONGEST_VALUE, LONGEST_QUOTE = 240, 300, 120, 600
# What shares so many of its words with a known note (of 100) may be the same said again.
AGREEMENT = 92.0
YEARS_BACK, YEARS_AHEAD = 120, 30


@dataclass(frozen=True)
class Line:
    """Something that was said, under a number that the model may name.

    A line that is not `fresh` was read before: it is there to understand the others by.
    """

    alias: int
    by_user: bool
    text: str
    said_at: datetime
    typed: bool = True
    fresh: bool = True


@dataclass(frozen=True)
class Known:
    """A note or a fact of the profile, under a number.

    `note` is the key of a note, to replace it; `made_from` are the person's words that it keeps.
    """

    alias: int
    text: str
    note: UUID | None = None
    made_from: str = ""


@dataclass(frozen=True)
class Noted:
    """A draft that stood every check, and the user's line whose words it rests on."""

    line: int
    quote: str
    draft: Draft


def _one_of(*choices: str) -> dict[str, list[str]]:
    """Choices for the model to keep to; what does not keep to them is dropped, not the answer."""
    return {"enum": list(choices)}


class Finding(BaseModel):
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
class Desk:
    """Everything a proposal is held against; `texts` grows with what was accepted."""

    lines: Sequence[Line]
    known: Sequence[Known]
    texts: list[str] = field(default_factory=list)
    _read: dict[int, list[Candidate]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.by_alias = {line.alias: line for line in self.lines}
        self.notes = {one.alias: one for one in self.known if one.note is not None}
        self.texts = [one.text for one in self.known]

    def by_rules(self, line: Line) -> list[Candidate]:
        """What the rules read in a line."""
        if line.alias not in self._read:
            self._read[line.alias] = extraction.extract(line.text)
        return self._read[line.alias]

    def heard_before(self, line: Line) -> Iterator[str]:
        """What the assistant had said by then."""
        for other in self.lines:
            if other.alias >= line.alias:
                return
            if not other.by_user:
                yield other.text


@dataclass(frozen=True)
class _Case:
    """A proposal whose line exists, beside all it is held against."""

    finding: Finding
    line: Line
    desk: Desk

    @cached_property
    def found(self) -> Found | None:
        """Where its quote stands in its line."""
        return evidence.find(self.finding.quote, self.line.text)

    @property
    def replaced(self) -> Known | None:
        """The known note that it takes the place of; what was pasted takes nobody's."""
        return self.desk.notes.get(self.finding.replaces) if self.line.typed else None

    @property
    def rules_agree(self) -> bool:
        """Whether the rules read the same value for the same slot in what was typed."""
        return self.line.typed and any(
            one.kind in extraction.CURRENT and self.has_value_of(one)
            for one in self.desk.by_rules(self.line)
        )

    def has_value_of(self, one: Candidate) -> bool:
        """Whether it says what the rules read."""
        slot, value = self.finding.slot, self.finding.value
        return one.slot == slot and same_value(slot, one.value, value)


def _tidied(finding: Finding) -> Finding:
    texts = {
        name: " ".join(getattr(finding, name).split())
        for name in ("content", "category", "kind", "slot", "value", "quote", "happened_on")
    }
    texts |= {name: texts[name].lower() for name in ("category", "kind", "slot")}
    if texts["slot"] == NO_SLOT:
        texts["slot"] = ""
    return finding.model_copy(update=texts)


def judge(proposal: Finding, desk: Desk) -> Noted | str:
    """The note, or why there is none."""
    finding = _tidied(proposal)
    line = desk.by_alias.get(finding.said_in)
    if line is None:
        return "no such line"
    case = _Case(finding, line, desk)
    for reason, applies in _CHECKS:
        if applies(case):
            return reason
    noted = Noted(line.alias, finding.quote, _draft(case))
    desk.texts.append(noted.draft.content)
    return noted


def _is_malformed(case: _Case) -> bool:
    finding = case.finding
    return (
        not _is_one_plain_line(finding.content, LONGEST_NOTE)
        or finding.category not in CATEGORIES
        or finding.kind not in KINDS
        or (finding.slot != "" and finding.slot not in SLOTS)
        or len(finding.quote) > LONGEST_QUOTE
        or not all(_is_writable(text) for text in (finding.value, finding.quote))
    )


def _is_private(case: _Case) -> bool:
    """Whether it belongs in its conversation only, by what the model, a word or a rule says."""
    finding = case.finding
    if finding.slot and SLOTS[finding.slot].sensitive:
        return True
    if any(PRIVATE_VALUE.search(text) for text in (finding.content, finding.quote)):
        return True
    return any(SLOTS[one.slot].sensitive for one in case.desk.by_rules(case.line))


def _is_unsure(case: _Case) -> bool:
    # Written so that a confidence that is no number falls too.
    return not settings.MEMORY["confidence_floor"] <= case.finding.confidence <= 1.0


def _is_not_the_persons(case: _Case) -> bool:
    return not (case.line.by_user and case.line.fresh)


def _was_not_said(case: _Case) -> bool:
    return case.found is None or case.found.is_cut_from_a_denial


def _was_only_asked(case: _Case) -> bool:
    """Whether its words stand in a question in which the rules read nothing that is told: it bears
    out no note, whatever the answer to it says.
    """
    found = case.found
    return found is not None and found.is_asked and not extraction.extract(found.sentence)


def _echoes_the_assistant(case: _Case) -> bool:
    return any(
        evidence.occurs(case.finding.quote, text) for text in case.desk.heard_before(case.line)
    )


def _is_known(case: _Case) -> bool:
    """Whether it repeats a note. Words that stand in a note may still put another out of date."""
    content, quote = case.finding.content, case.finding.quote
    if any(_says_no_more(content, text) for text in case.desk.texts):
        return True
    return case.replaced is None and any(
        evidence.occurs(quote, text)
        for known in case.desk.known
        for text in (known.text, known.made_from)
    )


def _instructs(case: _Case) -> bool:
    """Whether it is an order, or stands beside one; what was pasted is judged as a whole."""
    if any(instructs(text).refused for text in (case.finding.content, case.finding.quote)):
        return True
    whole = instructs(case.line.text)
    if not whole.refused:
        return False
    sentence = case.found.sentence if case.found else ""
    return whole.grave or not case.line.typed or instructs(sentence).refused


def _holds_a_secret(case: _Case) -> bool:
    finding = case.finding
    return any(
        guard.holds_a_secret(text) for text in (finding.content, finding.value, finding.quote)
    )


def _is_against_the_rules(case: _Case) -> bool:
    """Whether the rules read it as no longer so, not so, or so in this conversation only."""
    return guard.asks_to_forget(case.line.text) or any(
        _speaks_against(one, case) for one in case.desk.by_rules(case.line)
    )


def _speaks_against(one: Candidate, case: _Case) -> bool:
    content = case.finding.content.lower()
    named = one.value.lower() in content
    if one.scope == "conversation":
        return named or one.slot == case.finding.slot
    if one.kind == "denial" and named and not _TURNED_ROUND.search(content):
        return True
    return one.kind not in extraction.CURRENT and case.has_value_of(one)


def _has_an_impossible_day(case: _Case) -> bool:
    try:
        day = _day(case)
    except ValueError:
        return True
    if day is None:
        return False
    apart = (day - case.line.said_at.date()).days
    if not -366 * YEARS_BACK <= apart <= 366 * YEARS_AHEAD:
        return True
    words = evidence.plain(case.finding.quote)
    return any(abs(apart) > most for near, most in _NEAR if near.search(words))


# In this order: the first that applies is the reason.
_CHECKS: tuple[tuple[str, Callable[[_Case], bool]], ...] = (
    ("malformed", _is_malformed),
    ("private", _is_private),
    ("not the person's", _is_not_the_persons),
    ("unsure", _is_unsure),
    ("not said", _was_not_said),
    ("only asked", _was_only_asked),
    ("an order", _instructs),
    ("a secret", _holds_a_secret),
    ("echo", _echoes_the_assistant),
    ("known", _is_known),
    ("against the rules", _is_against_the_rules),
    ("impossible day", _has_an_impossible_day),
)

# A day named by these words lies so many days from the saying at the most. A model that reckons
# from a today of its own lands months away.
_DAYS = "monday|tuesday|wednesday|thursday|friday|saturday|sunday"
_NEAR = tuple(
    (re.compile(rf"\b(?:{words})\b"), most)
    for words, most in (
        ("today|tonight|yesterday|tomorrow|last night|this (?:morning|afternoon|evening)", 2),
        (rf"(?:last|this|next) (?:week|weekend|{_DAYS})", 15),
        ("(?:last|this|next) month", 62),
        ("(?:last|this|next) year", 731),
    )
)
_MARKUP = re.compile(r"[<>{}`\\]|://|\bwww\.|\]\(|\*\*")
_TURNED_ROUND = re.compile(
    r"\b(?:no|not|never|without|longer|stopped|quit|former|formerly|used to|gave up)\b|n't\b"
)


def _is_writable(text: str) -> bool:
    """Whether the database can hold it: no control codes, no halves of a character."""
    return not any(unicodedata.category(sign) in ("Cc", "Cs") for sign in text)


def _is_one_plain_line(text: str, most: int) -> bool:
    readable = len(text) <= most and any(sign.isalnum() for sign in text)
    return readable and _is_writable(text) and not _MARKUP.search(text)


def _says_no_more(content: str, known: str) -> bool:
    """Whether a text adds nothing to a known one: as good as the same words, and no other sense.

    The likeness alone would take 'No longer likes coffee' for 'Likes coffee', and a longer note
    for the shorter one that it contains.
    """
    if dedup.says_the_same(content, known):
        return True
    if fuzz.token_set_ratio(evidence.plain(content), evidence.plain(known)) < AGREEMENT:
        return False
    if bool(_TURNED_ROUND.search(content.lower())) != bool(_TURNED_ROUND.search(known.lower())):
        return False
    return {stem(word) for word in lexicon.telling(content)} <= {
        stem(word) for word in lexicon.telling(known)
    }


def _day(case: _Case) -> date | None:
    """The day it speaks of. Raises ValueError for what is no ISO date."""
    words = case.finding.happened_on
    return date.fromisoformat(words) if words else None


def fit_summary(text: str) -> str:
    """The model's sentence about the conversation, or nothing when it is not fit to be kept."""
    sentence = " ".join(text.split())
    unfit = (
        not _is_one_plain_line(sentence, LONGEST_SUMMARY)
        or PRIVATE_VALUE.search(sentence)
        or guard.holds_a_secret(sentence)
        or instructs(sentence).refused
    )
    return "" if unfit else sentence


def _draft(case: _Case) -> Draft:
    finding, by_origin = case.finding, settings.MEMORY["trust_by_origin"]
    origin = Origin.TYPED if case.line.typed else Origin.PASTED
    trust = by_origin[origin] if case.rules_agree else settings.MEMORY["trust_implied"]
    has_value = 0 < len(finding.value) <= LONGEST_VALUE
    return Draft(
        content=finding.content,
        original=finding.quote,
        category=Memory.Category(finding.category),
        kind=Memory.Kind(finding.kind),
        confidence=finding.confidence,
        trust=min(trust, by_origin[origin]),
        slot=finding.slot if has_value else "",
        value=finding.value if finding.slot and has_value else "",
        happened_on=_day(case),
        origin=origin,
        replaces=case.replaced.note if case.replaced else None,
    )
