"""Models of shared profile pages: which facts, for how long."""

from datetime import datetime
from typing import ClassVar

from django.db import models
from django.urls import reverse

from accounts.database.owned import OwnedModel
from memory.models.facts import ProfileFact

NAME_LENGTH = 80


class ProfileShare(OwnedModel):
    """A profile page for anybody with its link. The token is the secret, shown to the user only."""

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
    # The name shown on the page; empty for none.
    shown_as = models.CharField(max_length=NAME_LENGTH, blank=True)
    made_at = models.DateTimeField()
    expires_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)
    # The number of visits and the latest; nothing about the visitors.
    openings = models.PositiveIntegerField(default=0)
    last_opened_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        indexes: ClassVar = [models.Index(fields=["user", "-made_at"], name="shares_of_a_person")]

    def __str__(self) -> str:
        return str(self.pk)

    def get_absolute_url(self) -> str:
        """Return the URL of the page, including the token."""
        return reverse("shared", args=[self.token])

    def is_open(self, at: datetime) -> bool:
        """Return whether the link is neither revoked nor expired."""
        return self.revoked_at is None and (self.expires_at is None or at < self.expires_at)


class SharedFact(OwnedModel):
    """A fact that is shown on a shared page."""

    exported = ("share_id", "fact_id")

    share = models.ForeignKey(ProfileShare, on_delete=models.CASCADE, related_name="chosen")
    fact = models.ForeignKey(ProfileFact, on_delete=models.CASCADE, related_name="+")

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["share", "fact"], name="a_fact_once_a_page")
        ]

    def __str__(self) -> str:
        return f"{self.fact_id} on {self.share_id}"
