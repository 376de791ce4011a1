"""Contradictions, and how each was settled."""

from typing import TYPE_CHECKING, ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.urls import reverse

from accounts.ids import new_id
from memory.models import ProfileFact, share
from memory.slots import SLOTS, Slot

if TYPE_CHECKING:
    from uuid import UUID


class ContradictionQuerySet(models.QuerySet["Contradiction"]):
    """Questions about many contradictions."""

    def for_user(self, user_id: "UUID") -> "ContradictionQuerySet":
        """This person's contradictions, with both sides loaded."""
        return self.filter(user_id=user_id).select_related("old_fact", "new_fact", "resolution")

    def open(self) -> "ContradictionQuerySet":
        """Those that wait for an answer."""
        return self.filter(status=Contradiction.Status.OPEN)


class Contradiction(models.Model):
    """Two values for one slot, and whether that has been settled."""

    class Status(models.TextChoices):
        OPEN = "open", "waits for an answer"
        RESOLVED = "resolved", "settled"
        ACCEPTED = "accepted", "both are kept"
        DISMISSED = "dismissed", "not a contradiction"

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE)
    slot = models.CharField(max_length=40)
    old_fact = models.ForeignKey(ProfileFact, on_delete=models.CASCADE, related_name="disputed_by")
    new_fact = models.ForeignKey(ProfileFact, on_delete=models.CASCADE, related_name="disputes")
    # How far apart the two values are, 0..1.
    drift = models.FloatField()
    status = models.CharField(max_length=12, choices=Status, default=Status.OPEN)
    opened_at = models.DateTimeField()

    objects = ContradictionQuerySet.as_manager()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["old_fact", "new_fact"],
                condition=Q(status="open"),
                name="one_open_entry_a_pair",
            ),
            models.CheckConstraint(condition=share("drift"), name="drift_is_a_share"),
        ]
        indexes: ClassVar = [
            models.Index(fields=["user", "status", "-opened_at"], name="contradictions_of_a_person")
        ]

    def __str__(self) -> str:
        return f"{self.slot} {self.pk}"

    def get_absolute_url(self) -> str:
        """The page where it can be settled."""
        return reverse("ledger:conflict", args=[self.pk])

    @property
    def kind(self) -> Slot:
        """The registry's entry for the disputed slot."""
        return SLOTS[self.slot]

    @property
    def is_open(self) -> bool:
        """Whether it still waits for an answer."""
        return self.status == self.Status.OPEN


class Resolution(models.Model):
    """How one contradiction was settled: by whom, when, in which way, and why."""

    class Method(models.TextChoices):
        KEEP_OLD = "keep_old", "the old value is right"
        KEEP_NEW = "keep_new", "the new value is right"
        OVERTAKEN = "overtaken", "its owner changed the fact by hand"

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE)
    contradiction = models.OneToOneField(
        Contradiction, on_delete=models.CASCADE, related_name="resolution"
    )
    method = models.CharField(max_length=12, choices=Method)
    # Who settled it; empty when the house did, following the person's own edit.
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    at = models.DateTimeField()
    reason = models.CharField(max_length=500, blank=True)

    def __str__(self) -> str:
        return f"{self.method} {self.contradiction_id}"
