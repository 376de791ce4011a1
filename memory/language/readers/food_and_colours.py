"""Readers for food, and for colours: both are told by lists."""

from __future__ import annotations

import re

from memory.language.grammar.tokens import Tokens
from memory.language.lexicons import load_lexicon
from memory.language.readers.phrases import Value, listed, longest_in, noun_phrase
from memory.language.readers.things import COLOURS, FOODS


def dish(said: Tokens, at: int, stop: int) -> list[Value]:
    """One of the dishes and drinks on the list, with the adjectives before it."""
    end = longest_in(said, at, stop, FOODS, 4)
    return [Value(at, end, said.said(at, end))] if end > at and not _in_a_name(said, at) else []


def _in_a_name(said: Tokens, at: int) -> bool:
    """Whether a word is a part of a name: "Halvorsen Seafood"."""
    first = said.spans[at][0]
    return said.text[first].isupper() and _NAME_BEFORE.search(said.text, 0, first) is not None


_NAME_BEFORE = re.compile(r"\w[^.!?]*\b[A-Z][\w'&-]+ \Z")


def foods_avoided(said: Tokens, at: int, stop: int) -> list[Value]:
    """What is not eaten, of a list: "peanuts and gluten"."""
    return listed(said, at, stop, _food)


def _food(said: Tokens, at: int, stop: int) -> Value | None:
    end = noun_phrase(said, at, stop, 3)
    foods = {" ".join(said.words[n:end]) for n in range(at, end)} & _EATEN
    plural = {word.removesuffix("s") for word in said.words[at:end]} & _EATEN
    return Value(at, end, said.said(at, end)) if foods or plural else None


_EATEN = FOODS | load_lexicon("not_eaten")


def not_food(said: Tokens, at: int, stop: int) -> list[Value]:
    """What somebody is allergic to that is no food: "penicillin", "bee stings"."""
    first = at
    if foods_avoided(said, at, stop):
        return []
    end = noun_phrase(said, first, stop, 3)
    return [Value(first, end, said.said(first, end))] if end > first else []


_COLOUR_SAID = re.compile(
    rf"\b(?:(?:light|dark|lime|navy|sky|hot|baby) )?(?:{COLOURS})\b", re.IGNORECASE
)


def colour_before(said: Tokens, at: int, stop: int) -> list[Value]:
    """The colour that was named last: "my glasses are blue, my favourite colour"."""
    here = said.spans[min(at, len(said.spans)) - 1][1]
    named = [*_COLOUR_SAID.finditer(said.text, max(0, here - 90), here)]
    return [Value(at, at, named[-1][0], span=named[-1].span())] if named else []


def colour(said: Tokens, at: int, stop: int) -> list[Value]:
    """A colour, of a list: "lime green and purple"."""
    return listed(said, at, stop, _colour)


def _colour(said: Tokens, at: int, stop: int) -> Value | None:
    named = _COLOUR_WORDS.match(said.line, said.offset(at), said.offset(stop))
    end = said.position(named.end()) if named else at
    return Value(at, end, said.said(at, end)) if named else None


_COLOUR_WORDS = re.compile(rf"(?:(?:light|dark|lime|navy|sky|hot|baby) )?(?:{COLOURS}) ")
