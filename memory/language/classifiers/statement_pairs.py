"""Relations between two texts by the same user, by a trained classifier.

Labels: "consistency" (agrees, contradicts, updates) for two statements, "continuation" (corrects,
adds, new) for messages near each other. The classifier sees no dates and knows only its examples,
so a result is a reason to ask the user, never to change anything. Also whether a text answers a
question.
"""

from collections.abc import Sequence

from memory.language.text.dedup import content_stem_ids
from memory.language.text.text_network import TextClassifier

_classifier, _answers = TextClassifier("pairs"), TextClassifier("answers")
# From this probability on an earlier text is shown with the later text that ends or corrects it.
ENDS_FROM = 0.7


def pair_probabilities(label: str, pairs: Sequence[tuple[str, str]]) -> list[float]:
    """Return the probability of a label ("continuation/corrects") for each (earlier, later) pair.

    0 on a failure.
    """
    return [probabilities.get(label, 0.0) for probabilities in _classifier.probabilities(pairs)]


def find_ending(text: str, later: Sequence[str], least: float = ENDS_FROM) -> list[int]:
    """Return the indexes of later texts that end or correct a text and share a content word."""
    stems = content_stem_ids(text)
    places = [
        position for position, sentence in enumerate(later) if stems & content_stem_ids(sentence)
    ]
    ends = pair_probabilities(
        "consistency/updates", [(text, later[position]) for position in places]
    )
    return [position for position, share in zip(places, ends, strict=True) if share >= least]


def answer_probabilities(pairs: Sequence[tuple[str, str]]) -> list[float]:
    """Return the probability, 0..1, that the text answers the question, for (question, text) pairs.

    0.5 on a failure.
    """
    results = _answers.probabilities([(text, question) for question, text in pairs])
    return [result.get("answers", 0.5) for result in results]
