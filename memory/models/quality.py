"""Models of quality figures of memories, counted every night: per user, and for the site."""

from typing import ClassVar

from django.conf import settings
from django.db import models

from accounts.database.owned import OwnedModel


class Figures(models.Model):
    """The counts of one day. `kept` is the total: current facts and active memories."""

    day = models.DateField()
    kept = models.PositiveIntegerField(default=0)
    # Says nearly the same as another memory or fact.
    duplicates = models.PositiveIntegerField(default=0)
    # Neither repeated nor used for a long time.
    stale = models.PositiveIntegerField(default=0)
    # Too little content to be of use.
    junk = models.PositiveIntegerField(default=0)
    # In conflict with another value.
    disputed = models.PositiveIntegerField(default=0)
    never_used = models.PositiveIntegerField(default=0)

    class Meta:
        abstract = True


class Quality(OwnedModel, Figures):
    """The quality figures of a user on a day."""

    exported = ("day", "kept", "duplicates", "stale", "junk", "disputed", "never_used")

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE)

    class Meta:
        verbose_name_plural = "quality"
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["user", "day"], name="one_quality_a_day")
        ]

    def __str__(self) -> str:
        return f"{self.user_id} {self.day}"


class SiteQuality(Figures):
    """The quality figures of all users on a day, as sums without a link to any user."""

    people = models.PositiveIntegerField(default=0)

    class Meta:
        verbose_name_plural = "site quality"
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["day"], name="one_site_quality_a_day")
        ]

    def __str__(self) -> str:
        return str(self.day)
