"""Reading what a user allows to be stored, in one query, for `memory.core.persistence_gate`."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import Subquery, Value
from django.db.models.functions import Coalesce

from accounts.models import PrivacySettings, User
from memory.core.persistence_gate import Allowances
from memory.models import BlockedSlot, Memory

_PRIVATE, _ASK = "private", PrivacySettings.Promotion.ASK


def allowances_of(user_id: UUID, conversation_id: UUID | None = None) -> Allowances:
    """Return the user's allowances in a conversation; without one, for changes by hand.

    Must run in the user's transaction (`acting_as`).
    """
    return allowances_from(
        User.objects.filter(pk=user_id).values(**allowance_columns(user_id, conversation_id)).get()
    )


def allowance_columns(user_id: UUID, conversation_id: UUID | None = None) -> dict[str, Any]:
    """Return the queryset annotations from which `allowances_from` reads, by name."""
    # Memory must not import conversations; the foreign key leads to their model.
    talks: Any = Memory._meta.get_field("source_conversation").related_model
    mine = talks.objects.filter(user_id=user_id, pk=conversation_id)
    usual = Value("")
    return {
        "is_on": Coalesce("memory_on", Value(True)),
        "promotion": Coalesce("privacy__promotion", usual),
        "closed": ArraySubquery(BlockedSlot.objects.filter(user_id=user_id).values("slot")),
        "here": Coalesce(Subquery(mine.values("privacy")), usual) if conversation_id else usual,
    }


def allowances_from(row: Mapping[str, Any], here: str | None = None) -> Allowances:
    """Return the allowances in a row of `allowance_columns`.

    `here` is the conversation's privacy, if known: '', auto, ask or private.
    """
    chosen = row["here"] if here is None else here
    return Allowances(
        memory_on=row["is_on"],
        private=chosen == _PRIVATE,
        blocked=frozenset(row["closed"]),
        ask=(chosen or row["promotion"]) == _ASK,
    )
