"""Whether a sentence tells something of a life that is worth a note, learned from examples."""

from pathlib import Path

from accounts.support.process_cache import once_per_process
from memory.language.safety.private_sentences import private_probability
from memory.language.sentence_classifier import SentenceClassifier

NOTEWORTHINESS_PATH = Path(__file__).with_name("noteworthiness.npz")
# So probable it has to be: a note that nobody needs is the worse mistake.
_SURELY = 0.8
# What is likelier private than not is no such note: nobody asked for it to be kept.
_PRIVATE = 0.7


def is_noteworthy(sentence: str) -> bool:
    """Whether a sentence is surely worth a note, by `evaluation/examples/noteworthy.tsv`, and
    rather not private.
    """
    if private_probability(sentence) >= _PRIVATE:
        return False
    return _classifier().probabilities(sentence)["worth"] >= _SURELY


@once_per_process
def _classifier() -> SentenceClassifier:
    return SentenceClassifier.load(NOTEWORTHINESS_PATH)
