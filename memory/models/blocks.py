"""Models of memory blocks: short texts in every prompt, with a limit, a version and a history."""

from typing import ClassVar

from django.db import models

from accounts.database.owned import OwnedModel

# The longest personal block, in characters; see `memory.blocks` for the limit of each block.
BLOCK_LENGTH = 5000


class MemoryBlock(OwnedModel):
    """A memory block of a user: what they are like, or what they do at work."""

    exported = ("label", "content", "version", "updated_at")

    class Label(models.TextChoices):
        HUMAN = "human", "About you"
        PROFILE = "user_persona_profile", "You at work"

    label = models.CharField(max_length=24, choices=Label)
    content = models.TextField(max_length=BLOCK_LENGTH)
    # Counts from 1; writers name the version that they read.
    version = models.PositiveIntegerField(default=1)
    updated_at = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["user", "label"], name="a_block_once_a_person")
        ]

    def __str__(self) -> str:
        return f"{self.label} of {self.user_id}"


class BlockVersion(OwnedModel):
    """The content of a memory block at a version, and who wrote it."""

    exported = ("block_id", "version", "content", "written_by", "written_at")

    class By(models.TextChoices):
        OWNER = "owner", "you"
        ASSISTANT = "assistant", "the assistant"

    block = models.ForeignKey(MemoryBlock, on_delete=models.CASCADE, related_name="versions")
    version = models.PositiveIntegerField()
    content = models.TextField(max_length=BLOCK_LENGTH)
    written_by = models.CharField(max_length=10, choices=By)
    written_at = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["block", "version"], name="a_version_once_a_block")
        ]

    def __str__(self) -> str:
        return f"{self.version} of {self.block_id}"
