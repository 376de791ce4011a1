"""How probably a sentence tells of a private matter, learned from examples.

`sensitivity` knows private matters by their words, and is sure. This hears "six months without a
drop" and misspelled words as well, and is mistaken now and then: it says what is better not noted
without being asked for, never that something is private.
"""

from pathlib import Path

from accounts.support.process_cache import once_per_process
from memory.language.sentence_classifier import SentenceClassifier

PRIVATE_SENTENCES_PATH = Path(__file__).with_name("private_sentences.npz")


def private_probability(sentence: str) -> float:
    """From 0 to 1, by `evaluation/examples/private.tsv`."""
    return _classifier().probabilities(sentence)["private"]


@once_per_process
def _classifier() -> SentenceClassifier:
    return SentenceClassifier.load(PRIVATE_SENTENCES_PATH)
