"""Pages that a person shares: which facts, with whom has the link, until when."""

from datetime import datetime
from typing import ClassVar

from django.db import models
from django.urls import reverse

from accounts.database.owned import OwnedModel
from memory.models.facts import ProfileFact

NAME_LENGTH = 80


class ProfileShare(OwnedModel):
    """One page for whoever has its link. The token is the key, so it is shown to its owner only."""

    exported = (
        "name",
        "shown_as",
        "made_at",
        "expires_at",
        "revoked_at",
        "openings",
        "last_opened_at",
    )

    token = models.CharField(max_length=64, unique=True, editable=False)
    name = models.CharField(max_length=NAME_LENGTH)
    # Whose page it says it is; empty says nothing.
    shown_as = models.CharField(max_length=NAME_LENGTH, blank=True)
    made_at = models.DateTimeField()
    expires_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)
    # How often it was opened, and when last: nothing about who did.
    openings = models.PositiveIntegerField(default=0)
    last_opened_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        indexes: ClassVar = [models.Index(fields=["user", "-made_at"], name="shares_of_a_person")]

    def __str__(self) -> str:
        return str(self.pk)

    def get_absolute_url(self) -> str:
        """Return the URL of the page, with its key."""
        return reverse("shared", args=[self.token])

    def is_open(self, at: datetime) -> bool:
        """Return whether the link leads anywhere."""
        return self.revoked_at is None and (self.expires_at is None or at < self.expires_at)


class SharedFact(OwnedModel):
    """A fact that was chosen for a page."""

    exported = ("share_id", "fact_id")

    share = models.ForeignKey(ProfileShare, on_delete=models.CASCADE, related_name="chosen")
    fact = models.ForeignKey(ProfileFact, on_delete=models.CASCADE, related_name="+")

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["share", "fact"], name="a_fact_once_a_page")
        ]

    def __str__(self) -> str:
        return f"{self.fact_id} on {self.share_id}"
