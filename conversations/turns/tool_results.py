"""What a language model reads of a tool's result: texts, speakers, dates, and short ids.

UUIDs cost many tokens, so each gets a short id that is valid for one answer and that the model uses
in arguments.
"""

import json
import re
from datetime import date, datetime
from enum import Enum
from typing import Any
from uuid import UUID

from django.utils.timezone import localtime

from memory.language.safety.secrets import redact_secrets

# Longest result for the model, in characters.
LONGEST_RESULT = 12_000
# Most items of each list, and most characters of each text, tried in turn until the whole fits;
# texts stay whole for up to eight items.
_SIZES = (
    (200, 4000),
    (50, 4000),
    (20, 4000),
    (12, 4000),
    (8, 4000),
    (8, 1400),
    (3, 1400),
    (1, 1400),
)
# Fields for pages and other programs only.
_LEFT_OUT = frozenset(
    "link links score why number trust trust_in_words origin times_said arguments".split()
)
_SHORT_ID = re.compile(r"#?id\d+", re.IGNORECASE)


class ShortIds:
    """The short ids used in the results of one answer."""

    def __init__(self) -> None:
        self._names: dict[UUID, str] = {}

    def name(self, long_id: UUID) -> str:
        """Return the short id of a UUID."""
        return self._names.setdefault(long_id, f"id{len(self._names) + 1}")

    def put_back(self, arguments: Any) -> Any:
        """Return a call's arguments with UUIDs in place of short ids."""
        if isinstance(arguments, dict):
            return {name: self.put_back(value) for name, value in arguments.items()}
        if isinstance(arguments, list):
            return [self.put_back(value) for value in arguments]
        if isinstance(arguments, str) and _SHORT_ID.fullmatch(arguments):
            long_ids = {name: str(long_id) for long_id, name in self._names.items()}
            return long_ids.get(arguments.lower().removeprefix("#"), arguments)
        return arguments


def fenced(result: dict[str, Any], ids: ShortIds) -> str:
    """Return a result as fenced JSON; no text in it can close the fence."""
    inside = _fitting(without_secrets(lean(result, ids)))
    inside = inside.replace("<", "\\u003c").replace(">", "\\u003e")
    return f"<result>\n{inside}\n</result>"


def lean(value: Any, ids: ShortIds) -> Any:
    """Return a result without empty and unneeded fields, with short ids and plain dates."""
    if isinstance(value, dict):
        return {
            name: lean(part, ids)
            for name, part in value.items()
            if name not in _LEFT_OUT and part not in (None, "", [], {})
        }
    if isinstance(value, list | tuple):
        return [lean(part, ids) for part in value]
    if isinstance(value, UUID):
        return ids.name(value)
    if isinstance(value, datetime):
        return localtime(value).date().isoformat()
    if isinstance(value, date):
        return value.isoformat()
    return value.value if isinstance(value, Enum) else value


def without_secrets(value: Any) -> Any:
    """Return the values without secrets, which no prompt or step may repeat."""
    if isinstance(value, dict):
        return {name: without_secrets(part) for name, part in value.items()}
    if isinstance(value, list):
        return [without_secrets(part) for part in value]
    return redact_secrets(value) if isinstance(value, str) else value


def _fitting(result: dict[str, Any]) -> str:
    """Return the result as JSON of bounded length; long lists and texts are cut and marked."""
    for items, letters in _SIZES:
        written = json.dumps(_shortened(result, items, letters), ensure_ascii=False)
        if len(written) <= LONGEST_RESULT:
            return written
    return json.dumps({"error": "The result is too long to be read. Ask for less at once."})


def _shortened(value: Any, items: int, letters: int) -> Any:
    if isinstance(value, dict):
        return {name: _shortened(part, items, letters) for name, part in value.items()}
    if isinstance(value, list):
        kept = [_shortened(part, items, letters) for part in value[:items]]
        return kept + [f"… and {len(value) - items} more"] * (len(value) > items)
    if isinstance(value, str) and len(value) > letters:
        return f"{value[:letters]}…"
    return value
