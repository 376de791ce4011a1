"""How much a persona's shared block is read and written, by day: numbers, never words."""

from django.db import connection

from memory.models import ExperienceDay

_TABLE = ExperienceDay._meta.db_table


def read(keys: list[str]) -> None:
    """An answer was given what these personas share."""
    _count(keys, "reads")


def written(key: str, characters: int) -> None:
    """A persona's block changed, and is so long now."""
    _count([key], "writes", characters)


def refused(key: str, reason: str) -> None:
    """The guard refused a lesson for this reason, a short code."""
    with connection.cursor() as cursor:
        cursor.execute(
            f"""
            insert into {_TABLE} (key, day, reads, writes, characters, refusals)
            values (%(key)s, current_date, 0, 0, 0, jsonb_build_object(%(reason)s::text, 1))
            on conflict (key, day) do update set refusals = {_TABLE}.refusals || jsonb_build_object(
                %(reason)s::text,
                coalesce(({_TABLE}.refusals ->> %(reason)s::text)::int, 0) + 1)
            """,  # noqa: S608
            {"key": key, "reason": reason},
        )


def _count(keys: list[str], what: str, characters: int = 0) -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            f"""
            insert into {_TABLE} as t (key, day, reads, writes, characters, refusals)
            select key, current_date, %(reads)s, %(writes)s, %(characters)s, '{{}}'
            from unnest(%(keys)s::text[]) key order by key
            on conflict (key, day) do update set
                reads = t.reads + excluded.reads, writes = t.writes + excluded.writes,
                characters = greatest(t.characters, excluded.characters)
            """,  # noqa: S608
            {
                "keys": keys,
                "reads": int(what == "reads"),
                "writes": int(what == "writes"),
                "characters": characters,
            },
        )
