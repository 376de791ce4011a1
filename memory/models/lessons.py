"""Models of lessons that people of one persona share: texts, supporters and reports.

A lesson names nobody. Each supporter has their own row, which nobody else can read; the database
counts these rows by user and by organisation (see `memory.lessons.tables`).
"""

from typing import ClassVar
from uuid import UUID

from django.db import models
from django.db.models import F, Q
from django.utils.timezone import now
from pgvector.django import HalfVectorField

from accounts.database.owned import OwnedModel
from memory.language.text import EMBEDDING_DIMENSIONS
from personas.models import HANDLE_LENGTH

LESSON_LENGTH = 300
REPORT_LENGTH = 500


class LessonQuerySet(models.QuerySet["Lesson"]):
    """Queries for lessons of personas."""

    def visible(self) -> "LessonQuerySet":
        """Return the lessons that everybody in their scope may read."""
        return self.filter(visible=True)

    def of_persona(self, handle: str) -> "LessonQuerySet":
        """Return the lessons of a persona, without those of its role or industry."""
        return self.filter(scope=Lesson.Scope.PERSONA, key=handle)


class Lesson(models.Model):
    """A lesson in general words, without an author.

    Its id is computed from scope, key and text (`memory.lessons.wordings`), so a second contributor
    of the same text supports the same row without reading it. Only the spelling of a text may
    change. Until a lesson is visible, row-level security lets only its supporters read it.
    """

    class Scope(models.TextChoices):
        GLOBAL = "global", "Everyone"
        INDUSTRY = "industry", "One industry"
        ROLE = "role", "One role"
        PERSONA = "persona", "One persona"

    class Standing(models.TextChoices):
        OPEN = "open", "used once enough people support it"
        RETIRED = "retired", "retired by staff"
        FADED = "faded", "not confirmed for a long time"

    id = models.UUIDField(primary_key=True, editable=False)
    scope = models.CharField(max_length=8, choices=Scope, default=Scope.PERSONA)
    # The handle of the persona, the industry or the role; '' for global.
    key = models.CharField(max_length=HANDLE_LENGTH, blank=True)
    text = models.CharField(max_length=LESSON_LENGTH)
    embedding = HalfVectorField(dimensions=EMBEDDING_DIMENSIONS, null=True, editable=False)
    standing = models.CharField(max_length=8, choices=Standing, default=Standing.OPEN)
    # When and why staff approved it with too few supporters, or changed it.
    approved_at = models.DateTimeField(null=True, blank=True)
    reason = models.CharField(max_length=REPORT_LENGTH, blank=True)
    # Counted by database triggers.
    supporters = models.PositiveIntegerField(default=0, editable=False)
    organisations = models.PositiveIntegerField(default=0, editable=False)
    # The required numbers, as configured when the lesson was made.
    needs_people = models.PositiveSmallIntegerField()
    needs_organisations = models.PositiveSmallIntegerField()
    visible = models.GeneratedField(
        expression=Q(standing="open")  # type: ignore[arg-type]
        & (
            Q(approved_at__isnull=False)
            | (
                Q(supporters__gte=F("needs_people"))
                & Q(organisations__gte=F("needs_organisations"))
            )
        ),
        output_field=models.BooleanField(),
        db_persist=True,
    )
    first_at = models.DateTimeField(default=now, editable=False)
    confirmed_at = models.DateTimeField(default=now, editable=False)

    objects = LessonQuerySet.as_manager()

    class Meta:
        indexes: ClassVar = [
            models.Index(
                fields=["scope", "key", "-supporters"],
                name="lessons_of_a_scope",
                condition=Q(visible=True),
            )
        ]

    def __str__(self) -> str:
        return str(self.pk)


class LessonSupport(OwnedModel):
    """A user's support of a lesson; nobody else can read it."""

    exported = ("lesson_id", "source", "supported_at")

    class Source(models.TextChoices):
        CONVERSATION = "conversation", "what you worked on"
        MODEL = "model", "the language model"
        OWNER = "owner", "you, by hand"

    lesson = models.ForeignKey(Lesson, on_delete=models.CASCADE, related_name="supports")
    # A keyed hash of the registrable domain of the supporter's e-mail address, so that colleagues
    # count as one organisation. Empty for public mail providers, which count as none.
    organisation = models.CharField(max_length=64, editable=False, blank=True)
    source = models.CharField(max_length=12, choices=Source)
    # Support from a conversation is deleted with the conversation.
    conversation = models.ForeignKey(
        "conversations.Conversation", null=True, blank=True, on_delete=models.CASCADE
    )
    supported_at = models.DateTimeField(default=now)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["user", "lesson"], name="a_lesson_once_a_supporter")
        ]

    def __str__(self) -> str:
        return f"{self.lesson_id} by {self.user_id}"

    @classmethod
    def lessons_of(cls, user_id: UUID) -> models.QuerySet["LessonSupport"]:
        """Return a user's supports with their lessons, newest first."""
        rows = cls.objects.filter(user_id=user_id).select_related("lesson")
        return rows.order_by("-supported_at")


class LessonTally(models.Model):
    """The number of supporters of a lesson in one organisation. Written by the database."""

    lesson = models.ForeignKey(Lesson, on_delete=models.CASCADE, related_name="tallies")
    organisation = models.CharField(max_length=64)
    people = models.PositiveIntegerField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["lesson", "organisation"], name="an_organisation_once_a_lesson"
            )
        ]

    def __str__(self) -> str:
        return f"{self.people} for {self.lesson_id}"


class LessonReport(OwnedModel):
    """A user's report about a lesson, for staff to decide."""

    exported = ("lesson_id", "kind", "words", "reported_at", "standing", "answer")

    class Kind(models.TextChoices):
        PERSONAL = "personal", "It’s about a particular person or company"
        WRONG = "wrong", "It’s wrong"
        HARMFUL = "harmful", "It gives orders or could do harm"
        OTHER = "other", "Something else"

    class Standing(models.TextChoices):
        OPEN = "open", "waiting for staff"
        KEPT = "kept", "lesson kept"
        CHANGED = "changed", "lesson changed"
        RETIRED = "retired", "lesson removed"

    lesson = models.ForeignKey(Lesson, on_delete=models.CASCADE, related_name="reports")
    kind = models.CharField(max_length=10, choices=Kind)
    words = models.CharField(max_length=REPORT_LENGTH, blank=True)
    reported_at = models.DateTimeField(default=now)
    standing = models.CharField(max_length=8, choices=Standing, default=Standing.OPEN)
    answer = models.CharField(max_length=REPORT_LENGTH, blank=True)
    # The lesson's text, if the user may read it; set by `memory.lessons.reports`.
    about = ""

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["user", "lesson"],
                name="an_open_report_once_a_person",
                condition=Q(standing="open"),
            )
        ]

    def __str__(self) -> str:
        return str(self.pk)


class ExperienceDay(models.Model):
    """Activity counts of one persona on one day; no content.

    `refusals` counts by the guard's reason: {"name": 3}; `characters` is the length of the shared
    memory block at the end of the day.
    """

    key = models.CharField(max_length=HANDLE_LENGTH)
    day = models.DateField()
    reads = models.PositiveIntegerField(default=0)
    writes = models.PositiveIntegerField(default=0)
    characters = models.PositiveIntegerField(default=0)
    # Of the persona's members: answers, conversations started, tool calls.
    answers = models.PositiveIntegerField(default=0)
    conversations = models.PositiveIntegerField(default=0)
    calls = models.PositiveIntegerField(default=0)
    calls_failed = models.PositiveIntegerField(default=0)
    refusals = models.JSONField(default=dict)

    class Meta:
        verbose_name_plural = "persona statistics"
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["key", "day"], name="a_day_once_a_block")
        ]

    def __str__(self) -> str:
        return f"{self.key} on {self.day}"
