"""Examples that were written for single questions: what a text wants, and what two texts are to
each other. They carry no marks.
"""

from __future__ import annotations

import csv
import json
from pathlib import Path

from tokenizers import Tokenizer

from training.examples import IGNORED, Example, encode_pair
from training.markup import Message, Sentence, read_files

FOLDER = Path(__file__).parent / "examples"
KIND_OF = {
    "statement": "s", "memory_question": "q", "task": "t", "knowledge": "t", "correction": "c",
    "forget_request": "f", "greeting": "p", "goodbye": "p", "thanks": "p", "nod": "p",
    "sorrow": "e", "joy": "e", "complaint": "e", "rhetorical": "m",
}  # fmt: skip
"""Kinds by the names in the files; every other name there is a question about the product."""

_FILES = (
    "messages.tsv", "small_talk.tsv", "questions.tsv", "product_questions.tsv", "bare_lines.tsv",
    "intents.tsv",
)  # fmt: skip


class Labelled(Sentence):
    """A text of which only the kind is known, and, where it is not None, whether it is worth a
    note and private.
    """


def labelled_messages() -> list[Message]:
    """Return the texts with a kind."""
    texts = []
    marked = {
        " ".join(sentence.text for sentence in message.sentences)
        for message in read_files([Path(__file__).parent / "data" / "messages.txt"])
    }
    for line in (FOLDER / "messages.jsonl").read_text().splitlines():
        row = json.loads(line)
        if " ".join(row["text"].split()) in marked:
            continue
        texts.append((row["text"], KIND_OF.get(row["kind"], "a"), row["worth"]))
    for name in _FILES:
        with (FOLDER / name).open() as file:
            rows = csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
            texts += [(row[1], KIND_OF.get(row[0], "a"), None) for row in rows]
    for line in (FOLDER / "noteworthy.tsv").read_text().splitlines():
        label, text = line.split("\t", 1)
        texts.append((text, "", label == "worth"))
    return [_message(*text) for text in texts if len(text[0]) < 600]


def _message(text: str, kind: str, worth: bool | None) -> Message:
    sentence = Labelled(kind, text.replace("\n", " "))
    sentence.worth = IGNORED if worth is None else worth  # type: ignore[assignment]
    sentence.change = IGNORED  # type: ignore[assignment]
    return Message([sentence])


def pairs(tokenizer: Tokenizer) -> list[Example]:
    """Return new statements beside earlier ones."""
    names = {"contradicts": "contradicts", "updates": "replaces", "agrees": "unrelated"}
    found = []
    for line in (FOLDER / "pairs.tsv").read_text().splitlines():
        label, old, new = line.split("\t")[:3]
        found.append((new, old, names[label]))
    rows = [json.loads(line) for line in (FOLDER / "later.jsonl").read_text().splitlines()]
    for number, row in enumerate(rows):
        other = rows[(number * 7 + 13) % len(rows)]["told"]
        for key, label in (
            ("clashes", "contradicts"), ("changes", "replaces"), ("fits", "unrelated"),
        ):  # fmt: skip
            for new in row.get(key, ()):
                found.append((new, row["told"], label))
                if label != "unrelated":
                    found.append((new, other, "unrelated"))
    for path in sorted((Path(__file__).parent / "data").glob("pairs_*.tsv")):
        for line in path.read_text().splitlines():
            label, old, new = line.split("\t")
            # Written for the reader: all of them in each epoch.
            found += [(new, old, label)] * 3
    return [encode_pair(new, old, label, tokenizer) for new, old, label in found]
