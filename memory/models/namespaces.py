"""Models of namespaces: entries, consents, registered namespaces, and the log of changes."""

from collections.abc import Iterator
from typing import Any, ClassVar
from uuid import UUID

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.timezone import now

from accounts.database.owned import OwnedModel
from memory.models.packing import unpack_json

NAMESPACE_LENGTH = 40
KEY_LENGTH = 120
# The PostgreSQL channel that notifies of changed memory, with the user's id.
CHANGES_CHANNEL = "memory_changes"


class NamespaceEntry(OwnedModel):
    """One entry of a namespace, in the warm tier (`data`) or the cold tier (`packed`).

    Moving between the tiers updates the row, so an entry is always in exactly one tier.
    """

    exported = ("namespace", "key", "data", "version", "written_by", "written_at")

    class By(models.TextChoices):
        OWNER = "owner", "you"
        SOFTWARE = "software", "other software"
        ASSISTANT = "assistant", "the assistant"

    namespace = models.CharField(max_length=NAMESPACE_LENGTH)
    key = models.CharField(max_length=KEY_LENGTH)
    data = models.JSONField(null=True, blank=True)
    # Compressed JSON, see `memory.models.packing`.
    packed = models.BinaryField(null=True, blank=True)
    # Counts from 1; writers may name the version that they read.
    version = models.PositiveIntegerField(default=1)
    written_by = models.CharField(max_length=10, choices=By)
    written_at = models.DateTimeField(default=now)
    # When it was last read or written, rounded to hours to save writes.
    used_at = models.DateTimeField(default=now)

    class Meta:
        verbose_name_plural = "namespace entries"
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["user", "namespace", "key"], name="a_key_once_a_namespace"
            ),
            models.CheckConstraint(
                condition=Q(data__isnull=True) ^ Q(packed__isnull=True), name="an_entry_in_one_tier"
            ),
        ]
        indexes: ClassVar = [
            models.Index(fields=["user", "namespace", "written_at"], name="entries_of_a_namespace")
        ]

    def __str__(self) -> str:
        return f"{self.namespace} {self.pk}"

    @property
    def is_cold(self) -> bool:
        """Whether the entry is compressed (cold tier)."""
        return self.packed is not None

    @property
    def content(self) -> Any:
        """The entry's data, from either tier."""
        return self.data if self.packed is None else unpack_json(bytes(self.packed))

    @classmethod
    def exported_rows(cls, user_id: UUID) -> Iterator[dict[str, Any]]:
        """Yield the rows for a data export, with the cold ones unpacked."""
        rows = cls.objects.filter(user_id=user_id).order_by("pk")
        for row in rows.iterator(500):
            yield {name: getattr(row, name) for name in ("id", *cls.exported)} | {
                "data": row.content
            }


class NamespaceConsent(OwnedModel):
    """A user's consent to store a namespace beyond the session; no row means no consent."""

    exported = ("namespace", "granted_at")
    outlives_forgetting = "This is a setting, not something the person said."

    namespace = models.CharField(max_length=NAMESPACE_LENGTH)
    granted_at = models.DateTimeField(default=now)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["user", "namespace"], name="a_consent_once")
        ]

    def __str__(self) -> str:
        return self.namespace


class RegisteredNamespace(OwnedModel):
    """A namespace that a user registered; see `memory.namespaces.registry`."""

    PURPOSE_LENGTH = 120

    exported = ("name", "purpose", "schema", "most", "rolling", "keep_days", "created_at")
    outlives_forgetting = "This is a setting, not something the person said."

    name = models.CharField(max_length=NAMESPACE_LENGTH)
    purpose = models.CharField(max_length=PURPOSE_LENGTH)
    # JSON schema of an entry.
    schema = models.JSONField()
    most = models.PositiveSmallIntegerField()
    rolling = models.BooleanField(default=False)
    keep_days = models.PositiveSmallIntegerField(null=True, blank=True)
    created_at = models.DateTimeField(default=now)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["user", "name"], name="a_namespace_once")
        ]

    def __str__(self) -> str:
        return self.name


class MemoryChange(OwnedModel):
    """A change of an entry, logged by database triggers.

    The database numbers the changes of a user in commit order, without gaps (migration 0028), so a
    reader who has read up to a number has missed nothing before it.
    """

    not_exported = "The entries hold what changed, and the log is deleted after a few days."
    outlives_forgetting = "It is emptied last, because triggers write to it during the deletion."

    class Kind(models.TextChoices):
        WRITTEN = "written", "Written"
        REMOVED = "removed", "Removed"
        CLEARED = "cleared", "Everything forgotten"

    # Triggers write rows during the deletion of an account, so the database deletes them.
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.DO_NOTHING, db_index=False, related_name="+"
    )
    # Null until the transaction commits.
    number = models.BigIntegerField(null=True, editable=False)
    namespace = models.CharField(max_length=NAMESPACE_LENGTH)
    key = models.CharField(max_length=KEY_LENGTH)
    version = models.PositiveIntegerField(null=True)
    kind = models.CharField(max_length=8, choices=Kind)
    at = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["user", "number"], name="a_change_number_once")
        ]
        indexes: ClassVar = [models.Index(fields=["user", "at"], name="changes_by_age")]

    def __str__(self) -> str:
        return f"{self.number} {self.namespace}"


class ChangeCounter(OwnedModel):
    """The number of a user's latest change. It outlives the changes, so no number is reused."""

    not_exported = "This is a bare counter."
    outlives_forgetting = "Readers resume from this number, so it must never repeat."

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.DO_NOTHING, related_name="+"
    )
    last = models.BigIntegerField(default=0)

    def __str__(self) -> str:
        return f"{self.last} of {self.user_id}"
