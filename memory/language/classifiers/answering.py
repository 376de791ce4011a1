"""Whether a text that somebody told answers a question that they ask later, in whatever words.

A classifier of pairs reads both together (`text.text_classifier`); it was trained on texts with
questions that were written for it (`evaluation/examples/answers.jsonl`).
"""

from collections.abc import Sequence
from pathlib import Path

from accounts.support.process_cache import once_per_process
from memory.language.text.text_classifier import TextClassifier

ANSWERS_PATH = Path(__file__).with_name("answers.npz")


def answer_probabilities(pairs: Sequence[tuple[str, str]]) -> list[float]:
    """For pairs of a question and a text: how probable it is that the text answers it, 0..1; on a
    failure as probable as not.
    """
    found = _classifier().probabilities([(text, question) for question, text in pairs])
    return [one.get("answers", 0.5) for one in found]


@once_per_process
def _classifier() -> TextClassifier:
    return TextClassifier.load(ANSWERS_PATH)
