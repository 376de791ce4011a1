"""Parsing a search query into words, phrases, days and time bounds."""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from enum import StrEnum
from itertools import takewhile
from typing import Self
from uuid import UUID

from django.utils.timezone import get_current_timezone

from conversations.search.snippets import SearchTerms
from memory.language.dates.asked_times import find_asked_times
from memory.language.dates.time_expressions import TimeSpan, capitalize_time_words
from memory.language.text.stemming import stem
from memory.language.text.terms import STOPWORDS, content_words, split_words

MOST_PHRASES = 5

_QUOTES = re.compile('["“”„«»]')
_QUOTED = re.compile('["“”„«»]([^"“”„«»]*)["“”„«»]')


class Role(StrEnum):
    """The speaker of a message."""

    PERSON = "me"
    ASSISTANT = "assistant"
    BOTH = "both"


@dataclass(frozen=True)
class SearchQuery:
    """A search; both days are included.

    Quotes in `text` make exact phrases, and words for a time ('last May') restrict the search to
    that time unless `any_time`. within: the id of a conversation. topic: the id of a topic. plain:
    search by words only, not by meaning.
    """

    text: str = ""
    within: UUID | None = None
    role: Role = Role.PERSON
    topic: UUID | None = None
    title_only: bool = False
    since: date | None = None
    until: date | None = None
    any_time: bool = False
    plain: bool = False

    @property
    def is_anything(self) -> bool:
        """Whether anything is asked for; a conversation alone is not enough."""
        return bool(self.text or self.topic or self.since or self.until)


@dataclass(frozen=True)
class DayRange:
    """The days that words for a time refer to, both included."""

    words: str
    first: date
    last: date


@dataclass(frozen=True)
class ParsedQuery:
    """A parsed query: words without stop words and words for a time, phrases, and time bounds."""

    search: SearchQuery
    at: datetime
    text: str
    words: list[str]
    phrases: list[str]
    sign: SearchTerms
    since: datetime | None
    until: datetime | None
    narrowed: DayRange | None
    open_quote: bool

    @property
    def is_readable(self) -> bool:
        """Whether the text, if any, has a word or phrase to search for."""
        return bool(not self.search.text or self.words or self.phrases or self.narrowed)

    @property
    def is_for_recall(self) -> bool:
        """Whether it has words for the retrieval index, besides stop words and words for a time."""
        spans = find_asked_times(self.text, self.at)
        of_time = {word for span in spans for word in split_words(span.words)}
        return any(word not in of_time for word in self.words if word not in STOPWORDS)

    @classmethod
    def read(cls, query: SearchQuery, at: datetime) -> Self:
        """Parse a query; `at` (aware) is the current time."""
        # Some systems type an accent as a separate character.
        text = " ".join(unicodedata.normalize("NFC", query.text).split())
        phrases = [phrase.strip() for phrase in _QUOTED.findall(text) if phrase.strip()][
            :MOST_PHRASES
        ]
        rest = _QUOTED.sub(" ", text)
        spans = [] if query.any_time else find_asked_times(rest, at)
        narrowed = _narrowed(spans) if spans else None
        of_time = {word for span in spans for word in split_words(span.words)}
        loose = [word for word in content_words(rest) if word not in of_time]
        if not (loose or phrases or spans):
            # A query that has only stop words ('it') searches for these.
            loose = split_words(rest)
        inside = [word for phrase in phrases for word in content_words(phrase)]
        first, after = _bounds(query, narrowed)
        return cls(
            search=query,
            at=at,
            text=_QUOTES.sub(" ", text),
            words=list(dict.fromkeys([*loose, *inside])),
            phrases=phrases,
            sign=SearchTerms.of(list(dict.fromkeys(loose)), phrases),
            since=first,
            until=after,
            narrowed=narrowed,
            open_quote=bool(_QUOTES.search(rest)),
        )


def _narrowed(spans: Sequence[TimeSpan]) -> DayRange:
    """Return the range from the first to the last of the named days."""
    words = ", ".join(dict.fromkeys(capitalize_time_words(span.words) for span in spans))
    return DayRange(words, min(s.first for s in spans), max(s.last for s in spans))


def _bounds(
    query: SearchQuery, narrowed: DayRange | None
) -> tuple[datetime | None, datetime | None]:
    """Return the bounds [since, until) from all filters of time."""
    firsts = [day for day in (query.since, narrowed and narrowed.first) if day]
    lasts = [day for day in (query.until, narrowed and narrowed.last) if day]
    zone = get_current_timezone()
    since = datetime.combine(max(firsts), time(), zone) if firsts else None
    last = min(lasts) if lasts else None
    if last is None or last == date.max:
        return since, None
    return since, datetime.combine(last + timedelta(days=1), time(), zone)


# --- Words as regular expressions for the database -----------------------------------------------


def regexes(words: Iterable[str], phrases: Sequence[str]) -> Iterable[str]:
    """Yield regular expressions that every matching text matches; stems are compared afterwards."""
    yield from (as_regex(phrase) for phrase in phrases)
    quoted = {word for phrase in phrases for word in content_words(phrase)}
    yield from (_beginning(word) for word in words if word not in quoted)


def _beginning(word: str) -> str:
    """Return the prefix that all forms of a word share: 'cit' for 'cities' and 'city'."""
    root = stem(word)
    pairs = zip(word, root, strict=False)
    shared = "".join(a for a, _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
    if not word.isascii():
        return re.escape(word[:1])  # with and without its accents
    if len(shared) < 3:
        return rf"\m({re.escape(word)}|{re.escape(root)})" if shared != word else rf"\m{word}"
    return rf"\m{shared[:-1] if len(shared) > 3 and shared != word else shared}"


def as_regex(phrase: str) -> str:
    """Return an exact phrase as a regular expression: whole words, any space and apostrophe."""
    words = r"\s+".join(
        "".join("['’]" if c in "'’" else c if c.isalnum() else f"\\{c}" for c in word)
        for word in phrase.split()
    )
    before = r"\m" if phrase[0].isalnum() else ""
    return before + words + (r"\M" if phrase[-1].isalnum() else "")
