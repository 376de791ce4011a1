"""The format of the training messages, described in `training/README.md`: parse and check it.

`python -m training.markup FILE…` checks files and counts what is in them.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

KINDS = tuple("scqatfrynpem")
PRIVATE = (
    "health", "mind", "money", "love", "law", "belief", "politics", "origin", "sexuality", "quiet",
)  # fmt: skip
SLOTS = (
    "name", "preferred_name", "pronouns", "age", "birthday", "employer", "job_title", "industry",
    "employment_status", "career_goal", "education", "expertise", "current_project", "preferences",
    "languages", "constraints", "interests", "likes", "dislikes", "location", "hometown", "home",
    "vehicle", "family", "pets", "possessions", "diet", "mental_health", "medical", "financial",
    "relationships", "legal", "religion", "politics", "ethnicity", "sexual_orientation",
)  # fmt: skip
LABELS = (*SLOTS, "relation", "person", "pet_name", "place", "date")
STATUSES = ("current", "past", "planned", "denied", "asked", "other", "here")

_LINE = re.compile(r"([a-z])((?:[+~=-]|![a-z]+)*) (.+)")
_MARK = re.compile(r"\[([^\[\]|]+)\|([a-z_]+)(?: ([a-z]+))?\]")


@dataclass(frozen=True)
class Mark:
    """A marked value: characters [start, end) of the sentence's text."""

    start: int
    end: int
    label: str
    status: str


@dataclass
class Sentence:
    """A sentence with what is to be read from it."""

    kind: str
    text: str
    marks: list[Mark] = field(default_factory=list)
    worth: bool = False
    change: bool = False
    private: tuple[str, ...] = ()
    alone: bool | None = None
    """Whether it is a good note by itself; None where nobody judged it."""


@dataclass
class Message:
    """A message: its sentences, and the text that stood before it ('' for none)."""

    sentences: list[Sentence]
    context: str = ""
    source: str = ""


class MarkupError(ValueError):
    """A line that is not in the format; says what is wrong with it."""


def parse_sentence(line: str) -> Sentence:
    """Return the sentence of a line. Raises MarkupError."""
    matched = _LINE.fullmatch(line)
    if matched is None or matched[1] not in KINDS:
        raise MarkupError(f"no kind, flags and text: {line!r}")
    flags = matched[2]
    private = tuple(re.findall(r"!([a-z]+)", flags))
    for name in private:
        if name not in PRIVATE:
            raise MarkupError(f"unknown flag !{name}: {line!r}")
    text, marks = parse_marks(matched[3])
    alone = True if "=" in flags else False if "-" in flags else None
    return Sentence(matched[1], text, marks, "+" in flags, "~" in flags, private, alone)


def parse_marks(marked: str) -> tuple[str, list[Mark]]:
    """Return the text without its marks, and the marks. Raises MarkupError."""
    text, marks, position = "", [], 0
    for mark in _MARK.finditer(marked):
        text += marked[position : mark.start()]
        label, status = mark[2], mark[3] or "current"
        if label not in LABELS or status not in STATUSES:
            raise MarkupError(f"unknown mark {mark[0]!r}")
        marks.append(Mark(len(text), len(text) + len(mark[1]), label, status))
        text += mark[1]
        position = mark.end()
    text += marked[position:]
    if "[" in text or "]" in text or "|" in text:
        raise MarkupError(f"a mark that is not closed or nests: {marked!r}")
    return text, marks


def parse(lines: Iterator[str] | list[str], source: str = "") -> Iterator[Message]:
    """Yield the messages of a file's lines. Raises MarkupError with the number of the line."""
    message = Message([], source=source)
    for number, raw in enumerate(lines, 1):
        line = raw.rstrip()
        if line.startswith("#"):
            continue
        if not line:
            if message.sentences:
                yield message
            message = Message([], source=source)
        elif line.startswith("> "):
            message.context = f"{message.context} {line[2:]}".strip()
        else:
            try:
                message.sentences.append(parse_sentence(line))
            except MarkupError as error:
                raise MarkupError(f"{source}:{number}: {error}") from None
    if message.sentences:
        yield message


def read_files(paths: list[Path]) -> list[Message]:
    """Return the messages of files in the format."""
    return [
        message for path in paths for message in parse(path.read_text().splitlines(), path.stem)
    ]


def main() -> int:
    """Check files and print what is in them; 1 where a line is not in the format."""
    status = 0
    totals: Counter[str] = Counter()
    for name in sys.argv[1:]:
        path = Path(name)
        errors = []
        count = 0
        blocks = path.read_text().splitlines()
        try:
            for message in parse(blocks, path.name):
                count += 1
                for sentence in message.sentences:
                    totals[f"kind {sentence.kind}"] += 1
                    totals["worth a note"] += sentence.worth
                    for mark in sentence.marks:
                        totals[f"label {mark.label}"] += 1
                        totals[f"status {mark.status}"] += 1
        except MarkupError as error:
            errors.append(str(error))
            status = 1
        print(f"{path.name}: {count} messages", *errors, sep="\n  ")
    print(", ".join(f"{key} {value}" for key, value in totals.most_common()))
    return status


if __name__ == "__main__":
    sys.exit(main())
