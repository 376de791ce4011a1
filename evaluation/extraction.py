"""Extraction quality: how many statements about the user are found, and how many are wrong.

Mapping and scoring follow the PersonaExt research, for comparable figures: a neighbouring slot
counts if the annotation itself mixes them; a value counts if it contains the annotated object, is
contained in it, or is similar. Shares are from 0 to 1.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path
from typing import Any

from rapidfuzz import fuzz

from evaluation.measuring import (
    Progress,
    Result,
    Unreadable,
    read_json,
    read_lines,
    reading,
    share,
    shown,
)
from memory.language.reader.facts import CURRENT_KINDS, FactCandidate
from memory.language.reading import extract_facts
from memory.slots import SLOTS, disagree

USER = frozenset({"i", "my", "me", "mine", "we", "our", "us", "myself"})
ALMOST = 80
"""Token-set similarity from which a value counts as the annotated one."""

LONG_ENOUGH = 3
"""Messages from which a dialogue counts in the rate of conflicts, as in the research."""

_RELATIONS: dict[str, str] = {
    "like": "like_activity like_food like_general like_animal like_drink like_read like_watching "
    "like_color like_sport like_subject like_character",
    "favorite": "favorite_color favorite_music_artist favorite_season favorite_drink "
    "favorite_place favorite_movie favorite_show favorite_hobby favorite_book favorite_sport "
    "favorite_animal",
    "dislike": "dislike dislike_food dislike_activity dislike_animal dislike_sport dislike_color "
    "dislike_job dislike_subject dislike_music dislike_drink",
    "pet": "have_pet",
    "vehicle": "have_vehicle",
    "has": "own",
    "employer": "employed_by_company employed_by_general",
    "location": "live_in_citystatecountry live_in_general",
    "education": "attend_school school_status has_degree",
    "diet": "diet do_not_eat do_not_drink",
    "career_goal": "want_job",
    "name": "name",
    "employment_status": "job_status",
}
SLOT_OF: dict[str, str] = {
    relation: slot for slot, relations in _RELATIONS.items() for relation in relations.split()
}
"""Evaluation slot by annotated relation; relations that are not here are not scored."""

PROFILE = frozenset(_RELATIONS) - {"like", "favorite", "dislike", "has"}
"""The nine slots that make a profile."""

PAST = frozenset({"used_to", "pre_employed_by_company"})
SENSITIVE = frozenset(
    "physical_attribute marital_status have_family have_chidren have_sibling have_children "
    "health_status relationship belief race gender have_no have_no_children have_no_family "
    "have_no_sibling fall_out get_along".split()
)

_KEYS: dict[str, str] = {
    "likes": "like", "interests": "like", "favorites": "favorite", "dislikes": "dislike",
    "pets": "pet", "vehicle": "vehicle", "possessions": "has", "employer": "employer",
    "job_title": "employer", "industry": "employer", "location": "location", "home": "location",
    "hometown": "location",
    "education": "education", "diet": "diet", "career_goal": "career_goal", "name": "name",
    "preferred_name": "name", "employment_status": "employment_status", "preferences": "like",
}  # fmt: skip
"""Evaluation slot by the registry's key; other keys are read but not scored."""

_NEIGHBOURS: dict[str, frozenset[str]] = {
    "like": frozenset({"favorite"}),
    "favorite": frozenset({"like"}),
    "diet": frozenset({"dislike"}),
    "dislike": frozenset({"diet"}),
    "has": frozenset({"vehicle", "pet"}),
    "vehicle": frozenset({"has"}),
    "pet": frozenset({"has"}),
}


@dataclass(frozen=True)
class Row:
    """An annotated utterance."""

    text: str
    subject: str
    relation: str
    object: str


@dataclass
class Tally:
    """Counts over the annotated utterances."""

    rows: Counter[str] = field(default_factory=Counter)
    slot_hits: Counter[str] = field(default_factory=Counter)
    value_hits: Counter[str] = field(default_factory=Counter)
    outputs: int = 0
    negatives: Counter[str] = field(default_factory=Counter)
    taken: Counter[str] = field(default_factory=Counter)


def evaluate(data: Path, progress: Progress) -> Result:
    """Measure extraction on the two corpora below `data`."""
    rows = list(_rows(data / "personaext"))
    talks = list(_talks(data / "convai2_volunteers"))
    result: Result = {"rows": len(rows), "dialogues": len(talks)}
    result["skipped"] = [
        name for name, found in (("personaext", rows), ("convai2_volunteers", talks)) if not found
    ]
    if rows:
        result |= score_rows(rows, progress)
    if talks:
        result |= score_talks(talks, progress)
    return result


def score_rows(rows: Iterable[Row], progress: Progress) -> Result:
    """Return recall by slot, and three negative tests, over annotated utterances."""
    tally = Tally()
    for row in shown(list(rows), progress, "annotated utterances", every=500):
        _count(tally, row, outputs(row.text))
    return _summary(tally)


def score_talks(talks: Iterable[list[str]], progress: Progress) -> Result:
    """Return extracted values and conflicts in dialogues, each a list of the user's messages."""
    messages = found = conflicts = longer = 0
    for talk in shown(list(talks), progress, "dialogues", every=100):
        candidates = [candidate for message in talk for candidate in outputs(message)]
        messages += len(talk)
        found += len(candidates)
        if len(talk) >= LONG_ENOUGH:
            longer += 1
            conflicts += len(conflicts_in(candidates))
    return {
        "convai_messages": messages,
        "convai_long_dialogues": longer,
        "convai_outputs_per_100": round(100 * share(found, messages), 2),
        "convai_conflicts_per_100_dialogues": round(100 * share(conflicts, longer), 2),
    }


def outputs(text: str) -> list[FactCandidate]:
    """Return the candidates that hold now and would be visible outside their conversation."""
    return [
        candidate
        for candidate in extract_facts(text)
        if candidate.kind in CURRENT_KINDS and not SLOTS[candidate.slot].sensitive
    ]


def conflicts_in(candidates: Iterable[FactCandidate]) -> list[tuple[FactCandidate, FactCandidate]]:
    """Return pairs of contradicting candidates, at most one for each slot."""
    pairs: dict[str, tuple[FactCandidate, FactCandidate]] = {}
    for old, new in combinations(candidates, 2):
        if old.slot in pairs or not _disagree(old, new):
            continue
        pairs[old.slot] = (old, new)
    return list(pairs.values())


def _disagree(old: FactCandidate, new: FactCandidate) -> bool:
    """Return whether two values conflict, by the same rule as in production."""
    if old.slot == new.slot and new.kind != "statement":
        return False
    return disagree(old.slot, old.value, new.slot, new.value)


def is_slot_hit(slot: str, candidate: FactCandidate) -> bool:
    """Return whether a candidate has the annotated slot or one that counts for it."""
    own = _KEYS.get(candidate.slot)
    return own is not None and (own == slot or own in _NEIGHBOURS.get(slot, ()))


def is_value_hit(value: str, annotated: str) -> bool:
    """Return whether a value contains the annotated object, is contained in it, or is similar."""
    ours, theirs = plain(value), plain(annotated)
    if not ours or not theirs:
        return False
    return ours in theirs or theirs in ours or fuzz.token_set_ratio(ours, theirs) >= ALMOST


def plain(text: str) -> str:
    """Return a text in lower case, without brackets and punctuation."""
    text = re.sub(r"\([^()]*\)", " ", text.lower())
    return " ".join(re.sub(r"[^\w\s]|_", " ", text).split())


def _count(tally: Tally, row: Row, found: list[FactCandidate]) -> None:
    slot = SLOT_OF.get(row.relation)
    scored = [candidate for candidate in found if candidate.slot in _KEYS]
    if slot is not None and row.subject in USER:
        tally.rows[slot] += 1
        tally.outputs += len(found)
        hits = [candidate for candidate in scored if is_slot_hit(slot, candidate)]
        tally.slot_hits[slot] += bool(hits)
        tally.value_hits[slot] += any(is_value_hit(hit.value, row.object) for hit in hits)
        return
    test = _negative(row, slot)
    if test:
        wrong = scored if slot is None else [c for c in scored if is_slot_hit(slot, c)]
        tally.negatives[test] += 1
        tally.taken[test] += any(is_value_hit(candidate.value, row.object) for candidate in wrong)


def _negative(row: Row, slot: str | None) -> str:
    if slot is not None:
        return "others"
    if row.relation in PAST:
        return "past"
    return "sensitive" if row.relation in SENSITIVE else ""


def _summary(tally: Tally) -> Result:
    whole = tally.rows.total()
    profile = sum(tally.rows[slot] for slot in PROFILE)
    table = [
        {
            "slot": slot,
            "rows": tally.rows[slot],
            "slot_recall": share(tally.slot_hits[slot], tally.rows[slot]),
            "value_recall": share(tally.value_hits[slot], tally.rows[slot]),
        }
        for slot in _RELATIONS
    ]
    return {
        "scored": whole,
        "slot_recall": share(tally.slot_hits.total(), whole),
        "value_recall": share(tally.value_hits.total(), whole),
        "profile_value_recall": share(sum(tally.value_hits[slot] for slot in PROFILE), profile),
        "outputs_per_utterance": share(tally.outputs, whole),
        "past_as_current": share(tally.taken["past"], tally.negatives["past"]),
        "others_taken": share(tally.taken["others"], tally.negatives["others"]),
        "sensitive_leaked": share(tally.taken["sensitive"], tally.negatives["sensitive"]),
        "slots": table,
    }


def _rows(folder: Path) -> Iterator[Row]:
    keys = ("text", "subject", "relation", "object")
    for path, records in _files(folder):
        fit = [one for one in records if isinstance(one, dict) and set(keys) <= set(one)]
        if not fit:
            raise Unreadable(f"{path} holds no record with {', '.join(keys)}.")
        yield from (Row(*(str(record[key]) for key in keys)) for record in fit)


def _talks(folder: Path) -> Iterator[list[str]]:
    """Yield the user's messages of each dialogue; dialogues without any are left out."""
    for path, records in _files(folder):
        with reading(path):
            talks = [_said(one["dialog"]) for one in records if "dialog" in one]
        if not talks:
            raise Unreadable(f"{path} holds no record with dialog.")
        yield from filter(None, talks)


def _said(turns: Iterable[dict[str, Any]]) -> list[str]:
    return [str(turn.get("text", "")) for turn in turns if turn.get("sender_class") == "Human"]


def _files(folder: Path) -> Iterator[tuple[Path, list[Any]]]:
    """Yield every JSON and JSONL file with its records, sorted by name."""
    for path in sorted(folder.rglob("*.json*")) if folder.is_dir() else ():
        if path.name == "schema.json":
            continue
        if path.suffix == ".jsonl":
            yield path, read_lines(path)
        else:
            content = read_json(path)
            yield path, content if isinstance(content, list) else [content]
