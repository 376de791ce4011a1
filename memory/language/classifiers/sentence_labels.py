"""What a sentence is, as learned from examples: what it wants, whether it is worth a note, private.

One reading by the transformer (`text.text_network`) serves all three; `python -m
training.train_texts` fits it to `training/examples`.
"""

import re

from accounts.support.process_cache import once_per_process
from memory.language.lexicons import load_lexicon
from memory.language.safety.health_terms import has_food_allergy
from memory.language.text.text_network import TextClassifier, task_of

_A_PERSON = re.compile(
    rf"\b(?:i|i'?m|i'?ve|me|myself|we|us|{'|'.join(sorted(load_lexicon('kin')))})\b", re.IGNORECASE
)
_DIET = re.compile(r"\b(?:vegans?|vegetarians?|veggie|pescatarians?|meat-?free)\b", re.IGNORECASE)
# That somebody is or will be married is told to everybody; what troubles a marriage is not.
_MARRIED = re.compile(
    r"\bmarried (?:for|in|on|since|at|\d+|\w+ years)\b|\bgetting married\b|\banniversary\b"
    r"|\b(?:wedding|honeymoon)(?: is| was|'s)? (?:on|in|at)\b",
    re.IGNORECASE,
)
_TROUBLE = re.compile(
    r"\b(?:divorc\w+|separat\w+|affairs?|cheat\w*|unhappy|leav\w+|left|fight\w*|counsel\w+|therap\w+"
    r"|struggl\w+|problems?|over|never|pretend\w*|secret\w*|but|else|sleep\w*)\b",
    re.IGNORECASE,
)
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
    """How probably a sentence tells of a private matter, 0..1.

    `safety.sensitivity` knows private matters by their words, and is sure. This hears "six months
    without a drop" and misspelled words as well, and is mistaken now and then: it says what is
    better not noted without being asked for, never that something is private.
    """
    if is_told_to_everybody(sentence):
        return 0.0
    return label_probabilities("private", sentence)["private"]


def is_told_to_everybody(sentence: str) -> bool:
    """Return whether a sentence is no private matter, though it sounds like one: a food that
    somebody cannot or will not have, which is minded at every table; a wedding; what an animal has.
    """
    minded_at_table = has_food_allergy(sentence) or _DIET.search(sentence) is not None
    marries = _MARRIED.search(sentence) is not None and not _TROUBLE.search(sentence)
    return minded_at_table or marries or _tells_of_an_animal_alone(sentence)


def _tells_of_an_animal_alone(sentence: str) -> bool:
    """Whether an animal is what a sentence begins with, and no person is spoken of in it."""
    return _animal().match(sentence) is not None and not _A_PERSON.search(sentence)


@once_per_process
def _animal() -> re.Pattern[str]:
    kinds = "|".join(sorted(load_lexicon("pet_words")))
    whose = "my|our|the|his|her|their|old|poor|little|big"
    return re.compile(rf"\W*(?:(?:{whose})\s+)*(?:{kinds})\b", re.IGNORECASE)


def _as_read(sentence: str) -> str:
    # A stop may have been cut off with what follows.
    return sentence.rstrip(" .")
