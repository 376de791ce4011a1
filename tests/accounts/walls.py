"""What the database's own catalogue says of the walls between people."""

from typing import Any

from django.db import connection

from accounts.models import User


def loose_ties() -> list[str]:
    """Every reference from one walled table to another that does not name the owner too.

    Lines of 'table.column → parent', read from the database's own catalogue.
    """
    with connection.cursor() as cursor:
        cursor.execute(
            """
            with owned as (
                select c.oid, c.relname from pg_class c
                join pg_constraint k on k.conrelid = c.oid and k.contype = 'f'
                where k.confrelid = %s::regclass and c.relrowsecurity
            )
            select distinct child.relname || '.' || a.attname || ' → ' || parent.relname
            from pg_constraint k
            join owned child on child.oid = k.conrelid
            join owned parent on parent.oid = k.confrelid
            join pg_attribute a on a.attrelid = k.conrelid and a.attnum = any (k.conkey)
            where k.contype = 'f' and cardinality(k.conkey) = 1
            order by 1
            """,
            [User._meta.db_table],
        )
        return [line for (line,) in cursor.fetchall()]


def wall_report() -> list[dict[str, Any]]:
    """Every table that names a person, by key or pseudonym, and whether the wall is before it.

    Returns rows of {table, enabled, forced, policies}; read from the database's own catalogue, so
    a table that a later migration adds is seen too.
    """
    people = User._meta.db_table
    with connection.cursor() as cursor:
        cursor.execute(
            """
            select c.relname, c.relrowsecurity, c.relforcerowsecurity,
                   (select count(*) from pg_policy p where p.polrelid = c.oid)
            from pg_class c
            where c.relkind in ('r', 'p') and not c.relispartition
              and c.relnamespace = 'public'::regnamespace and (
                exists (select from pg_constraint k
                        where k.conrelid = c.oid and k.contype = 'f' and k.confrelid = %s::regclass)
                or exists (select from pg_attribute a
                           where a.attrelid = c.oid and a.attname = 'pseudonym'))
            order by c.relname
            """,
            [people],
        )
        return [
            {"table": table, "enabled": enabled, "forced": forced, "policies": policies}
            for table, enabled, forced, policies in cursor.fetchall()
        ]
