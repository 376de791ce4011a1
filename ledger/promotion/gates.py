"""The gates that a fact passes before it enters the profile, and how they stand for one message.

In this order: a private conversation, memory being on, a sensitive slot, a blocked slot, worth
keeping, and then noted at once or asked about. `ledger.promotion.candidate_promotion` walks through
them.
"""

from dataclasses import dataclass
from uuid import UUID

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import Exists

from accounts.models import PrivacySettings, User
from ledger.models import ProfileClassifier
from ledger.promotion import promotion_policy
from memory.facts import blocked_slots
from memory.slots import Slot


@dataclass(frozen=True)
class Gates:
    """What a person allows in one conversation. As they stand here: for a newcomer."""

    private: bool = False
    ask: bool = False
    settle_by_rule: bool = False
    blocked: frozenset[str] = frozenset()
    # Who judges what is worth keeping; the heuristic where nobody was switched on.
    classifier: ProfileClassifier | None = None

    def keep_out(self, slot: Slot, value: str) -> bool:
        """Whether this value of the kind does not leave the conversation in which it is said."""
        return self.private or not self.may_hold_here(slot, value)

    def may_hold_here(self, slot: Slot, value: str) -> bool:
        """Whether this value of the kind may be kept for one conversation at least."""
        closed = blocked_slots.closing(self.blocked, slot.key, value)
        return not slot.sensitive and not closed


def gates_of(user_id: UUID, privacy: str) -> Gates:
    """Read them, in the person's open block: one look, and another where a classifier is in force.

    `privacy` is what the conversation's owner chose for it: '', 'auto', 'ask' or 'private'.
    """
    promotion, settle_by_rule, closed, judged = (
        User.objects.filter(pk=user_id)
        .values_list(
            "privacy__promotion",
            "privacy__settle_by_rule",
            ArraySubquery(blocked_slots.rows_of(user_id).values("slot")),
            Exists(promotion_policy.switched_on()),
        )
        .get()
    )
    return Gates(
        private=privacy == "private",
        ask=(privacy or promotion) == PrivacySettings.Promotion.ASK,
        settle_by_rule=bool(settle_by_rule),
        blocked=frozenset(closed),
        classifier=promotion_policy.in_force() if judged else None,
    )
