"""Readers for what a word stands for that was named before: "it", "mine", "I do"."""

from __future__ import annotations

from memory.language.grammar.tokens import Tokens
from memory.language.lexicons import lexicon
from memory.language.readers.phrases import Value
from memory.language.readers.things import favourite


def topic(tokens: Tokens, index: int, stop: int) -> list[Value]:
    """What "it", "that" or "them" takes up: the thing that was last named or asked about."""
    named = getattr(tokens.topic, "values", ())
    if index >= stop or tokens.words[index] not in _PRONOUNS:
        return []
    return [Value(index, index + 1, value.text, span=value.span) for value in named]


_PRONOUNS = frozenset(
    {"it", "that", "them", "those", "these", "this", "they", "both", "one", "which"}
)


def topic_liked(tokens: Tokens, index: int, stop: int) -> list[Value]:
    """What was asked about with "do you like": the "I do" that answers stands for it."""
    return _of_topic(tokens, index, stop, "like")


def topic_kept(tokens: Tokens, index: int, stop: int) -> list[Value]:
    """The animals that were named or asked about: "do you have cats? I have two"."""
    return [
        value
        for value in _of_topic(tokens, index, stop, "have", "said", "like")
        if value.text.lower().split()[-1] in lexicon.PET_WORDS
    ]


def _of_topic(tokens: Tokens, index: int, stop: int, *about: str) -> list[Value]:
    """The topic of one of these kinds, where the clause ends here."""
    if index < stop or getattr(tokens.topic, "about", "") not in about:
        return []
    values = getattr(tokens.topic, "values", ())
    return [Value(index, index, value.text, span=value.span) for value in values]


def favourite_of_topic(tokens: Tokens, index: int, stop: int) -> list[Value]:
    """What "mine is" names after "what is your favourite colour"."""
    kind = getattr(tokens.topic, "kind", "")
    if getattr(tokens.topic, "about", "") != "favourite":
        return []
    return [
        Value(value.first, value.stop, f"{value.text} (favourite {kind})")
        for value in favourite(tokens, index, stop)
    ]
