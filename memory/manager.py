"""Operations on what is remembered as a whole: what an answer may use, in the order in which it
counts, and entries of namespaces by key.

What other rooms need of blocks, upkeep and namespaces is passed through here; of the other packages
they import from the package itself.

Each operation is traced. All but `changes_of` run in the person's open block.
"""

from collections.abc import AsyncGenerator, Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date, datetime
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar
from uuid import UUID

from django.utils.timezone import localdate
from pydantic import ValidationError

from accounts.models import User
from memory.blocks.private_blocks import (
    BLOCK_LIMITS,
    BLOCK_PURPOSES,
    Block,
    BlockLabel,
    BlockRefused,
    append_to_block,
    block_with_line,
    block_with_replaced,
    blocks_that_tell,
    check_block,
    read_block,
    replace_in_block,
    take_out_of_block,
)
from memory.context.recall import Recall, recall, recall_later
from memory.core import tracing
from memory.core.tracing import OperationOutcome, OperationVerb
from memory.deletion.sought import ErasureTarget
from memory.facts import revision
from memory.facts.revision import SlotTaken
from memory.language.text import token_count
from memory.maintenance.lifecycle import TEND_NOTES, consolidate_notes, notes_to_merge
from memory.maintenance.note_statistics import DayCounts, KeptCounts, first_day_of, memory_growth
from memory.models import Memory, MemoryChange, Mention, Override, ProfileFact
from memory.namespaces import changes, consent, hot_tier, prose, registered, store
from memory.namespaces.changes import TooLongAgo, clear_changes, subscribe
from memory.namespaces.consent import granted_namespaces
from memory.namespaces.entries import By, NamespaceFull, StoredEntry
from memory.namespaces.listening import Change
from memory.namespaces.registered import (
    NameTaken,
    TooManyNamespaces,
    namespaces_of,
)
from memory.namespaces.registry import NAMESPACES, Namespace, Tier, UnknownNamespace
from memory.namespaces.store import EntryRefused, VersionConflict
from memory.namespaces.tiers import tier_figures
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
    "blocks_that_tell",
    "bring_back",
    "change",
    "changes_of",
    "check_block",
    "clear_changes",
    "compact",
    "consolidate_notes",
    "earlier_conversations",
    "end",
    "entries_that_tell",
    "erase_entries",
    "first_day_of",
    "forget_entries",
    "granted_namespaces",
    "keep_everywhere",
    "memory_growth",
    "namespaces_of",
    "notes_to_merge",
    "query",
    "read",
    "read_block",
    "recall",
    "recall_later",
    "register_namespace",
    "remove",
    "replace_in_block",
    "rewrite",
    "subscribe",
    "take_back",
    "take_out_of_block",
    "tier_figures",
    "withdraw",
    "write",
]


@dataclass(frozen=True)
class WrittenEntry:
    """An entry that was written, and the id under which the operation is found in the traces."""

    entry: StoredEntry
    trace_id: str


# --- Entries of namespaces ------------------------------------------------------------------------


def read(user_id: UUID, namespace: str, key: str) -> StoredEntry | None:
    """One entry, from whichever tier; None when there is none. Raises UnknownNamespace."""
    place = registered.namespace_of(user_id, namespace)
    with tracing.traced_operation(user_id, OperationVerb.READ, place.name, key) as operation:
        entry = store.read(user_id, place, key)
        operation.outcome = OperationOutcome.OK if entry else OperationOutcome.NOTHING
        if entry:
            operation.tokens_saved = _saved(place, entry)
        return entry


def query(
    user_id: UUID, namespace: str, pattern: str = "*", limit: int = store.MOST_FOUND
) -> list[StoredEntry]:
    """The entries whose keys match a pattern with `*` and `?`, the newest `limit` of them in the
    order of writing. Raises UnknownNamespace.
    """
    place = registered.namespace_of(user_id, namespace)
    with tracing.traced_operation(user_id, OperationVerb.QUERY, place.name) as operation:
        found = store.query(user_id, place, pattern, limit)
        operation.outcome = OperationOutcome.OK if found else OperationOutcome.NOTHING
        return found


def write(
    user_id: UUID,
    namespace: str,
    key: str,
    data: dict[str, Any],
    *,
    by: By,
    expected: int | None = None,
) -> WrittenEntry:
    """Write an entry; `expected` is the version that it must have now, 0 for none.

    Without consent it is held for the session only, and `entry.held_because` says so. Raises
    UnknownNamespace, EntryRefused, NamespaceFull, VersionConflict and pydantic's ValidationError.
    """
    return change(user_id, namespace, key, lambda _: data, by=by, expected=expected)


def put_back(user_id: UUID, namespace: str, key: str, version: int, written_at: datetime) -> None:
    """Give an entry that a copy told of, and that was just written, its version and time again."""
    store.put_back(user_id, registered.namespace_of(user_id, namespace), key, version, written_at)


def change(
    user_id: UUID,
    namespace: str,
    key: str,
    make: Callable[[dict[str, Any] | None], dict[str, Any]],
    *,
    by: By,
    expected: int | None = None,
) -> WrittenEntry:
    """Write what `make` makes of the present data (None for none), with nobody in between.

    Raises what `write` raises.
    """
    place = registered.namespace_of(user_id, namespace)
    with tracing.traced_operation(user_id, OperationVerb.WRITE, place.name, key) as operation:
        with _trace_refusals(operation):
            entry = store.change(user_id, place, key, make, by=by, expected=expected)
        if entry.held_because:
            # Nothing of it is to be kept, and a key may say much.
            operation.outcome, operation.key = OperationOutcome.HELD, ""
        operation.tokens_saved = _saved(place, entry)
        _notify(user_id, place, key, MemoryChange.Kind.WRITTEN)
        return WrittenEntry(entry, tracing.trace_name(operation.trace_id))


def remove(user_id: UUID, namespace: str, key: str, *, expected: int | None = None) -> bool:
    """Take an entry out, wherever it lies; False when there is none. Raises what `write` raises."""
    place = registered.namespace_of(user_id, namespace)
    with tracing.traced_operation(user_id, OperationVerb.REMOVE, place.name, key) as operation:
        with _trace_refusals(operation):
            gone = store.remove(user_id, place, key, expected=expected)
        operation.outcome = OperationOutcome.OK if gone else OperationOutcome.NOTHING
        if gone:
            _notify(user_id, place, key, MemoryChange.Kind.REMOVED)
        return gone


def allow(user: User, namespace: str, *, on: bool) -> int:
    """Let a namespace be kept, with what the session holds; or no longer, and remove what is kept.

    Returns how many entries that were. Raises UnknownNamespace, ValueError where there is nothing
    to consent to, and NamespaceFull.
    """
    place = registered.namespace_of(user.pk, namespace)
    with tracing.traced_operation(
        user.pk, OperationVerb.WRITE if on else OperationVerb.REMOVE, place.name
    ):
        return consent.grant(user, place) if on else consent.withdraw(user, place)


def register_namespace(
    user: User, name: str, purpose: str, schema: dict[str, Any], **limits: Any
) -> tuple[Namespace, bool]:
    """Register a namespace of a person's own, see `registered.register`, which says what it raises
    and takes as limits (most, rolling, keep_days).
    """
    return registered.register(user, name, purpose, schema, **limits)


def changes_of(
    user_id: UUID, number: int, namespaces: Collection[str], run: changes.Run, every: float
) -> AsyncGenerator[list[Change]]:
    """Changes after a number as they are committed, see `changes.follow`. Raises TooLongAgo."""
    return changes.follow(user_id, number, namespaces, run, every)


def entries_that_tell(user_id: UUID, target: ErasureTarget) -> list[StoredEntry]:
    """The entries of all namespaces, in every tier, that have what is looked for."""
    return store.telling(user_id, target.is_in)


def erase_entries(user_id: UUID, entries: Sequence[StoredEntry], target: ErasureTarget) -> None:
    """Take these out, wherever they lie; the logs lose a key that has it too."""
    with tracing.traced_operation(user_id, OperationVerb.FORGET, "entries"):
        store.drop(user_id, entries, target.is_in)
        for entry in entries:
            key = "" if target.is_in(entry.key) else entry.key
            _notify(
                user_id,
                registered.namespace_of(user_id, entry.namespace),
                key,
                MemoryChange.Kind.REMOVED,
            )


def forget_entries(user_id: UUID) -> None:
    """After everything was deleted: drop the session's entries, and tell who follows changes."""
    with tracing.traced_operation(user_id, OperationVerb.FORGET, "everything"):
        hot_tier.forget_all(user_id, registered.namespaces_of(user_id).values())
        changes.clear_changes(user_id)


def compact(place: Namespace, entries: Iterable[StoredEntry], as_of: date) -> str:
    """Entries of one namespace in few tokens, under a heading that names the fields."""
    read = [place.schema.model_validate(entry.data) for entry in entries]
    return place.codec.block(read, as_of)


def _notify(user_id: UUID, namespace: Namespace, key: str, kind: MemoryChange.Kind) -> None:
    """Whoever subscribed hears of it; of rows, the database tells by itself who follows."""
    changes.tell_after_commit(user_id, namespace.name, key)
    if namespace.tier is Tier.HOT:
        changes.announce(user_id, namespace.name, key, kind)


@contextmanager
def _trace_refusals(operation: tracing.Operation) -> Iterator[None]:
    """Tell in the trace how an operation ended that was not done."""
    try:
        yield
    except VersionConflict:
        operation.outcome = OperationOutcome.CONFLICT
        raise
    except (EntryRefused, NamespaceFull, ValidationError):
        operation.outcome = OperationOutcome.REFUSED
        raise


def _saved(namespace: Namespace, entry: StoredEntry) -> int:
    """Tokens that its compact form does without, beside its sentences."""
    read, today = namespace.schema.model_validate(entry.data), localdate()
    plain, line = prose.prose(read), namespace.codec.line(read, today)
    return token_count.count_tokens(plain) - token_count.count_tokens(line)


# --- What is remembered ---------------------------------------------------------------------------

_Kept = TypeVar("_Kept", bound=ProfileFact | Memory | Override)
_P = ParamSpec("_P")
_T = TypeVar("_T")


def _revising(verb: Callable[Concatenate[_Kept, _P], _T]) -> Callable[Concatenate[_Kept, _P], _T]:
    """Trace a verb that changes a fact or a note."""

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
    """The other conversations in which these facts were said."""
    mentions = Mention.objects.filter(user_id=user_id, fact_id__in=list(fact_ids))
    others = mentions.exclude(conversation_id=but).values_list("conversation_id", flat=True)
    return set(others.distinct())


@_revising
def rewrite(kept: ProfileFact | Memory, value: str) -> None:
    """Reword a fact or a note; the old wording stays. Raises SlotTaken, or NotKept for a note."""
    if isinstance(kept, Memory):
        note_store.rewrite(kept, value)
    else:
        revision.rewrite(kept, value)


@_revising
def take_back(kept: ProfileFact | Memory, *, ended: bool = False) -> None:
    """The person takes a fact or a note back; repeating it changes nothing.

    Of what is over, only what was so when it was noted: the rest ended, and keeps its years, unless
    `ended` says that it goes too.
    """
    if isinstance(kept, Memory):
        note_store.remove_note(kept)
    elif ended and kept.status == ProfileFact.Status.PAST:
        revision.take_out_of_history(kept)
    elif kept.status in (ProfileFact.Status.CURRENT, ProfileFact.Status.PAST):
        revision.retract(kept)


@_revising
def withdraw(fact: ProfileFact, why: str) -> None:
    """A fact was read by mistake, and nobody has confirmed it: it is removed, with its history."""
    revision.withdraw(fact, why)


@_revising
def undo(made: ProfileFact | Memory) -> None:
    """It is taken back as if it had not been made: what gave way to it is in use again."""
    if isinstance(made, Memory):
        note_store.remove_note(made)
        note_store.give_back(made)
    elif made.narrowed_from is not None:
        revision.take_back_finer(made)
    elif made.status in (ProfileFact.Status.CURRENT, ProfileFact.Status.PAST):
        revision.take_back_alone(made)


@_revising
def end(fact: ProfileFact, at: datetime, why: str = "") -> None:
    """A current fact is over since `at`; it stays in the history."""
    revision.close(fact, at, why)


@_revising
def resume(fact: ProfileFact, misread: str = "") -> None:
    """Undo that: the fact goes on as if it had not ended. Raises SlotTaken when something else is
    in its place by now. `misread`: why, where it was ended by a reading that does not count.
    """
    if fact.status == ProfileFact.Status.PAST and not fact.was_over:
        revision.bring_back(fact, misread)


@_revising
def keep_everywhere(override: Override) -> ProfileFact:
    """Keep for every conversation what held in one. Raises SlotTaken when the slot has a value."""
    return revision.widen(override)


@_revising
def bring_back(kept: ProfileFact | Memory) -> None:
    """Undo that. Raises SlotTaken, or NotKept for a note, when something is in its place by now."""
    if isinstance(kept, Memory):
        note_store.bring_back(kept)
    elif kept.status == ProfileFact.Status.REMOVED:
        revision.bring_back(kept)
