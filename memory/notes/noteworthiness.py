"""Whether a sentence tells something of a life that is worth a note, learned from examples."""

from memory.language.sentence_labels import label_probabilities, private_probability

# So probable it has to be: a note that nobody needs is the worse mistake.
_SURELY = 0.65
# What is likelier private than not is no such note: nobody asked for it to be kept.
_PRIVATE = 0.45


def is_noteworthy(sentence: str) -> bool:
    """Whether a sentence is surely worth a note, by the examples of "worth/…", and rather not
    private.
    """
    if private_probability(sentence) >= _PRIVATE:
        return False
    return label_probabilities("worth", sentence)["worth"] >= _SURELY
