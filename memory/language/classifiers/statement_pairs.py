"""How two things that one person said go together, as learned from examples.

Two questions of one reading by the transformer (`text.text_network`): whether both hold, clash,
or the second ends or corrects the first ("consistency": "agrees", "contradicts", "updates"); and of
messages near each other, whether the second puts the first right, goes on about it, or is about
something else ("continuation": "corrects", "adds", "new"). It sees no date and knows no more of the
world than its examples: what it finds is a reason to ask, never one to change anything. And whether
a text that somebody told answers a question that they ask later, in whatever words.
"""

from collections.abc import Sequence

from memory.language.text.dedup import content_stem_ids
from memory.language.text.text_network import TextClassifier

_classifier, _answers = TextClassifier("pairs"), TextClassifier("answers")
# From here on an earlier text is told as such behind a later one that ends or corrects it.
ENDS_FROM = 0.7


def pair_probabilities(label: str, pairs: Sequence[tuple[str, str]]) -> list[float]:
    """Return how probable a label ("continuation/corrects") is for each pair of an earlier and a
    later text; 0 on a failure.
    """
    return [probabilities.get(label, 0.0) for probabilities in _classifier.probabilities(pairs)]


def find_ending(text: str, later: Sequence[str], least: float = ENDS_FROM) -> list[int]:
    """Return the places of the later texts that end or correct a text with at least this
    probability and share a significant word with it.
    """
    stems = content_stem_ids(text)
    places = [
        position for position, sentence in enumerate(later) if stems & content_stem_ids(sentence)
    ]
    ends = pair_probabilities(
        "consistency/updates", [(text, later[position]) for position in places]
    )
    return [position for position, share in zip(places, ends, strict=True) if share >= least]


def answer_probabilities(pairs: Sequence[tuple[str, str]]) -> list[float]:
    """Return for pairs of a question and a text the probability that the text answers it, 0..1; 0.5
    on a failure.
    """
    results = _answers.probabilities([(text, question) for question, text in pairs])
    return [result.get("answers", 0.5) for result in results]
