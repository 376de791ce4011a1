"""Personas: kinds of professionals, and which users belong to which."""

from typing import ClassVar
from uuid import UUID

from django.contrib.postgres.fields import ArrayField
from django.core.validators import RegexValidator
from django.db import models
from django.db.models import Q

from accounts.database.ids import new_id
from accounts.database.owned import OwnedModel

# A handle is not longer than a slot's name, since questions about personas store it there.
HANDLE_LENGTH, NAME_LENGTH, LINE_LENGTH, DESCRIPTION_LENGTH = 40, 60, 200, 600


def _lines(length: int = LINE_LENGTH) -> "ArrayField[list[str], list[str]]":
    return ArrayField(models.CharField(max_length=length), default=list, blank=True)


_BLOCK_SUFFIX = "_service_experience"


class Persona(models.Model):
    """A kind of professional: an industry and a role in it, shared by all users.

    `terms` are technical words allowed in shared lessons; cues are words by which users are
    recognised. Only staff edit them, because the guard accepts everything in `terms`.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    # `<industry>_<role>`; part of the label of the shared memory block.
    handle = models.CharField(
        max_length=HANDLE_LENGTH,
        unique=True,
        validators=[RegexValidator(r"^[a-z0-9]+(?:_[a-z0-9]+)+$", "Such as industry_role.")],
    )
    industry = models.CharField(max_length=NAME_LENGTH)
    role = models.CharField(max_length=NAME_LENGTH)
    title = models.CharField(max_length=2 * NAME_LENGTH, help_text="As people see it.")
    description = models.TextField(max_length=DESCRIPTION_LENGTH)
    typical_kpis = _lines()
    typical_motivations = _lines()
    quintessential_queries = _lines()
    industry_cues = _lines()
    role_cues = _lines()
    terms = _lines()
    # Typical topics of the field: "site selection: candidate sites, new locations".
    subjects = _lines(600)
    retired = models.BooleanField(default=False)
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering: ClassVar = ["title"]

    def __str__(self) -> str:
        return self.title or self.handle

    @property
    def block_label(self) -> str:
        """Return the label of the memory block that members share."""
        return self.block_label_of(self.handle)

    @staticmethod
    def block_label_of(handle: str) -> str:
        """Return the label of the shared block of a persona with this handle."""
        return f"{handle}{_BLOCK_SUFFIX}"

    @staticmethod
    def handle_of(label: str) -> str:
        """Return the handle in the label of a shared block; '' for other blocks."""
        return label.removesuffix(_BLOCK_SUFFIX) if label.endswith(_BLOCK_SUFFIX) else ""


class UserPersona(OwnedModel):
    """A persona of a user: confidence, state and date.

    Only a `confirmed` one is a membership; the user is asked about a guess.
    """

    exported = (
        "persona_id",
        "standing",
        "confidence",
        "origin",
        "discovered_at",
        "last_confirmed",
    )

    class Standing(models.TextChoices):
        GUESSED = "guessed", "a guess"
        CONFIRMED = "confirmed", "confirmed"
        DECLINED = "declined", "declined"
        LEFT = "left", "left"

    class Origin(models.TextChoices):
        SAID = "said", "what you said"
        MODEL = "model", "the language model"
        OWNER = "owner", "you, by hand"

    persona = models.ForeignKey(Persona, on_delete=models.CASCADE, related_name="members")
    standing = models.CharField(max_length=10, choices=Standing, default=Standing.GUESSED)
    confidence = models.FloatField(default=1.0)
    origin = models.CharField(max_length=8, choices=Origin)
    discovered_at = models.DateTimeField()
    last_confirmed = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["user", "persona"], name="a_persona_once_a_person"),
            models.CheckConstraint(
                condition=Q(confidence__gte=0) & Q(confidence__lte=1),
                name="confidence_of_a_persona_is_a_share",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.persona_id} of {self.user_id}: {self.standing}"

    @classmethod
    def confirmed(cls, user_id: UUID) -> models.QuerySet["UserPersona"]:
        """Return the user's confirmed personas, most certain first."""
        rows = cls.objects.filter(user_id=user_id, standing=cls.Standing.CONFIRMED)
        return (
            rows.filter(persona__retired=False)
            .select_related("persona")
            .order_by("-confidence", "discovered_at")
        )

    @classmethod
    def known(cls, user_id: UUID) -> models.QuerySet["UserPersona"]:
        """Return the user's confirmed personas, and guesses not asked about yet."""
        shown = [cls.Standing.CONFIRMED, cls.Standing.GUESSED]
        return cls.objects.filter(user_id=user_id, standing__in=shown, persona__retired=False)


class PersonaProposal(OwnedModel):
    """A persona that a user proposed; staff accept or decline it."""

    exported = (
        "industry",
        "role",
        "description",
        "standing",
        "proposed_at",
        "answer",
    )

    class Standing(models.TextChoices):
        OPEN = "open", "waiting for staff"
        ADDED = "added", "added"
        DECLINED = "declined", "declined"

    industry = models.CharField(max_length=NAME_LENGTH)
    role = models.CharField(max_length=NAME_LENGTH)
    description = models.TextField(max_length=DESCRIPTION_LENGTH, blank=True)
    standing = models.CharField(max_length=10, choices=Standing, default=Standing.OPEN)
    persona = models.ForeignKey(Persona, null=True, blank=True, on_delete=models.SET_NULL)
    proposed_at = models.DateTimeField(auto_now_add=True)
    # The answer of staff.
    answer = models.CharField(max_length=LINE_LENGTH, blank=True)

    class Meta:
        indexes: ClassVar = [models.Index(fields=["user"], name="personas_proposed_by")]

    def __str__(self) -> str:
        return str(self.pk)
