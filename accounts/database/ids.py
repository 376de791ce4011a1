"""Keys that sort by the time they were made, so an index grows at its end."""

from uuid import UUID

from uuid_utils.compat import uuid7


def new_id() -> UUID:
    """A version 7 UUID (RFC 9562), made here so that PostgreSQL before 18 serves too."""
    return uuid7()
