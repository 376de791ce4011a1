"""What happened to each persona on each day, as numbers and never as words: for staff's figures."""

from collections.abc import Collection
from typing import Any

from django.db import connection

from memory.models import ExperienceDay

_TABLE = ExperienceDay._meta.db_table
_COUNTS = ("reads", "writes", "answers", "conversations", "calls", "calls_failed")
_ADDED = ", ".join(f"{name} = t.{name} + excluded.{name}" for name in _COUNTS)
# Rows are taken in the order of their keys: two who count at once do not wait for each other.
_COUNT = f"""
insert into {_TABLE} as t (key, day, {", ".join(_COUNTS)}, characters, refusals)
select key, current_date, {", ".join(f"%({name})s" for name in _COUNTS)}, 0, '{{}}'
from unnest(%(keys)s::text[]) key order by key
on conflict (key, day) do update set {_ADDED}
"""  # noqa: S608 - names of columns only
_MEASURE = f"""
insert into {_TABLE} as t (key, day, {", ".join(_COUNTS)}, characters, refusals)
select %(key)s, current_date, {", ".join("0" for _ in _COUNTS)}, %(characters)s, '{{}}'
on conflict (key, day) do update set characters = excluded.characters
"""
_REFUSE = f"""
insert into {_TABLE} as t (key, day, {", ".join(_COUNTS)}, characters, refusals)
select %(key)s, current_date, {", ".join("0" for _ in _COUNTS)}, 0,
       jsonb_build_object(%(reason)s::text, 1)
on conflict (key, day) do update set refusals = t.refusals || jsonb_build_object(
    %(reason)s::text, coalesce((t.refusals ->> %(reason)s::text)::int, 0) + 1)
"""


def answered(
    handles: Collection[str], *, with_lessons: bool, begins: bool, calls: int, failed: int
) -> None:
    """Count an answer to a member, by whether it began a conversation, had lessons, made calls."""
    _count(
        handles,
        reads=int(with_lessons),
        answers=1,
        conversations=int(begins),
        calls=calls,
        calls_failed=failed,
    )


def contributed(handle: str, characters: int) -> None:
    """A lesson came, or one more who bears it out; the shared block is so long now."""
    _count([handle], writes=1)
    measured(handle, characters)


def measured(handle: str, characters: int) -> None:
    """The shared block is so long now."""
    _send(_MEASURE, {"key": handle, "characters": characters})


def refused(handle: str, reason: str) -> None:
    """The guard refused a lesson for this reason, a short code."""
    _send(_REFUSE, {"key": handle, "reason": reason})


def _count(handles: Collection[str], **counts: int) -> None:
    _send(_COUNT, {"keys": list(handles), **dict.fromkeys(_COUNTS, 0), **counts})


def _send(statement: str, values: dict[str, Any]) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
