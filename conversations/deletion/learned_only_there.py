"""What was learned from some messages and from nothing else, and letting it go with them."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery

from accounts.models import User
from conversations.models import Conversation, MessageQuerySet
from conversations.summaries import short_summary
from ledger import erasure
from memory.models import Memory, Mention, Override, ProfileFact, TrustChange

Status = ProfileFact.Status
_SUMMARY = Q(category=Memory.Category.SUMMARY) & ~Q(source=Memory.Source.MANUAL)


@dataclass(frozen=True)
class Item:
    """One thing that was learned, in words."""

    id: UUID
    kind: str
    words: str


@dataclass(frozen=True)
class Learned:
    """Facts that hold or held, notes, and what holds in the conversation only.

    `questions` are values that stand against another one and were said nowhere else: the question
    about them goes with the messages, whatever else is kept. So do the values that lost or were
    taken back, `fallen`: only these messages could say where they came from.
    """

    facts: list[ProfileFact]
    notes: list[Memory]
    overrides: list[Override]
    questions: list[ProfileFact]
    fallen: list[ProfileFact]

    @property
    def items(self) -> list[Item]:
        """What its owner may keep, one line each."""
        return [
            *(Item(fact.pk, _standing(fact), fact.in_words) for fact in self.facts),
            *(Item(note.pk, _kind(note), note.content) for note in self.notes),
            *(
                Item(one.pk, "In this conversation", one.kind.note.format(value=one.value))
                for one in self.overrides
            ),
        ]


def _standing(fact: ProfileFact) -> str:
    return "In your profile" if fact.status == Status.CURRENT else "In your timeline"


def _kind(note: Memory) -> str:
    waits = note.status == Memory.Status.WAITING
    return "Waits for your yes" if waits else "Among your notes"


def only_from(user_id: UUID, said: MessageQuerySet) -> Learned:
    """What no other message supports, in four reads."""
    facts = _facts_only_from(user_id, said)
    return Learned(
        facts=[fact for fact in facts if fact.status in (Status.CURRENT, Status.PAST)],
        notes=list(_notes_only_from(user_id, said)),
        overrides=list(Override.objects.filter(user_id=user_id, message__in=said)),
        questions=[fact for fact in facts if fact.status == Status.CHALLENGER],
        fallen=[fact for fact in facts if fact.status in (Status.SET_ASIDE, Status.REMOVED)],
    )


def _facts_only_from(user_id: UUID, said: MessageQuerySet) -> list[ProfileFact]:
    mentions = Mention.objects.filter(user_id=user_id, fact=OuterRef("pk"))
    here = Exists(mentions.filter(message__in=said)) | Q(source_message__in=said)
    elsewhere = Exists(mentions.exclude(message__in=said))
    rows = ProfileFact.objects.for_user(user_id).filter(here).exclude(elsewhere).defer("embedding")
    return list(rows.order_by("created_at"))


def _notes_only_from(user_id: UUID, said: MessageQuerySet) -> QuerySet[Memory]:
    """Notes on their owner's page, and those that were put aside because another says the same."""
    status = Memory.Status
    rows = Memory.objects.for_user(user_id).filter(
        status__in=[status.ACTIVE, status.PAUSED, status.WAITING, status.MERGED],
        source_message__in=said,
    )
    rows = rows.exclude(_SUMMARY).exclude(Exists(_agreed_elsewhere(user_id, said)))
    return rows.defer("embedding", "terms").order_by("created_at")


def _agreed_elsewhere(user_id: UUID, said: MessageQuerySet) -> QuerySet[TrustChange]:
    agreed = TrustChange.objects.filter(
        user_id=user_id,
        memory=OuterRef("pk"),
        cause=TrustChange.Cause.AGREEMENT,
        message__isnull=False,
    )
    return agreed.exclude(message__in=said)


# --- Letting it go -------------------------------------------------------------------------------


def take_back(user: User, said: MessageQuerySet, take: Callable[[UUID], bool]) -> None:
    """Take back what is wished of what only these messages support; let what others support lose
    them as its evidence.
    """
    found = only_from(user.pk, said)
    erasure.erase_all(
        user.pk,
        [*found.questions, *found.fallen, *(fact for fact in found.facts if take(fact.pk))],
        [note for note in found.notes if take(note.pk)],
    )
    gone = [override.pk for override in found.overrides if take(override.pk)]
    Override.objects.filter(user=user, pk__in=gone).delete()
    _point_elsewhere(user.pk, said)
    Mention.objects.filter(user=user, message__in=said).delete()


def _point_elsewhere(user_id: UUID, said: MessageQuerySet) -> None:
    """What is supported by other messages was said first in one of those, from now on."""
    mentions = Mention.objects.filter(user_id=user_id, fact=OuterRef("pk"))
    _point(
        ProfileFact.objects.for_user(user_id).filter(source_message__in=said),
        mentions.exclude(message__in=said).order_by("said_at", "pk"),
        "conversation",
    )
    _point(
        Memory.objects.for_user(user_id).filter(source_message__in=said),
        _agreed_elsewhere(user_id, said).order_by("at", "pk"),
        "message__conversation",
    )


def _point(rows: QuerySet[Any], others: QuerySet[Any], conversation: str) -> None:
    rows.filter(Exists(others)).update(
        source_conversation=Subquery(others.values(conversation)[:1]),
        source_message=Subquery(others.values("message")[:1]),
    )


# --- Summaries -----------------------------------------------------------------------------------


def drop_summaries(user_id: UUID, conversation_id: UUID) -> None:
    """What a conversation was about was made of its words, and can be made again of the rest.

    A summary that its owner wrote is theirs.
    """
    rows = Memory.objects.for_user(user_id).filter(source_conversation_id=conversation_id)
    rows.filter(_SUMMARY).delete()


def sum_up_again(conversation: Conversation) -> None:
    """Ask for a new one, of what is left."""
    short_summary.summarise_soon(conversation.user, conversation)
