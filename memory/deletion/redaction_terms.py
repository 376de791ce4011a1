"""Wordings of a value, to find all texts that contain the value and no others."""

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property, reduce
from operator import or_

from django.db.models import Q

from memory.language.text import dedup, terms
from memory.models.facts import key_of

_APART = re.compile(r"[^\w+#]+|_+")
# Letters of scripts without spaces between words.
_SPACELESS = re.compile(r"[\u0e00-\u0eff\u1100-\u11ff\u3040-\u30ff\u3400-\u9fff]")
_SHORTEST = 3


@dataclass(frozen=True)
class RedactionTerms:
    """The wordings of a slot's value, and the values not to be confused with it.

    `said` are the wordings as typed or stored; `staying` are the slot's other values: if 'Portland'
    is deleted, a text about 'Portland, Oregon' does not count.
    """

    slot: str
    said: frozenset[str]
    staying: frozenset[str] = frozenset()

    def match_value(self, value: str) -> bool:
        """Return whether a value of the slot equals this one."""
        return bool(value) and key_of(self.slot, value) in self._keys

    def occur_in(self, *texts: str) -> bool:
        """Return whether a text contains a wording as whole words, except common ones ('Go')."""
        pattern = self._pattern
        return pattern is not None and any(
            match.group(1) for text in texts if text for match in pattern.finditer(plain(text))
        )

    def all_words_occur_in(self, *texts: str) -> bool:
        """Return whether the texts together have all content words of a wording, in any form."""
        there = set().union(*(dedup.content_stem_ids(text) for text in texts if text))
        wanted = (
            dedup.content_stem_ids(wording) for wording in self.said if _is_telling(plain(wording))
        )
        return any(words and words <= there for words in wanted)

    def may_be_in(self, field: str) -> Q:
        """Return a filter for texts that may contain a wording: no false negatives."""
        wordings = (
            *self.phrases,
            *(sentence for sentence in self.said if _is_telling(plain(sentence))),
        )
        longest = {max(_APART.split(wording), key=len) for wording in wordings}
        return reduce(or_, (Q(**{f"{field}__icontains": part}) for part in longest), Q(pk__in=[]))

    @cached_property
    def _keys(self) -> frozenset[str]:
        keys = {key_of(self.slot, wording) for wording in self.said}
        return frozenset(keys - {key_of(self.slot, value) for value in self.staying} - {""})

    @cached_property
    def phrases(self) -> tuple[str, ...]:
        """The wordings to search for, normalised by `plain`, longest first."""
        # Includes the normalised keys: 'New York City' for 'NYC'.
        wordings = {plain(wording) for wording in (*self.said, *self._keys)}
        return tuple(sorted(filter(_is_telling, wordings), key=len, reverse=True))

    @cached_property
    def _pattern(self) -> "re.Pattern[str] | None":
        """A pattern that skips staying values; group 1 is a wording to delete."""
        if not self.phrases:
            return None
        staying = {plain(value) for value in self.staying}
        longer = [value for value in staying if any(phrase in value for phrase in self.phrases)]
        passed_over = _bounded(sorted(longer, key=len, reverse=True))
        goes = f"({_bounded(self.phrases)})"
        return re.compile(f"{passed_over}|{goes}" if passed_over else goes)


def plain(text: str) -> str:
    """Return a text in lower case without accents and punctuation, with single spaces."""
    letters = unicodedata.normalize("NFKD", text)
    bare = "".join(letter for letter in letters if not unicodedata.combining(letter)).casefold()
    return _APART.sub(" ", bare).strip()


def _is_telling(wording: str) -> bool:
    return any(
        (len(word) >= _SHORTEST and not word.isdigit()) or _SPACELESS.search(word)
        for word in terms.content_words(wording)
    )


def _bounded(wordings: Iterable[str]) -> str:
    """Return a pattern for whole words, with or without a plural ending."""
    return "|".join(
        re.escape(wording)
        if _SPACELESS.search(wording)
        else rf"(?<!\w){re.escape(wording)}(?:e?s)?(?!\w)"
        for wording in wordings
    )
