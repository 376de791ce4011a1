"""The facade of memory for other packages: recall, facts, memories, blocks and namespaces.

Other packages use blocks, maintenance and namespaces only through this module. Each operation is
traced. All except `follow_changes` must run in the user's transaction (`acting_as`).
"""

from collections.abc import Callable, Iterable
from datetime import datetime
from functools import wraps
from typing import Concatenate, ParamSpec, TypeVar
from uuid import UUID

from memory.blocks.private_blocks import (
    BLOCK_LIMITS,
    BLOCK_PURPOSES,
    Block,
    BlockLabel,
    BlockRefused,
    append_to_block,
    block_with_line,
    block_with_replaced,
    check_block,
    find_matching_blocks,
    read_block,
    remove_from_block,
    replace_in_block,
)
from memory.context.recall import Recall, recall, recall_later
from memory.core import tracing
from memory.core.tracing import OperationOutcome, OperationVerb
from memory.facts import revision
from memory.facts.revision import SlotTaken
from memory.maintenance.lifecycle import TEND_NOTES, consolidate_notes, notes_to_merge
from memory.maintenance.note_statistics import DayCounts, KeptCounts, first_day_of, memory_growth
from memory.models import Memory, Mention, Override, ProfileFact
from memory.namespaces.changes import Change, TooLongAgo, clear_changes, follow_changes, subscribe
from memory.namespaces.registered import (
    NameTaken,
    TooManyNamespaces,
    namespaces_of,
    register_namespace,
)
from memory.namespaces.registry import NAMESPACES, Tier, UnknownNamespace
from memory.namespaces.store import (
    By,
    EntryRefused,
    VersionConflict,
    WrittenEntry,
    allow,
    change,
    erase_entries,
    find_matching_entries,
    forget_entries,
    granted_namespaces,
    put_back,
    query,
    read,
    remove,
    unregister_namespace,
    write,
)
from memory.namespaces.tiers import NamespaceFull, StoredEntry, tier_figures
from memory.notes import note_store
from memory.notes.note_gate import NotKept

__all__ = [
    "BLOCK_LIMITS",
    "BLOCK_PURPOSES",
    "NAMESPACES",
    "TEND_NOTES",
    "Block",
    "BlockLabel",
    "BlockRefused",
    "By",
    "Change",
    "DayCounts",
    "EntryRefused",
    "KeptCounts",
    "NameTaken",
    "NamespaceFull",
    "NotKept",
    "Recall",
    "SlotTaken",
    "StoredEntry",
    "Tier",
    "TooLongAgo",
    "TooManyNamespaces",
    "UnknownNamespace",
    "VersionConflict",
    "WrittenEntry",
    "allow",
    "append_to_block",
    "block_with_line",
    "block_with_replaced",
    "change",
    "check_block",
    "clear_changes",
    "consolidate_notes",
    "earlier_conversations",
    "end",
    "erase_entries",
    "find_matching_blocks",
    "find_matching_entries",
    "first_day_of",
    "follow_changes",
    "forget_entries",
    "granted_namespaces",
    "memory_growth",
    "namespaces_of",
    "notes_to_merge",
    "put_back",
    "query",
    "read",
    "read_block",
    "recall",
    "recall_later",
    "register_namespace",
    "remove",
    "remove_from_block",
    "replace_in_block",
    "restore",
    "retract",
    "rewrite",
    "subscribe",
    "tier_figures",
    "unregister_namespace",
    "widen_override",
    "withdraw",
    "write",
]


# --- Facts and memories --------------------------------------------------------------------------

_Kept = TypeVar("_Kept", bound=ProfileFact | Memory | Override)
_P = ParamSpec("_P")
_T = TypeVar("_T")


def _revising(verb: Callable[Concatenate[_Kept, _P], _T]) -> Callable[Concatenate[_Kept, _P], _T]:
    """Decorate a function that changes a fact or memory, so that each call is traced."""

    @wraps(verb)
    def traced(kept: _Kept, /, *args: _P.args, **kwargs: _P.kwargs) -> _T:
        space = "user.notes" if isinstance(kept, Memory) else "user.facts"
        with tracing.traced_operation(
            kept.user_id, OperationVerb.REVISE, space, str(kept.pk)
        ) as operation:
            try:
                return verb(kept, *args, **kwargs)
            except (SlotTaken, NotKept):
                operation.outcome = OperationOutcome.REFUSED
                raise

    return traced


def earlier_conversations(user_id: UUID, fact_ids: Iterable[UUID], but: UUID) -> set[UUID]:
    """Return the ids of the conversations, other than `but`, that state these facts."""
    mentions = Mention.objects.filter(user_id=user_id, fact_id__in=list(fact_ids))
    others = mentions.exclude(conversation_id=but).values_list("conversation_id", flat=True)
    return set(others.distinct())


@_revising
def rewrite(kept: ProfileFact | Memory, value: str) -> None:
    """Replace the text of a fact or memory; the old row stays. Raises SlotTaken or NotKept."""
    if isinstance(kept, Memory):
        note_store.rewrite(kept, value)
    else:
        revision.rewrite(kept, value)


@_revising
def retract(kept: ProfileFact | Memory, *, ended: bool = False) -> None:
    """Retract a fact or memory; idempotent.

    A fact that became past after it was saved is retracted only with `ended`; otherwise it stays in
    the history.
    """
    if isinstance(kept, Memory):
        note_store.remove_note(kept)
    elif ended and kept.status == ProfileFact.Status.PAST:
        revision.retract_past(kept)
    elif kept.status in (ProfileFact.Status.CURRENT, ProfileFact.Status.PAST):
        revision.retract(kept)


@_revising
def withdraw(fact: ProfileFact, why: str) -> None:
    """Remove a misread current or past fact, and log the reason."""
    revision.withdraw(fact, why)


@_revising
def undo(made: ProfileFact | Memory) -> None:
    """Retract a new fact or memory, and restore the one that it replaced."""
    if isinstance(made, Memory):
        note_store.remove_note(made)
        note_store.restore_replaced(made)
    elif made.narrowed_from is not None:
        revision.undo_refinement(made)
    elif made.status in (ProfileFact.Status.CURRENT, ProfileFact.Status.PAST):
        revision.retract_alone(made)


@_revising
def end(fact: ProfileFact, at: datetime, why: str = "") -> None:
    """End a current fact at `at`; it stays in the history."""
    revision.close(fact, at, why)


@_revising
def resume(fact: ProfileFact, misread: str = "") -> None:
    """Make an ended fact current again. Raises SlotTaken if the slot has another value.

    `misread` is the reason if the site had ended it by mistake.
    """
    if fact.status == ProfileFact.Status.PAST and not fact.was_over:
        revision.restore(fact, misread)


@_revising
def widen_override(override: Override) -> ProfileFact:
    """Turn a value of one conversation into a fact for all conversations. Raises SlotTaken."""
    return revision.widen(override)


@_revising
def restore(kept: ProfileFact | Memory) -> None:
    """Restore a retracted fact or memory.

    Raises SlotTaken for a fact, or NotKept for a memory, if another one has replaced it.
    """
    if isinstance(kept, Memory):
        note_store.restore_note(kept)
    elif kept.status == ProfileFact.Status.REMOVED:
        revision.restore(kept)
