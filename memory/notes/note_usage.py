"""Counting the use of facts and memories."""

from collections.abc import Iterable
from uuid import UUID

from django.db import connection
from django.utils.timezone import now


def mark_used(user_id: UUID, memory_ids: Iterable[UUID], fact_ids: Iterable[UUID]) -> None:
    """Count one more use, now, of the facts and memories in a prompt; one statement."""
    with connection.cursor() as cursor:
        cursor.execute(
            """
            with facts as (
                update memory_profilefact set uses = uses + 1, last_used_at = %(at)s
                where user_id = %(user)s and id = any(%(facts)s::uuid[]))
            update memory_memory set uses = uses + 1, last_used_at = %(at)s
            where user_id = %(user)s and id = any(%(memories)s::uuid[])
            """,
            {"user": user_id, "facts": list(fact_ids), "memories": list(memory_ids), "at": now()},
        )
