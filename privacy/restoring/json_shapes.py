"""JSON fields of an export: validation, and replacement of ids."""

import hashlib
import json
import math
import re
from collections.abc import Callable
from typing import Any, get_args
from uuid import UUID

from django.conf import settings
from django.core.exceptions import ValidationError
from django.utils.dateparse import parse_datetime

from conversations.tools.steps import State, Step
from memory.context.prompt_items import ItemKind
from memory.models import Precision, ProfileFact

_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
# Links in answers: to conversations, topics, facts, memories and conflicts.
_LINK = re.compile(
    rf"(/(?:talk|topics|notebook/(?:facts|memories|conflicts))/(?={_UUID.pattern}/)|[?&]gone=)"
    rf"({_UUID.pattern})"
)
# How many bytes of an id are replaced: only random ones of a version 7 UUID. The bytes before
# are its time, by which lists are sorted.
_ANEW = 4


_SCORE = {"s", "rho", "w", "R"}
_OFFERED = ("open", "kept", "saved")
_STEP = set(Step.__dataclass_fields__)
_LONGEST_FOUND = 2_000
# The length as JSON with every character escaped.
_LONGEST_METADATA = 32_768
_MOMENTS = ("valid_from", "valid_to", "last_verified")
# Data of other software, whose ids are not replaced.
_OF_OTHERS = {("memory.namespaceentry", "data"), ("conversations.message", "metadata")}
_EXACTNESS = ("from_precision", "to_precision")
_WAS = {"status", "trust", *_MOMENTS}


class Keys:
    """The new ids of one restore: the same id always maps to the same new one."""

    def __init__(self, restore: UUID) -> None:
        secret = f"{restore} {settings.SECRET_KEY}".encode()
        self._secret = hashlib.blake2b(secret).digest()

    def new(self, old: UUID) -> UUID:
        """Return the new id for an id of the export."""
        drawn = hashlib.blake2b(old.bytes, key=self._secret, digest_size=_ANEW).digest()
        return UUID(bytes=old.bytes[:-_ANEW] + drawn)

    def in_links(self, text: str) -> str:
        """Return a text with the ids in links to restored rows replaced."""
        return _LINK.sub(lambda match: f"{match[1]}{self.new(UUID(match[2]))}", text)

    def in_json(self, value: Any) -> Any:
        """Return a JSON value with ids replaced in values, keys and links."""
        if isinstance(value, dict):
            return {self.in_json(key): self.in_json(held) for key, held in value.items()}
        if isinstance(value, list):
            return [self.in_json(held) for held in value]
        if not isinstance(value, str):
            return value
        return str(self.new(UUID(value))) if _UUID.fullmatch(value) else self.in_links(value)


# --- Validation: pages and rules read these keys --------------------------------------------------


def of(table: str, name: str, keys: Keys) -> Callable[[Any], Any]:
    """Return the function that validates a field and replaces its ids. Raises KeyError."""
    judge = _SHAPES[table, name]

    def clean(value: Any) -> Any:
        judged = judge(value)
        return judged if (table, name) in _OF_OTHERS else keys.in_json(judged)

    if (table, name) == ("conversations.message", "recalled"):
        return lambda value: [_with_its_id(item, keys) for item in judge(value)]
    return clean


def _with_its_id(item: dict[str, Any], keys: Keys) -> dict[str, Any]:
    """Return an item with its id replaced; lessons belong to no user and keep theirs."""
    return item if item["what"] == "lesson" else item | {"id": str(keys.new(UUID(item["id"])))}


def _must(fits: bool, what: str) -> None:
    if not fits:
        raise ValidationError(what)


def _objects(value: Any) -> list[dict[str, Any]]:
    fits = isinstance(value, list) and all(isinstance(item, dict) for item in value)
    _must(fits, "must be a list of objects.")
    return list(value)


def _pasted(value: Any) -> Any:
    _must(isinstance(value, list), "must be a list of pairs.")
    for pair in value:
        fits = isinstance(pair, list) and len(pair) == 2 and all(type(at) is int for at in pair)
        _must(fits and 0 <= pair[0] <= pair[1], "must be a list of start and end pairs.")
    return value


def _recalled(value: Any) -> Any:
    for item in _objects(value):
        _must(item.get("what") in get_args(ItemKind), 'must say "what" was used.')
        UUID(item["id"])
        score = {name: held for name, held in item.items() if name in _SCORE}
        _must(not score or set(score) == _SCORE, "must contain all factors, or none.")
        _must(all(_is_number(held) for held in score.values()), "must contain only numbers.")
        _must(item.get("offered", "open") in _OFFERED, "has an “offered” value I don’t know.")
        _must(set(item) <= {"what", "id", "offered", *_SCORE}, "has a name I don’t know.")
    return value


def _is_number(value: Any) -> bool:
    return type(value) in (int, float) and math.isfinite(value) and -1 <= value <= 1


def _steps(value: Any) -> Any:
    return [_step(item) for item in _objects(value)]


def _step(item: dict[str, Any]) -> dict[str, Any]:
    _must(set(item) == _STEP, f"must contain {', '.join(sorted(_STEP))}.")
    texts = isinstance(item["tool"], str) and isinstance(item["found"], str)
    _must(texts and len(item["found"]) <= _LONGEST_FOUND, "must name a tool and what it found.")
    _must(isinstance(item["arguments"], dict), "must be an object of arguments.")
    _must(item["state"] in get_args(State), "has a state I don’t know.")
    _must(type(item["milliseconds"]) is int, "must say how long it took.")
    # A confirmation that was pending in the export cannot be given here.
    return item | {"state": "overtaken"} if item["state"] == "asked" else item


def _before(value: Any) -> Any:
    """Validate what undoing a resolution restores, see `ledger.conflicts.undo`."""
    _must(isinstance(value, dict) and set(value) <= {"facts"}, "must contain facts, or be empty.")
    facts = value.get("facts", {})
    _must(isinstance(facts, dict), "must contain facts, keyed by id.")
    for key, held in facts.items():
        UUID(key)
        fits = isinstance(held, dict) and set(held) == {"was", "is"}
        _must(fits and held["is"] in ProfileFact.Status, "must give the fact before and after.")
        _check_past(held["was"])
    return value


def _check_past(was: Any) -> None:
    fits = isinstance(was, dict) and set(was) - set(_EXACTNESS) == _WAS
    _must(fits and was["status"] in ProfileFact.Status, "must give the fact’s earlier state.")
    _must(_is_number(was["trust"]) and was["trust"] >= 0, "must give its trust as a number.")
    for name in _MOMENTS:
        if was[name] is not None or name != "valid_to":
            moment = parse_datetime(was[name])
            _must(
                moment is not None and moment.tzinfo is not None,
                "must contain times with an offset from UTC.",
            )
    _must(
        all(was.get(name, "day") in Precision for name in _EXACTNESS),
        "has a precision I don’t know.",
    )


def _entry(value: Any) -> Any:
    """Validate an entry as an object; its namespace's schema checks the rest."""
    _must(isinstance(value, dict), "must be an object.")
    return value


def _metadata(value: Any) -> Any:
    _must(isinstance(value, dict), "has to be an object.")
    _must(len(json.dumps(value)) <= _LONGEST_METADATA, "is too long.")
    return value


_SHAPES: dict[tuple[str, str], Callable[[Any], Any]] = {
    ("conversations.message", "metadata"): _metadata,
    ("conversations.message", "pasted"): _pasted,
    ("conversations.message", "recalled"): _recalled,
    ("conversations.message", "steps"): _steps,
    ("ledger.resolution", "before"): _before,
    ("memory.namespaceentry", "data"): _entry,
    ("memory.registerednamespace", "schema"): _entry,
}
