"""Features that are on for a share of the users, each user always on the same side.

Whether a user is included depends on a hash of flag and user, so pages, API and worker agree, and a
larger share only adds users.
"""

import hashlib
from uuid import UUID

from django.db.models.signals import post_delete, post_save
from django.dispatch import receiver

from accounts.models import Flag
from accounts.support.process_cache import read_every

CROSS_THREAD_MEMORY = Flag.Name.CROSS_THREAD_MEMORY


def is_on(flag: Flag.Name, user_id: UUID) -> bool:
    """Return whether a feature is on for this user; without a row it is on for everybody."""
    percent = _percents().get(flag.value)
    return percent is None or place_of(flag, user_id) < percent * 100


def place_of(flag: Flag.Name, user_id: UUID) -> int:
    """Return the user's fixed position for a flag, 0 to 9,999; lower ones are included first."""
    digest = hashlib.sha256(f"{flag.value}:{user_id}".encode()).digest()
    return int.from_bytes(digest[:8]) % 10_000


@read_every(seconds=10)
def _percents() -> dict[str, int]:
    return dict(Flag.objects.values_list("name", "percent"))


@receiver([post_save, post_delete], sender=Flag, dispatch_uid="flags_are_read_anew")
def _read_anew(**_: object) -> None:
    """Clear this process's cache after a change; other processes follow within seconds."""
    _percents.cache_clear()
