"""Counting activity per persona and day for staff statistics; no content."""

import json
from collections.abc import Collection
from typing import Any

from django.db import connection

from memory.models import ExperienceDay

_TABLE = ExperienceDay._meta.db_table
_COUNTS = ("reads", "writes", "answers", "conversations", "calls", "calls_failed")
# Rows are locked in key order, so that concurrent counts do not deadlock.
_BEGIN = f"""
insert into {_TABLE} as t (key, day, {", ".join(_COUNTS)}, characters, refusals)
select key, current_date, {", ".join(f"%({name})s" for name in _COUNTS)}, %(characters)s,
       %(refusals)s::jsonb
from unnest(%(keys)s::text[]) key order by key
on conflict (key, day) do update set
"""  # noqa: S608 - names of columns only
_COUNT = ", ".join(f"{name} = t.{name} + excluded.{name}" for name in _COUNTS)
_MEASURE = "characters = excluded.characters"
_REFUSE = """
refusals = t.refusals || jsonb_build_object(
    %(reason)s::text, coalesce((t.refusals ->> %(reason)s::text)::int, 0) + 1)
"""


def count_answer(
    handles: Collection[str], *, with_lessons: bool, begins: bool, calls: int, failed: int
) -> None:
    """Count an answer to a member of the personas: lessons used, conversation begun, tool calls."""
    _write(
        handles,
        _COUNT,
        reads=int(with_lessons),
        answers=1,
        conversations=int(begins),
        calls=calls,
        calls_failed=failed,
    )


def count_contribution(handle: str, characters: int) -> None:
    """Count a lesson or another supporter, and save the length of the shared block."""
    _write([handle], _COUNT, writes=1)
    record_block_length(handle, characters)


def record_block_length(handle: str, characters: int) -> None:
    """Save the length of a persona's shared block, in characters."""
    _write([handle], _MEASURE, characters=characters)


def count_refusal(handle: str, reason: str) -> None:
    """Count a refusal by the guard's reason code."""
    _write([handle], _REFUSE, reason=reason, refusals=json.dumps({reason: 1}))


def _write(handles: Collection[str], change: str, **values: Any) -> None:
    """Insert or update today's rows of some personas."""
    usual: dict[str, Any] = dict.fromkeys(_COUNTS, 0) | {"characters": 0, "refusals": "{}"}
    with connection.cursor() as cursor:
        cursor.execute(_BEGIN + change, usual | values | {"keys": list(handles)})
