"""What a text says about other people; each value belongs to the people named last before it."""

from __future__ import annotations

from typing import NamedTuple

from memory.language.reader.facts import LIKELY
from memory.language.reader.network import ReadText
from memory.language.reader.values import written_value
from memory.slots import SLOTS

_PEOPLE = frozenset({"family", "relation", "person"})


class OtherFact(NamedTuple):
    """A value of somebody else; `people` are the words that name them."""

    people: tuple[str, ...]
    slot: str
    value: str


def facts_of_others(text: str, read: ReadText) -> list[OtherFact]:
    """Return the values of other people in a text, each with the people named last before it."""
    facts: list[OtherFact] = []
    people: list[str] = []
    is_new = True
    for span in read.spans:
        words = text[span.start : span.end]
        if span.label in _PEOPLE:
            people = [words] if is_new else [*people, words]
            is_new = False
        elif span.label in SLOTS and span.status == "other" and people:
            is_new = True
            value = written_value(span.label, words)
            if value and span.probability * span.status_probability >= LIKELY:
                facts.append(OtherFact(tuple(people), span.label, value))
    return facts
