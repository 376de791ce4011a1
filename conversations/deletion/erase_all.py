"""Erasing all of a user's messages and everything learned from them.

Transactions that are writing finish first; later ones find no rows, because every claim on a job is
void. Answers in progress are not waited for: they could take minutes and can no longer be stored.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import TypeVar
from uuid import UUID

import psycopg
from django.apps import apps
from django.db import Error, connection
from django.db.models import Model, QuerySet

from accounts import audit, erased_list
from accounts.audit import Action
from accounts.database import owned
from accounts.database.isolation import acting_as
from accounts.erased_list import Kind
from accounts.models import AuditEvent, User, Work
from accounts.support import formatting
from conversations.models import Conversation, ConversationTopic, Message
from ledger import erasure
from ledger.models import Contradiction, Erasure
from ledger.verification import judging, kinds
from ledger.verification import receipts as receipts_of_erasures
from ledger.verification.search import VerificationResult, search
from memory import manager
from memory.core.slot_locks import lock_deletions, lock_everything
from memory.deletion.redaction_terms import RedactionTerms
from memory.deletion.sought import ErasureTarget, distinctive_sentences
from memory.manager import Tier, tier_figures
from memory.models import LessonSupport, Memory, MemoryBlock, Passage, ProfileFact, ProfileShare
from personas.models import UserPersona

T = TypeVar("T")
# The kinds of rows that stay, see `ledger.verification.kinds`.
STAYS = dict.fromkeys(("history", "way_in", "choices", "receipts", "backups"))
# The phrase that the user types to confirm.
CONFIRMATION = "forget everything"
# How often to try: other code may lock the same rows in another order, and a deadlock aborts one of
# the transactions.
_ATTEMPTS = 4
# Bounds of the verification: how many values, sentences and texts to search for, and how many
# remaining rows of one table to name.
_MARKS, _LOOKED_AT, _NAMED = 100, 500, 10
_COLLIDED = (psycopg.errors.DeadlockDetected, psycopg.errors.ForeignKeyViolation)


@dataclass(frozen=True)
class StoredCounts:
    """Counts of a user's stored rows, of any status."""

    conversations: int
    messages: int
    facts: int
    notes: int
    questions: int
    topics: int
    shared_pages: int
    roles: int
    blocks: int
    lessons: int
    passages: int
    entries_hot: int
    entries_warm: int
    entries_cold: int
    copies: int
    # History entries that contain text to delete.
    lines: int

    @property
    def anything(self) -> bool:
        """Whether there is anything to erase."""
        return any(asdict(self).values())

    @property
    def counts(self) -> dict[str, int]:
        """The counts by kind of the receipt, without zeros."""
        return kinds.added(asdict(self))

    def in_words(self) -> str:
        """Return the counts in words: '2 conversations, 5 messages and 1 fact'."""
        counted = {name: count for name, count in asdict(self).items() if name in _IN_WORDS}
        parts = [_IN_WORDS[name][n != 1].format(n) for name, n in counted.items() if n]
        return formatting.listed(parts)


_IN_WORDS = {
    "conversations": ("1 conversation", "{:,} conversations"),
    "messages": ("1 message", "{:,} messages"),
    "facts": ("1 fact", "{:,} facts"),
    "notes": ("1 memory", "{:,} memories"),
    "questions": ("1 conflict", "{:,} conflicts"),
    "topics": ("1 topic", "{:,} topics"),
    "shared_pages": ("1 shared page", "{:,} shared pages"),
    "roles": ("1 role", "{:,} roles"),
    "blocks": ("1 memory block", "{:,} memory blocks"),
    "lessons": ("your support for 1 lesson", "your support for {:,} lessons"),
    "entries_hot": ("1 entry of this session", "{:,} entries of this session"),
    "entries_warm": ("1 entry from another app", "{:,} entries from other apps"),
    "entries_cold": ("1 archived entry", "{:,} archived entries"),
    "copies": ("1 copy", "{:,} copies"),
    # History entries stay, without their text.
    "lines": ("the text of 1 history entry", "the text of {:,} history entries"),
}


@dataclass(frozen=True)
class Receipt:
    """What was erased, the audit event, and the receipt of the verification; both None where there
    was nothing to erase.
    """

    gone: StoredCounts
    line: AuditEvent | None
    kept: Erasure | None = None


def is_meant(typed: str) -> bool:
    """Return whether the confirmation phrase was typed, ignoring case."""
    return " ".join(typed.casefold().split()).strip(" .\"'“”‘’") == CONFIRMATION


def stored_counts(user_id: UUID) -> StoredCounts:
    """Count the user's stored rows, with one query per kind, in the user's transaction
    (`acting_as`).
    """

    def count(rows: type[Model]) -> int:
        return rows._default_manager.filter(user_id=user_id).count()

    standing = Message.objects.for_user(user_id).exclude(state=Message.State.REMOVED)
    topics = ConversationTopic.objects.for_user(user_id).values("topic").distinct()
    tiers_of: Counter[str] = Counter()
    for figure in tier_figures(user_id):
        tiers_of[figure.tier] += figure.entries
    # Plain table name: this package may not import that model.
    copies = apps.get_model("privacy", "Export")._default_manager.filter(user_id=user_id)
    return StoredCounts(
        conversations=count(Conversation),
        messages=standing.count(),
        facts=count(ProfileFact),
        notes=count(Memory),
        questions=count(Contradiction),
        topics=topics.count(),
        shared_pages=count(ProfileShare),
        roles=count(UserPersona),
        blocks=count(MemoryBlock),
        lessons=count(LessonSupport),
        passages=count(Passage),
        entries_hot=tiers_of[Tier.HOT],
        entries_warm=tiers_of[Tier.WARM],
        entries_cold=tiers_of[Tier.COLD],
        copies=copies.filter(state="ready").count(),
        lines=erasure.find_lines_with_text(user_id).count(),
    )


def receipts(user_id: UUID) -> QuerySet[AuditEvent]:
    """Return the audit events of complete erasures, newest first."""
    lines = AuditEvent.objects.for_user(user_id).filter(deed=Action.FORGOTTEN)
    return lines.order_by("-at", "-pk")


def forget_everything(user: User) -> Receipt:
    """Erase everything that was said and learned; this cannot be undone. Idempotent.

    The account, settings, kinds of facts that are never saved, and history entries without text
    stay. Opens its own `acting_as` transaction.
    """
    return in_one_transaction(user, lambda: _forget(user))


def in_one_transaction(user: User, deed: Callable[[], T]) -> T:
    """Return the result of `deed`, run in one `acting_as` transaction that is opened here. Retried
    after a deadlock, except inside another transaction, where the error is raised.
    """
    for attempt in range(1, _ATTEMPTS + 1):
        try:
            with acting_as(user):
                return deed()
        except Error as error:
            collided = isinstance(error.__cause__, _COLLIDED)
            if not collided or attempt == _ATTEMPTS or connection.in_atomic_block:
                raise
    raise AssertionError("The last attempt returns or raises.")


def _forget(user: User) -> Receipt:
    wait_for_writers(user.pk)
    going = stored_counts(user.pk)
    marks = _marks(user.pk)
    owned.clear(user.pk)
    manager.forget_entries(user.pk)
    # At the end: by now, transactions that were waited for have written their history entries.
    erasure.blank_log_lines(user.pk)
    if not going.anything:
        return Receipt(going, None)
    line = audit.record(user.pk, Action.FORGOTTEN, why=f"Deleted: {going.in_words()}")
    erased_list.note(user.pk, Kind.EVERYTHING, line.pk)
    result = search(user.pk, marks, judging.of_everything)
    _find_rows(user.pk, result)
    kind = receipts_of_erasures.Kind.EVERYTHING
    kept = receipts_of_erasures.write(user.pk, kind, line.pk, going.counts, result)
    return Receipt(going, line, kept)


def _marks(user_id: UUID) -> ErasureTarget:
    """Return the erasure target for everything: fact values, and the longest sentences of recent
    messages and memories.
    """
    facts = ProfileFact.objects.for_user(user_id).order_by("-created_at")
    values = facts.values_list("slot", "value")[:_MARKS]
    messages = Message.objects.for_user(user_id).order_by("-said_at", "-number")
    notes = Memory.objects.for_user(user_id).order_by("-created_at")
    texts = [
        *messages.values_list("content", flat=True)[:_LOOKED_AT],
        *notes.values_list("content", flat=True)[:_LOOKED_AT],
    ]
    wordings = [RedactionTerms(slot, frozenset([value])) for slot, value in values]
    return ErasureTarget(wordings, distinctive_sentences(texts, _MARKS))


def _find_rows(user_id: UUID, result: VerificationResult) -> None:
    """Add to the result the rows that are left, apart from tables that outlive an erasure."""
    for model in owned.owned_models():
        if not model.outlives_forgetting:
            rows = model._default_manager.filter(user_id=user_id)
            for key in rows.values_list("pk", flat=True)[:_NAMED]:
                result.add(model._meta.db_table, str(key), "user_id")
    result.stays |= {"history": AuditEvent.objects.for_user(user_id).count()}


def wait_for_writers(user_id: UUID) -> None:
    """Lock the user's jobs, slots and conversations, in the order that all writers use, and delete
    the jobs. Afterwards nobody can add a message, and all claims on jobs are void.
    """
    lock_deletions(user_id)
    waiting = Work.objects.select_for_update().filter(user_id=user_id)
    list(waiting.order_by("pk").values_list("pk"))
    lock_everything(user_id)
    conversations = Conversation.objects.for_user(user_id).select_for_update(no_key=True)
    list(conversations.order_by("pk").values_list("pk"))
    Work.objects.filter(user_id=user_id).delete()
