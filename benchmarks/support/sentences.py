"""Things people might say, made from the templates and words of `sentences.toml`: made up, but with
words as common and as rare as in ordinary talk, so that an index meets both.
"""

import random
import tomllib
from pathlib import Path

_PARTS = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
_TEMPLATES: list[str] = _PARTS.pop("templates")
_TIMES: list[str] = _PARTS.pop("time")
_WORDS: dict[str, list[str]] = {kind: words.split() for kind, words in _PARTS.items()}
_KINDS: dict[str, list[str]] = {
    **_WORDS,
    "time": _TIMES,
    "name": [
        first + last for first in _WORDS["name_beginnings"] for last in _WORDS["name_endings"]
    ],
}

QUESTIONS = (
    "What did my sister buy?",
    "Where did we go hiking last summer?",
    "Which pet does my cousin have?",
    "When did I move to Porto?",
    "Who is Harbrook?",
    "What did I cook for my grandmother in October?",
    "What did Oakford say about the contract and the deadline of the project in Berlin?",
    "Does anyone in my family play an instrument?",
    "Which of my friends felt nervous after sailing near Lisbon two weeks ago?",
    "What should I drink in the morning?",
)


def sentences(count: int, seed: int = 1) -> list[str]:
    """`count` different remarks of one to three sentences; the same every time."""
    chance = random.Random(seed)
    made: dict[str, None] = {}
    while len(made) < count:
        parts = [_sentence(chance) for _ in range(chance.choice((1, 1, 1, 2, 2, 3)))]
        made.setdefault(" ".join(parts))
    return list(made)


def _sentence(chance: random.Random) -> str:
    text = chance.choice(_TEMPLATES)
    while "{" in text:
        kind = text[text.index("{") + 1 : text.index("}")]
        text = text.replace("{" + kind + "}", _word(chance, kind), 1)
    return text if text.endswith("?") else text + "."


def _word(chance: random.Random, kind: str) -> str:
    """Few words are common and most are rare, as in any talk."""
    words = _KINDS[kind]
    return words[min(int(chance.paretovariate(0.3)) - 1, 10**9) % len(words)]
