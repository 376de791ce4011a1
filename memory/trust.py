"""Moving trust, and writing down why: nothing is believed more or less without a line that says so.

Confidence, how sure the reading was, is fixed when a note is made and never moves.
"""

from uuid import UUID

from django.conf import settings

from memory import scoring
from memory.models import Memory, ProfileFact, TrustChange

Cause = TrustChange.Cause
Believed = ProfileFact | Memory


def agree(believed: Believed, message_id: UUID | None) -> None:
    """The same was said again."""
    step = settings.MEMORY["agreement_step"]
    move(believed, scoring.after_agreement(believed.trust, step), Cause.AGREEMENT, message_id)


def drift(believed: Believed, distance: float, message_id: UUID | None) -> None:
    """Something else was said, `distance` (0..1) away from it."""
    step = settings.MEMORY["drift_step"]
    move(believed, scoring.after_drift(believed.trust, step, distance), Cause.DRIFT, message_id)


def move(
    believed: Believed, after: float, cause: TrustChange.Cause, message_id: UUID | None = None
) -> None:
    """Set the trust, and log it. Nothing is written when nothing moves."""
    before = believed.trust
    if abs(after - before) < 1e-9:
        return
    believed.trust = after
    believed.save(update_fields=["trust", "updated_at"])
    TrustChange.objects.create(
        user_id=believed.user_id,
        fact=believed if isinstance(believed, ProfileFact) else None,
        memory=believed if isinstance(believed, Memory) else None,
        before=before,
        after=after,
        cause=cause,
        message_id=message_id,
    )
