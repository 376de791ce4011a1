"""Finding and deleting what was learned from some messages only."""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from uuid import UUID

from django.db.models import Exists, F, OuterRef, Q, QuerySet

from accounts.models import User
from conversations.models import MessageQuerySet
from ledger import erasure
from memory.deletion.evidence import (
    MADE_SUMMARY,
    agreed_elsewhere,
    drop_evidence,
    merged_from_elsewhere,
)
from memory.models import Memory, Mention, Override, ProfileFact

Status = ProfileFact.Status
# Memories shown to the user or merged into another; all other statuses are out of use.
_STANDING = (
    Memory.Status.ACTIVE,
    Memory.Status.PAUSED,
    Memory.Status.WAITING,
    Memory.Status.MERGED,
)
_FADED = tuple(set(Memory.Status) - set(_STANDING))


@dataclass(frozen=True)
class Item:
    """A learned fact or memory, in words."""

    id: UUID
    kind: str
    words: str


@dataclass(frozen=True)
class LearnedItems:
    """Everything learned from some messages only.

    facts: current and past. notes: memories in use. overrides: facts of one conversation. Always
    deleted with the messages are `questions` (new values in open conflicts), `fallen` (set aside or
    removed facts) and `faded` (memories out of use).
    """

    facts: list[ProfileFact]
    notes: list[Memory]
    overrides: list[Override]
    questions: list[ProfileFact]
    fallen: list[ProfileFact]
    faded: list[Memory]

    def going(self, take: Callable[[UUID], bool]) -> tuple[list[ProfileFact], list[Memory]]:
        """Return the facts and memories to delete; `take` says of each optional id whether to
        delete it.
        """
        facts = (fact for fact in self.facts if take(fact.pk))
        notes = (note for note in self.notes if take(note.pk))
        return [*self.questions, *self.fallen, *facts], [*self.faded, *notes]

    @property
    def items(self) -> list[Item]:
        """The items that the user may choose to keep."""
        return [
            *(Item(fact.pk, _standing(fact), fact.in_words) for fact in self.facts),
            *(Item(note.pk, _kind(note), note.content) for note in self.notes),
            *(
                Item(
                    override.pk,
                    "In this conversation",
                    override.sentence,
                )
                for override in self.overrides
            ),
        ]


def _standing(fact: ProfileFact) -> str:
    return "In your profile" if fact.status == Status.CURRENT else "In your timeline"


def _kind(note: Memory) -> str:
    waits = note.status == Memory.Status.WAITING
    return "Waiting for you" if waits else "In your memories"


def only_from(user_id: UUID, messages: MessageQuerySet) -> LearnedItems:
    """Return the facts and memories that no other message supports; five queries."""
    facts = _facts_only_from(user_id, messages)
    return LearnedItems(
        facts=[fact for fact in facts if fact.status in (Status.CURRENT, Status.PAST)],
        notes=list(_notes_only_from(user_id, messages, _STANDING)),
        overrides=list(Override.objects.filter(user_id=user_id, message__in=messages)),
        questions=[fact for fact in facts if fact.status == Status.CHALLENGER],
        fallen=[fact for fact in facts if fact.status in (Status.SET_ASIDE, Status.REMOVED)],
        faded=list(_notes_only_from(user_id, messages, _FADED)),
    )


def _facts_only_from(user_id: UUID, messages: MessageQuerySet) -> list[ProfileFact]:
    mentions = Mention.objects.filter(user_id=user_id, fact=OuterRef("pk"))
    here = Exists(mentions.filter(message__in=messages)) | Q(source_message__in=messages)
    elsewhere = Exists(mentions.exclude(message__in=messages))
    # A fact written by hand did not come from a message, even if messages repeat it.
    by_hand = Q(source=ProfileFact.Source.MANUAL, source_message=None)
    rows = ProfileFact.objects.for_user(user_id).filter(here).exclude(elsewhere | by_hand)
    rows = rows.defer("embedding")
    return list(rows.order_by("created_at"))


def _notes_only_from(
    user_id: UUID, messages: MessageQuerySet, standing: Collection[Memory.Status]
) -> QuerySet[Memory]:
    rows = Memory.objects.for_user(user_id).filter(status__in=standing)
    # An edited version holds words of the earlier version, which its own message does not contain.
    earlier = Memory.objects.filter(superseded_by=OuterRef("pk"), source_message__in=messages)
    has_all = Q(source_message__content__icontains=F("content"))
    later = Exists(earlier) & Q(source=ProfileFact.Source.USER) & ~has_all
    rows = rows.filter(Q(source_message__in=messages) | later)
    rows = rows.exclude(MADE_SUMMARY).exclude(Exists(agreed_elsewhere(user_id, messages)))
    rows = rows.exclude(Exists(merged_from_elsewhere(user_id, messages)))
    return rows.defer("embedding", "terms").order_by("created_at")


# --- Deleting ------------------------------------------------------------------------------------


def take_back(user: User, messages: MessageQuerySet, take: Callable[[UUID], bool]) -> None:
    """Erase the chosen items that only these messages support, and remove the messages from the
    evidence of all others.
    """
    learned = only_from(user.pk, messages)
    erasure.erase_all(user.pk, *learned.going(take))
    override_ids = [override.pk for override in learned.overrides if take(override.pk)]
    drop_evidence(user.pk, messages, override_ids)
