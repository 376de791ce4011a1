"""Copies that people have made of what is kept of them."""

from typing import ClassVar

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils.timezone import now

from accounts.owned import OwnedModel


class Export(OwnedModel):
    """One copy that was asked for: which parts, how far it is, and until when it is kept.

    Its bytes are rows (`ExportPiece`), so that they lie behind row security, reach every machine of
    a site, and go when everything goes.
    """

    not_exported = "A copy of the rest, and gone after some days."

    class State(models.TextChoices):
        WAITING = "waiting", "waits for its turn"
        MAKING = "making", "is being made"
        READY = "ready", "ready"
        FAILED = "failed", "failed"
        CANCELLED = "cancelled", "cancelled"

    parts = ArrayField(models.CharField(max_length=20))
    state = models.CharField(max_length=10, choices=State, default=State.WAITING)
    # The part that is being gathered, and rows so far of how many.
    gathering = models.CharField(max_length=20, blank=True)
    done = models.PositiveIntegerField(default=0)
    total = models.PositiveIntegerField(default=0)
    asked_at = models.DateTimeField(default=now)
    made_at = models.DateTimeField(null=True, blank=True)
    expires_at = models.DateTimeField(null=True, blank=True)
    size = models.PositiveBigIntegerField("bytes", default=0)
    downloads = models.PositiveIntegerField(default=0)

    class Meta:
        indexes: ClassVar = [models.Index(fields=["user", "-asked_at"], name="exports_of_a_person")]

    def __str__(self) -> str:
        return f"{self.state} {self.pk}"

    @property
    def in_progress(self) -> bool:
        """Whether it waits or is being made."""
        return self.state in (self.State.WAITING, self.State.MAKING)

    @property
    def percent(self) -> int:
        """How far it is, of 100."""
        return 100 * self.done // self.total if self.total else 0


class ExportPiece(OwnedModel):
    """A piece of the file, in its place."""

    not_exported = "A copy of the rest, and gone after some days."

    export = models.ForeignKey(Export, on_delete=models.CASCADE, related_name="pieces")
    number = models.PositiveIntegerField()
    data = models.BinaryField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["export", "number"], name="one_piece_a_place")
        ]

    def __str__(self) -> str:
        return f"{self.export_id} {self.number}"
