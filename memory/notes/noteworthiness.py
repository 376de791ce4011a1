"""Whether a sentence tells something of a life that is worth a note, learned from examples."""

from pathlib import Path

from accounts.support.process_cache import once_per_process
from memory.language.sentence_classifier import SentenceClassifier

NOTEWORTHINESS_PATH = Path(__file__).with_name("noteworthiness.npz")
WORTH, PASSING = "worth", "passing"
NOTEWORTHY_FROM = 0.85
"""So probable it has to be: a note that nobody needs is the worse mistake."""


def is_noteworthy(sentence: str) -> bool:
    """Whether a sentence is surely worth a note, by `evaluation/examples/noteworthy.tsv`."""
    return _classifier().probabilities(sentence)[WORTH] >= NOTEWORTHY_FROM


@once_per_process
def _classifier() -> SentenceClassifier:
    return SentenceClassifier.load(NOTEWORTHINESS_PATH)
