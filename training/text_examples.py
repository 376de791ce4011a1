"""What the classifiers of texts are trained on: the files of `training/examples`, as examples."""

import json
import random
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import permutations, product
from pathlib import Path

import numpy as np

from memory.language.text.text_network import encode_sentence, encode_sentences

EXAMPLES = Path(__file__).parent / "examples"

# To so many pairs as are written come some of two sentences that do not belong together, and agree.
_MADE = 0.1
# So many earlier messages that a message does not touch stand beside the one that it does.
_OTHERS_BESIDE = 5
# So many questions that were written for another text stand beside each, of those that are as like
# it as what is often found for a question; what is liker might be answered by it after all.
_OTHERS, _LIKE_ANOTHER = 1, (0.1, 0.45)
# What clashes with or changes one thing stands beside another as like it as what is often near it,
# and both hold: no remark clashes by itself.
_LIKE_WHAT_HOLDS = (0.2, 0.5)

# What a message wants, and what that is called where a file says something else of it.
_INTENTS = ("small_talk.tsv", "questions.tsv", "product_questions.tsv", "intents.tsv", "talk.tsv")
_WORTH = ("questions.tsv",)
_BOTH = ("noteworthy.tsv", "bare_lines.tsv", "messages.tsv")
# Of each third text that was told a question that it answers is one of a question to the memory.
_QUESTIONS = 3
# What states something may be worth a note or not; all else that is wanted is not.
_MAY_BE_WORTH = frozenset({"statement", "joy", "sorrow", "correction"})


@dataclass(frozen=True)
class Example:
    """A text, or two that are read together, with its labels, one a task that is known:
    "contradicts" or "intent/joy".
    """

    labels: frozenset[str]
    first: str
    second: str | None = None

    @property
    def texts(self) -> str | tuple[str, str]:
        """As the tokenizer takes it."""
        return self.first if self.second is None else (self.first, self.second)


class Examples(list[Example]):
    """Examples for one classifier: all of one text, or all of two."""

    @property
    def labels(self) -> list[str]:
        """The labels, by the alphabet; those of a task stand together."""
        return sorted({label for example in self for label in example.labels})

    def apart(self, share: float) -> tuple["Examples", "Examples"]:
        """The others, and such a share of them; those with the same first text stay together."""
        firsts = sorted({example.first for example in self})
        random.Random(1).shuffle(firsts)
        aside = set(firsts[: int(len(firsts) * share)])
        return (
            Examples(example for example in self if example.first not in aside),
            Examples(example for example in self if example.first in aside),
        )


def sentences() -> Examples:
    """Single sentences: what they want ("intent/…"), whether they are worth a note ("worth/…") and
    private ("private/…"), as far as a file says so.
    """
    known: dict[str, dict[str, str]] = {}
    for task, text, label in _labelled_sentences():
        known.setdefault(text.rstrip(" ."), {}).setdefault(task, f"{task}/{label}")
    return Examples(Example(frozenset(labels.values()), text) for text, labels in known.items())


def _labelled_sentences() -> Iterator[tuple[str, str, str]]:
    """Task, text and label, of all files."""
    for one in map(json.loads, _lines("messages.jsonl")):
        yield "intent", one["text"], one["kind"]
        yield "worth", one["text"], "worth" if one["worth"] else "passing"
        yield "private", one["text"], "private" if one["private"] else "ordinary"
    for one in [json.loads(line) for line in _lines("answers.jsonl")][::_QUESTIONS]:
        yield "intent", one["answered"][0], "memory_question"
    for label, text in _in("private.tsv"):
        yield "private", text, label
    for label, text in _in(*_INTENTS, *_BOTH):
        if label != "passing":
            yield "intent", text, "statement" if label == "worth" else label
    for label, text in _in(*_WORTH, *_BOTH):
        if label not in _MAY_BE_WORTH:
            yield "worth", text, "worth" if label == "worth" else "passing"


def _in(*names: str) -> Iterator[tuple[str, str]]:
    """Label and text of each line of these files."""
    for name in names:
        for line in _lines(name):
            label, text = line.split("\t", 1)
            yield label, text


def pairs() -> Examples:
    """Two things that one person said, the second later: whether both hold ("consistency/…"), and,
    of messages near each other, whether the second puts the first right or goes on about it
    ("continuation/…").
    """
    found = [
        *(_pair(one, other, consistency=label) for label, one, other in _statements()),
        *_of_later(),
        *_of_stretches(),
        *_of_corrections(),
    ]
    talk = [text for _, text in _in(*_INTENTS, *_BOTH, "private.tsv")]
    chance = random.Random(0)
    for _ in range(int(len(found) * _MADE)):
        one, other = chance.sample(talk, 2)
        found.append(_pair(one, other, consistency="agrees", continuation="new"))
    return Examples(found)


def _pair(one: str, other: str, **labels: str) -> Example:
    return Example(frozenset(f"{task}/{label}" for task, label in labels.items()), one, other)


def _statements() -> Iterator[tuple[str, str, str]]:
    """Those of the file (label, first and then, with tabs between), and those that plain statements
    make with each other.
    """
    for line in _lines("pairs.tsv"):
        label, one, other = line.split("\t")
        yield label, one, other
    plain = tomllib.loads((EXAMPLES / "plain_statements.toml").read_text(encoding="utf-8"))
    for topic in plain.values():
        yield from _combined(topic)


def _of_later() -> Iterator[Example]:
    """What somebody told, with later messages that clash with it, change it, and go with it; each
    that clashes or changes also with what another told.
    """
    labels = {"clashes": "contradicts", "changes": "updates", "fits": "agrees"}
    written = [json.loads(line) for line in _lines("later.jsonl")]
    for one in written:
        for name, label in labels.items():
            for text in one[name]:
                yield _pair(one["told"], text, consistency=label)
    told = encode_sentences([one["told"] for one in written])
    apart = [text for one in written for text in (*one["clashes"], *one["changes"])]
    chance = random.Random(0)
    least, most = _LIKE_WHAT_HOLDS
    for text, meaning in zip(apart, encode_sentences(apart), strict=True):
        likeness = told @ meaning
        others = np.flatnonzero((likeness > least) & (likeness < most)).tolist()
        for index in chance.sample(others, min(len(others), _OTHERS)):
            yield _pair(written[index]["told"], text, consistency="agrees")


def _of_stretches() -> Iterator[Example]:
    """A message with the earlier one that it clashes with, changes or comes near to, and with some
    of the others, which both hold.
    """
    for one in map(json.loads, _lines("stretches.jsonl")):
        about = one["which"]
        yield _pair(one["before"][about], one["text"], consistency=one["label"])
        others = [said for index, said in enumerate(one["before"]) if index != about]
        for said in others[:_OTHERS_BESIDE]:
            yield _pair(said, one["text"], consistency="agrees")


def _of_corrections() -> Iterator[Example]:
    """A message with each of those right before it, where it is known which it is about."""
    for one in map(json.loads, _lines("corrections.jsonl")):
        before, label = one["before"], one["label"]
        about = one.get("which", -1 if label == "new" else 0 if len(before) == 1 else None)
        for index, said in enumerate(before) if about is not None else ():
            told = label if index == about else "new"
            consistency = "updates" if told == "corrects" else "agrees"
            yield _pair(said, one["text"], consistency=consistency, continuation=told)


def answers() -> Examples:
    """What somebody told, and a question that it answers or does not: those of the file, and for
    each text a question that was written for another.
    """
    written = [json.loads(line) for line in _lines("answers.jsonl")]
    asked = [question for one in written for question in one["answered"]]
    meanings = encode_sentences(asked)
    chance = random.Random(0)
    pairs: list[tuple[str, str, str]] = []
    for one in written:
        said = one["said"]
        pairs += [("answers", said, question) for question in one["answered"]]
        pairs += [("silent", said, question) for question in one["near"]]
        likeness = meanings @ encode_sentence(said)
        least, most = _LIKE_ANOTHER
        others = np.flatnonzero((likeness > least) & (likeness < most))
        pairs += [
            ("silent", said, asked[index]) for index in chance.sample(others.tolist(), _OTHERS)
        ]
    return Examples(Example(frozenset({label}), one, other) for label, one, other in pairs)


def _lines(name: str) -> list[str]:
    return (EXAMPLES / name).read_text(encoding="utf-8").splitlines()


def _combined(topic: dict[str, list[str]]) -> Iterator[tuple[str, str, str]]:
    """The pairs that the plain statements on one topic make (see the file)."""
    denies, claims, values, beside, changes = (
        topic.get(name, []) for name in ("denies", "claims", "values", "beside", "changes")
    )
    for denial, claim in product(denies, claims):
        yield "contradicts", denial, claim
        yield "contradicts", claim, denial
    yield from (("contradicts", one, other) for one, other in permutations(values, 2))
    yield from (("updates", one, other) for one, other in product(denies or values[:1], changes))
    yield from (
        ("agrees", one, other) for one, other in product([*denies, *claims, *values], beside)
    )
