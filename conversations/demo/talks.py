"""What the demo people say in two months, and what a language model was recorded to return.

It stands in `people/*.toml`, one file a person. `{+9}` is the day nine days after that on which the
demo is made ('2 December'), `{+9 weekday}` its weekday ('Wednesday'), `{+9w}` that day or, where it
is a weekend, the Monday after.
"""

import re
import tomllib
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date, time, timedelta
from functools import cache
from pathlib import Path
from typing import Any

from accounts.support.formatting import plain_date

_FOLDER = Path(__file__).with_name("people")
_DAY = re.compile(r"\{([+-]\d+w?)(?: (weekday))?\}")
_TEXT_FIELDS = ("slot", "value", "text", "reason", "day", "since", "sensitive")
_DEFAULTS: dict[str, Any] = dict.fromkeys(_TEXT_FIELDS, "") | {
    "op": "add",
    "category": "fact",
    "scope": "everywhere",
    "confidence": 0.95,
}


@dataclass(frozen=True)
class RecordedOperation:
    """An operation of `memory.operations.Operation`: `words` are its quote, `target` the slot of
    the item that it is about or words of it, '' for none, `stated` its other fields.
    """

    words: str
    target: str
    stated: dict[str, Any]


@dataclass(frozen=True)
class DemoMessage:
    """A message of the person; the recorded answer, '' for none, and the recorded operations."""

    said: str
    answer: str = ""
    notes: tuple[RecordedOperation, ...] = ()


@dataclass(frozen=True)
class DemoConversation:
    """One conversation: how many days ago, at what time, and the messages in order."""

    days_ago: int
    at: time
    messages: tuple[DemoMessage, ...]
    private: bool = False
    temporary: bool = False


@dataclass(frozen=True)
class DemoLesson:
    """A lesson of a role, and who supports it, by address."""

    text: str
    supporters: tuple[str, ...]


@dataclass(frozen=True)
class DemoPerson:
    """One demo person: the handle of their role, '' for none, its lessons, and what they say."""

    email: str
    role: str = ""
    lessons: tuple[DemoLesson, ...] = ()
    conversations: tuple[DemoConversation, ...] = field(default=(), repr=False)


def read_people(made_on: date) -> dict[str, DemoPerson]:
    """Return the people by address, with all days reckoned from the day on which they are made."""
    return {
        raw["email"]: _person(raw, made_on) for raw in map(_load, sorted(_FOLDER.glob("*.toml")))
    }


@cache
def _load(path: Path) -> dict[str, Any]:
    return tomllib.loads(path.read_text(encoding="utf-8"))


def _person(raw: dict[str, Any], made_on: date) -> DemoPerson:
    lessons = (
        DemoLesson(lesson["text"], tuple(lesson["supporters"])) for lesson in raw.get("lesson", [])
    )
    return DemoPerson(
        raw["email"],
        raw.get("role", ""),
        tuple(lessons),
        tuple(_conversation(conversation, made_on) for conversation in raw["conversation"]),
    )


def _conversation(raw: dict[str, Any], made_on: date) -> DemoConversation:
    said_on = _day(raw["day"], made_on)
    return DemoConversation(
        (made_on - said_on).days,
        raw["at"],
        tuple(_message(message, made_on, said_on) for message in raw["message"]),
        raw.get("private", False),
        raw.get("temporary", False),
    )


def _message(raw: dict[str, Any], made_on: date, said_on: date) -> DemoMessage:
    def dated(words: str) -> str:
        def day(match: re.Match[str]) -> str:
            named = _day(match[1], made_on)
            return f"{named:%A}" if match[2] else plain_date(named, said_on)

        return _DAY.sub(day, words).strip()

    text = dated(raw["said"])
    notes = (_operation({**note}, text, dated, made_on) for note in raw.get("notes", ()))
    return DemoMessage(text, dated(raw.get("answer", "")), tuple(notes))


def _day(text: str, made_on: date) -> date:
    """Return the day that "+9" names; of "+9w" the Monday after where it is a weekend."""
    day = made_on + timedelta(days=int(text.removesuffix("w")))
    weekend = max(0, day.isoweekday() - 5)
    return day + timedelta(days=3 - weekend) if text.endswith("w") and weekend else day


def _operation(
    raw: dict[str, Any], text: str, dated: Callable[[str], str], made_on: date
) -> RecordedOperation:
    """Read one operation: `day` and `since` are written as `_day` reads them, `words` are all that
    was said where none are named.
    """
    for name in ("day", "since"):
        if name in raw:
            raw[name] = f"{_day(raw[name], made_on)}"
    words, target = dated(raw.pop("words", text)), raw.pop("target", "")
    for name in ("text", "value"):
        raw[name] = dated(raw.get(name, ""))
    return RecordedOperation(words, target, _DEFAULTS | raw)
