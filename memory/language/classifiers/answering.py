"""Whether a text that somebody told answers a question that they ask later, in whatever words.

A classifier of pairs reads both together (`text.text_network`); it was trained on texts with
questions that were written for it (`training/examples/answers.jsonl`).
"""

from collections.abc import Sequence

from memory.language.text.text_network import TextClassifier

_classifier = TextClassifier("answers")


def answer_probabilities(pairs: Sequence[tuple[str, str]]) -> list[float]:
    """For pairs of a question and a text: how probable it is that the text answers it, 0..1; on a
    failure as probable as not.
    """
    found = _classifier.probabilities([(text, question) for question, text in pairs])
    return [one.get("answers", 0.5) for one in found]
