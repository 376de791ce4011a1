"""What a sentence wants, as learned from examples.

The transformer reads it (`text.text_network`); `python -m training.train_texts` fits it to
`training/examples`.
"""

from memory.language.text.text_network import TextClassifier, task_of

_classifier = TextClassifier("sentences")


def label_probabilities(task: str, sentence: str) -> dict[str, float]:
    """Return how probable each label of a task ("intent", "worth", "private") is for a sentence;
    together they are 1, and 0 each on a failure.
    """
    (shares,) = _classifier.probabilities([_as_read(sentence)])
    return {
        label.removeprefix(f"{task}/"): shares.get(label, 0.0)
        for label in _classifier.labels
        if task_of(label) == task
    }


def private_probability(sentence: str) -> float:
    """Return how probably a sentence tells of a private matter, 0..1."""
    return label_probabilities("private", sentence)["private"]


def _as_read(sentence: str) -> str:
    # A stop may have been cut off with what follows.
    return sentence.rstrip(" .")
