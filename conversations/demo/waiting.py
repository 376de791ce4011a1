"""The queue of demo users whose conversations `manage.py demo` still has to write. These users can
already log in; pages show that more data will follow.
"""

from datetime import timedelta
from uuid import UUID

from accounts import work
from accounts.database.isolation import acting_as_worker
from accounts.models import User, Work

KIND = "demo"
# A due time in the future that never comes: the worker must not run these jobs.
NEVER = timedelta(days=36_500).total_seconds()


def expect(user: User) -> None:
    """Queue the writing of this user's demo data, in the user's transaction (`acting_as`)."""
    work.enqueue(user, KIND, user.pk, delay=NEVER)


def is_expected(user: User) -> bool:
    """Return whether this user's demo data is still being written, in the user's transaction
    (`acting_as`).
    """
    return user.is_demo and Work.objects.filter(user=user, kind=KIND).exists()


def expected() -> list[UUID]:
    """Return the ids of the users whose demo data is still to be written."""
    with acting_as_worker():
        rows = Work.objects.filter(kind=KIND).order_by("created_at")
        return [owner for owner in rows.values_list("user_id", flat=True) if owner]
