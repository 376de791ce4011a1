"""Models of memories (notes): sentences worth storing that fit no slot of the profile."""

from typing import ClassVar
from uuid import UUID

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils.timezone import localdate
from pgvector.django import HalfVectorField

from accounts.database.owned import OwnedModel
from accounts.support import formatting
from memory.language.origin import Origin
from memory.language.safety.claims import Claim
from memory.language.text import EMBEDDING_DIMENSIONS
from memory.models.facts import ORIGINS, ProfileFact, share
from memory.slots import SLOTS

CLAIMS = [(claim.value, claim.value) for claim in Claim]

# Longer than any sentence worth storing; longer texts are shortened.
CONTENT_LENGTH = 600


class MemoryQuerySet(models.QuerySet["Memory"]):
    """Queries for memories."""

    def for_user(self, user_id: UUID) -> "MemoryQuerySet":
        """Return all memories of a user, with any status."""
        return self.filter(user_id=user_id)

    def active(self) -> "MemoryQuerySet":
        """Return the memories that answers may use."""
        return self.filter(status=Memory.Status.ACTIVE)

    def waiting(self) -> "MemoryQuerySet":
        """Return the memories that wait for approval, without those about ending an ended fact."""
        rows = self.filter(status=Memory.Status.WAITING)
        return rows.filter(Q(ends__isnull=True) | Q(ends__status=ProfileFact.Status.CURRENT))

    def shown(self) -> "MemoryQuerySet":
        """Return the memories shown to the user: in use, paused, or waiting."""
        status = Memory.Status
        return self.filter(status__in=[status.ACTIVE, status.PAUSED, status.WAITING])


class Memory(OwnedModel):
    """One memory (note): its text, mode, trust and source.

    `content` is the text for the user and for prompts: in mode L the sentence, in C its words cut
    after a clause, in H the same plus the key spans that were cut; in C and H `original` is the
    sentence. Rows out of use stay, with a status that says why; `superseded_by` is the replacement.
    """

    exported = (
        "kind",
        "category",
        "priority",
        "status",
        "content",
        "mode",
        "original",
        "key_spans",
        "significance",
        "slot",
        "value",
        "ends_id",
        "trust",
        "confidence",
        "source",
        "origin",
        "claim",
        "written_by",
        "source_conversation_id",
        "source_message_id",
        "said_at",
        "happened_on",
        "superseded_by_id",
        "ended_at",
        "uses",
        "last_used_at",
        "faded_at",
        "created_at",
        "updated_at",
    )

    class Kind(models.TextChoices):
        SEMANTIC = "semantic", "how things are"
        EPISODIC = "episodic", "what happened"
        PROCEDURAL = "procedural", "how you want things done"
        WORKING = "working", "what applies in one conversation"

    class Category(models.TextChoices):
        FACT = "fact", "Fact"
        PREFERENCE = "preference", "Preference"
        TOPIC = "topic", "Topic"
        STYLE = "style", "Style"
        SUMMARY = "summary", "Summary"

    class Priority(models.IntegerChoices):
        LOW = 0, "Low"
        NORMAL = 1, "Normal"
        HIGH = 2, "High"
        CORE = 3, "Always in mind"

    class Mode(models.TextChoices):
        LOSSLESS = "L", "word for word"
        COMPRESSED = "C", "shortened"
        HYBRID = "H", "shortened, with names and numbers"

    class Status(models.TextChoices):
        ACTIVE = "active", "in use"
        WAITING = "waiting", "waiting to be confirmed"
        PAUSED = "paused", "paused by the user"
        SUPERSEDED = "superseded", "replaced by a newer memory"
        MERGED = "merged", "merged with another memory"
        RETIRED = "retired", "removed to make room"
        WITHDRAWN = "withdrawn", "changed by the language model"
        REMOVED = "removed", "forgotten by the user"
        DECLINED = "declined", "declined by the user"

    Source = ProfileFact.Source

    kind = models.CharField(max_length=10, choices=Kind, default=Kind.SEMANTIC)
    category = models.CharField(max_length=10, choices=Category, default=Category.FACT)
    priority = models.PositiveSmallIntegerField(choices=Priority, default=Priority.NORMAL)
    status = models.CharField(max_length=10, choices=Status, default=Status.ACTIVE)
    content = models.CharField(max_length=CONTENT_LENGTH)
    # The words of the content without case and punctuation; unique among active memories.
    content_key = models.CharField(max_length=CONTENT_LENGTH)
    mode = models.CharField(max_length=1, choices=Mode, default=Mode.LOSSLESS)
    original = models.TextField(blank=True)
    key_spans = ArrayField(models.CharField(max_length=120), default=list, blank=True)
    significance = models.FloatField(default=0.5)
    # A value for a slot of the profile that is not certain enough to be a fact.
    slot = models.CharField(max_length=40, blank=True)
    value = models.CharField(max_length=500, blank=True)
    # A fact that seems to be over: approving this memory ends the fact.
    ends = models.ForeignKey(
        ProfileFact, null=True, blank=True, on_delete=models.CASCADE, related_name="ended_by"
    )
    # A memory that seems outdated: approving this memory replaces it.
    replaces = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.SET_NULL, related_name="replaced_by"
    )
    trust = models.FloatField()
    confidence = models.FloatField()
    source = models.CharField(max_length=12, choices=Source, default=Source.USER)
    origin = models.CharField(max_length=10, choices=ORIGINS, default=Origin.TYPED)
    # An unchecked claim: a rank, permission, policy or credential. Such a memory never gets the top
    # priority, and repeating it never raises its trust.
    claim = models.CharField(max_length=12, choices=CLAIMS, blank=True)
    # The name of the API token of the agent that wrote it; else empty.
    written_by = models.CharField(max_length=80, blank=True, default="")
    source_conversation = models.ForeignKey(
        "conversations.Conversation", null=True, blank=True, on_delete=models.SET_NULL
    )
    source_message = models.ForeignKey(
        "conversations.Message", null=True, blank=True, on_delete=models.SET_NULL
    )
    said_at = models.DateTimeField()
    # The day that the text names, if any ('last Tuesday' is counted from `said_at`).
    happened_on = models.DateField(null=True, blank=True)
    superseded_by = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.SET_NULL, related_name="supersedes"
    )
    ended_at = models.DateTimeField(null=True, blank=True)
    uses = models.PositiveIntegerField(default=0)
    last_used_at = models.DateTimeField(null=True, blank=True)
    # When decay last lowered the priority: once per period without use.
    faded_at = models.DateTimeField(null=True, blank=True)
    terms = models.BinaryField(default=bytes)
    embedding = HalfVectorField(dimensions=EMBEDDING_DIMENSIONS, null=True, blank=True)
    embedding_model = models.CharField(max_length=80, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    objects = MemoryQuerySet.as_manager()

    class Meta:
        verbose_name_plural = "memories"
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["user", "content_key"],
                condition=Q(status="active") & ~Q(category="summary"),
                name="no_memory_twice",
            ),
            models.UniqueConstraint(
                fields=["source_conversation"],
                condition=Q(status="active", category="summary"),
                name="one_summary_a_conversation",
            ),
            models.CheckConstraint(condition=share("trust"), name="memory_trust_is_a_share"),
            models.CheckConstraint(
                condition=share("confidence"), name="memory_confidence_is_a_share"
            ),
        ]
        indexes: ClassVar = [
            models.Index(fields=["user", "status", "category"], name="memories_of_a_person"),
            models.Index(fields=["user", "source_message"], name="memories_of_a_message"),
        ]

    def __str__(self) -> str:
        return f"{self.category} {self.pk}"

    def get_absolute_url(self) -> str:
        """Return the URL of this memory on the memories page."""
        return reverse("memory:memories") + f"#memory-{self.pk}"

    @property
    def about_day(self) -> str:
        """Return 'about Friday 4 December' for the day that the memory names; '' without one."""
        if self.happened_on is None:
            return ""
        return f"about {formatting.weekday(self.happened_on, localdate())}"

    @property
    def waits_as(self) -> str:
        """What approving this memory does: "ending" of a fact, a new "fact", or a "note"."""
        return "ending" if self.ends_id else "fact" if self.slot else "note"

    @property
    def is_sensitive(self) -> bool:
        """Whether the memory is about a sensitive slot, saved with consent."""
        return self.slot in SLOTS and SLOTS[self.slot].sensitive


class Merge(OwnedModel):
    """A merge of several equal memories into one; undoing it restores the others."""

    exported = ("kept_id", "trust_before", "made_at", "undone_at")

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE)
    kept = models.ForeignKey(Memory, on_delete=models.CASCADE, related_name="merges")
    merged = models.ManyToManyField(Memory, related_name="merged_in", through="MergedMemory")
    trust_before = models.FloatField()
    made_at = models.DateTimeField()
    undone_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        indexes: ClassVar = [models.Index(fields=["user", "-made_at"], name="merges_of_a_person")]

    def __str__(self) -> str:
        return f"into {self.kept_id}"


class MergedMemory(OwnedModel):
    """A memory that was merged into another."""

    exported = ("merge_id", "memory_id")

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE)
    merge = models.ForeignKey(Merge, on_delete=models.CASCADE)
    memory = models.ForeignKey(Memory, on_delete=models.CASCADE)

    def __str__(self) -> str:
        return f"{self.memory_id} in {self.merge_id}"


class TrustChange(OwnedModel):
    """A change of trust with its cause. Rows are never updated."""

    exported = ("fact_id", "memory_id", "before", "after", "cause", "message_id", "at")

    class Cause(models.TextChoices):
        AGREEMENT = "agreement", "said again"
        DRIFT = "drift", "something else was said"
        CONFIRMED = "confirmed", "confirmed by the user"
        SETTLED = "settled", "a conflict was settled"
        MERGED = "merged", "merged with a memory that says the same"
        UNDONE = "undone", "an earlier change was undone"

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE)
    fact = models.ForeignKey(
        ProfileFact, null=True, blank=True, on_delete=models.CASCADE, related_name="trust_changes"
    )
    memory = models.ForeignKey(
        Memory, null=True, blank=True, on_delete=models.CASCADE, related_name="trust_changes"
    )
    before = models.FloatField()
    after = models.FloatField()
    cause = models.CharField(max_length=12, choices=Cause)
    message = models.ForeignKey(
        "conversations.Message", null=True, blank=True, on_delete=models.SET_NULL
    )
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=Q(fact__isnull=False, memory__isnull=True)
                | Q(fact__isnull=True, memory__isnull=False),
                name="trust_change_of_one_thing",
            )
        ]
        indexes: ClassVar = [models.Index(fields=["user", "at"], name="trust_changes_by_time")]

    def __str__(self) -> str:
        return f"{self.cause} {self.pk}"
