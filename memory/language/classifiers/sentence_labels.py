"""What a sentence is, as learned from examples: what it wants, whether it is worth a note, private.

One reading by the transformer (`text.text_network`) serves all three; `python -m
training.train_texts` fits it to `training/examples`.
"""

from memory.language.text.text_network import TextClassifier, task_of

_classifier = TextClassifier("sentences")


def label_probabilities(task: str, sentence: str) -> dict[str, float]:
    """How probable each label of a task ("intent", "worth", "private") is for a sentence; together
    they are 1, and 0 each on a failure.
    """
    classifier = _classifier
    (found,) = classifier.probabilities([_as_read(sentence)])
    return {
        label.removeprefix(f"{task}/"): found.get(label, 0.0)
        for label in classifier.labels
        if task_of(label) == task
    }


def private_probability(sentence: str) -> float:
    """Return how probably a sentence tells of a private matter, 0..1."""
    return label_probabilities("private", sentence)["private"]


def _as_read(sentence: str) -> str:
    # A stop may have been cut off with what follows.
    return sentence.rstrip(" .")
