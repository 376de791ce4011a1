"""How long a person keeps conversations and retired notes; what is over goes by itself, once a day.

A conversation goes with what was learned from it and from nothing else, as when its owner deletes
it and lets all of that go.
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
# So many conversations go before others have their turn.
_AT_ONCE = 50
_OUT_OF_USE = (
    Memory.Status.RETIRED,
    Memory.Status.WITHDRAWN,
    Memory.Status.REMOVED,
    Memory.Status.DECLINED,
)


@dataclass(frozen=True)
class RetentionCounts:
    """How much a choice would let go today: counts."""

    conversations: int
    messages: int
    facts: int
    notes: int
    retired_notes: int

    @property
    def anything(self) -> bool:
        """Whether there is any of it."""
        return bool(self.conversations or self.retired_notes)


def would_go(
    user_id: UUID, conversation_days: int | None, retired_note_days: int | None
) -> RetentionCounts:
    """What would go with this choice, in the person's open block; nothing is touched."""
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
    """Save the retention periods in days, None for ever. Raises ValueError for another number."""
    saved = privacy.choose(user_id, **days)
    User.objects.filter(pk=user_id).update(swept_on=None)
    return saved


def enqueue_due(most: int = 500) -> int:
    """Enqueue people who chose a period and were not swept today; returns how many."""
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
    """Worker entry point: delete conversations, then notes. Raises PutOff while more waits."""
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
    """One conversation, if it is still silent and its owner has not changed their mind."""
    user_id = claim.user_id
    with acting_as(user_id):
        if not work.still_holding(claim):
            return False
        # Whoever says something here now finishes first, and then it is no longer silent.
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
            # The next day finds it.
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
    """Those without a word for so long; a temporary one has an end of its own."""
    rows = Conversation.objects.for_user(user_id).filter(temporary=False)
    return rows.filter(last_at__lt=_before(days)) if days else rows.none()


def _out_of_use(user_id: UUID, days: int | None) -> QuerySet[Memory]:
    rows = Memory.objects.for_user(user_id).filter(status__in=_OUT_OF_USE)
    return rows.filter(ended_at__lt=_before(days)) if days else rows.none()


def _before(days: int) -> datetime:
    return now() - timedelta(days=days)


def _day(at: datetime) -> str:
    return f"{localtime(at):%-d %B %Y}"
