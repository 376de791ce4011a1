"""Where a value ends: noun phrases, names in capitals, lists; shared by all readers.

A reader takes :class:`Tokens`, the word where a value begins and the word where its clause stops,
and returns the values that stand there: none, one, or those of a list.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from memory.language.grammar.tokens import Tokens
from memory.language.lexicons import lexicon, load_lexicon


@dataclass(frozen=True)
class Value:
    """A value in the words ``first`` to ``stop`` (exclusive), as a person would note it.

    ``sure`` is how certain the reader is, 0 to 1; it is multiplied into the confidence. ``span`` is
    where the value stands in the text, where that is not in these words ("it").
    """

    first: int
    stop: int
    text: str
    sure: float = 1.0
    span: tuple[int, int] | None = None


Reader = Callable[[Tokens, int, int], list[Value]]
ItemReader = Callable[[Tokens, int, int], Value | None]

MAX_ITEMS = 8
"""Values read of one list."""
MAX_CHARS = 80
"""Longest value in characters; longer ones are sentences."""

STOP = load_lexicon("ends_a_value") - {
    "best",
    "back",
    "over",
    "under",
    "more",
    "well",
    "most",
    "better",
}
_WORD = re.compile(r"[^\W_]|[&#]\w")
DETERMINERS = lexicon.word_set(
    "the a an some any my our his this these those all various many several own both every few"
)


def is_word(tokens: Tokens, index: int) -> bool:
    """Whether a token is a word, not a mark or hidden text."""
    return bool(_WORD.match(tokens.words[index]))


def noun_phrase(
    tokens: Tokens, index: int, stop: int, most: int = 5, keep: frozenset[str] = frozenset()
) -> int:
    """The word after the longest run of plain words from ``index``; ``index`` for none.

    Words of ``keep`` are passed inside the run ("head of marketing"), never at its end.
    """
    end = index
    while end < stop and end - index < most and is_word(tokens, end):
        word = tokens.words[end]
        if (word in STOP or (end > index and word == "the")) and not (end > index and word in keep):
            break
        end += 1
    while end > index and (tokens.words[end - 1] in keep or tokens.words[end - 1] == "&"):
        end -= 1
    return end if end > index and len(tokens.said(index, end)) <= MAX_CHARS else index


_JOINS = frozenset({"of", "the", "&", "de", "du", "van", "von", "der", "la", "del", "and"})


def name_run(tokens: Tokens, index: int, stop: int, most: int = 5) -> int:
    """The word after a run of capitalised words ("Bank of America"); ``index`` for none."""
    end = index
    while end < stop and end - index < most and is_word(tokens, end):
        capital = tokens.is_capital(end) or (end > index and tokens.words[end][0].isdigit())
        joins = (
            end > index
            and tokens.words[end] in _JOINS
            and end + 1 < stop
            and tokens.is_capital(end + 1)
        )
        if tokens.words[end] in {"i", "am"} or not (capital or joins):
            break
        if joins and tokens.words[end] == "and" and end - index > 1:
            break
        end += 1
    while end > index and tokens.words[end - 1] in _JOINS:
        end -= 1
    return end


def longest_in(tokens: Tokens, index: int, stop: int, listed: frozenset[str], most: int = 4) -> int:
    """The word after the longest entry of a list that begins at ``index``; ``index`` for none."""
    for end in range(min(stop, index + most), index, -1):
        if " ".join(tokens.words[index:end]) in listed:
            return end
    return index


def after_determiner(tokens: Tokens, index: int, stop: int) -> int:
    """The word after articles and the like."""
    while index < stop and tokens.words[index] in DETERMINERS:
        index += 1
    return index


def next_item(tokens: Tokens, index: int, stop: int) -> int:
    """Where a list goes on after an item that ends at ``index``; ``index`` if it does not."""
    end = index
    if end < stop and tokens.words[end] == "too":
        end += 1
    if end < stop and tokens.words[end] == ",":
        end += 1
        if end < stop and tokens.words[end] in {"and", "or", "&"}:
            end += 1
    elif end < stop and tokens.words[end] in {"and", "or", "&", "/", "plus"}:
        end += 1
    elif tokens.words[end : end + 3] in {("as", "well", "as"), ("as", "much", "as")}:
        end += 3
    elif tokens.words[end : end + 4] == ("just", "as", "much", "as"):
        end += 4
    else:
        return index
    while end < stop and tokens.words[end] in {
        "also",
        "both",
        "even",
        "then",
        "maybe",
        "sometimes",
    }:
        end += 1
    return end if end < stop else index


def listed(
    tokens: Tokens, index: int, stop: int, item: ItemReader, most: int = MAX_ITEMS
) -> list[Value]:
    """The values of a list, at most ``most``, each read by ``item`` where the one before ends."""
    found: list[Value] = []
    while index < stop and len(found) < most:
        value = item(tokens, index, stop)
        if value is None:
            break
        found.append(value)
        index = next_item(tokens, value.stop, stop)
        if index == value.stop:
            break
    return found


_SMALL = lexicon.word_set(
    "of the and de du la le del di da do van von der den y e on upon in at for"
)
_ACRONYMS = {
    word.lower(): word
    for word in (
        "IBM NASA UK US USA NYC LA SF DC UAE BMW SAP HP IT HR PR TV MIT UCLA NYU USC CERN UPS BBC "
        "CNN NC NJ NH NM KPMG PETA IKEA AMD ASML NHS EU McDonald's McDonalds eBay YouTube GitHub "
        "LinkedIn PayPal JPMorgan DeepMind OpenAI TikTok CEO CTO CFO VP PhD MBA BSc MSc BA MA ETH "
        "LSE FedEx NVIDIA"
    ).split()
}


def capitalise(value: str) -> str:
    """A name typed in lower case as it is written: "rio de janeiro" is "Rio de Janeiro"."""
    if value != value.lower():
        return value
    parts = value.split(" ")
    return " ".join(
        _ACRONYMS.get(part)
        or (part if position and part in _SMALL else part[:1].upper() + part[1:])
        for position, part in enumerate(parts)
    )
