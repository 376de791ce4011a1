"""Lessons derived from a conversation without a language model: which request followed which.

A request is reduced to the subjects of the persona's field, which staff defined. Lessons are made
of these names only, so they contain no typed words, and people who work alike get the same lesson.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from memory.language.text import terms
from personas.models import Persona

# The number of following requests that count as the same piece of work.
_WITHIN = 3
# From this share of equal content words on, a request repeats the one before.
_ASKED_AGAIN = 0.6
# The number of words allowed between two words of a cue.
_BETWEEN = 2
_NOT_IT = re.compile(
    r"^\W*(?:no|not (?:quite|that|what)|that(?:'s| is) not|wrong|again|i meant|still not)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class ToolRequest:
    """A request, and the names of the tools called for its answer."""

    text: str
    steps: tuple[str, ...] = ()


def workflow_lessons(persona: Persona, requests: Sequence[ToolRequest]) -> list[str]:
    """Return the lessons of one conversation for a persona, without duplicates."""
    about = [subjects_in(persona, request.text) for request in requests]
    lessons = [*_what_followed(about), *_asked_again(requests, about), *_steps(requests, about)]
    return list(dict.fromkeys(lessons))


def _what_followed(about: Sequence[Sequence[str]]) -> Iterator[str]:
    seen: set[str] = set()
    for position, subjects in enumerate(about):
        later = [name for names in about[position + 1 : position + 1 + _WITHIN] for name in names]
        for first in subjects:
            if first in seen:
                continue
            seen.add(first)
            for then in dict.fromkeys(later):
                if then not in seen and then not in subjects:
                    yield f"After {first}, people ask for {then} next: offer it at once."


def _asked_again(requests: Sequence[ToolRequest], about: Sequence[Sequence[str]]) -> Iterator[str]:
    for position in range(1, len(requests)):
        subjects = about[position] or about[position - 1]
        if subjects and _is_the_same(requests[position - 1].text, requests[position].text):
            subject = subjects[0]
            yield f"Requests about {subject} often take a second try, so ask first what matters."


def _steps(requests: Sequence[ToolRequest], about: Sequence[Sequence[str]]) -> Iterator[str]:
    """Yield lessons that name the tools called for an answer, if the request was not repeated."""
    for position, request in enumerate(requests):
        after = requests[position + 1].text if position + 1 < len(requests) else ""
        if len(request.steps) > 1 and about[position] and not _is_the_same(request.text, after):
            steps = ", then ".join(dict.fromkeys(request.steps))
            yield f"For {about[position][0]}, these steps led to an answer: {steps}."


def _is_the_same(before: str, after: str) -> bool:
    if _NOT_IT.match(after):
        return True
    first, second = (set(map(terms.stem_id, terms.content_words(text))) for text in (before, after))
    return bool(first and second) and len(first & second) / len(first | second) >= _ASKED_AGAIN


def subjects_in(persona: Persona, text: str) -> list[str]:
    """Return the subjects of a persona's field that a text mentions, in the text's order."""
    return list(_subjects_in(tuple(persona.subjects), text))


@lru_cache(maxsize=4096)
def _subjects_in(subjects: tuple[str, ...], text: str) -> tuple[str, ...]:
    """Return the subjects in a text; cached, because lessons are compared at every question."""
    words = _words(text)
    places = {
        name: min(
            (index for cue in cues if (index := _place(cue, words)) is not None), default=None
        )
        for name, cues in _cues(subjects)
    }
    there = {name: at for name, at in places.items() if at is not None}
    return tuple(sorted(there, key=there.__getitem__))


def _place(cue: Sequence[str], words: Sequence[str]) -> int | None:
    """Return the index where a cue begins in some words; None if absent.

    "new locations" is also found in "new Taco Bell locations".
    """
    for start, word in enumerate(words):
        index: int | None = start if word == cue[0] else None
        for wanted in cue[1:]:
            if index is None:
                break
            near = words[index + 1 : index + 2 + _BETWEEN]
            index = index + 1 + near.index(wanted) if wanted in near else None
        if index is not None:
            return start
    return None


@lru_cache(maxsize=64)
def _cues(subjects: tuple[str, ...]) -> list[tuple[str, list[list[str]]]]:
    """Return each subject with its cues as lists of words, including its own name."""
    return [
        (name, [words for cue in (name, *cues.split(",")) if (words := _words(cue))])
        for name, cues in _name_and_cues(subjects)
    ]


def _name_and_cues(subjects: Iterable[str]) -> Iterator[tuple[str, str]]:
    for line in subjects:
        name, _, cues = line.partition(":")
        yield name.strip(), cues


def _words(text: str) -> list[str]:
    return re.findall(r"[a-z]+", text.lower())
