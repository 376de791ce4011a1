"""Whether a message really says what was read from it of its writer, as learned from examples.

The patterns go by words, and are deceived by jokes, plays, other people and things in passing: "im
a surgeon" of a part in a pantomime, "Likes potato" from "I am like a potato". A classifier reads
the message together with the fact as a chip would tell it (`text.text_classifier`); it was trained
on what the patterns made of thousands of messages, and on facts that were written to tempt them
(`evaluation/examples/facts.jsonl`).
"""

from collections.abc import Sequence
from pathlib import Path

from accounts.support.process_cache import once_per_process
from memory.language.engine.fact_candidates import FactCandidate
from memory.language.grammar.pattern import NOTICED_TRUST
from memory.language.text.text_classifier import TextClassifier
from memory.slots import SLOTS

FACTS_PATH = Path(__file__).with_name("facts.npz")
# Less probable ones are not noted.
_LEAST = 0.3
# What puts another right ("no, I meant Lisbon") does not say it by itself.
_SAID_BY_ITSELF = frozenset({"statement", "transition"})
# So many letters before and behind a value are read with it.
_AROUND = 160
# A text of more facts than people tell in a message is not worth its minutes.
_MOST = 12


def borne_out(text: str, found: Sequence[FactCandidate]) -> list[FactCandidate]:
    """Those that the text bears out; private ones stay, so that the message is treated as private,
    and those behind the first twelve.

    15 ms a fact in a short message, 80 ms in a long one.
    """
    doubted = [candidate for candidate in found if _is_doubted(candidate)][:_MOST]
    probabilities = fact_probabilities(
        [(read_around(text, candidate), in_words(candidate)) for candidate in doubted]
    )
    wrong = {
        id(candidate)
        for candidate, probability in zip(doubted, probabilities, strict=True)
        if probability < _LEAST
    }
    return [candidate for candidate in found if id(candidate) not in wrong]


def fact_probabilities(pairs: Sequence[tuple[str, str]]) -> list[float]:
    """For pairs of a message and a fact in words: how probable it is that the message says so of
    its writer, 0..1; 1 on a failure.
    """
    return [one.get("right", 1.0) for one in _classifier().probabilities(pairs)]


def in_words(fact: FactCandidate) -> str:
    """As a chip tells it: "Works at Google"."""
    return SLOTS[fact.slot].note.format(value=fact.value)


def read_around(text: str, fact: FactCandidate) -> str:
    """The stretch of a text that is read with a fact from it."""
    return text[max(0, fact.start - _AROUND) : fact.end + _AROUND]


def _is_doubted(fact: FactCandidate) -> bool:
    asserted = fact.kind in _SAID_BY_ITSELF and fact.scope == "profile"
    # What is only noticed is counted, and asked about when it was often enough.
    return asserted and fact.trust > NOTICED_TRUST and not SLOTS[fact.slot].sensitive


@once_per_process
def _classifier() -> TextClassifier:
    return TextClassifier.load(FACTS_PATH)
