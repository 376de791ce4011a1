"""Whether a sentence tells something of a life that is worth a note, learned from examples."""

from memory.language.sentence_labels import label_probabilities, private_probability

# So probable it has to be: what is not noted is missed more than a note too many; and so probable
# what may be reported, supposed or denied.
_PROBABLY, _SURELY = 0.5, 0.75
# What is likelier private than not is no such note: nobody asked for it to be kept.
_PRIVATE = 0.25


def is_noteworthy(sentence: str, *, surely: bool = False) -> bool:
    """Whether a sentence is probably worth a note, by the examples of "worth/…", and rather not
    private.
    """
    if private_probability(sentence) >= _PRIVATE:
        return False
    return worth_probability(sentence) >= (_SURELY if surely else _PROBABLY)


def worth_probability(sentence: str) -> float:
    """How probably a sentence is worth a note by the examples, 0..1."""
    return label_probabilities("worth", sentence)["worth"]
