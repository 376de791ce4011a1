"""Readers for food, and for colours: both are told by lists."""

from __future__ import annotations

import re

from memory.language.grammar.tokens import Tokens
from memory.language.lexicons import load_lexicon
from memory.language.readers.phrases import Value, listed, longest_in, noun_phrase
from memory.language.readers.things import COLOURS, FOODS


def dish(tokens: Tokens, index: int, stop: int) -> list[Value]:
    """One of the dishes and drinks on the list, with the adjectives before it."""
    end = longest_in(tokens, index, stop, FOODS, 4)
    return (
        [Value(index, end, tokens.said(index, end))]
        if end > index and not _in_a_name(tokens, index)
        else []
    )


def _in_a_name(tokens: Tokens, index: int) -> bool:
    """Whether a word is a part of a name: "Halvorsen Seafood"."""
    first = tokens.spans[index][0]
    return tokens.text[first].isupper() and _NAME_BEFORE.search(tokens.text, 0, first) is not None


_NAME_BEFORE = re.compile(r"\w[^.!?]*\b[A-Z][\w'&-]+ \Z")


def foods_avoided(tokens: Tokens, index: int, stop: int) -> list[Value]:
    """What is not eaten, of a list: "peanuts and gluten"."""
    return listed(tokens, index, stop, _food)


def _food(tokens: Tokens, index: int, stop: int) -> Value | None:
    end = noun_phrase(tokens, index, stop, 3)
    foods = {" ".join(tokens.words[n:end]) for n in range(index, end)} & _EATEN
    plural = {word.removesuffix("s") for word in tokens.words[index:end]} & _EATEN
    return Value(index, end, tokens.said(index, end)) if foods or plural else None


_EATEN = FOODS | load_lexicon("not_eaten")


def not_food(tokens: Tokens, index: int, stop: int) -> list[Value]:
    """What somebody is allergic to that is no food: "penicillin", "bee stings"."""
    first = index
    if foods_avoided(tokens, index, stop):
        return []
    end = noun_phrase(tokens, first, stop, 3)
    return [Value(first, end, tokens.said(first, end))] if end > first else []


_COLOUR_SAID = re.compile(
    rf"\b(?:(?:light|dark|lime|navy|sky|hot|baby) )?(?:{COLOURS})\b", re.IGNORECASE
)


def colour_before(tokens: Tokens, index: int, stop: int) -> list[Value]:
    """The colour that was named last: "my glasses are blue, my favourite colour"."""
    here = tokens.spans[min(index, len(tokens.spans)) - 1][1]
    named = [*_COLOUR_SAID.finditer(tokens.text, max(0, here - 90), here)]
    return [Value(index, index, named[-1][0], span=named[-1].span())] if named else []


def colour(tokens: Tokens, index: int, stop: int) -> list[Value]:
    """A colour, of a list: "lime green and purple"."""
    return listed(tokens, index, stop, _colour)


def _colour(tokens: Tokens, index: int, stop: int) -> Value | None:
    named = _COLOUR_WORDS.match(tokens.line, tokens.offset(index), tokens.offset(stop))
    end = tokens.position(named.end()) if named else index
    return Value(index, end, tokens.said(index, end)) if named else None


_COLOUR_WORDS = re.compile(rf"(?:(?:light|dark|lime|navy|sky|hot|baby) )?(?:{COLOURS}) ")
