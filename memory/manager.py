"""The one door to what is remembered: what an answer may use, in the order in which it counts."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from uuid import UUID

from django.db.models import Count

from memory import revision
from memory.models import Mention, Override, ProfileFact
from memory.revision import SlotTaken
from memory.scope import Scope

__all__ = ["Recall", "SlotTaken", "bring_back", "earlier_conversations", "recall", "take_back"]


@dataclass(frozen=True)
class Recall:
    """What is known about a person as one conversation may see it.

    Precedence: an override of this conversation, then the profile. A slot with a challenger is
    disputed: nothing may be claimed about it.
    """

    overrides: dict[str, Override]
    facts: dict[str, list[ProfileFact]]
    challengers: dict[str, list[ProfileFact]]

    def is_disputed(self, slot: str) -> bool:
        """Whether two values for this slot wait to be settled."""
        return slot in self.challengers and slot in self.facts

    def is_empty(self) -> bool:
        """Whether there is nothing to use at all."""
        return not self.overrides and not self.facts

    def all_facts(self) -> Iterator[ProfileFact]:
        """Every current fact, disputed or not."""
        for facts in self.facts.values():
            yield from facts


def recall(scope: Scope) -> Recall:
    """What may be used in this conversation: two indexed reads, both by owner."""
    live = (
        ProfileFact.objects.for_user(scope.user_id)
        .filter(status__in=[ProfileFact.Status.CURRENT, ProfileFact.Status.CHALLENGER])
        .defer("embedding")
        .order_by("-trust", "-last_verified")
    )
    facts: dict[str, list[ProfileFact]] = {}
    challengers: dict[str, list[ProfileFact]] = {}
    for fact in live:
        side = facts if fact.status == ProfileFact.Status.CURRENT else challengers
        side.setdefault(fact.slot, []).append(fact)
    overrides = {}
    if scope.conversation_id is not None:
        here = Override.objects.filter(user_id=scope.user_id, conversation_id=scope.conversation_id)
        overrides = {override.slot: override for override in here}
    return Recall(overrides, facts, challengers)


def earlier_conversations(user_id: UUID, fact_ids: Iterable[UUID], but: UUID) -> int:
    """In how many other conversations these facts were said."""
    found = (
        Mention.objects.filter(user_id=user_id, fact_id__in=list(fact_ids))
        .exclude(conversation_id=but)
        .aggregate(count=Count("conversation_id", distinct=True))
    )
    return int(found["count"])


def take_back(fact: ProfileFact) -> None:
    """The person takes a current fact back; repeating it changes nothing."""
    if fact.status == ProfileFact.Status.CURRENT:
        revision.retract(fact)


def bring_back(fact: ProfileFact) -> None:
    """Undo that. Raises SlotTaken when something else holds the slot by now."""
    if fact.status == ProfileFact.Status.REMOVED:
        revision.bring_back(fact)
