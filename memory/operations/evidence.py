"""The evidence for checking operations: the lines of the conversation, and the known records."""

import re
from calendar import day_abbr, day_name, month_abbr, month_name
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from functools import cached_property
from uuid import UUID

from memory.language.reading import Reading
from memory.language.text import evidence, terms
from memory.language.text.evidence import QuoteSpan
from memory.language.text.stemming import stem
from memory.operations.schema import Operation

_SHORT = 60
"""A line of so many characters at the most is read as an answer to the one before it."""


@dataclass(frozen=True)
class SaidLine:
    """A message in the conversation, numbered for the model; context only unless `fresh`."""

    alias: int
    by_user: bool
    text: str
    said_at: datetime
    typed: bool = True
    fresh: bool = True
    before: str = ""
    """The line before it, by which a short line is understood."""
    confided: bool = False
    """Whether it was told in confidence."""

    @cached_property
    def reading(self) -> Reading:
        """The reading of the line; a short line is read with the line before it."""
        return Reading(self.text, context=self.before if len(self.text) <= _SHORT else "")


@dataclass(frozen=True)
class KnownItem:
    """A fact, memory or open conflict with a short id for the model.

    `said_at` is when it was last said; `by_hand`: the user wrote or confirmed it; `source` is the
    id of the message that it was read from.
    """

    alias: str
    key: UUID
    text: str
    said_at: datetime
    slot: str = ""
    value: str = ""
    by_hand: bool = False
    source: UUID | None = None
    original: str = ""

    @property
    def is_note(self) -> bool:
        """Whether the item is a memory (note)."""
        return self.alias.startswith("n")

    @property
    def is_fact(self) -> bool:
        """Whether the item is a fact of the profile."""
        return self.alias.startswith("f")


@dataclass
class Evidence:
    """Everything that the operations in one answer of the model are checked against."""

    lines: Sequence[SaidLine]
    known: Sequence[KnownItem]
    person: str = ""
    """How the person is called."""

    def __post_init__(self) -> None:
        self.by_alias = {line.alias: line for line in self.lines}
        self.items = {item.alias: item for item in self.known}

    @cached_property
    def words_of_the_person(self) -> set[str]:
        """Stems of all words that the user said, or that are in known records."""
        texts = [line.text for line in self.lines if line.by_user]
        known = [text for item in self.known for text in (item.text, item.value, item.original)]
        return stems(" ".join([*texts, *known, self.person]))

    @cached_property
    def words_of_the_assistant(self) -> set[str]:
        """Stems of the words that only the assistant said."""
        texts = " ".join(line.text for line in self.lines if not line.by_user)
        return stems(texts) - self.words_of_the_person


@dataclass(frozen=True)
class Case:
    """One operation with its evidence."""

    operation: Operation
    evidence: Evidence

    @cached_property
    def lines(self) -> list[SaidLine]:
        """The lines of the conversation that the operation quotes, as far as they exist."""
        by_alias = self.evidence.by_alias
        return [by_alias[quote.line] for quote in self.operation.quotes if quote.line in by_alias]

    @cached_property
    def spans(self) -> list[QuoteSpan | None]:
        """The place of each quote in its line; None if the line does not contain it."""
        return [
            evidence.find(quote.words, self.evidence.by_alias[quote.line].text)
            for quote in self.operation.quotes
            if quote.line in self.evidence.by_alias
        ]

    @cached_property
    def target(self) -> KnownItem | None:
        """The known item that the operation changes; None if there is none."""
        return self.evidence.items.get(self.operation.target)

    @property
    def slot(self) -> str:
        """The slot of the fact that the operation is about; '' for a memory."""
        return self.operation.slot or (self.target.slot if self.target else "")

    @property
    def line(self) -> SaidLine:
        """The last quoted line, which is where the content was said."""
        return max(self.lines, key=lambda line: line.alias)

    @property
    def typed(self) -> bool:
        """Whether the user typed all quoted lines."""
        return all(line.typed for line in self.lines)

    @cached_property
    def days(self) -> list[date]:
        """The operation's days that are full dates."""
        return [day for day in map(as_date, (self.operation.day, self.operation.since)) if day]

    @cached_property
    def texts(self) -> list[str]:
        """The texts that would be stored."""
        return [text for text in (self.operation.text, self.operation.value) if text]


def as_date(text: str) -> date | None:
    """Return the day of an ISO date; None for any other text, such as a month or year."""
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


def stems(text: str) -> set[str]:
    """Return the stems of the content words of a text."""
    return {stem(word) for word in terms.content_words(text)}


def adds_a_number_or_a_name(texts: Sequence[str], sources: Sequence[str]) -> bool:
    """Return whether texts contain a number or name that none of the `sources` has."""
    whole = " ".join(sources).casefold()
    numbers, words = set(_NUMBER.findall(whole)), set(_words(whole))
    # "An 08 Civic" allows 2008.
    numbers |= {f"{age}{year}" for year in numbers if len(year) == _TWO for age in ("19", "20")}
    # "165 over 100" allows "165/100".
    parts = {part for number in numbers for part in _PART.findall(number)}
    return any(
        any(set(_PART.findall(each)) - parts for each in set(_NUMBER.findall(text)) - numbers)
        or not _names(text) - _CALENDAR <= words
        for text in texts
    )


_TWO = 2
_NUMBER = re.compile(r"\d+(?:[.,:/]\d+)*")
_PART = re.compile(r"\d+(?:[.,:]\d+)*")
_WORD = re.compile(r"[^\W\d_](?:[\w'’.-]*\w)?")
_CALENDAR = frozenset(
    name.casefold() for name in (*day_name, *day_abbr, *month_name, *month_abbr) if name
)


def _words(text: str) -> Iterator[str]:
    """Yield the words of a text in lower case, without possessive endings."""
    for word in _WORD.findall(text):
        yield word.casefold().replace("’", "'").removesuffix("'s")


def _names(text: str) -> set[str]:
    """Return the capitalised words after the first word of a text, in lower case."""
    words = [match[0] for match in _WORD.finditer(text)][1:]
    return set(_words(" ".join(word for word in words if word[0].isupper())))
