"""Erasing everything at once: all messages, and all that was learned from them.

Whoever is just writing something down finishes first; whoever comes later finds that it is gone,
for every claim on work is void. An answer in progress is not waited for: it could take minutes,
and has no place to go any more.
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
# What stays, see `ledger.verification.kinds`.
STAYS = dict.fromkeys(("history", "way_in", "choices", "receipts", "backups"))
# What is typed by whoever means it.
CONFIRMATION = "forget everything"
# Others take the same locks in an order of their own now and then; then one of two begins again.
_ATTEMPTS = 4
# By so many values, and so many sentences of so many texts, all is searched afterwards; so many
# rows of one table are named.
_MARKS, _LOOKED_AT, _NAMED = 100, 500, 10
_COLLIDED = (psycopg.errors.DeadlockDetected, psycopg.errors.ForeignKeyViolation)


@dataclass(frozen=True)
class StoredCounts:
    """Counts of a person's stored rows, whatever their status."""

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
    # Lines of the history that have words to lose.
    lines: int

    @property
    def anything(self) -> bool:
        """Whether there is anything to forget."""
        return any(asdict(self).values())

    @property
    def counts(self) -> dict[str, int]:
        """The counts by kind of receipt, without zeros."""
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
    # They stay, without them.
    "lines": ("the text of 1 history entry", "the text of {:,} history entries"),
}


@dataclass(frozen=True)
class Receipt:
    """What was erased, the audit event of it, and the receipt of the verification; both None where
    there was nothing.
    """

    gone: StoredCounts
    line: AuditEvent | None
    kept: Erasure | None = None


def is_meant(typed: str) -> bool:
    """Return whether the confirmation words were typed, ignoring case."""
    return " ".join(typed.casefold().split()).strip(" .\"'“”‘’") == CONFIRMATION


def stored_counts(user_id: UUID) -> StoredCounts:
    """Count the stored rows, with one read per kind, in the person's open block."""

    def count(rows: type[Model]) -> int:
        return rows._default_manager.filter(user_id=user_id).count()

    standing = Message.objects.for_user(user_id).exclude(state=Message.State.REMOVED)
    topics = ConversationTopic.objects.for_user(user_id).values("topic").distinct()
    tiers_of: Counter[str] = Counter()
    for figure in tier_figures(user_id):
        tiers_of[figure.tier] += figure.entries
    # A room above: like the foreign keys, this knows it by name only.
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
    """Erase everything that was said and learned; it cannot be undone. Idempotent.

    The way in, settings, closed kinds, and the lines of the history without their words stay.
    Opens the person's block itself.
    """
    return in_one_transaction(user, lambda: _forget(user))


def in_one_transaction(user: User, deed: Callable[[], T]) -> T:
    """Return the deed's result, run in one transaction of the person's block, which this opens.

    It is begun anew where it meets somebody who takes the same locks in another order; inside of
    another transaction that one has to begin anew.
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
    # At the end: who was waited for has written their line by now.
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
    messages and notes.
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
    """Add the rows that are left, apart from those that outlive an erasure, to the result."""
    for model in owned.owned_models():
        if not model.outlives_forgetting:
            rows = model._default_manager.filter(user_id=user_id)
            for key in rows.values_list("pk", flat=True)[:_NAMED]:
                result.add(model._meta.db_table, str(key), "user_id")
    result.stays |= {"history": AuditEvent.objects.for_user(user_id).count()}


def wait_for_writers(user_id: UUID) -> None:
    """Wait for whoever is writing, in the order of those who learn and erase: work, slots, then
    conversations. Nothing can be said in one from then on, and no work on it is anybody's.
    """
    lock_deletions(user_id)
    waiting = Work.objects.select_for_update().filter(user_id=user_id)
    list(waiting.order_by("pk").values_list("pk"))
    lock_everything(user_id)
    conversations = Conversation.objects.for_user(user_id).select_for_update(no_key=True)
    list(conversations.order_by("pk").values_list("pk"))
    Work.objects.filter(user_id=user_id).delete()
