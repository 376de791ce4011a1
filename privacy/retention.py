"""Retention periods of conversations and retired memories; expired ones are deleted daily.

A conversation is deleted with everything learned only from it.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from django.db.models import Q, QuerySet
from django.utils.timezone import localdate, localtime, now

from accounts import audit, privacy, work
from accounts.audit import Action, By
from accounts.database.isolation import acting_as
from accounts.models import PrivacySettings, User
from accounts.privacy import hold_choices
from conversations import messages
from conversations.deletion import learned_only_there, message_deletion
from conversations.deletion.message_deletion import BeingWritten, NotThere, everything
from conversations.models import Conversation, ConversationQuerySet, Message
from ledger import erasure
from memory.core.slot_locks import lock_deletions
from memory.models import Memory

KIND = "retention"
# How many conversations are deleted before other jobs get their turn.
_AT_ONCE = 50
_OUT_OF_USE = (
    Memory.Status.RETIRED,
    Memory.Status.WITHDRAWN,
    Memory.Status.REMOVED,
    Memory.Status.DECLINED,
)


@dataclass(frozen=True)
class RetentionCounts:
    """Numbers of rows that retention periods would delete today."""

    conversations: int
    messages: int
    facts: int
    notes: int
    retired_notes: int

    @property
    def anything(self) -> bool:
        """Return whether anything would be deleted."""
        return bool(self.conversations or self.retired_notes)


def would_go(
    user_id: UUID, conversation_days: int | None, retired_note_days: int | None
) -> RetentionCounts:
    """Return what these periods would delete, within `acting_as(user)`; deletes nothing."""
    conversations = _silent(user_id, conversation_days)
    said = Message.objects.for_user(user_id).filter(conversation__in=conversations)
    learned = learned_only_there.only_from(user_id, said)
    return RetentionCounts(
        conversations.count(),
        said.exclude(state=Message.State.REMOVED).count(),
        len(learned.facts),
        len(learned.notes),
        _out_of_use(user_id, retired_note_days).count(),
    )


def choose(user_id: UUID, **days: int | None) -> PrivacySettings:
    """Save the retention periods in days, None for unlimited. Raises ValueError for others."""
    saved = privacy.choose(user_id, **days)
    User.objects.filter(pk=user_id).update(swept_on=None)
    return saved


def enqueue_due(most: int = 500) -> int:
    """Enqueue at most `most` users with a period not applied today; return their number."""
    waiting = Q(swept_on__lt=localdate()) | Q(swept_on__isnull=True)
    people = User.objects.filter(waiting, is_active=True).order_by("swept_on")[:most]
    return sum(_enqueue(user) for user in people)


def _enqueue(user: User) -> bool:
    with acting_as(user):
        chosen = PrivacySettings.of(user.pk)
        if chosen.conversation_days or chosen.retired_note_days:
            work.enqueue(user, KIND, user.pk)
            return True
        User.objects.filter(pk=user.pk).update(swept_on=localdate())
        return False


def sweep_for(claim: work.Claim) -> None:
    """Delete expired conversations, then memories; worker entry point. Raises PutOff."""
    with acting_as(claim.user_id):
        if not work.still_holding(claim):
            return
        days = PrivacySettings.of(claim.user_id).conversation_days
        conversations = _silent(claim.user_id, days).order_by("last_at")
        keys = list(conversations.values_list("pk", flat=True)[:_AT_ONCE])
    with work.keeping(claim):
        gone = sum(_let_go(claim, key) for key in keys)
        if gone and len(keys) == _AT_ONCE:
            raise work.PutOff(0)
        _finish(claim)


def _let_go(claim: work.Claim, key: UUID) -> bool:
    """Delete one conversation, if it is still expired and the period unchanged."""
    user_id = claim.user_id
    with acting_as(user_id):
        if not work.still_holding(claim):
            return False
        # A message being written now finishes first; then the conversation is no longer expired.
        lock_deletions(user_id)
        messages.lock_conversation(key)
        hold_choices(user_id)
        days = PrivacySettings.of(user_id).conversation_days
        conversation = _silent(user_id, days).select_related("user").filter(pk=key).first()
        if conversation is None:
            return False
        try:
            message_deletion.remove_conversation(conversation.user, conversation, everything)
        except (BeingWritten, NotThere):
            # It is found again the next day.
            return False
        why = (
            f"No messages since {_day(conversation.last_at)}; your conversations are kept for "
            f"{days} days"
        )
        audit.record(user_id, Action.EXPIRED, by=By.RULE, conversation=key, why=why)
        return True


def _finish(claim: work.Claim) -> None:
    with acting_as(claim.user_id):
        if not work.still_holding(claim):
            return
        hold_choices(claim.user_id)
        chosen = PrivacySettings.of(claim.user_id)
        notes = _out_of_use(claim.user_id, chosen.retired_note_days)
        erasure.erase_all(claim.user_id, notes=list(notes))
        User.objects.filter(pk=claim.user_id).update(swept_on=localdate())
        work.finish(claim)


def _silent(user_id: UUID, days: int | None) -> ConversationQuerySet:
    """Return the non-temporary conversations without a message for `days`."""
    rows = Conversation.objects.for_user(user_id).filter(temporary=False)
    return rows.filter(last_at__lt=_before(days)) if days else rows.none()


def _out_of_use(user_id: UUID, days: int | None) -> QuerySet[Memory]:
    rows = Memory.objects.for_user(user_id).filter(status__in=_OUT_OF_USE)
    return rows.filter(ended_at__lt=_before(days)) if days else rows.none()


def _before(days: int) -> datetime:
    return now() - timedelta(days=days)


def _day(at: datetime) -> str:
    return f"{localtime(at):%-d %B %Y}"
