"""What of memory a prompt may hold: chosen within a budget, said in few words, fenced as data.

Core first, in a part of the room: what a person is called, what they must not eat, what holds in
this conversation, how they want things done. Then whatever fits the question best, facts, notes and
quotes alike, then the latest summaries.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from functools import partial
from itertools import chain
from typing import NamedTuple
from uuid import UUID

from django.conf import settings

from memory.context import prompt_items
from memory.context.prompt_items import ItemKind, PromptItem
from memory.context.recall import Recall
from memory.core.scoring import Score
from memory.language.message_provenance import TextStanding
from memory.language.safety.sensitivity import tells_allergy
from memory.language.text import token_count
from memory.models import Memory, ProfileFact
from memory.retrieval.relevance import Question, ScoredFact, ScoredNote, ScoredQuote, asks_for

# Always in mind: what to call somebody, and how they want things done.
ADDRESS_SLOTS = ("name", "preferred_name", "pronouns")
CORE_SLOTS = (*ADDRESS_SLOTS, "preferences", "constraints")
# Of the room that the summaries leave, so much at most: what bears on the question has the rest.
_CORE_PART = 2 / 3
# Below these a note is left out however much room there is, by its priority.
FITS_FROM = {Memory.Priority.LOW: 0.5, Memory.Priority.NORMAL: 0.25}
# What matters much comes in even where nothing is asked, behind whatever fits.
_ROOM_FOR_MORE = 0.2
FENCE = "notes"


@dataclass(frozen=True)
class PromptMemory:
    """What was chosen, and the block of text that says it."""

    items: tuple[PromptItem, ...]
    text: str

    def ids(self, what: ItemKind) -> list[UUID]:
        """The ids of one sort of item, in the order in which they stand."""
        return [item.id for item in self.items if item.what == what]

    @property
    def tokens(self) -> int:
        """What the block costs."""
        return token_count.count_tokens(self.text)

    @property
    def tokens_saved(self) -> int:
        """What the same items would cost more in plain sentences, without the fence around them."""
        short = "\n".join(f"{item.heading} {item.line}" for item in self.items)
        return token_count.count_tokens(self.in_prose()) - token_count.count_tokens(short)

    def in_prose(self) -> str:
        """The same items in plain sentences, to measure against."""
        return "\n".join(item.prose for item in self.items)


NO_PROMPT_MEMORY = PromptMemory((), "")


def choose_for_prompt(
    recall: Recall,
    facts: Sequence[ScoredFact],
    notes: Sequence[ScoredNote],
    quotes: Sequence[ScoredQuote],
    question: Question,
) -> PromptMemory:
    """Choose within the budget of the settings: so many items, characters and tokens.

    Both what is always in mind and what follows it, ordered by R, leave each other room. An item
    that no longer fits is passed over, so that a shorter one behind it may still come in.
    """
    today = question.asked_at
    whole = _Budget.of_settings()
    summaries = _summaries(notes, question)
    room = whole.beside(summaries)
    core = room.part(_CORE_PART)
    block = _Block(today)
    for wish in sorted(_core(recall, facts, notes, question), key=lambda one: one.order):
        if len(block.items) < core.items:
            block.add(wish.make(), core)
    taken = {item.id for item in block.items}
    for wish in sorted(_ranked(recall, facts, notes, quotes, question), key=lambda one: one.order):
        if len(block.items) >= room.items:
            break
        if wish.id not in taken:
            block.add(wish.make(), room)
    for summary in summaries:
        block.add(summary, whole)
    chosen, text = block.items, render(block.items, today)
    while chosen and not whole.surely_holds(len(chosen), text):
        chosen.pop()
        text = render(chosen, today)
    return PromptMemory(tuple(chosen), text)


def render(items: Iterable[PromptItem], today: datetime) -> str:
    """The block as a prompt holds it: fenced, one line a heading, what belongs together joined."""
    body = "\n".join([_today(today), *_lines(items)])
    return f"<{FENCE}>\n{body}\n</{FENCE}>"


def _lines(items: Iterable[PromptItem]) -> Iterator[str]:
    grouped: dict[str, dict[str, list[str]]] = {}
    for item in items:
        grouped.setdefault(item.heading, {}).setdefault(item.by, []).append(item.line)
    for heading, speakers in grouped.items():
        said = (f"{by}: {'; '.join(lines)}".removeprefix(": ") for by, lines in speakers.items())
        yield f"{heading}{' ' if next(iter(speakers)) else ': '}{' / '.join(said)}"


class _Budget(NamedTuple):
    """So many items, and so many characters and tokens of the block with fence and date."""

    items: int
    characters: int
    tokens: int

    @classmethod
    def of_settings(cls) -> "_Budget":
        most = ("injected_memories", "injected_characters", "injected_tokens")
        return cls(*(int(settings.MEMORY[name]) for name in most))

    def beside(self, kept_free: Sequence[PromptItem]) -> "_Budget":
        """What these leave of it; of the tokens they get what is left over."""
        characters = sum(len(item.line) + len(item.heading) + 3 for item in kept_free)
        return self._replace(
            items=self.items - len(kept_free), characters=self.characters - characters
        )

    def part(self, share: float) -> "_Budget":
        return _Budget(*(int(most * share) for most in self))

    def surely_holds(self, items: int, text: str) -> bool:
        """Whether so many items fit, whatever their text is: a token is a byte at least."""
        if items > self.items or len(text) > self.characters:
            return False
        return len(text.encode()) <= self.tokens or token_count.count_tokens(text) <= self.tokens


class _Block:
    """Items, and the length that `render` gives them: rendering for each candidate is slow."""

    def __init__(self, today: datetime) -> None:
        self.items: list[PromptItem] = []
        self._today = today
        self._characters, self._bytes = _lengths(render((), today))
        self._speakers: dict[str, set[str]] = {}

    def add(self, item: PromptItem, room: _Budget) -> None:
        """Add an item if there is room. Few are counted: a token is seldom less than two bytes."""
        characters, in_bytes = self._with(item)
        if len(self.items) >= room.items or characters > room.characters:
            return
        if in_bytes > 2 * room.tokens:
            text = render([*self.items, item], self._today)
            if token_count.count_tokens(text) > room.tokens:
                return
        self.items.append(item)
        self._characters, self._bytes = characters, in_bytes
        self._speakers.setdefault(item.heading, set()).add(item.by)

    def _with(self, item: PromptItem) -> tuple[int, int]:
        """How long all of it would be with this item, in characters and in bytes."""
        speakers = self._speakers.get(item.heading)
        if speakers is None:
            # "12 May: said" under nobody's name, "12 May Ann: said" under one.
            before = f"\n{item.heading} {item.by}: " if item.by else f"\n{item.heading}: "
        elif item.by not in speakers:
            before = f" / {item.by}: " if item.by else " / "
        else:
            before = "; "
        characters, in_bytes = _lengths(before + item.line)
        return self._characters + characters, self._bytes + in_bytes


def _lengths(text: str) -> tuple[int, int]:
    return len(text), len(text.encode())


# --- What is always in mind ----------------------------------------------------------------------


def _core(
    recall: Recall, facts: Sequence[ScoredFact], notes: Sequence[ScoredNote], question: Question
) -> Iterator["_Candidate"]:
    """How to address somebody before what they must not eat, and both before the rest, by R."""
    for override in chain.from_iterable(recall.overrides.values()):
        rank = _rank(override.slot, override.value)
        yield _Candidate(rank, 1.0, override.pk, partial(prompt_items.override_item, override))
    for scored in facts:
        fact = scored.fact
        if _is_core(scored) and not _is_hidden(recall, fact):
            rank = _rank(fact.slot, fact.value)
            yield _Candidate(
                rank, _worth(scored.score), fact.pk, partial(prompt_items.fact_item, scored)
            )
    for note in notes:
        is_core = note.priority == Memory.Priority.CORE and note.standing != TextStanding.CLAIM
        if is_core and note.category != Memory.Category.SUMMARY:
            rank = _rank("", note.content)
            yield _Candidate(
                rank, _worth(note.score), note.id, partial(prompt_items.note_item, note, question)
            )


def _rank(slot: str, text: str) -> int:
    if slot in ADDRESS_SLOTS:
        return 0
    return 1 if slot == "diet" or tells_allergy(text) else 2


def _is_core(scored: ScoredFact) -> bool:
    """Whether every answer must know it: an allergy matters most where nobody thinks of asking."""
    fact = scored.fact
    allergy = fact.slot in ("diet", "medical") and tells_allergy(fact.value)
    return allergy or (fact.slot in CORE_SLOTS and not scored.claims)


def _is_hidden(recall: Recall, fact: ProfileFact) -> bool:
    """Whether this conversation has its own value, or the value is disputed."""
    return recall.gives_way(fact) or bool(recall.rivals(fact))


# --- What fits the question ----------------------------------------------------------------------


class _Candidate(NamedTuple):
    """Something that would like to come in. Most never do, so its words are made when asked for."""

    rank: int
    worth: float
    id: UUID
    make: Callable[[], PromptItem]

    @property
    def order(self) -> tuple[int, float]:
        """What comes first is smallest."""
        return self.rank, -self.worth


def _ranked(
    recall: Recall,
    facts: Sequence[ScoredFact],
    notes: Sequence[ScoredNote],
    quotes: Sequence[ScoredQuote],
    question: Question,
) -> Iterator[_Candidate]:
    for scored in facts:
        fact = scored.fact
        if rivals := recall.rivals(fact):
            worth = max(scored.score.total, _ROOM_FOR_MORE)
            yield _Candidate(0, worth, fact.pk, partial(prompt_items.dispute, scored, rivals))
        elif scored.claims:
            if scored.score.similarity >= 1.0 or asks_for(question, fact.sentence):
                yield _Candidate(
                    0,
                    scored.score.total,
                    fact.pk,
                    partial(prompt_items.fact_item, scored, unchecked=True),
                )
        elif not recall.gives_way(fact):
            yield _Candidate(
                0, _worth(scored.score), fact.pk, partial(prompt_items.fact_item, scored)
            )
    quoted = {quote.hit.message_id for quote in quotes if quote.hit.standing != TextStanding.PASTED}
    for note in notes:
        if note.category == Memory.Category.SUMMARY or note.message_id in quoted:
            continue
        matters = note.priority >= Memory.Priority.HIGH and note.standing != TextStanding.CLAIM
        if matters or _is_asked_for(note, question):
            worth = _worth(note.score) if matters else note.score.total
            yield _Candidate(0, worth, note.id, partial(prompt_items.note_item, note, question))
    for quote in quotes:
        yield _Candidate(
            0,
            quote.score.total,
            quote.hit.message_id,
            partial(prompt_items.quote_item, quote, question),
        )


def _is_asked_for(note: ScoredNote, question: Question) -> bool:
    """Whether it fits; a claim, or words of others, only by its very words or by a time alone."""
    lowest = min(Memory.Priority(note.priority), Memory.Priority.NORMAL)
    if note.score.similarity < FITS_FROM[lowest]:
        return False
    if note.standing == TextStanding.OWN or asks_for(question, note.original or note.content):
        return True
    return question.only_time and question.means(note.said_at, note.happened_on)


def _worth(score: Score) -> float:
    """R, but never below what anything that matters is worth when nothing is asked."""
    return max(score.total, _ROOM_FOR_MORE * score.recency * score.belief)


# --- The latest summaries ------------------------------------------------------------------------


def _summaries(notes: Sequence[ScoredNote], question: Question) -> list[PromptItem]:
    made = [note for note in notes if note.category == Memory.Category.SUMMARY]
    made.sort(key=lambda note: note.said_at, reverse=True)
    return [
        prompt_items.summary(note, question)
        for note in made[: int(settings.MEMORY["injected_summaries"])]
    ]


def _today(today: date) -> str:
    return f"today {today.day} {today:%b %Y}"
