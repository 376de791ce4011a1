"""What a sentence wants, learned from examples: a greeting, a task for a model, help, a question.

`intents.toml` says which there are beside the questions of `product_help.toml`; `memory.language`
tells how probable each is.
"""

import re
import tomllib
import unicodedata
from collections.abc import Collection
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from accounts.support.process_cache import once_per_process
from memory.language import STOPWORDS, label_probabilities

HERE = Path(__file__).parent
GREETING, NOD, ANYTHING = "greeting", "nod", "what_can_you_do"
# What is said out of politeness, and tells nothing.
COURTESIES = frozenset({"greeting", "thanks", "goodbye", "nod"})
# What somebody feels, which the whole message tells.
FEELINGS = frozenset({"sorrow", "joy", "complaint"})
# From here on a sentence is taken for what it most probably is.
_SURE = 0.3
# As like an example of another language as this, a sentence is in that language.
_SAME_LANGUAGE = 0.4
# How many letters the pieces have by which a language is told.
_PIECE = 3


@dataclass(frozen=True)
class Intent:
    """What is wanted, and how probable that is."""

    name: str
    score: float

    @property
    def is_help(self) -> bool:
        """Whether it is a question about the product."""
        return self.name in answers()


def read(sentence: str, *, asks: bool) -> Intent | None:
    """What one sentence wants, of which it is known whether it asks; None for plain talk."""
    return sure_of(rank(sentence, asks=asks)[0])


def sure_of(intent: Intent) -> Intent | None:
    """An intent that is probable enough, else None."""
    return intent if intent.score >= _SURE else None


def rank(sentence: str, *, asks: bool) -> list[Intent]:
    """All that a sentence of its mood may want, the likeliest first."""
    found = label_probabilities("intent", sentence).items()
    ranked = sorted(
        (
            Intent(name, share)
            for name, share in found
            if _mood(name) in ("any", "asks" if asks else "tells")
        ),
        key=lambda intent: -intent.score,
    )
    # "Thanks, good night" is surely a courtesy, whichever of them.
    courtesy = sum(intent.score for intent in ranked if intent.name in COURTESIES)
    if ranked[0].name in COURTESIES:
        ranked[0] = Intent(ranked[0].name, courtesy)
    return ranked


def probability_of(names: Collection[str], sentence: str) -> float:
    """How probable it is that a sentence is one of these."""
    found = label_probabilities("intent", sentence)
    return sum(found[name] for name in names)


def of_the_product(sentence: str) -> Intent | None:
    """Return what a question about the product is about, or that it only greets: "How are you?";
    None for what fits no topic.
    """
    found = label_probabilities("intent", sentence)
    likeliest = max((GREETING, *answers()), key=lambda name: found[name])
    return sure_of(Intent(likeliest, found[likeliest]))


def is_foreign(text: str) -> bool:
    """Whether a text has more of the little words of another language than of English."""
    words = re.findall(r"[^\W\d_]+", text.lower())
    english = sum(word in STOPWORDS for word in words)
    others = load("replies.toml")["little_words"].values()
    return any(sum(word in little for word in words) > max(1, english) for little in others)


def language_of(sentence: str, name: str) -> str:
    """The language of the example of an intent that a sentence is most like: "en", "de"."""
    wanted = _pieces(sentence)
    likeness = {
        language: max(_likeness(_pieces(text), wanted) for text in texts)
        for language, texts in load("intents.toml")[name].get("also", {}).items()
    }
    if not likeness:
        return "en"
    best = max(likeness, key=lambda language: likeness[language])
    return best if likeness[best] >= _SAME_LANGUAGE else "en"


@once_per_process
def answers() -> dict[str, str]:
    """What is said to each question about the product, with {pages} still to be filled in."""
    return {name: str(given["answer"]) for name, given in load("product_help.toml").items()}


def _mood(name: str) -> str:
    """Which sentences an intent is looked for in: "asks", "tells" or "any"."""
    return str(load("intents.toml").get(name, {}).get("mood", "any"))


@cache
def load(name: str) -> dict[str, dict[str, Any]]:
    """A data file beside this module."""
    return tomllib.loads((HERE / name).read_text(encoding="utf-8"))


def _pieces(text: str) -> set[str]:
    """The pieces of the words of a text, in small letters without accents."""
    apart = unicodedata.normalize("NFKD", text.casefold())
    bare = "".join(letter for letter in apart if letter.isalpha() or letter.isspace())
    words = [f" {word} " for word in bare.split()]
    return {
        word[index : index + _PIECE] for word in words for index in range(len(word) - _PIECE + 1)
    }


def _likeness(one: set[str], other: set[str]) -> float:
    """How many of the pieces two texts share: 1 for all."""
    return len(one & other) / max(1, len(one | other))
