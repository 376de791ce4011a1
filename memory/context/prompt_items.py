"""Items of memory for a prompt: plain sentences with their day."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Literal
from uuid import UUID

from django.utils.timezone import localtime

from accounts.support import formatting
from memory.core.scoring import Score
from memory.language.message_provenance import TextStanding
from memory.language.origin import Origin
from memory.language.safety.sensitivity import tells_allergy
from memory.language.text.compression import split_lines_and_sentences
from memory.models import Override, ProfileFact
from memory.retrieval.relevance import Question, ScoredFact, ScoredNote, ScoredQuote, relevance_of

ItemKind = Literal["override", "fact", "dispute", "memory", "quote", "summary", "lesson"]
# In characters, so that no single item crowds out the others.
LONGEST_VALUE, LONGEST_NOTE, LONGEST_SUMMARY, LONGEST_REPLACED = 120, 300, 240, 120
# The headings of the prompt's sections, in order.
ABOUT = "About the person"
DIET = "Allergies and diet"
STYLE = "How they want things done, unless they ask otherwise now"
HERE_ONLY = "In this conversation only"
UNSETTLED = "Not settled, claim neither"
COMING_UP = "Coming up"
NOTED = "Noted, in their own words"
EARLIER = "Earlier conversations"
SAID = "Said before, word for word, by the person where nobody is named"
SECTIONS = (ABOUT, DIET, STYLE, HERE_ONLY, UNSETTLED, COMING_UP, NOTED, EARLIER, SAID)
# Slots in every prompt: how to address the user, how they want things done, diet.
ADDRESS_SLOTS = ("name", "preferred_name", "pronouns")
STYLE_SLOTS = ("preferences", "constraints")
CORE_SLOTS = (*ADDRESS_SLOTS, *STYLE_SLOTS, "diet")
# Suffix for text in a language model's words.
_READ_SO = " (as read by a model)"
# Prefixes for pasted text and for unchecked claims.
_PASTED, _UNCHECKED = "in a text they pasted", "unchecked"
_UNSEEN = re.compile(r"[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]+")
_CUT = "…"


@dataclass(frozen=True)
class PromptItem:
    """A line under a heading, grouped by day.

    `by` is the speaker, if named; `said` is the whole text of the message or summary. `prose` is
    the sentence for the user, on pages.
    """

    what: ItemKind
    id: UUID
    heading: str
    line: str
    prose: str = ""
    by: str = ""
    said: str = ""
    score: Score | None = None
    conversation_id: UUID | None = None
    message_id: UUID | None = None
    # Whether the user can correct it under the answer.
    offered: bool = False
    # The day of its group, and the time at which it was said.
    on: date | None = None
    at: datetime | None = None

    def __post_init__(self) -> None:
        """Remove control characters and tags from all texts."""
        for name in ("heading", "line", "by"):
            object.__setattr__(self, name, _plain(getattr(self, name)))

    @property
    def day(self) -> str:
        """The item's day in words, with the weekday for coming days; '' without a day."""
        return day(self.on, weekday=self.heading == COMING_UP) if self.on else ""

    @property
    def day_order(self) -> date:
        """The sort key of the item's day."""
        return self.on or date.min

    @property
    def told_order(self) -> float:
        """The sort key of the item within its day."""
        return self.at.timestamp() if self.at else 0.0

    def as_kept(self) -> dict[str, object]:
        """Return the data saved with the answer: ids and factors, never the text."""
        kept: dict[str, object] = {"what": self.what, "id": str(self.id)}
        if self.score is not None:
            kept |= self.score.explained()
        if self.offered:
            kept["offered"] = "open"
        return kept


def _plain(text: str) -> str:
    """Return a text in one line without tags, so that it cannot end the fence."""
    return _UNSEEN.sub(" ", text).replace("<", "‹").replace(">", "›").strip()


# --- Facts ---------------------------------------------------------------------------------------


def override_item(override: Override) -> PromptItem:
    """Return a value that holds in this conversation only as a prompt item."""
    return PromptItem(
        what="override",
        id=override.pk,
        heading=HERE_ONLY,
        line=_sentence(_said_of_slot(override.slot, override.kind.note, override.value)),
    )


def fact_item(scored: ScoredFact, *, unchecked: bool = False) -> PromptItem:
    """Return a fact as a prompt item; `unchecked` for an unchecked claim."""
    fact = scored.fact
    line = _sentence(_said_of_slot(fact.slot, fact.kind.note, fact.value))
    return PromptItem(
        what="fact",
        id=fact.pk,
        heading=_section_of(fact),
        line=f"{_UNCHECKED}: {line}" if unchecked else line,
        score=scored.score,
        conversation_id=fact.source_conversation_id,
        message_id=fact.source_message_id,
    )


def _section_of(fact: ProfileFact) -> str:
    if is_about_diet(fact.slot, fact.value):
        return DIET
    return STYLE if fact.slot in STYLE_SLOTS else ABOUT


def is_about_diet(slot: str, text: str) -> bool:
    """Return whether a slot or text is about what the user must not or does not eat."""
    return slot == "diet" or (slot in ("", "medical", *STYLE_SLOTS) and tells_allergy(text))


def _said_of_slot(slot: str, note: str, value: str) -> str:
    """Return a value as a sentence about the user, in the third person."""
    value = truncate(value, LONGEST_VALUE)
    return f"Call them {value}" if slot == "preferred_name" else note.format(value=value)


def dispute(scored: ScoredFact, rivals: Sequence[ProfileFact]) -> PromptItem:
    """Return a fact in conflict as a prompt item that names all values."""
    fact = scored.fact
    # All values together are no longer than two.
    most = min(LONGEST_VALUE, 2 * LONGEST_VALUE // (1 + len(rivals)))
    sides = [
        truncate(side.value if side.slot == fact.slot else side.sentence, most)
        for side in (fact, *rivals)
    ]
    if any(rival.slot != fact.slot for rival in rivals):
        sides[0] = truncate(fact.sentence, LONGEST_VALUE)
    return PromptItem(
        what="dispute",
        id=fact.pk,
        heading=UNSETTLED,
        line=f"{fact.kind.noun}: {formatting.listed(sides, 'or')}?",
        score=scored.score,
    )


# --- Memories ------------------------------------------------------------------------------------


def note_item(note: ScoredNote, question: Question, *, due: bool = False) -> PromptItem:
    """Return a memory as a prompt item, under the day it was said or, if `due`, its own day."""
    words = note.original or note.content
    told_on = localtime(note.said_at).date()
    line = _sentence(cut_to_sentences(words, question, LONGEST_NOTE))
    line += _READ_SO * (note.origin == Origin.MODEL)
    if note.standing == TextStanding.PASTED:
        line = f"{_PASTED}: {line}"
    elif note.standing == TextStanding.CLAIM:
        line = f"{_UNCHECKED}: {line}"
    if not due and note.happened_on is not None and note.happened_on != told_on:
        line = f"{line} ({day(note.happened_on)})"
    if note.replaces:
        line = f"{line} (this replaced: {truncate(note.replaces, LONGEST_REPLACED)})"
    heading, of_day = (COMING_UP, note.happened_on) if due else (_section_of_note(note), told_on)
    return PromptItem(
        what="memory",
        id=note.id,
        heading=heading,
        on=of_day,
        line=line,
        said=words,
        score=note.score,
        conversation_id=note.conversation_id,
        message_id=note.message_id,
        at=note.said_at,
    )


def _section_of_note(note: ScoredNote) -> str:
    if note.standing != TextStanding.OWN:
        return NOTED
    if is_about_diet("", note.content):
        return DIET
    return STYLE if note.category == "style" else NOTED


def summary(note: ScoredNote, question: Question) -> PromptItem:
    """Return the summary of a conversation as a prompt item, under its day."""
    words = note.original or note.content
    return PromptItem(
        what="summary",
        id=note.id,
        heading=EARLIER,
        on=localtime(note.said_at).date(),
        line=_sentence(cut_to_sentences(words, question, LONGEST_SUMMARY)),
        said=words,
        score=note.score,
        conversation_id=note.conversation_id,
        at=note.said_at,
    )


# --- Quotes --------------------------------------------------------------------------------------


def quote_item(quote: ScoredQuote, question: Question, longest: int) -> PromptItem:
    """Return a message as a quote, cut to the sentences that fit the question if it is long."""
    hit = quote.hit
    line = cut_to_sentences(hit.text, question, longest)
    if hit.outdated:
        line = f"{line} ({truncate(hit.outdated, LONGEST_REPLACED)})"
    speaker = hit.speaker or ("" if hit.by_user else "assistant")
    standing = {TextStanding.PASTED: _PASTED, TextStanding.CLAIM: _UNCHECKED}.get(hit.standing, "")
    speaker = f"{speaker} {standing}".strip()
    return PromptItem(
        what="quote",
        id=hit.message_id,
        heading=SAID,
        on=localtime(hit.said_at).date(),
        by=speaker,
        line=line,
        said=hit.text,
        score=quote.score,
        conversation_id=hit.conversation_id,
        message_id=hit.message_id,
        at=hit.said_at,
    )


# --- Text helpers --------------------------------------------------------------------------------


def day(when: date, *, weekday: bool = False) -> str:
    """Return '8 May 2026', or 'Friday 8 May 2026'."""
    return f"{when:%A} " * weekday + f"{when.day} {when:%B %Y}"


def cut_to_sentences(text: str, question: Question, most: int) -> str:
    """Return a text of at most `most` characters, cut to the sentences around the best match.

    An ellipsis marks what is left out.
    """
    if len(text) <= most:
        return text
    return cut_around(text, lambda sentence: relevance_of(sentence, question), most)


def cut_around(text: str, fits: Callable[[str], float], most: int) -> str:
    """Return the best sentence and those around it, in at most `most` characters."""
    sentences = [" ".join(each.split()) for each in split_lines_and_sentences(text)]
    if not sentences:
        return truncate(text, most)
    worth = [fits(sentence) for sentence in sentences]
    first = last = worth.index(max(worth))
    room = most - 2 * (len(_CUT) + 1)
    kept = truncate(sentences[first], room)
    grown = True
    while grown:
        grown = False
        for place in (last + 1, first - 1):
            fitting = 0 <= place < len(sentences) and len(kept) + 1 + len(sentences[place]) <= room
            if fitting and place > last:
                kept, last, grown = f"{kept} {sentences[place]}", place, True
            elif fitting:
                kept, first, grown = f"{sentences[place]} {kept}", place, True
    return _with_marks(kept, first > 0, last < len(sentences) - 1)


def _with_marks(kept: str, cut_before: bool, cut_after: bool) -> str:
    after = cut_after and not kept.endswith(_CUT)
    return f"{_CUT} " * cut_before + kept + f" {_CUT}" * after


def truncate(text: str, most: int) -> str:
    """Return a text of at most `most` characters, cut between words."""
    if len(text) <= most:
        return text
    head = text[: most - 1]
    words = head.rsplit(maxsplit=1)
    return (words[0] if len(words) > 1 and len(words[0]) > most // 2 else head).rstrip() + _CUT


def _sentence(text: str) -> str:
    """Return a text with a full stop, unless it ends with punctuation."""
    text = text.strip()
    return text if text.endswith((".", "!", "?", _CUT, ".”", '."')) or not text else f"{text}."
