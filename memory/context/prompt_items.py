"""What a prompt may hold of memory, thing by thing: in few words, and as plain sentences."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Literal
from uuid import UUID

from accounts.support import formatting
from memory.core.scoring import Score
from memory.language.message_provenance import TextStanding
from memory.language.origin import Origin
from memory.language.text import compression
from memory.models import Override, ProfileFact
from memory.retrieval.relevance import Question, ScoredFact, ScoredNote, ScoredQuote, relevance_of

ItemKind = Literal["override", "fact", "dispute", "memory", "quote", "summary", "lesson"]
# No single value may crowd out the others.
LONGEST_VALUE, LONGEST_NOTE, LONGEST_QUOTE, LONGEST_SUMMARY = 120, 160, 120, 110
# Behind what is nobody's own words: a language model read it so.
_READ_SO = " (as read by a model)"
_UNSEEN = re.compile(r"[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]+")


@dataclass(frozen=True)
class PromptItem:
    """One thing before the responder: in few words under a heading, and as plain sentences.

    `by` is who said it, where that is not the person themselves; `said` are the words of a message
    or summary, whole, that stand in the sentences.
    """

    what: ItemKind
    id: UUID
    heading: str
    line: str
    prose: str
    by: str = ""
    said: str = ""
    score: Score | None = None
    conversation_id: UUID | None = None
    message_id: UUID | None = None
    # Whether its owner is offered to correct it, under the answer.
    offered: bool = False

    def __post_init__(self) -> None:
        """Whatever enters the block is plain, and made so once."""
        for name in ("heading", "line", "by"):
            object.__setattr__(self, name, _plain(getattr(self, name)))

    def as_kept(self) -> dict[str, object]:
        """What is kept of it with the answer: ids and the reasons, never the words."""
        kept: dict[str, object] = {"what": self.what, "id": str(self.id)}
        if self.score is not None:
            kept |= self.score.explained()
        if self.offered:
            kept["offered"] = "open"
        return kept


def _plain(text: str) -> str:
    """Text that can neither close the fence nor begin a line of its own."""
    return _UNSEEN.sub(" ", text).replace("<", "‹").replace(">", "›").strip()


def override_item(override: Override) -> PromptItem:
    """What holds in this conversation only."""
    value = compression.truncate_at_clause(override.value, LONGEST_VALUE)
    return PromptItem(
        what="override",
        id=override.pk,
        heading=f"here only, {override.kind.noun}",
        line=value,
        prose=f"In this conversation only: {override.kind.answer.format(value=override.value)}",
    )


def fact_item(scored: ScoredFact, *, unchecked: bool = False) -> PromptItem:
    """A fact of the profile; `unchecked` where it is a claim that nobody has checked."""
    fact = scored.fact
    return PromptItem(
        what="fact",
        id=fact.pk,
        heading=f"{fact.kind.noun}, unchecked" if unchecked else fact.kind.noun,
        line=compression.truncate_at_clause(fact.value, LONGEST_VALUE),
        prose=fact.kind.answer.format(value=fact.value),
        score=scored.score,
        conversation_id=fact.source_conversation_id,
        message_id=fact.source_message_id,
    )


def dispute(scored: ScoredFact, rivals: Sequence[ProfileFact]) -> PromptItem:
    """A fact that others contradict, with all its sides."""
    fact = scored.fact
    # Many sides together are no longer than two.
    most = min(LONGEST_VALUE, 2 * LONGEST_VALUE // (1 + len(rivals)))
    sides = [
        compression.truncate_at_clause(
            side.value if side.slot == fact.slot else side.sentence, most
        )
        for side in (fact, *rivals)
    ]
    if any(rival.slot != fact.slot for rival in rivals):
        sides[0] = fact.sentence
    return PromptItem(
        what="dispute",
        id=fact.pk,
        heading=f"disputed {fact.kind.noun}",
        line=f"{formatting.listed(sides, 'or')}?",
        prose=f"It is not settled whether the {fact.kind.noun} is "
        f"{formatting.listed(sides, 'or')}; claim neither of them, "
        "and say that it is open when it matters.",
        score=scored.score,
    )


def note_item(note: ScoredNote, question: Question) -> PromptItem:
    """A note, on the day that it tells of."""
    said = note.original or note.content
    when = note.happened_on or note.said_at
    return PromptItem(
        what="memory",
        id=note.id,
        heading=_under(_day(when, question.asked_at), note.standing),
        line=compression.truncate_at_clause(note.content, LONGEST_NOTE)
        + _READ_SO * (note.origin == Origin.MODEL),
        prose=f"{_sentence_start(note.said_at, 'you', note.standing)}: “{said}”",
        said=said,
        score=note.score,
        conversation_id=note.conversation_id,
        message_id=note.message_id,
    )


def quote_item(quote: ScoredQuote, question: Question) -> PromptItem:
    """What was said in another message, in as many words as there is room for."""
    hit = quote.hit
    speaker = hit.speaker or ("" if hit.by_user else "assistant")
    return PromptItem(
        what="quote",
        id=hit.message_id,
        heading=_under(_day(hit.said_at, question.asked_at), hit.standing),
        by=speaker,
        line=compression.focus(
            hit.text, lambda sentence: relevance_of(sentence, question), LONGEST_QUOTE
        ),
        prose=f"{_sentence_start(hit.said_at, speaker or 'you', hit.standing)}: “{hit.text}”",
        said=hit.text,
        score=quote.score,
        conversation_id=hit.conversation_id,
        message_id=hit.message_id,
    )


def _under(day: str, standing: TextStanding) -> str:
    """The heading of what was said on a day: what was pasted, or is unchecked, says so."""
    return {
        TextStanding.PASTED: f"in a text they pasted on {day}",
        TextStanding.CLAIM: f"said by them on {day}, unchecked",
    }.get(standing, day)


def _sentence_start(at: datetime, speaker: str, standing: TextStanding) -> str:
    """The same as the beginning of a sentence."""
    day = f"{at:%d %B %Y}"
    return {
        TextStanding.PASTED: f"In a text that {speaker} pasted on {day} stood",
        TextStanding.CLAIM: f"On {day} {speaker} claimed, and nobody checked",
    }.get(standing, f"On {day} {speaker} said")


def _day(when: date, today: date) -> str:
    """'8 May', or '8 May 23' of another year: short, and no two ways to read it."""
    return f"{when.day} {when:%b}" + ("" if when.year == today.year else f" {when:%y}")


def summary(note: ScoredNote, question: Question) -> PromptItem:
    """The summary of a talk, under its day."""
    return PromptItem(
        what="summary",
        id=note.id,
        heading=f"talk {_day(note.said_at, question.asked_at)}",
        line=compression.truncate_at_clause(note.content, LONGEST_SUMMARY),
        prose=f"On {note.said_at:%d %B %Y} we talked: {note.original or note.content}",
        said=note.original or note.content,
        score=note.score,
        conversation_id=note.conversation_id,
    )
