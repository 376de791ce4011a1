"""Labels of a sentence by a trained classifier: intent, worth, private.

The transformer reads the sentence (`text.text_network`); `python -m training.train_texts` trains it
on `training/examples`.
"""

from memory.language.text.text_network import TextClassifier, task_of

_classifier = TextClassifier("sentences")


def label_probabilities(task: str, sentence: str) -> dict[str, float]:
    """Return the probability of each label of a task ("intent", "worth", "private"); sum 1.

    All are 0 on a failure.
    """
    (shares,) = _classifier.probabilities([_as_read(sentence)])
    return {
        label.removeprefix(f"{task}/"): shares.get(label, 0.0)
        for label in _classifier.labels
        if task_of(label) == task
    }


def private_probability(sentence: str) -> float:
    """Return the probability that a sentence is about a private matter, 0..1."""
    return label_probabilities("private", sentence)["private"]


def _as_read(sentence: str) -> str:
    # The final full stop may have been cut off.
    return sentence.rstrip(" .")
