"""What of memory a prompt may hold: chosen within a budget, said in few words, fenced as data.

Core first: what holds in this conversation, what a person is called, how they want things done.
Then whatever fits the question best, facts, notes and quotes alike, then the latest summaries.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from functools import partial
from typing import Literal, NamedTuple
from uuid import UUID

from django.conf import settings

from accounts import words
from memory import gist, tokens
from memory.manager import Recall
from memory.models import Memory, Override, ProfileFact
from memory.relevance import Question, ScoredFact, ScoredNote, ScoredQuote, fits
from memory.scoring import Score

What = Literal["override", "fact", "dispute", "memory", "quote", "summary"]

# Always in mind: what to call somebody, and how they want things done.
CORE_SLOTS = ("name", "preferred_name", "pronouns", "preferences", "constraints")
# No single value may crowd out the others.
LONGEST_VALUE, LONGEST_NOTE, LONGEST_QUOTE, LONGEST_SUMMARY = 120, 160, 100, 110
# Below these a note is left out however much room there is, by its priority.
FITS_FROM = {Memory.Priority.LOW: 0.5, Memory.Priority.NORMAL: 0.25}
# What matters much comes in even where nothing is asked, behind whatever fits.
_ROOM_FOR_MORE = 0.2
FENCE = "notes"
_UNSEEN = re.compile(r"[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]+")


@dataclass(frozen=True)
class Item:
    """One thing before the responder: in few words under a heading, and as plain sentences.

    `by` is who said it, where that is not the person themselves.
    """

    what: What
    id: UUID
    heading: str
    line: str
    prose: str
    by: str = ""
    score: Score | None = None
    conversation_id: UUID | None = None
    message_id: UUID | None = None

    def __post_init__(self) -> None:
        """Whatever enters the block is plain, and made so once."""
        for name in ("heading", "line", "by"):
            object.__setattr__(self, name, _plain(getattr(self, name)))

    def as_kept(self) -> dict[str, object]:
        """What is kept of it with the answer: ids and the reasons, never the words."""
        kept: dict[str, object] = {"what": self.what, "id": str(self.id)}
        if self.score is not None:
            kept |= self.score.explained()
        return kept


@dataclass(frozen=True)
class Injected:
    """What was chosen, and the block of text that says it."""

    items: tuple[Item, ...]
    text: str

    def ids(self, what: What) -> list[UUID]:
        """The ids of one sort of item, in the order in which they stand."""
        return [item.id for item in self.items if item.what == what]

    @property
    def tokens(self) -> int:
        """What the block costs."""
        return tokens.count(self.text)

    def in_prose(self) -> str:
        """The same items in plain sentences, to measure against."""
        return "\n".join(item.prose for item in self.items)


NOTHING = Injected((), "")


def choose(
    recall: Recall,
    facts: Sequence[ScoredFact],
    notes: Sequence[ScoredNote],
    quotes: Sequence[ScoredQuote],
    question: Question,
) -> Injected:
    """Choose within the budget of the settings: so many items, characters and tokens.

    Core items always come in; what follows is ordered by R. An item that no longer fits is passed
    over, so that a shorter one behind it may still come in.
    """
    chosen = list(_core(recall, facts, notes, question))
    taken = {item.id for item in chosen}
    ranked = sorted(_ranked(recall, facts, notes, quotes, question), key=lambda one: -one.worth)
    summaries = _summaries(notes, question)
    most = int(settings.MEMORY["injected_memories"]) - len(summaries)
    room = _room() - sum(len(one.line) + len(one.heading) + 2 for one in summaries)
    for wish in ranked:
        if len(chosen) >= most:
            break
        if wish.id not in taken and _fits([*chosen, item := wish.make()], max(room, _room() // 2)):
            chosen.append(item)
    for summary in summaries:
        if _fits([*chosen, summary], _room()):
            chosen.append(summary)
    return Injected(tuple(chosen), render(chosen, question.asked_at))


def render(items: Iterable[Item], today: datetime) -> str:
    """The block as a prompt holds it: fenced, one line a heading, what belongs together joined."""
    body = "\n".join([_today(today), *_lines(items)])
    return f"<{FENCE}>\n{body}\n</{FENCE}>"


def _lines(items: Iterable[Item]) -> Iterator[str]:
    grouped: dict[str, dict[str, list[str]]] = {}
    for item in items:
        grouped.setdefault(item.heading, {}).setdefault(item.by, []).append(item.line)
    for heading, speakers in grouped.items():
        said = (f"{by}: {'; '.join(lines)}".removeprefix(": ") for by, lines in speakers.items())
        yield f"{heading}{' ' if next(iter(speakers)) else ': '}{' / '.join(said)}"


def _plain(text: str) -> str:
    """Text that can neither close the fence nor begin a line of its own."""
    return _UNSEEN.sub(" ", text).replace("<", "‹").replace(">", "›").strip()


def _room() -> int:
    return int(settings.MEMORY["injected_characters"])


def _fits(items: list[Item], room: int) -> bool:
    body = "\n".join(_lines(items))
    return len(body) <= room and (
        # A token is seldom less than two characters: only a long block needs counting.
        len(body) <= 2 * settings.MEMORY["injected_tokens"]
        or tokens.count(body) <= settings.MEMORY["injected_tokens"]
    )


# --- What is always in mind ----------------------------------------------------------------------


def _core(
    recall: Recall,
    facts: Sequence[ScoredFact],
    notes: Sequence[ScoredNote],
    question: Question,
) -> Iterator[Item]:
    for overrides in recall.overrides.values():
        yield from map(_override, overrides)
    for scored in facts:
        if _is_core(scored.fact) and not _is_hidden(recall, scored.fact):
            yield _fact(scored)
    for note in notes:
        if note.priority == Memory.Priority.CORE and note.category != Memory.Category.SUMMARY:
            yield _note(note, question)


def _is_core(fact: ProfileFact) -> bool:
    """Whether every answer must know it: an allergy matters most where nobody thinks of asking."""
    allergy = fact.slot in ("diet", "medical") and "allerg" in fact.value.casefold()
    return allergy or fact.slot in CORE_SLOTS


def _is_hidden(recall: Recall, fact: ProfileFact) -> bool:
    """Whether this conversation has its own value, or the value is disputed."""
    return recall.gives_way(fact) or bool(recall.rivals(fact))


def _override(override: Override) -> Item:
    value = gist.shortened(override.value, LONGEST_VALUE)
    return Item(
        what="override",
        id=override.pk,
        heading=f"here only, {override.kind.noun}",
        line=value,
        prose=f"In this conversation only: {override.kind.answer.format(value=override.value)}",
    )


# --- What fits the question ----------------------------------------------------------------------


class _Wish(NamedTuple):
    """Something that would like to come in. Most never do, so its words are made when asked for."""

    worth: float
    id: UUID
    make: Callable[[], Item]


def _ranked(
    recall: Recall,
    facts: Sequence[ScoredFact],
    notes: Sequence[ScoredNote],
    quotes: Sequence[ScoredQuote],
    question: Question,
) -> Iterator[_Wish]:
    for scored in facts:
        fact = scored.fact
        if rivals := recall.rivals(fact):
            worth = max(scored.score.total, _ROOM_FOR_MORE)
            yield _Wish(worth, fact.pk, partial(_dispute, scored, rivals))
        elif not recall.gives_way(fact):
            yield _Wish(_worth(scored.score), fact.pk, partial(_fact, scored))
    quoted = {quote.hit.message_id for quote in quotes}
    for note in notes:
        if note.category == Memory.Category.SUMMARY or note.message_id in quoted:
            continue
        matters = note.priority >= Memory.Priority.HIGH
        if matters or note.score.similarity >= FITS_FROM[Memory.Priority(note.priority)]:
            worth = _worth(note.score) if matters else note.score.total
            yield _Wish(worth, note.id, partial(_note, note, question))
    for quote in quotes:
        yield _Wish(quote.score.total, quote.hit.message_id, partial(_quote, quote, question))


def _worth(score: Score) -> float:
    """R, but never below what anything that matters is worth when nothing is asked."""
    return max(score.total, _ROOM_FOR_MORE * score.recency * score.belief)


def _fact(scored: ScoredFact) -> Item:
    fact = scored.fact
    return Item(
        what="fact",
        id=fact.pk,
        heading=fact.kind.noun,
        line=gist.shortened(fact.value, LONGEST_VALUE),
        prose=fact.kind.answer.format(value=fact.value),
        score=scored.score,
        conversation_id=fact.source_conversation_id,
        message_id=fact.source_message_id,
    )


def _dispute(scored: ScoredFact, rivals: Sequence[ProfileFact]) -> Item:
    fact = scored.fact
    sides = [
        gist.shortened(side.value if side.slot == fact.slot else _note_of(side), LONGEST_VALUE)
        for side in (fact, *rivals)
    ]
    if any(rival.slot != fact.slot for rival in rivals):
        sides[0] = _note_of(fact)
    return Item(
        what="dispute",
        id=fact.pk,
        heading=f"disputed {fact.kind.noun}",
        line=f"{words.listed(sides, 'or')}?",
        prose=f"It is not settled whether the {fact.kind.noun} is {words.listed(sides, 'or')}; "
        "claim neither of them, and say that it is open when it matters.",
        score=scored.score,
    )


def _note_of(fact: ProfileFact) -> str:
    return fact.kind.note.format(value=fact.value)


def _note(note: ScoredNote, question: Question) -> Item:
    said = note.original or note.content
    when = note.happened_on or note.said_at
    return Item(
        what="memory",
        id=note.id,
        heading=_day(when, question.asked_at),
        line=gist.gist(note.content, LONGEST_NOTE),
        prose=f"On {note.said_at:%d %B %Y} you said: “{said}”",
        score=note.score,
        conversation_id=note.conversation_id,
        message_id=note.message_id,
    )


def _quote(quote: ScoredQuote, question: Question) -> Item:
    hit = quote.hit
    speaker = hit.speaker or ("" if hit.by_user else "assistant")
    return Item(
        what="quote",
        id=hit.message_id,
        heading=_day(hit.said_at, question.asked_at),
        by=speaker,
        line=gist.focus(hit.text, lambda sentence: fits(sentence, question), LONGEST_QUOTE),
        prose=f"On {hit.said_at:%d %B %Y} {speaker or 'you'} said: “{hit.text}”",
        score=quote.score,
        conversation_id=hit.conversation_id,
        message_id=hit.message_id,
    )


# --- The latest summaries ------------------------------------------------------------------------


def _summaries(notes: Sequence[ScoredNote], question: Question) -> list[Item]:
    made = [note for note in notes if note.category == Memory.Category.SUMMARY]
    made.sort(key=lambda note: note.said_at, reverse=True)
    return [
        Item(
            what="summary",
            id=note.id,
            heading=f"talk {_day(note.said_at, question.asked_at)}",
            line=gist.gist(note.content, LONGEST_SUMMARY),
            prose=f"On {note.said_at:%d %B %Y} we talked: {note.original or note.content}",
            score=note.score,
            conversation_id=note.conversation_id,
        )
        for note in made[: int(settings.MEMORY["injected_summaries"])]
    ]


def _day(when: date, today: date) -> str:
    """'8 May', or '8 May 23' of another year: short, and no two ways to read it."""
    return f"{when.day} {when:%b}" + ("" if when.year == today.year else f" {when:%y}")


def _today(today: date) -> str:
    return f"today {today.day} {today:%b %Y}"
