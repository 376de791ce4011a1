"""Scoring how much a sentence says, by its names, numbers, times and other words."""

from memory.language.dates import asked_times
from memory.language.reading import Reading
from memory.language.text import compression, terms

MOST_SENTENCES = 40
"""Sentences of one message that are looked at; a longer text is material, not talk."""


def significance_of(sentence: str) -> float:
    """Return the significance of a sentence, 0..1."""
    score = 0.2
    score += 0.2 * asked_times.tells_when(sentence)
    score += min(0.3, 0.1 * len(compression.key_spans(sentence)))
    score += min(0.3, 0.04 * len(set(terms.content_words(sentence))))
    return round(score, 3)


def greatest_significance(reading: Reading) -> float:
    """Return the highest significance of the sentences of a text; 0 for none."""
    first = reading.sentences[:MOST_SENTENCES]
    return max((significance_of(reading.masked[start:end]) for start, end, _ in first), default=0.0)
