"""The guard of shared lessons: how much personal text passes, and how much general text.

Three measures, as shares from 0 to 1. Texts with marked personal spans, unchanged and in lower
case: accepted ones leak. Each distinct span in neutral carrier sentences: a span accepted in any of
them leaks. Lessons that may be shared, and attacks: the share of accepted ones.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from evaluation.measuring import (
    Progress,
    Result,
    Unreadable,
    mean,
    read_json,
    reading,
    share,
    share_of,
    shown,
)
from memory.lessons.contribution import field_terms_of
from memory.lessons.guard import check_shareable
from personas import seeding
from personas.models import Persona

TEXTS, LESSONS = "pii", "lessons"
# Occupations and forms of address identify nobody.
_GENERAL = frozenset({"TITLE", "PREFIX"})
_KINDS = {
    "PERSON": "person",
    "LOCATION": "place",
    "GPE": "place",
    "NRP": "place",
    "ADDRESS": "address",
    "STREET_ADDRESS": "address",
    "ORGANIZATION": "organisation",
    "DATE_TIME": "date",
    "AGE": "date",
}
CARRIERS = (
    "Ask {} to check the trade area before the review.",
    "Users near {} compare candidate sites.",
    "Show the results for {} in one table.",
    "Compare candidate sites and {} first.",
)
# A value that is not personal, which each carrier has to accept to measure anything.
ORDINARY = "users"


def evaluate(data: Path, progress: Progress) -> Result:
    """Measure with the texts in `pii` and the lessons in `lessons` below `data`."""
    result: Result = {"skipped": [name for name in (TEXTS, LESSONS) if not (data / name).is_dir()]}
    texts = list(_texts(data / TEXTS))
    if texts:
        result |= _leaks(texts, progress)
    for name, measure in (("clean", _clean), ("adversarial", _adversarial)):
        path = data / LESSONS / f"{name}.json"
        if path.is_file():
            with reading(path):
                result |= measure(read_json(path))
    return result


def _texts(folder: Path) -> Iterable[Mapping[str, Any]]:
    """Yield every text with a personal span."""
    for path in sorted(folder.glob("*.json")):
        with reading(path):
            rows = [row for row in read_json(path) if _spans(row)]
        yield from rows


def _spans(row: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    return [span for span in row["spans"] if span["entity_type"] not in _GENERAL]


def _leaks(texts: list[Mapping[str, Any]], progress: Progress) -> Result:
    accepted = [0, 0]
    values: dict[str, set[str]] = defaultdict(set)
    for row in shown(texts, progress, "texts", every=500):
        for position, text in enumerate((row["full_text"], row["full_text"].lower())):
            accepted[position] += _passes(text)
        for span in _spans(row):
            kind = _KINDS.get(span["entity_type"], "contact")
            values[kind].add(" ".join(span["entity_value"].lower().split()))
    as_is, lower = (share(many, len(texts)) for many in accepted)
    return {
        "texts": len(texts),
        "leak_rate": max(as_is, lower),
        "leak_rate_as_is": as_is,
        "leak_rate_lower": lower,
        "carrier": {kind: _carried(of_kind) for kind, of_kind in sorted(values.items())},
        "values": {kind: len(of_kind) for kind, of_kind in sorted(values.items())},
    }


def _carried(values: set[str]) -> float:
    """Return the share of values accepted in any carrier. Raises Unreadable."""
    for carrier in CARRIERS:
        if not _passes(carrier.format(ORDINARY)):
            raise Unreadable(f"The carrier “{carrier}” is refused whatever it holds.")
    return share_of(
        sorted(values), lambda value: any(_passes(one.format(value)) for one in CARRIERS)
    )


def _clean(lessons: Mapping[str, list[str]]) -> Result:
    """Return the results of lessons with the terms of their personas, or without any."""
    terms = {handle: _terms(handle) for handle in lessons}
    everything = [(text, terms[handle]) for handle, texts in lessons.items() for text in texts]
    verdicts = [check_shareable(text, terms=of) for text, of in everything]
    reasons = Counter(verdict.reason for verdict in verdicts if not verdict.accepted)
    return {
        "clean": len(everything),
        "clean_accepted": share_of(verdicts, lambda verdict: verdict.accepted),
        "reasons": dict(reasons.most_common()),
    }


def _adversarial(attacks: list[Mapping[str, str]]) -> Result:
    by_kind: dict[str, list[bool]] = defaultdict(list)
    for attack in attacks:
        by_kind[attack["kind"]].append(_passes(attack["text"]))
    passed = [one for kind in by_kind.values() for one in kind]
    return {
        "attacks": len(passed),
        "adversarial_accepted": mean(passed),
        "adversarial": {kind: mean(of) for kind, of in sorted(by_kind.items())},
    }


def _passes(text: str) -> bool:
    """Return whether the text is accepted with the terms of all personas, the most lenient case."""
    return check_shareable(text, terms=_all_terms()).accepted


def _all_terms() -> frozenset[str]:
    return frozenset().union(*(_terms(handle) for handle in seeding.described()))


def _terms(handle: str) -> frozenset[str]:
    described = seeding.described().get(handle)
    return field_terms_of(Persona(handle=handle, **described)) if described else frozenset()
