"""`python -m tests.talk.told FILE --out FILE`: is what was told given back, and nothing invented?

The file holds people: what they said on some days, and what they ask afterwards, with the words
that a right reply holds (none where it was never told). Everything goes through the product's own
turns, without a language model. A reply is right if it holds all these words, and to what was never
told if it says that nothing is found.
"""

import argparse
import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from itertools import groupby
from pathlib import Path
from typing import Any

from benchmarks.support.site import site
from tests.talk.say import Line, talk

# What says that nothing surely answers: a link to what was said in confidence holds no answer.
_NOTHING = ("i don’t know", "need a language model", "only in that conversation")


@dataclass(frozen=True)
class Asked:
    """A question, the words that a right reply holds, the reply, and how good it is."""

    person: str
    kind: str
    text: str
    answer: list[str]
    reply: str
    grade: str


def main() -> None:
    """Ask what is in the file, and count what was answered by kind."""
    reader = argparse.ArgumentParser(prog="python -m tests.talk.told", description=__doc__)
    reader.add_argument("people", type=Path)
    reader.add_argument("--out", type=Path, required=True)
    wanted = reader.parse_args()
    with site():
        asked = [
            one
            for person in json.loads(wanted.people.read_text(encoding="utf-8"))
            for one in _ask(person)
        ]
    told = json.dumps([asdict(one) for one in asked], ensure_ascii=False, indent=1)
    wanted.out.write_text(told + "\n", encoding="utf-8")
    for kind, some in groupby(sorted(asked, key=_kind), key=_kind):
        print(kind, dict(Counter(one.grade for one in some)))
    told_of = Counter(one.grade for one in asked if one.answer)
    print("told:", dict(told_of), "never:", dict(Counter(o.grade for o in asked if not o.answer)))


def _kind(one: Asked) -> str:
    return one.kind


def _ask(person: dict[str, Any]) -> Iterator[Asked]:
    said = [_line(f"s{at}", one) for at, one in enumerate(person["said"])]
    asked = {f"q{at}": one for at, one in enumerate(person["asked"])}
    lines = said + [_line(key, one) for key, one in asked.items()]
    days = [list(day) for _, day in groupby(lines, key=lambda line: line.at.date())]
    for spoken in talk(f"{'-'.join(person['person'].split())}@example.org".lower(), days):
        if one := asked.get(spoken.key):
            grade = _grade(one["answer"], spoken.reply)
            yield Asked(
                person["person"], one["kind"], one["text"], one["answer"], spoken.reply, grade
            )


def _line(key: str, given: dict[str, Any]) -> Line:
    return Line(key, datetime.fromisoformat(given["at"]).replace(tzinfo=UTC), given["text"])


def _grade(answer: list[str], reply: str) -> str:
    """ "right", "partly", "wrong" or "nothing"; of what was never told "nothing" is right."""
    plain = reply.lower()
    nothing = any(words in plain for words in _NOTHING)
    if not answer:
        return "right" if nothing else "wrong"
    there = [any(word in plain for word in one.lower().split("|")) for one in answer]
    if all(there):
        return "right, unsure" if nothing else "right"
    return "partly" if any(there) else "nothing" if nothing else "wrong"


if __name__ == "__main__":
    main()
