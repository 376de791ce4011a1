"""One writer at a time for one person's slot: a short lock, in the database."""

from uuid import UUID

from django.db import connection


def hold_slot(user_id: UUID, slot: str) -> None:
    """Hold a person's slot until the transaction ends, so that two tellings cannot both be first.

    Waits for whoever holds it; the holders' transactions are a few milliseconds long.
    """
    with connection.cursor() as cursor:
        cursor.execute(
            "select pg_advisory_xact_lock(hashtextextended(%s, 0))", [f"{user_id}:{slot}"]
        )
