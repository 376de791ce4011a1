"""Users, their settings, the audit log, and the queue of jobs."""

import uuid
from typing import Any, ClassVar

from django.apps import apps
from django.conf import settings
from django.contrib.auth.models import AbstractUser, BaseUserManager
from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.functions import RandomUUID
from django.core.validators import MaxValueValidator
from django.db import models
from django.db.models.functions import Upper
from knox.models import AbstractAuthToken

from accounts.database.ids import new_id
from accounts.database.owned import ExportedModel, OwnedModel


class UserManager(BaseUserManager["User"]):
    """Creates users by e-mail address; there are no user names."""

    def create_user(self, email: str, password: str | None = None, **fields: Any) -> "User":
        """Create a user who can sign in. Raises ValueError without an address."""
        if not email:
            raise ValueError("A person needs an e-mail address.")
        user = self.model(email=self.normalize_email(email), **fields)
        user.set_password(password)
        user.save(using=self._db)
        return user

    def create_superuser(self, email: str, password: str | None = None, **fields: Any) -> "User":
        """Create a member of staff with all permissions and a confirmed address."""
        user = self.create_user(email, password, is_staff=True, is_superuser=True, **fields)
        address = apps.get_model("account", "EmailAddress")(user=user, email=user.email.lower())
        address.verified = address.primary = True
        address.save(using=self._db)
        return user

    def get_by_natural_key(self, username: str | None) -> "User":
        """Return the user with this address, ignoring case."""
        return self.get(email__iexact=username)


class User(AbstractUser):  # type: ignore[django-manager-missing]
    """A user, identified by e-mail address."""

    class Theme(models.TextChoices):
        SYSTEM = "system", "Use device setting"
        LIGHT = "light", "Light"
        DARK = "dark", "Dark"

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    username = None  # type: ignore[assignment]
    first_name = None  # type: ignore[assignment]
    last_name = None  # type: ignore[assignment]
    email = models.EmailField("e-mail", max_length=254)
    name = models.CharField("name", max_length=120, blank=True)
    theme = models.CharField(max_length=8, choices=Theme, default=Theme.SYSTEM)
    # Off: nothing is learned, and memories are not used.
    memory_on = models.BooleanField("memory is on", default=True)
    # A demo user, whose password is public: may only sign in if settings.DEMO is on.
    is_demo = models.BooleanField(default=False, editable=False)
    # Created by other software with a service token, see `SubUser`; cannot sign in.
    is_sub_user = models.BooleanField(default=False, editable=False)
    # When memories were last maintained, see memory.maintenance.lifecycle.
    tended_on = models.DateField(null=True, blank=True, editable=False)
    # When retention periods were last applied, see privacy.retention.
    swept_on = models.DateField(null=True, blank=True, editable=False)
    # When the account will be deleted, see privacy.account_deletion; empty if it stays.
    deleted_from = models.DateTimeField(
        "to be deleted on", null=True, blank=True, editable=False, db_index=True
    )
    # The user's random pseudonym in the audit log. It is only stored here, so deleting this row
    # makes the log anonymous.
    audit_pseudonym = models.UUIDField(unique=True, editable=False, db_default=RandomUUID())

    objects: ClassVar[UserManager] = UserManager()  # type: ignore[assignment]

    USERNAME_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = []

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                Upper("email"),
                name="one_account_an_address",
                violation_error_message="There is already an account with this address.",
            ),
        ]

    def __str__(self) -> str:
        return self.email

    @property
    def is_kept_out(self) -> bool:
        """Return whether this is a demo user on an instance without demo users."""
        return self.is_demo and not settings.DEMO

    def get_full_name(self) -> str:
        """Return the account's name, or the address if it has none."""
        return self.name or self.email

    def get_short_name(self) -> str:
        """Return the account's name, or the part of the address before the @."""
        return self.name or self.email.partition("@")[0]


class ApiToken(AbstractAuthToken):  # type: ignore[misc]
    """An API token of a user. Only its hash is stored (`digest`)."""

    NAME_LENGTH = 80

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    digest = models.CharField(max_length=128, unique=True, editable=False)
    name = models.CharField("what it is for", max_length=NAME_LENGTH, blank=True)
    last_used_at = models.DateTimeField(null=True, blank=True, editable=False)
    # See accounts.access.scopes; empty for everything the owner may do for themselves.
    scopes = ArrayField(models.CharField(max_length=40), default=list, blank=True)

    def __str__(self) -> str:
        return self.name


class SubUser(OwnedModel):
    """A user without address or password, created by software of `user`, which acts for them."""

    outlives_forgetting = (
        "These are separate accounts, deleted one by one or together with this one."
    )
    not_exported = "These are separate accounts, and each can have its own copy."

    EXTERNAL_ID_LENGTH = 200

    person = models.OneToOneField(User, on_delete=models.CASCADE, related_name="created_as")
    # The name that the software uses.
    external_id = models.CharField(max_length=EXTERNAL_ID_LENGTH)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["user", "external_id"], name="sub_user_once_a_creator"),
        ]

    def __str__(self) -> str:
        return str(self.person_id)


class PrivacySettings(OwnedModel):
    """A user's privacy settings other than memory on or off. Without a row, the defaults apply."""

    exported = (
        "promotion",
        "settle_by_rule",
        "shares_lessons",
        "begins_private",
        "conversation_days",
        "retired_note_days",
    )
    # The choices of retention periods in days; empty is unlimited.
    KEPT_FOR: ClassVar = [(365, "1 year"), (90, "90 days"), (30, "30 days")]

    class Promotion(models.TextChoices):
        AUTO = "auto", "Note it and show me"
        ASK = "ask", "Ask me first"

    outlives_forgetting = "This is a setting, not something the person said."

    user = models.OneToOneField(User, on_delete=models.CASCADE, related_name="privacy")
    promotion = models.CharField(
        "when I say something about myself",
        max_length=8,
        choices=Promotion,
        default=Promotion.AUTO,
    )
    # Clear conflicts are settled by the formula; close ones still wait for the user.
    settle_by_rule = models.BooleanField("settle clear conflicts automatically", default=False)
    # Only has an effect after confirming a persona, which explains it.
    shares_lessons = models.BooleanField("share lessons with others in my role", default=True)
    begins_private = models.BooleanField("start every conversation private", default=False)
    # After a conversation's last message, and after a memory was retired; see `privacy.retention`.
    conversation_days = models.PositiveSmallIntegerField(null=True, blank=True, choices=KEPT_FOR)
    retired_note_days = models.PositiveSmallIntegerField(null=True, blank=True, choices=KEPT_FOR)

    class Meta:
        verbose_name_plural = "privacy settings"

    def __str__(self) -> str:
        return f"of {self.user_id}"

    @classmethod
    def of(cls, user_id: uuid.UUID) -> "PrivacySettings":
        """Return the user's settings, saved or default."""
        return cls.objects.filter(user_id=user_id).first() or cls(user_id=user_id)


def pseudonym_of(user_id: uuid.UUID) -> Any:
    """Return a `Subquery` of the user's pseudonym in the audit log, which saves a query."""
    return models.Subquery(User.objects.filter(pk=user_id).values("audit_pseudonym"))


class AuditEventQuerySet(models.QuerySet["AuditEvent"]):
    """Queries for the audit log."""

    def for_user(self, user_id: uuid.UUID) -> "AuditEventQuerySet":
        """Return the lines about one user."""
        return self.filter(pseudonym=pseudonym_of(user_id))


class AuditEvent(ExportedModel):
    """A change to a user's data: who, when, from where, before, after, why.

    The database refuses to change or delete a line; erasing clears its text (see `accounts.audit`).
    Conversations and messages are referred to by ids without foreign keys, users by pseudonyms, so
    that deleting them changes nothing here.
    """

    exported = (
        *("at", "by", "deed", "subject", "slot", "conversation", "message"),
        *("before", "after", "why", "redacted_at"),
    )

    class By(models.TextChoices):
        OWNER = "owner", "you"
        TALK = "talk", "what you said"
        RULE = "rule", "a rule that you turned on"
        STAFF = "staff", "a member of staff"
        HOUSE = "house", "the assistant"

    class Action(models.TextChoices):
        NOTED = "noted", "Noted"
        ASKED = "asked", "Asked you before keeping"
        ACCEPTED = "accepted", "Accepted"
        DECLINED = "declined", "Declined"
        WRITTEN = "written", "Added by hand"
        REWRITTEN = "rewritten", "Rewritten"
        CONFIRMED = "confirmed", "Confirmed"
        REMOVED = "removed", "Removed"
        RESTORED = "restored", "Brought back"
        ENDED = "ended", "Ended"
        NARROWED = "narrowed", "Limited to one conversation"
        WIDENED = "widened", "Used in every conversation"
        DISPUTED = "disputed", "Conflict found"
        SETTLED = "settled", "Conflict settled"
        REOPENED = "reopened", "Conflict reopened"
        BLOCKED = "blocked", "Kind of fact blocked"
        UNBLOCKED = "unblocked", "Kind of fact allowed again"
        SHARED = "shared", "Page shared"
        UNSHARED = "unshared", "Page no longer shared"
        HELP = "help", "Asked staff for help"
        LOOKED = "looked", "Viewed by staff"
        ALLOWED = "allowed", "Setting changed"
        ERASED = "erased", "Erased for good"
        FORGOTTEN = "forgotten", "Everything forgotten"
        JOINED = "joined", "Role confirmed"
        LEFT = "left", "Role left"
        SUPPORTED = "supported", "Lesson supported"
        WITHDRAWN = "withdrawn", "Lesson support withdrawn"
        REPORTED = "reported", "Lesson reported"
        EXPORTED = "exported", "Copy made"
        DOWNLOADED = "downloaded", "Copy downloaded"
        LEAVING = "leaving", "Account deletion requested"
        STAYING = "staying", "Account deletion cancelled"
        DELETED = "deleted", "Account deleted"
        EXPIRED = "expired", "Expired conversation deleted"
        IMPORTED = "imported", "Imported"

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    # The user's `User.audit_pseudonym`; no foreign key, because lines outlive an account.
    pseudonym = models.UUIDField(editable=False)
    at = models.DateTimeField()
    by = models.CharField(max_length=8, choices=By)
    # The pseudonym of a member of staff, if it was one.
    actor = models.UUIDField(null=True, blank=True)
    deed = models.CharField(max_length=12, choices=Action)
    # The changed fact, memory, conflict or page.
    subject = models.UUIDField(null=True, blank=True)
    slot = models.CharField(max_length=40, blank=True)
    conversation = models.UUIDField(null=True, blank=True)
    message = models.UUIDField(null=True, blank=True)
    before = models.TextField(blank=True)
    after = models.TextField(blank=True)
    why = models.CharField(max_length=500, blank=True)
    # When an erasure cleared before, after and why.
    redacted_at = models.DateTimeField(null=True, blank=True)

    objects = AuditEventQuerySet.as_manager()

    @classmethod
    def owned(cls, user_id: uuid.UUID) -> AuditEventQuerySet:
        """Return the lines about a user."""
        return cls.objects.for_user(user_id)

    class Meta:
        indexes: ClassVar = [
            models.Index(fields=["pseudonym", "-at"], name="audit_of_a_person"),
            models.Index(fields=["pseudonym", "subject"], name="audit_of_a_subject"),
        ]

    def __str__(self) -> str:
        return f"{self.deed} {self.subject or ''}".strip()


class Work(OwnedModel):
    """A job for a user, or for the site itself: ids only, no content.

    It is inserted in the transaction that makes it necessary, so neither a lost broker message nor
    a killed process loses it. A finished job's row is deleted.
    """

    not_exported = "These are pending jobs of the site, deleted once they are done."

    # Empty for jobs of the site, which only the worker's role can read and write.
    user = models.ForeignKey(  # type: ignore[assignment]
        User, null=True, blank=True, on_delete=models.CASCADE
    )
    kind = models.CharField(max_length=32)
    subject = models.UUIDField()
    created_at = models.DateTimeField(auto_now_add=True)
    run_after = models.DateTimeField()
    lease_until = models.DateTimeField(null=True, blank=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    failure = models.CharField(max_length=200, blank=True)
    failed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name_plural = "waiting work"
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["kind", "subject"], name="work_once_a_subject"),
        ]
        indexes: ClassVar = [models.Index(fields=["run_after"], name="work_by_turn")]

    def __str__(self) -> str:
        return f"{self.kind} {self.subject}"


class Flag(models.Model):
    """A feature that is on for a share of the users; see `accounts.flags`."""

    class Name(models.TextChoices):
        CROSS_THREAD_MEMORY = "cross_thread_memory", "Answers use earlier conversations"

    name = models.CharField(max_length=40, choices=Name, unique=True)
    percent = models.PositiveSmallIntegerField(
        "percentage of people",
        default=100,
        validators=[MaxValueValidator(100)],
        help_text=(
            "The same people are always included; a higher number only adds more. 0 is off, 100 "
            "is everyone."
        ),
    )
    note = models.CharField("why", max_length=200, blank=True)
    changed_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(condition=models.Q(percent__lte=100), name="a_share_of_100"),
        ]

    def __str__(self) -> str:
        return self.get_name_display()


class WorkerSeen(models.Model):
    """When a worker of a host last looked for jobs: the heartbeat that /healthz reads."""

    host = models.CharField(primary_key=True, max_length=255)
    at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.host} at {self.at:%H:%M:%S}"
