"""Marks of plans, and calendar feed links."""

from typing import ClassVar

from django.db import models
from django.db.models import Q
from django.utils.timezone import now

from accounts.database.owned import OwnedModel
from conversations.models.messages import Message
from memory.models import Memory


class PlanMark(OwnedModel):
    """A plan marked as done or snoozed. The latest mark that was not undone counts.

    A plan is a sentence about coming days and has no row: `place` is its number among the plans of
    its message or memory, `day` the day it was planned for.
    """

    exported = ("message_id", "memory_id", "place", "day", "kind", "until", "at", "undone_at")

    class Kind(models.TextChoices):
        DONE = "done", "done"
        SNOOZED = "snoozed", "snoozed"

    message = models.ForeignKey(
        Message, null=True, blank=True, on_delete=models.CASCADE, related_name="+"
    )
    memory = models.ForeignKey(
        Memory, null=True, blank=True, on_delete=models.CASCADE, related_name="+"
    )
    place = models.PositiveSmallIntegerField()
    day = models.DateField()
    kind = models.CharField(max_length=8, choices=Kind)
    # The day to which the plan was snoozed.
    until = models.DateField(null=True, blank=True)
    at = models.DateTimeField(default=now)
    undone_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=Q(message__isnull=False, memory__isnull=True)
                | Q(message__isnull=True, memory__isnull=False),
                name="plan_mark_of_one_source",
            ),
            models.CheckConstraint(
                condition=Q(kind="snoozed", until__isnull=False)
                | Q(kind="done", until__isnull=True),
                name="plan_put_off_to_a_day",
            ),
        ]
        indexes: ClassVar = [models.Index(fields=["user", "day"], name="plan_marks_by_day")]

    def __str__(self) -> str:
        return f"{self.kind} {self.pk}"


class CalendarFeed(OwnedModel):
    """The link by which a calendar app reads a user's plans; stores a digest of its secret."""

    not_exported = "The link is secret, and only its digest is stored."

    digest = models.CharField(max_length=64, unique=True, editable=False)
    made_at = models.DateTimeField(default=now)
    last_read_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["user"], name="one_calendar_feed_a_person")
        ]

    def __str__(self) -> str:
        return str(self.pk)
