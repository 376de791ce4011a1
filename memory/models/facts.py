"""Models of the profile: facts, their mentions, and overrides for one conversation."""

from datetime import datetime
from typing import Any, ClassVar
from uuid import UUID

from django.db import models
from django.db.models import Count, Max, Q
from django.urls import reverse
from pgvector.django import HalfVectorField

from accounts.database.owned import OwnedModel
from memory.language.origin import Origin
from memory.language.text import EMBEDDING_DIMENSIONS
from memory.slots import SLOTS, Slot, value_key


def share(field: str) -> Q:
    """Return a constraint: a score lies between 0 and 1."""
    return Q(**{f"{field}__gte": 0.0, f"{field}__lte": 1.0})


VALUE_LENGTH = 500
ORIGINS = [(origin.value, origin.value) for origin in Origin]


def key_of(slot: str, value: str) -> str:
    """Return the normalised value for storage, cut to `VALUE_LENGTH` characters."""
    return value_key(slot, value)[:VALUE_LENGTH]


class Precision(models.TextChoices):
    """How precisely a time was stated: "since March" does not mean the first of March."""

    DAY = "day", "to the day"
    WEEK = "week", "to the week"
    MONTH = "month", "to the month"
    YEAR = "year", "to the year"


class FactQuerySet(models.QuerySet["ProfileFact"]):
    """Queries for facts of the profile."""

    def for_user(self, user_id: UUID) -> "FactQuerySet":
        """Return all facts of a user, with any status."""
        return self.filter(user_id=user_id)

    def current(self) -> "FactQuerySet":
        """Return the current facts, including those in a conflict."""
        return self.filter(status=ProfileFact.Status.CURRENT)

    def count_and_name(self) -> tuple[int, str]:
        """Return the number of facts and the user's name ('' if unknown), in one query."""
        figures = self.aggregate(
            held=Count("pk"),
            called=Max("value", filter=Q(slot="preferred_name")),
            named=Max("value", filter=Q(slot="name")),
        )
        return figures["held"], figures["called"] or figures["named"] or ""

    def as_of(self, moment: datetime) -> "FactQuerySet":
        """Return the facts that held at a moment, as known now, without losers of conflicts."""
        facts = self.filter(
            status__in=[ProfileFact.Status.CURRENT, ProfileFact.Status.PAST], valid_from__lte=moment
        )
        return facts.filter(Q(valid_to__isnull=True) | Q(valid_to__gt=moment))

    def with_evidence(self) -> "FactQuerySet":
        """Return the facts with mentions and challengers prefetched (five queries)."""
        rows = self.select_related("source_conversation", "source_message")
        return rows.defer("embedding", "source_message__content").prefetch_related(
            "mentions__conversation", "mentions__message", "disputed_by__new_fact"
        )

    def challengers(self) -> "FactQuerySet":
        """Return the challengers: values in conflict with a current fact."""
        return self.filter(status=ProfileFact.Status.CHALLENGER)


class ProfileFact(OwnedModel):
    """One value of a slot in a user's profile. A change closes the row and adds another."""

    exported = (
        "slot",
        "value",
        "status",
        "trust",
        "confidence",
        "source",
        "origin",
        "source_conversation_id",
        "source_message_id",
        "last_verified",
        "valid_from",
        "valid_to",
        "from_precision",
        "to_precision",
        "replaces_id",
        "uses",
        "last_used_at",
        "created_at",
        "updated_at",
    )

    class Status(models.TextChoices):
        CURRENT = "current", "true now"
        CHALLENGER = "challenger", "in conflict with a current value"
        PAST = "past", "no longer true"
        SET_ASIDE = "set_aside", "set aside as not true"
        REMOVED = "removed", "removed by the user"

    class Source(models.TextChoices):
        USER = "user", "said in a conversation"
        SYSTEM = "system", "written by the assistant"
        FALLBACK = "fallback", "written by the assistant without a model"
        REFLECTION = "reflection", "read by a language model"
        MANUAL = "manual", "added by hand"
        IMPORT = "import", "imported"

    # No index on the user alone: queries join or read all rows of a user.
    slot = models.CharField(max_length=40)
    # Copied from the slot registry for the constraint that allows one current value.
    many = models.BooleanField()
    value = models.CharField(max_length=VALUE_LENGTH)
    value_key = models.CharField(max_length=VALUE_LENGTH)
    status = models.CharField(max_length=12, choices=Status, default=Status.CURRENT)
    trust = models.FloatField()
    confidence = models.FloatField()
    source = models.CharField(max_length=12, choices=Source, default=Source.USER)
    origin = models.CharField(max_length=10, choices=ORIGINS, default=Origin.TYPED)
    source_conversation = models.ForeignKey(
        "conversations.Conversation", null=True, blank=True, on_delete=models.SET_NULL
    )
    source_message = models.ForeignKey(
        "conversations.Message", null=True, blank=True, on_delete=models.SET_NULL
    )
    last_verified = models.DateTimeField()
    valid_from = models.DateTimeField()
    valid_to = models.DateTimeField(null=True, blank=True)
    # How precisely the start and the end were stated.
    from_precision = models.CharField(max_length=5, choices=Precision, default=Precision.DAY)
    to_precision = models.CharField(max_length=5, choices=Precision, default=Precision.DAY)
    # The fact that this row replaced, after an edit or a more precise statement.
    replaces = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.SET_NULL, related_name="replaced_by"
    )
    embedding = HalfVectorField(dimensions=EMBEDDING_DIMENSIONS, null=True, blank=True)
    embedding_model = models.CharField(max_length=80, blank=True)
    uses = models.PositiveIntegerField(default=0)
    last_used_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    objects = FactQuerySet.as_manager()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["user", "slot"],
                condition=Q(status="current", many=False),
                name="one_current_value_a_slot",
            ),
            models.UniqueConstraint(
                fields=["user", "slot", "value_key"],
                condition=Q(status__in=["current", "challenger"]),
                name="no_value_twice_in_a_slot",
            ),
            models.CheckConstraint(condition=share("trust"), name="fact_trust_is_a_share"),
            models.CheckConstraint(
                condition=share("confidence"), name="fact_confidence_is_a_share"
            ),
        ]
        indexes: ClassVar = [
            models.Index(fields=["user", "status", "slot"], name="facts_of_a_person")
        ]

    def __str__(self) -> str:
        return f"{self.slot} {self.pk}"

    def get_absolute_url(self) -> str:
        """Return the URL of this fact on the profile page."""
        return reverse("memory:profile") + f"#fact-{self.pk}"

    @property
    def kind(self) -> Slot:
        """The registry's entry for the slot."""
        return SLOTS[self.slot]

    @property
    def sentence(self) -> str:
        """The fact as a sentence in the words of its slot: 'Works at Google'."""
        return self.kind.note.format(value=self.value)

    @property
    def begins_unknown(self) -> bool:
        """Whether the fact is over and its start is unknown (start equals end)."""
        return self.valid_to is not None and self.valid_to <= self.valid_from

    @property
    def was_over(self) -> bool:
        """Whether the fact was already over when it was saved."""
        return self.valid_to is not None and self.valid_to <= self.created_at

    @property
    def in_words(self) -> str:
        """The fact as a sentence: 'Works at Google', or 'Worked at Post AG' for a past one."""
        over = self.status == self.Status.PAST
        return (self.kind.past_note if over else self.kind.note).format(value=self.value)

    @property
    def narrowed_from(self) -> "ProfileFact | None":
        """The less precise fact that this one replaced; None if there is none or it was by hand."""
        if self.replaces_id is None or self.source == self.Source.MANUAL:
            return None
        return self.replaces

    @property
    def is_sensitive(self) -> bool:
        """Whether the slot is sensitive, so that the fact was saved with consent."""
        return self.kind.sensitive

    @property
    def open_conflicts(self) -> list[Any]:
        """The open conflicts about this fact; prefetch `disputed_by` for lists."""
        return [conflict for conflict in self.disputed_by.all() if conflict.is_open]

    @property
    def is_disputed(self) -> bool:
        """Whether there is an open conflict about this fact."""
        return bool(self.open_conflicts)

    @property
    def conversation_count(self) -> int:
        """The number of conversations that mention this fact; prefetch `mentions` for lists."""
        return len({mention.conversation_id for mention in self.mentions.all()})


class Mention(OwnedModel):
    """A message that states a fact: evidence, one row per message and fact."""

    exported = ("fact_id", "conversation_id", "message_id", "said_at", "start", "end")

    fact = models.ForeignKey(ProfileFact, on_delete=models.CASCADE, related_name="mentions")
    conversation = models.ForeignKey("conversations.Conversation", on_delete=models.CASCADE)
    message = models.ForeignKey("conversations.Message", on_delete=models.CASCADE)
    said_at = models.DateTimeField()
    # Where the value is in the message, in characters.
    start = models.PositiveIntegerField()
    end = models.PositiveIntegerField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["fact", "message"], name="one_mention_a_message")
        ]
        indexes: ClassVar = [models.Index(fields=["user", "fact"], name="mentions_of_a_fact")]

    def __str__(self) -> str:
        return f"{self.fact_id} in {self.message_id}"


class Override(OwnedModel):
    """A value that holds in one conversation only, instead of or beside the profile's values."""

    exported = ("conversation_id", "message_id", "slot", "value", "created_at")

    conversation = models.ForeignKey("conversations.Conversation", on_delete=models.CASCADE)
    message = models.ForeignKey(
        "conversations.Message", null=True, blank=True, on_delete=models.SET_NULL
    )
    slot = models.CharField(max_length=40)
    value = models.CharField(max_length=500)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["conversation", "slot", "value"], name="no_override_twice_in_a_conversation"
            )
        ]
        indexes: ClassVar = [
            models.Index(fields=["user", "conversation"], name="overrides_of_a_conversation")
        ]

    def __str__(self) -> str:
        return f"{self.slot} in {self.conversation_id}"

    @property
    def kind(self) -> Slot:
        """The registry's entry for the slot."""
        return SLOTS[self.slot]

    @property
    def sentence(self) -> str:
        """The value as a sentence in the words of its slot: 'Works at Google'."""
        return self.kind.note.format(value=self.value)


class BlockedSlot(OwnedModel):
    """A slot that a user has blocked: no facts are saved in it."""

    exported = ("slot", "blocked_at")

    outlives_forgetting = "A choice: which kinds of fact about them are never saved."

    slot = models.CharField(max_length=40)
    blocked_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["user", "slot"], name="a_slot_is_blocked_once")
        ]

    def __str__(self) -> str:
        return self.slot

    @property
    def kind(self) -> Slot:
        """The registry's entry for the slot."""
        return SLOTS[self.slot]
