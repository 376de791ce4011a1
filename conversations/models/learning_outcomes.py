"""The outcomes of learning from messages."""

from typing import ClassVar

from django.conf import settings
from django.db import models

from accounts.database.owned import OwnedModel
from conversations.models.messages import Message
from memory.models import Memory, Override, ProfileFact
from memory.slots import SLOTS, Slot


class LearningOutcome(OwnedModel):
    """A fact, memory or other outcome learned from one message: the chip under its answer."""

    exported = (
        "message_id",
        "kind",
        "slot",
        "fact_id",
        "memory_id",
        "override_id",
        "contradiction_id",
    )

    class Kind(models.TextChoices):
        STORED = "stored", "new fact"
        REINFORCED = "reinforced", "said again"
        ENDED = "ended", "no longer true"
        OVERRIDE = "override", "used only in this conversation"
        CONFLICT = "conflict", "in conflict with another value"
        WITHHELD = "kept", "stays in this conversation"
        MEMORY = "memory", "new memory"
        WAITING = "waiting", "waiting to be confirmed"
        SETTLED = "settled", "conflict settled"
        # For these kinds `slot` is the handle of a persona.
        ROLE = "role", "asks about your role"
        LEFT_ROLE = "left_role", "asks whether you left a role"

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE)
    message = models.ForeignKey(Message, on_delete=models.CASCADE, related_name="outcomes")
    kind = models.CharField(max_length=12, choices=Kind)
    slot = models.CharField(max_length=40, blank=True)
    fact = models.ForeignKey(ProfileFact, null=True, blank=True, on_delete=models.CASCADE)
    memory = models.ForeignKey(Memory, null=True, blank=True, on_delete=models.CASCADE)
    override = models.ForeignKey(Override, null=True, blank=True, on_delete=models.CASCADE)
    contradiction = models.ForeignKey(
        "ledger.Contradiction", null=True, blank=True, on_delete=models.CASCADE
    )

    class Meta:
        indexes: ClassVar = [models.Index(fields=["user", "message"], name="notes_of_a_message")]

    def __str__(self) -> str:
        return f"{self.kind} {self.slot} {self.pk}"

    @property
    def about(self) -> Slot:
        """The registry entry of this outcome's slot."""
        return SLOTS[self.slot]
