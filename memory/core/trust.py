"""Changing the trust in a fact or memory, with a logged cause for each change.

Confidence, the certainty of the reading, is set when a record is made and never changes.
"""

from collections.abc import Collection
from uuid import UUID

from django.conf import settings

from memory.core import scoring
from memory.models import Memory, ProfileFact, TrustChange

Cause = TrustChange.Cause
Believed = ProfileFact | Memory


def agree(believed: Believed, message_id: UUID | None, *, also: Collection[str] = ()) -> None:
    """Raise the trust after a repetition, and save the fields named in `also` too."""
    step = settings.MEMORY["agreement_step"]
    after = scoring.after_agreement(believed.trust, step)
    if not move_trust(believed, after, Cause.AGREEMENT, message_id, also=also) and also:
        believed.save(update_fields=[*also, "updated_at"])


def drift(believed: Believed, distance: float, message_id: UUID | None) -> None:
    """Lower the trust after a different value at a `distance` of 0..1."""
    step = settings.MEMORY["drift_step"]
    move_trust(
        believed, scoring.after_drift(believed.trust, step, distance), Cause.DRIFT, message_id
    )


def move_trust(
    believed: Believed,
    after: float,
    cause: TrustChange.Cause,
    message_id: UUID | None = None,
    *,
    also: Collection[str] = (),
) -> bool:
    """Set the trust and log it; return False and write nothing if the trust does not change."""
    before = believed.trust
    if abs(after - before) < 1e-9:
        return False
    believed.trust = after
    believed.save(update_fields=["trust", *also, "updated_at"])
    TrustChange.objects.create(
        user_id=believed.user_id,
        fact=believed if isinstance(believed, ProfileFact) else None,
        memory=believed if isinstance(believed, Memory) else None,
        before=before,
        after=after,
        cause=cause,
        message_id=message_id,
    )
    return True
