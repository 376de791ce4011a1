"""Conflicts, resolutions, erasures, and users' decisions about what belongs in the profile."""

from datetime import timedelta
from typing import TYPE_CHECKING, ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Exists, OuterRef, Q, Subquery
from django.urls import reverse
from django.utils.timezone import now

from accounts.database.ids import new_id
from accounts.database.owned import OwnedModel
from accounts.models import AuditEvent
from memory.models import VALUE_LENGTH, ProfileFact, share
from memory.slots import SLOTS, Slot

if TYPE_CHECKING:
    from uuid import UUID

READ_OTHERWISE = "The language model read the message differently."
"""Why the product takes back what the trained reader noted a moment before."""


class ContradictionQuerySet(models.QuerySet["Contradiction"]):
    """Queries for conflicts."""

    def for_user(self, user_id: "UUID") -> "ContradictionQuerySet":
        """Return the conflicts of a user, with both facts and resolutions."""
        rows = self.filter(user_id=user_id).select_related("old_fact", "new_fact")
        return rows.prefetch_related("resolutions__kept")

    def open(self) -> "ContradictionQuerySet":
        """Return the open conflicts."""
        return self.filter(status=Contradiction.Status.OPEN)

    def settled(self) -> "ContradictionQuerySet":
        """Return the settled conflicts, latest resolution first, without those that a language
        model made obsolete.
        """
        # Prefetch both facts of a page instead of joining: with outdated statistics, the join
        # took minutes.
        rows = self.exclude(status=Contradiction.Status.OPEN).select_related(None)
        standing = Resolution.objects.filter(contradiction=OuterRef("pk"), undone_at__isnull=True)
        rows = rows.exclude(Exists(standing.filter(reason=READ_OTHERWISE)))
        dated = rows.annotate(settled_at=Subquery(standing.values("at")))
        return dated.prefetch_related("old_fact", "new_fact").order_by("-settled_at", "-pk")


class Contradiction(OwnedModel):
    """A conflict between two values for one slot, and whether it is settled."""

    exported = (
        "slot",
        "old_fact_id",
        "new_fact_id",
        "drift",
        "status",
        "opened_at",
        "said_as",
        "since",
        "since_words",
        "old_support",
        "new_support",
        "help_asked_at",
    )

    class Status(models.TextChoices):
        OPEN = "open", "open"
        RESOLVED = "resolved", "settled"
        ACCEPTED = "accepted", "both kept"
        DISMISSED = "dismissed", "both are fine"

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE)
    slot = models.CharField(max_length=40)
    old_fact = models.ForeignKey(ProfileFact, on_delete=models.CASCADE, related_name="disputed_by")
    new_fact = models.ForeignKey(ProfileFact, on_delete=models.CASCADE, related_name="disputes")
    # The distance of the two values, 0..1.
    drift = models.FloatField()
    status = models.CharField(max_length=12, choices=Status, default=Status.OPEN)
    opened_at = models.DateTimeField()
    # How the new value was said ('statement', 'correction', 'transition'), and the stated day.
    said_as = models.CharField(max_length=12, default="statement")
    since = models.DateField(null=True, blank=True)
    since_words = models.CharField(max_length=80, blank=True)
    # In how many conversations each value was said, when last counted.
    old_support = models.PositiveSmallIntegerField(default=0)
    new_support = models.PositiveSmallIntegerField(default=0)
    # When the user asked staff for help, which lets staff read both values.
    help_asked_at = models.DateTimeField(null=True, blank=True)

    objects = ContradictionQuerySet.as_manager()

    class Meta:
        verbose_name = "conflict"
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
        """Return the URL of the page that settles the conflict."""
        return reverse("ledger:conflict", args=[self.pk])

    @property
    def both_can_hold(self) -> bool:
        """Return whether both values can be current at once: their slots hold several."""
        return self.old_fact.many and self.new_fact.many

    @property
    def both_hold(self) -> bool:
        """Return whether the conflict was settled so that both values are true."""
        settled = self.status == self.Status.DISMISSED and self.both_can_hold
        return settled and self.new_fact.status != ProfileFact.Status.SET_ASIDE

    @property
    def kind(self) -> Slot:
        """Return the registry's entry of the slot."""
        return SLOTS[self.slot]

    @property
    def resolution(self) -> "Resolution | None":
        """Return the current resolution; None while open. Prefetch `resolutions` for lists."""
        return next(
            (resolution for resolution in self.resolutions.all() if resolution.undone_at is None),
            None,
        )

    @property
    def is_open(self) -> bool:
        """Return whether the conflict is open."""
        return self.status == self.Status.OPEN

    def reload_with_sides(self) -> "Contradiction":
        """Return the conflict reloaded with both facts, as settling another one may have replaced
        the old fact. Raises DoesNotExist if a fact was erased.
        """
        rows = Contradiction.objects.select_related("old_fact", "new_fact")
        return rows.get(pk=self.pk, user_id=self.user_id)


class Resolution(OwnedModel):
    """How a conflict was settled: by whom, when, by which method, and why.

    An undone one keeps its row; `before` holds what undoing restores.
    """

    exported = (
        "contradiction_id",
        "method",
        "kept_id",
        "until",
        "since",
        "value",
        "by_whom",
        "at",
        "reason",
        "before",
        "undone_at",
        "read_at",
    )

    class Method(models.TextChoices):
        KEEP_OLD = "keep_old", "the old value is right"
        KEEP_NEW = "keep_new", "the new value is right"
        MERGE = "merge", "neither is quite right; the user wrote another value"
        TIMELINE = "timeline", "both, one after the other"
        TRUST = "trust_based", "the more trusted value is right"
        DISMISS = "dismiss", "both are fine"
        OVERTAKEN = "overtaken", "the user changed the fact in the profile"

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE)
    contradiction = models.ForeignKey(
        Contradiction, on_delete=models.CASCADE, related_name="resolutions"
    )
    method = models.CharField(max_length=12, choices=Method)
    # The fact that is current since, if any.
    kept = models.ForeignKey(
        ProfileFact, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    # For a timeline: the last day of the old value, the first of the new one.
    until = models.DateField(null=True, blank=True)
    since = models.DateField(null=True, blank=True)
    # For a merge: the typed value.
    value = models.CharField(max_length=VALUE_LENGTH, blank=True)
    by_whom = models.CharField(max_length=8, choices=AuditEvent.By, default=AuditEvent.By.OWNER)
    # Who settled it; empty for a rule, and for the software after a manual edit.
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    at = models.DateTimeField()
    reason = models.CharField(max_length=500, blank=True)
    before = models.JSONField(default=dict, blank=True)
    undone_at = models.DateTimeField(null=True, blank=True)
    # When the user first read a resolution by staff.
    read_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["contradiction"],
                condition=Q(undone_at__isnull=True),
                name="one_standing_answer_an_entry",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.method} {self.contradiction_id}"

    @property
    def can_undo(self) -> bool:
        """Return whether the user can undo it: it is recent, in force, and not a manual edit."""
        if self.method == self.Method.OVERTAKEN or self.kept is None:
            return False
        if self.kept.status != ProfileFact.Status.CURRENT:
            return False
        return now() - self.at <= timedelta(days=settings.MEMORY["undo_days"])


class Decision(OwnedModel):
    """A user's decision whether a fact or memory belongs in the profile, as numbers without text.

    `subject` is the id of the fact or memory; only its latest decision is stored.
    """

    exported = (
        "subject",
        "slot",
        "trust",
        "confidence",
        "confirmations",
        "edits",
        "worthy",
        "at",
    )

    subject = models.UUIDField()
    slot = models.CharField(max_length=40)
    # As they were at the decision; see `ledger.decisions`.
    trust = models.FloatField()
    confidence = models.FloatField()
    confirmations = models.PositiveIntegerField()
    edits = models.PositiveIntegerField()
    worthy = models.BooleanField()
    at = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["user", "subject"], name="one_decision_a_subject"),
            models.CheckConstraint(condition=share("trust"), name="decision_trust_is_a_share"),
            models.CheckConstraint(
                condition=share("confidence"), name="decision_confidence_is_a_share"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.slot} {self.pk}"


class Erasure(OwnedModel):
    """The receipt of an erasure: numbers of deleted rows by kind, and the result of the search.

    It contains no erased text. `subject` is the key of the fact or conversation, `counts` has the
    kinds of `ledger.verification.kinds`, `search` the fields of `VerificationResult`.
    """

    exported = ("kind", "subject", "slot", "counts", "search", "at")
    outlives_forgetting = "It records that something was deleted, and how much, without its text."

    class Kind(models.TextChoices):
        FACT = "fact", "One fact"
        CONVERSATION = "conversation", "One conversation"
        EVERYTHING = "everything", "Everything"

    kind = models.CharField(max_length=12, choices=Kind)
    subject = models.UUIDField()
    slot = models.CharField(max_length=40, blank=True)
    counts = models.JSONField()
    search = models.JSONField()
    at = models.DateTimeField()

    class Meta:
        indexes: ClassVar = [models.Index(fields=["user", "-at"], name="erasures_of_a_person")]

    def __str__(self) -> str:
        return f"{self.kind} {self.pk}"

    def get_absolute_url(self) -> str:
        """Return the URL of the receipt."""
        return reverse("ledger:erasure", args=[self.pk])

    @property
    def many_left(self) -> int:
        """Return how many rows still contained the erased text."""
        return len(self.search["left"]) + int(self.search["more"])


ErasureKind = Erasure.Kind
"""By this name the description of the API finds it."""


class ProfileClassifier(models.Model):
    """A trained classifier of what belongs in a profile: weights by feature and slot names only.

    Inactive until a member of staff activates it; at most one is active.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    version = models.PositiveIntegerField(unique=True)
    trained_at = models.DateTimeField()
    # A weight for each feature, by name; see `ledger.promotion.promotion_policy`.
    weights = models.JSONField()
    # The figures of the classifier and of the heuristic on held-out users.
    figures = models.JSONField()
    switched_on = models.BooleanField(default=False)

    class Meta:
        verbose_name = "profile classifier"
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["switched_on"],
                condition=Q(switched_on=True),
                name="one_classifier_is_on",
            ),
        ]

    def __str__(self) -> str:
        return f"version {self.version}"
