"""What was last named or asked about, and so may be taken up with "it", "that" or "mine"."""

from __future__ import annotations

import re
from dataclasses import dataclass

from memory.language.grammar.tokens import Tokens
from memory.language.lexicons import load_lexicon
from memory.language.readers.phrases import Value
from memory.language.readers.things import things

REACH = 90
"""Characters between a thing and the word that takes it up; beyond, it is somebody's guess."""


@dataclass(frozen=True)
class Topic:
    """The thing named last; ``about`` is "like", "have", "favourite" (of a ``kind``) or "said"."""

    values: tuple[Value, ...]
    about: str
    end: int
    kind: str = ""


_ASKED = re.compile(
    r"(?<!\S)(?:(?:do|did|have|are|can|would) )?you (?:(?:guys|all|ever|also|even|really|still) )*"
    r"(?:like|love|enjoy|prefer|into|eat|drink|watch|read|play|listen to|collect|interested in|"
    r"fan of|"
    r"ride|wear|practice|go|done any) (?:to )?"
)
_ASKED_IF_HAS = re.compile(r"(?<!\S)(?:do|have) you (?:have|own|got) (?:any )?")
_ASKED_ABOUT = re.compile(
    r"(?<!\S)(?:(?:what|how) about|(?:have )?(?:you )?ever (?:heard of|heard|seen|tried|read|"
    r"played|been "
    r"to)|have you (?:seen|heard of|tried|read)|do you know(?: (?:anything |much |a lot )?about)?) "
)
_ASKED_FAVOURITE = re.compile(
    r"(?<!\S)(?:your|a) favourite (?P<kind>[a-z]+(?: (?:show|game|food|team|movie|book|artist|"
    r"genre))?) "
)
_OBJECT = re.compile(
    r"(?<!\S)(?:eat|eating|ate|had|have|having|watch|watching|watched|listening to|listen to|read|"
    r"reading|play|playing|see|saw|seen|drink|drinking|make|making|made|baking|cooking|bought|"
    r"about|"
    r"tried|love|like|get|getting|got|want|adopt|own|involve|involves) "
)


def remember(
    tokens: Tokens, index: int, stop: int, taken: tuple[Value, ...], old: Topic | None
) -> Topic | None:
    """What the next "it" may stand for after the words ``index`` to ``stop``."""
    if index >= stop:
        return old
    low, high, end = tokens.offset(index), tokens.offset(stop), tokens.spans[stop - 1][1]
    favourite = _ASKED_FAVOURITE.search(tokens.line, low, high)
    if favourite:
        first, last = (tokens.position(offset) for offset in favourite.span("kind"))
        return Topic((), "favourite", end, tokens.said(first, last).lower().removesuffix("s"))
    for pattern, about in ((_ASKED_IF_HAS, "have"), (_ASKED, "like"), (_ASKED_ABOUT, "said")):
        match = pattern.search(tokens.line, low, high)
        if match:
            named = _named_topics(tokens, tokens.position(match.end()), stop)
            return Topic(named, about, end) if named else old
    return Topic(taken[-1:], "said", end) if taken else _mentioned(tokens, index, stop) or old


# What is called out about something else: "Awesome! I love it".
_EXCLAIMED = load_lexicon("exclaimed")


def _mentioned(tokens: Tokens, index: int, stop: int) -> Topic | None:
    """The object of a verb one has things with, or a thing that stands alone ("pizza!")."""
    low, high, end = tokens.offset(index), tokens.offset(stop), tokens.spans[stop - 1][1]
    for verb in reversed([*_OBJECT.finditer(tokens.line, low, high)]):
        named = _named_topics(tokens, tokens.position(verb.end()), stop)
        if named:
            return Topic(named[-1:], "said", end)
    alone = things(tokens, index, stop) if stop - index <= 4 else []
    if alone and alone[-1].stop == stop and tokens.words[stop - 1] not in _EXCLAIMED:
        return Topic(_placed(tokens, alone), "said", end)
    return None


def _named_topics(tokens: Tokens, index: int, stop: int) -> tuple[Value, ...]:
    return _placed(tokens, things(tokens, index, stop)[:3])


def _placed(tokens: Tokens, values: list[Value]) -> tuple[Value, ...]:
    return tuple(
        Value(value.first, value.stop, value.text, value.sure, tokens.span(value.first, value.stop))
        for value in values
    )
