"""Keys that sort by time of creation, so that an index grows at its end."""

from uuid import UUID

from uuid_utils.compat import uuid7


def new_id() -> UUID:
    """Return a version 7 UUID (RFC 9562), which PostgreSQL before 18 cannot create."""
    return uuid7()
