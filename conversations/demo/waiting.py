"""The work that is left for the demo: taken up by `manage.py demo` only.

They can log in before it is done; their pages say that more comes.
"""

from datetime import timedelta
from uuid import UUID

from accounts import work
from accounts.database.isolation import acting_as_worker
from accounts.models import User, Work

KIND = "demo"
# The worker looks for what is due, and this never is: it takes a process with another clock.
NEVER = timedelta(days=36_500).total_seconds()


def expect(user: User) -> None:
    """Write down that this person's notebook is to be written, in their open block."""
    work.enqueue(user, KIND, user.pk, delay=NEVER)


def is_expected(user: User) -> bool:
    """Return whether a demo person is still being written, in their open block; False
    for others.
    """
    return user.is_demo and Work.objects.filter(user=user, kind=KIND).exists()


def expected() -> list[UUID]:
    """Return the ids of the people whose demo is still to be written."""
    with acting_as_worker():
        rows = Work.objects.filter(kind=KIND).order_by("created_at")
        return [owner for owner in rows.values_list("user_id", flat=True) if owner]
