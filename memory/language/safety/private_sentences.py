"""How probably a sentence tells of a private matter, learned from examples.

`sensitivity` knows private matters by their words, and is sure. This hears "six months without a
drop" and misspelled words as well, and is mistaken now and then: it says what is better not noted
without being asked for, never that something is private.
"""

from memory.language.sentence_labels import label_probabilities


def private_probability(sentence: str) -> float:
    """From 0 to 1, by the examples of "private/…"."""
    return label_probabilities("private", sentence)["private"]
