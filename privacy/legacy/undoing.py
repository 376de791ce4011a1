"""Removing what was migrated from a store, and nothing else.

A conversation stays, with all migrated rows, if it was continued or one of its facts or memories
was changed or said again. Everything is one transaction.
"""

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any
from uuid import UUID

from django.apps import apps
from django.db.models import F, Q, QuerySet

from accounts import audit
from accounts.audit import Action
from accounts.database.isolation import acting_as
from accounts.models import User
from conversations.messages import lock_conversation
from conversations.models import Message
from ledger.conflicts import side_changes
from ledger.models import Contradiction
from memory.core.slot_locks import lock_deletions, lock_everything
from memory.models import Memory, Mention, ProfileFact
from privacy.legacy import stores
from privacy.legacy.conversation_rows import keys_by_label
from privacy.models import LegacyRow

_CONFLICTS = "ledger.contradiction"
# Rows that refer to others are deleted before them.
_ORDER = (
    _CONFLICTS,
    "memory.trustchange",
    "memory.mention",
    "memory.profilefact",
    "memory.memory",
    "conversations.conversationtopic",
    "conversations.topic",
    "conversations.message",
    "conversations.conversation",
)
_PIECE = 500


@dataclass
class Undone:
    """Numbers of removed rows by table, and of conversations that stay."""

    gone: Counter[str] = field(default_factory=Counter)
    stays: int = 0


def undo(user: User, path: Path) -> Undone:
    """Remove what was migrated from the files of a store. Safe to repeat. Raises NotAStore."""
    names = [file.name for file in stores.find(path)]
    with acting_as(user):
        return _undo(user, names)


def _undo(user: User, names: Collection[str]) -> Undone:
    brought = LegacyRow.objects.filter(user=user, source__in=names)
    _hold(user, brought)
    made = keys_by_label(brought.values_list("made", flat=True))
    staying = _staying(user, brought, made)
    done = Undone(stays=len(staying))
    going = brought.exclude(conversation__in=staying) if staying else brought
    made = keys_by_label(going.values_list("made", flat=True))
    # If a removed fact was current, its remaining challenger becomes current.
    replacements = side_changes.find_replacements(user.pk, made.get("memory.profilefact", ()))
    side_changes.repoint_to_replacements(user.pk, replacements)
    for label in _ORDER:
        waiting = iter(made.get(label, ()))
        while keys := list(islice(waiting, _PIECE)):
            done.gone[label] += len(keys)
            _rows(label, user, keys).delete()
    side_changes.make_replacements_current(replacements)
    _forget_conflicts(user, brought.filter(conversation__in=staying))
    done.gone["privacy.legacyrow"] = going.count()
    going.delete()
    if any(done.gone.values()):
        removed = f"{done.gone['privacy.legacyrow']:,} rows of an earlier store"
        audit.record(user.pk, Action.REMOVED, by=audit.By.HOUSE, before=removed)
    return done


def _forget_conflicts(user: User, staying: "QuerySet[LegacyRow]") -> None:
    """Remove references to deleted conflicts from the LegacyRows that stay."""
    lines = list(staying.filter(kind=LegacyRow.Kind.DISPUTED))
    left = {
        f"{_CONFLICTS} {key}"
        for key in Contradiction.objects.filter(user=user).values_list("pk", flat=True)
    }
    for line in lines:
        line.made = [name for name in line.made if name.split(" ")[0] != _CONFLICTS or name in left]
    LegacyRow.objects.bulk_update(lines, ["made"])


def _hold(user: User, brought: "QuerySet[LegacyRow]") -> None:
    """Lock deletions, the memory and the conversations of the user, waiting for writers."""
    lock_deletions(user.pk)
    lock_everything(user.pk)
    conversations = brought.values_list("conversation", flat=True)
    for key in sorted({key for key in conversations if key is not None}):
        lock_conversation(key)


def _staying(user: User, brought: "QuerySet[LegacyRow]", made: dict[str, list[UUID]]) -> set[UUID]:
    """Return the conversations that were used since the migration."""
    conversations = set(made.get("conversations.conversation", ()))
    said = Message.objects.for_user(user.pk).filter(conversation__in=conversations)
    later = said.exclude(pk__in=made.get("conversations.message", ()))
    staying = set(later.values_list("conversation", flat=True).distinct())
    names = [f"memory.profilefact {key}" for key in _facts_in_use(user, made)]
    changed = Memory.objects.for_user(user.pk).filter(pk__in=made.get("memory.memory", ()))
    changed = changed.filter(updated_at__gt=F("created_at"))
    names += [f"memory.memory {key}" for key in changed.values_list("pk", flat=True)]
    lines = brought.filter(Q(made__overlap=names) | Q(joined__overlap=names))
    return staying | {key for key in lines.values_list("conversation", flat=True) if key}


def _facts_in_use(user: User, made: dict[str, list[UUID]]) -> set[UUID]:
    """Return facts that were changed since the migration, or said elsewhere."""
    keys = made.get("memory.profilefact", ())
    facts = ProfileFact.objects.for_user(user.pk).filter(pk__in=keys)
    changed = facts.filter(updated_at__gt=F("created_at")).values_list("pk", flat=True)
    mentions = Mention.objects.filter(user=user, fact__in=keys)
    elsewhere = mentions.exclude(pk__in=made.get("memory.mention", ()))
    return {*changed, *elsewhere.values_list("fact", flat=True)}


def _rows(label: str, user: User, keys: Collection[UUID]) -> "QuerySet[Any]":
    rows: QuerySet[Any] = apps.get_model(label)._default_manager.filter(user=user, pk__in=keys)
    if label == "conversations.topic":
        # Keep topics that other conversations use by now.
        return rows.filter(conversations__isnull=True)
    return rows
