"""The gates that a fact of one message has to pass before it enters the profile.

The rules and their order are in `memory.core.persistence_gate`;
`ledger.promotion.candidate_promotion` applies them.
"""

from dataclasses import dataclass, field
from uuid import UUID

from django.conf import settings
from django.db.models import Exists, F

from accounts.models import User
from ledger.models import ProfileClassifier
from ledger.promotion import promotion_policy
from memory.core.allowances import allowance_columns, allowances_from
from memory.core.persistence_gate import Allowances, PersistenceRequest, RecordKind
from memory.language.origin import Origin
from memory.language.reader.facts import CURRENT_KINDS, FactCandidate
from memory.language.safety.guard import holds_a_secret
from memory.slots import SLOTS


@dataclass(frozen=True)
class SourcedCandidate:
    """A candidate, and the origin of the text that it was read from."""

    candidate: FactCandidate
    origin: Origin = Origin.TYPED


@dataclass(frozen=True)
class Gates:
    """What a user allows in one conversation; the defaults are those of a new user."""

    allowed: Allowances = field(default_factory=Allowances)
    settle_by_rule: bool = False
    # The active classifier; None for the heuristic.
    classifier: ProfileClassifier | None = None


def gates_of(user_id: UUID, privacy: str) -> Gates:
    """Return the gates of a user, within `acting_as(user)`.

    `privacy` is the setting of the conversation: '', 'auto', 'ask' or 'private'.
    """
    row = (
        User.objects.filter(pk=user_id)
        .values(
            **allowance_columns(user_id),
            settles=F("privacy__settle_by_rule"),
            judged=Exists(promotion_policy.switched_on()),
        )
        .get()
    )
    return Gates(
        allowed=allowances_from(row, privacy),
        settle_by_rule=bool(row["settles"]),
        classifier=promotion_policy.in_force() if row["judged"] else None,
    )


def is_surely_said(candidate: FactCandidate) -> bool:
    """Return whether a candidate states a current fact plainly enough for the profile."""
    enough = float(settings.MEMORY["promotion_trust"])
    return candidate.kind in CURRENT_KINDS and candidate.trust > enough


def request_of(sourced: SourcedCandidate) -> PersistenceRequest:
    """Return the request to the persistence gate for a candidate."""
    candidate, slot = sourced.candidate, SLOTS[sourced.candidate.slot]
    return PersistenceRequest(
        RecordKind.FACT,
        slot=slot.key,
        value=candidate.value,
        origin=sourced.origin,
        secret=holds_a_secret(candidate.value),
        sensitive=slot.sensitive,
        here_only=candidate.scope == "conversation" and candidate.kind in CURRENT_KINDS,
        plain=is_surely_said(candidate),
        doubtful=sourced.origin == Origin.MODEL,
    )
