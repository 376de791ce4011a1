"""The messages of the demo users, with recorded answers and operations of a model.

Read from `people/*.toml`, one file per user. `{+9}` is the date nine days after the day on which
the demo is created ('2 December'), `{+9 weekday}` its weekday, `{+9w}` the same date or, on a
weekend, the following Monday.
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
    """A recorded `memory.operations.Operation`. words: its quote. target: the slot, or words, of
    the existing item; '' for none. stated: its other fields.
    """

    words: str
    target: str
    stated: dict[str, Any]


@dataclass(frozen=True)
class DemoMessage:
    """A message of a demo user, its recorded answer ('' for none), and the recorded operations."""

    said: str
    answer: str = ""
    notes: tuple[RecordedOperation, ...] = ()


@dataclass(frozen=True)
class DemoConversation:
    """A demo conversation: how many days ago, at what time, and its messages in order."""

    days_ago: int
    at: time
    messages: tuple[DemoMessage, ...]
    private: bool = False
    temporary: bool = False


@dataclass(frozen=True)
class DemoLesson:
    """A lesson of a persona, and the e-mail addresses of the users who support it."""

    text: str
    supporters: tuple[str, ...]


@dataclass(frozen=True)
class DemoPerson:
    """A demo user: the handle of their persona ('' for none), its lessons, and conversations."""

    email: str
    role: str = ""
    lessons: tuple[DemoLesson, ...] = ()
    conversations: tuple[DemoConversation, ...] = field(default=(), repr=False)


def read_people(made_on: date) -> dict[str, DemoPerson]:
    """Return the demo users by e-mail address; dates are relative to `made_on`."""
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
    """Return the date of "+9", in days after `made_on`; "+9w" moves a weekend date to Monday."""
    day = made_on + timedelta(days=int(text.removesuffix("w")))
    weekend = max(0, day.isoweekday() - 5)
    return day + timedelta(days=3 - weekend) if text.endswith("w") and weekend else day


def _operation(
    raw: dict[str, Any], text: str, dated: Callable[[str], str], made_on: date
) -> RecordedOperation:
    """Return the parsed operation; `words` defaults to the whole text of the message."""
    for name in ("day", "since"):
        if name in raw:
            raw[name] = f"{_day(raw[name], made_on)}"
    words, target = dated(raw.pop("words", text)), raw.pop("target", "")
    for name in ("text", "value"):
        raw[name] = dated(raw.get(name, ""))
    return RecordedOperation(words, target, _DEFAULTS | raw)
