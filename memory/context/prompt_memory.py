"""Choosing memory for a prompt: within a budget, in whole sentences, fenced as data.

Core items come first, in part of the budget: how to address the user, diet, how they want things
done, values of this conversation, conflicts, what is due in the next days. Then facts and memories
that fit the question, then the latest summaries. Quotes have their own budget.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from functools import partial
from itertools import chain, groupby
from typing import NamedTuple
from uuid import UUID

from django.conf import settings
from django.utils.timezone import localtime

from memory.context import prompt_items
from memory.context.prompt_items import (
    COMING_UP,
    CORE_SLOTS,
    EARLIER,
    NOTED,
    SAID,
    SECTIONS,
    ItemKind,
    PromptItem,
)
from memory.context.quotes import choose_quotes
from memory.context.recall import Recall
from memory.core.scoring import Score
from memory.language.message_provenance import TextStanding
from memory.language.text import token_count
from memory.models import Memory
from memory.retrieval.relevance import Question, ScoredFact, ScoredNote, ScoredQuote, asks_for

# The share for core items of the budget without summaries.
_CORE_PART = 2 / 3
# The least similarity of facts and, by priority, of memories.
FACT_FITS_FROM = 0.2
FITS_FROM = {
    Memory.Priority.LOW: 0.5,
    Memory.Priority.NORMAL: 0.35,
    Memory.Priority.HIGH: 0.25,
    Memory.Priority.CORE: 0.0,
}
# The least similarity that core items count with.
_ALWAYS = 0.2
FENCE = "notes"
# Sections grouped by day.
_BY_DAY = (COMING_UP, NOTED, EARLIER, SAID)


@dataclass(frozen=True)
class PromptMemory:
    """The chosen items and the rendered text."""

    items: tuple[PromptItem, ...]
    text: str

    def ids(self, kind: ItemKind) -> list[UUID]:
        """Return the ids of the items of one kind, in order."""
        return [item.id for item in self.items if item.what == kind]

    @property
    def tokens(self) -> int:
        """The number of tokens of the text."""
        return token_count.count_tokens(self.text)

    @property
    def quote_tokens(self) -> int:
        """The number of tokens of the quotes with their heading."""
        _, heading, quotes = self.text.partition(f"\n{SAID}")
        return token_count.count_tokens(heading + quotes) if heading else 0


NO_PROMPT_MEMORY = PromptMemory((), "")


def choose_for_prompt(
    recall: Recall,
    facts: Sequence[ScoredFact],
    notes: Sequence[ScoredNote],
    quotes: Sequence[ScoredQuote],
    question: Question,
    *,
    by_time: bool = False,
    tokens: int | None = None,
) -> PromptMemory:
    """Return the items that fit the budgets in the settings: items, characters, tokens and quotes.

    `tokens` replaces the budget for memory and quotes together, split in the same ratio. An item
    that does not fit is skipped, and a shorter one may follow. `by_time` spreads quotes over many
    times, see `choose_quotes`.
    """
    share = 1.0 if tokens is None else tokens / default_tokens()
    chosen_quotes = choose_quotes(quotes, question, by_time=by_time, share=share)
    quoted = {item.message_id for item in chosen_quotes}
    unquoted = [note for note in notes if not _is_quoted(note, quoted)]
    whole = _Budget.of_settings(share)
    summaries = _summaries(notes, question)
    room = whole.beside(summaries)
    core = room.part(_CORE_PART)
    block = _Block(question.asked_at)
    for wish in sorted(_core(recall, facts, notes, question), key=lambda wish: wish.order):
        if len(block.items) >= core.items:
            break
        block.add(wish, core)
    for wish in sorted(_fitting(recall, facts, unquoted, question), key=lambda wish: wish.order):
        if len(block.items) >= room.items:
            break
        block.add(wish, room)
    for summary in summaries:
        block.add_item(summary, whole)
    noted = block.items
    while noted and not whole.surely_holds(len(noted), render(noted, question.asked_at)):
        noted.pop()
    chosen, name = (*noted, *chosen_quotes), _name_in_talks(quotes)
    text = render(chosen, question.asked_at, name)
    while tokens is not None and chosen and token_count.count_tokens(text) > tokens:
        chosen = chosen[:-1]
        text = render(chosen, question.asked_at, name)
    return PromptMemory(chosen, text)


def default_tokens() -> int:
    """Return the token budget in the settings for memory, including quotes."""
    return int(settings.MEMORY["injected_tokens"]) + int(settings.MEMORY["quote_tokens"])


def _name_in_talks(quotes: Sequence[ScoredQuote]) -> str:
    """Return the user's name as a speaker in imported dialogues; '' for none."""
    return next((quote.hit.speaker for quote in quotes if quote.hit.by_user), "")


def _is_quoted(note: ScoredNote, quoted: set[UUID | None]) -> bool:
    """Return whether the prompt quotes the whole message of a memory."""
    by_model = note.origin == "model"
    return note.message_id in quoted and not (by_model or note.standing == TextStanding.PASTED)


# --- Rendering -----------------------------------------------------------------------------------


def render(items: Iterable[PromptItem], today: datetime, name_in_talks: str = "") -> str:
    """Return the items as fenced text, section by section, each day once.

    `name_in_talks` is the user's name among the speakers of quotes.
    """
    body = "\n".join([f"Today is {_in_full(today)}.", *_lines(items, name_in_talks)])
    return f"<{FENCE}>\n{body}\n</{FENCE}>"


def _in_full(today: datetime) -> str:
    return prompt_items.day(localtime(today).date(), weekday=True)


def _lines(items: Iterable[PromptItem], name_in_talks: str) -> Iterator[str]:
    """Yield the lines of the sections; newest day first, for due items nearest day first."""
    by_section: dict[str, list[PromptItem]] = {}
    for item in items:
        by_section.setdefault(item.heading, []).append(item)
    for heading in sorted(by_section, key=SECTIONS.index):
        named = heading == SAID and name_in_talks
        yield f"{heading} (the person is {name_in_talks}):" if named else f"{heading}:"
        section = by_section[heading]
        if heading not in _BY_DAY:
            yield " ".join(item.line for item in section)
            continue
        for day, of_day in _by_day(section, nearest_first=heading == COMING_UP):
            yield f"{day}:"
            yield from (f"- {item.by}: {item.line}".replace("- : ", "- ") for item in of_day)


def _by_day(
    section: Sequence[PromptItem], *, nearest_first: bool
) -> Iterator[tuple[str, list[PromptItem]]]:
    """Yield the items grouped by day, within a day in the order of time."""
    ordered = sorted(section, key=lambda item: item.day_order, reverse=not nearest_first)
    for day, items in groupby(ordered, key=lambda item: item.day):
        yield day, sorted(items, key=lambda item: item.told_order)


class _Budget(NamedTuple):
    """A budget of items, characters and tokens, including fence and date."""

    items: int
    characters: int
    tokens: int

    @classmethod
    def of_settings(cls, share: float = 1.0) -> "_Budget":
        """Return the budget in the settings, with this share of characters and tokens."""
        numbers = settings.MEMORY
        sizes = (int(numbers[f"injected_{name}"] * share) for name in ("characters", "tokens"))
        return cls(int(numbers["injected_memories"]), *sizes)

    def beside(self, kept_free: Sequence[PromptItem]) -> "_Budget":
        """Return the budget that remains beside these items; tokens are not subtracted."""
        return self._replace(
            items=self.items - len(kept_free),
            characters=self.characters - sum(map(_length, kept_free)),
        )

    def part(self, share: float) -> "_Budget":
        return _Budget(*(int(most * share) for most in self))

    def surely_holds(self, items: int, text: str) -> bool:
        """Return whether a text with so many items fits; a token has at least one byte."""
        if items > self.items or len(text) > self.characters:
            return False
        return len(text.encode()) <= self.tokens or token_count.count_tokens(text) <= self.tokens


class _Block:
    """Chosen items with an upper bound of their rendered length, because rendering is slow."""

    def __init__(self, today: datetime) -> None:
        self.items: list[PromptItem] = []
        self._today = today
        self._characters = len(render((), today))
        # How many more bytes than characters the items have.
        self._more_bytes = 0
        self._ids: set[UUID] = set()

    def add(self, wish: "_Candidate", room: _Budget) -> None:
        """Add the item of a candidate, if it is new and fits."""
        if wish.id not in self._ids:
            self.add_item(wish.make(), room)

    def add_item(self, item: PromptItem, room: _Budget) -> None:
        """Add an item if it fits. Tokens are counted only if they may exceed the budget."""
        headings = {other.heading for other in self.items}
        days = {(other.heading, other.day) for other in self.items}
        characters = self._characters + _length(
            item,
            with_heading=item.heading not in headings,
            with_day=(item.heading, item.day) not in days,
        )
        if len(self.items) >= room.items or characters > room.characters:
            return
        more_bytes = self._more_bytes + len(item.line.encode()) - len(item.line)
        if characters + more_bytes > 2 * room.tokens:
            text = render([*self.items, item], self._today)
            if token_count.count_tokens(text) > room.tokens:
                return
        self.items.append(item)
        self._ids.add(item.id)
        self._characters, self._more_bytes = characters, more_bytes


def _length(item: PromptItem, *, with_heading: bool = True, with_day: bool = True) -> int:
    """Return an upper bound of the rendered length of an item, in characters."""
    heading = len(item.heading) + 2 if with_heading else 0
    day = len(item.day) + 2 if with_day and item.day else 0
    return heading + day + len(item.by) + len(item.line) + 5


# --- Core items ----------------------------------------------------------------------------------


class _Candidate(NamedTuple):
    """A candidate for the prompt; its text is made when needed."""

    rank: int
    worth: float
    id: UUID
    make: Callable[[], PromptItem]

    @property
    def order(self) -> tuple[int, float]:
        """The sort key of the candidate, smallest first."""
        return self.rank, -self.worth


# Ranks of core items.
_ADDRESS, _DIET, _OPEN, _DUE, _WISH = range(5)


def _core(
    recall: Recall, facts: Sequence[ScoredFact], notes: Sequence[ScoredNote], question: Question
) -> Iterator[_Candidate]:
    """Yield the items that every prompt contains (core items).

    By rank: how to address the user, diet, open conflicts, what is due, how they want things done.
    """
    for override in chain.from_iterable(recall.overrides.values()):
        rank = _rank(override.slot, override.value)
        yield _Candidate(rank, 1.0, override.pk, partial(prompt_items.override_item, override))
    for scored in facts:
        fact = scored.fact
        if rivals := recall.rivals(fact):
            worth, make = _worth(scored.score), partial(prompt_items.dispute, scored, rivals)
            yield _Candidate(_OPEN, worth, fact.pk, make)
        elif _is_core(scored) and not recall.gives_way(fact):
            rank, worth = _rank(fact.slot, fact.value), _worth(scored.score)
            yield _Candidate(rank, worth, fact.pk, partial(prompt_items.fact_item, scored))
    due = _due(notes, question)
    for place, note in enumerate(due):
        make = partial(prompt_items.note_item, note, question, due=True)
        yield _Candidate(_DUE, -place, note.id, make)
    for note in notes:
        if _is_always_told(note):
            make = partial(prompt_items.note_item, note, question)
            yield _Candidate(_rank("", note.content), _worth(note.score), note.id, make)


def _due(notes: Sequence[ScoredNote], question: Question) -> list[ScoredNote]:
    """Return the memories about the next days, nearest first."""
    today = localtime(question.asked_at).date()
    last = today + timedelta(days=int(settings.MEMORY["coming_up_days"]))
    coming = [
        note
        for note in notes
        if note.happened_on is not None
        and today <= note.happened_on <= last
        and note.category != Memory.Category.SUMMARY
        and note.standing == TextStanding.OWN
    ]
    coming.sort(key=lambda note: note.happened_on or date.max)
    return coming[: int(settings.MEMORY["coming_up"])]


def _is_always_told(note: ScoredNote) -> bool:
    if note.standing != TextStanding.OWN or note.category == Memory.Category.SUMMARY:
        return False
    style = note.category == Memory.Category.STYLE
    return style or note.here_only or note.priority == Memory.Priority.CORE


def _rank(slot: str, text: str) -> int:
    if slot in prompt_items.ADDRESS_SLOTS:
        return _ADDRESS
    return _DIET if prompt_items.is_about_diet(slot, text) else _WISH


def _is_core(scored: ScoredFact) -> bool:
    """Return whether every prompt must contain a fact, such as an allergy."""
    fact = scored.fact
    about_diet = prompt_items.is_about_diet(fact.slot, fact.value)
    return about_diet or (fact.slot in CORE_SLOTS and not scored.claims)


def _worth(score: Score) -> float:
    """Return the relevance R of a core item, at least as if its similarity were `_ALWAYS`."""
    return max(score.total, _ALWAYS * score.recency * score.belief)


# --- Items that fit the question -----------------------------------------------------------------


def _fitting(
    recall: Recall, facts: Sequence[ScoredFact], notes: Sequence[ScoredNote], question: Question
) -> Iterator[_Candidate]:
    for scored in facts:
        fact = scored.fact
        if scored.score.similarity < FACT_FITS_FROM or recall.rivals(fact):
            continue
        asked = scored.score.similarity >= 1.0 or asks_for(question, fact.sentence)
        if recall.gives_way(fact) or (scored.claims and not asked):
            continue
        make = partial(prompt_items.fact_item, scored, unchecked=scored.claims)
        yield _Candidate(0, scored.score.total, fact.pk, make)
    for note in notes:
        if note.category != Memory.Category.SUMMARY and _is_asked_for(note, question):
            make = partial(prompt_items.note_item, note, question)
            yield _Candidate(0, note.score.total, note.id, make)


def _is_asked_for(note: ScoredNote, question: Question) -> bool:
    """Return whether a memory fits the question.

    A claim or pasted text must share the question's own words, or its time if only a time is asked
    for.
    """
    if note.score.similarity < FITS_FROM[Memory.Priority(note.priority)]:
        return False
    if note.standing == TextStanding.OWN or asks_for(question, note.original or note.content):
        return True
    return question.only_time and question.means(note.said_at, note.happened_on)


# --- The latest summaries ------------------------------------------------------------------------


def _summaries(notes: Sequence[ScoredNote], question: Question) -> list[PromptItem]:
    made = [note for note in notes if note.category == Memory.Category.SUMMARY]
    made.sort(key=lambda note: note.said_at, reverse=True)
    return [
        prompt_items.summary(note, question)
        for note in made[: int(settings.MEMORY["injected_summaries"])]
    ]
