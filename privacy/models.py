"""Exports, restores and imports of users, with their files."""

from typing import ClassVar

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils.timezone import now

from accounts.database.owned import OwnedModel
from accounts.models import AuditEvent
from privacy.transfers import FilePiece, Transfer, Upload


class Export(Transfer):
    """A requested export: its parts, progress and expiry."""

    KIND = "export"
    BUSY = "A copy is already being made. Wait for it, or cancel it."
    DAILY = "exports_a_day"
    ENOUGH = "You can make up to {most} copies a day. You’ll be able to make another tomorrow."

    not_exported = "This is a copy of other data, deleted after a few days."

    class State(models.TextChoices):
        WAITING = "waiting", "waiting to start"
        MAKING = "making", "in progress"
        READY = "ready", "ready"
        FAILED = "failed", "failed"
        CANCELLED = "cancelled", "cancelled"

    parts = ArrayField(models.CharField(max_length=20))
    state = models.CharField(max_length=10, choices=State, default=State.WAITING)
    made_at = models.DateTimeField(null=True, blank=True)
    expires_at = models.DateTimeField(null=True, blank=True)
    size = models.PositiveBigIntegerField("bytes", default=0)
    downloads = models.PositiveIntegerField(default=0)

    class Meta:
        indexes: ClassVar = [models.Index(fields=["user", "-asked_at"], name="exports_of_a_person")]

    def __str__(self) -> str:
        return f"{self.state} {self.pk}"


class ExportPiece(FilePiece):
    """A piece of an export's file."""

    not_exported = "This is a copy of other data, deleted after a few days."

    export = models.ForeignKey(Export, on_delete=models.CASCADE, related_name="pieces")

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["export", "number"], name="one_piece_a_place")
        ]

    def __str__(self) -> str:
        return f"{self.export_id} {self.number}"


class Restore(Upload):
    """An uploaded export, to be restored into an empty account."""

    KIND = "restore"
    RUNNING = ("waiting", "making", "finding")
    BUSY = "A copy is already being restored. Wait for it, or cancel it."
    ENOUGH = "You can upload up to {most} copies a day. Try again tomorrow."

    not_exported = "The restored data is already in the account."

    class State(models.TextChoices):
        BROUGHT = "brought", "waiting to be accepted"
        WAITING = "waiting", "waiting to start"
        MAKING = "making", "in progress"
        FINDING = "finding", "restored; preparing search"
        READY = "ready", "restored"
        FAILED = "failed", "failed"
        CANCELLED = "cancelled", "cancelled"

    state = models.CharField(max_length=10, choices=State, default=State.BROUGHT)
    # From the file: its version, its date, and the number of rows by table.
    version = models.PositiveSmallIntegerField()
    copied_at = models.DateTimeField()
    rows = models.JSONField()
    # Number of rows by table not restored, because rows they refer to are not in the export.
    left_out = models.JSONField(default=dict)

    class Meta:
        indexes: ClassVar = [
            models.Index(fields=["user", "-asked_at"], name="restores_of_a_person")
        ]

    def __str__(self) -> str:
        return f"{self.state} {self.pk}"


class RestorePiece(FilePiece):
    """A piece of the uploaded export; deleted when the restore has ended."""

    not_exported = "This is a copy of other data, deleted once it is restored."

    restore = models.ForeignKey(Restore, on_delete=models.CASCADE, related_name="pieces")

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["restore", "number"], name="one_restore_piece_a_place")
        ]

    def __str__(self) -> str:
        return f"{self.restore_id} {self.number}"


class RestoredLine(OwnedModel):
    """A line of the history in a restored export.

    Stored apart from the audit log, which records what happened on this site; an uploaded file can
    claim anything. These lines are only shown to the user.
    """

    exported = ("copied_at", *AuditEvent.exported)

    # When the export with this line was made.
    copied_at = models.DateTimeField()
    at = models.DateTimeField()
    by = models.CharField(max_length=8, choices=AuditEvent.By)
    deed = models.CharField(max_length=12, choices=AuditEvent.Action)
    subject = models.UUIDField(null=True, blank=True)
    slot = models.CharField(max_length=40, blank=True)
    conversation = models.UUIDField(null=True, blank=True)
    message = models.UUIDField(null=True, blank=True)
    before = models.TextField(blank=True)
    after = models.TextField(blank=True)
    why = models.CharField(max_length=500, blank=True)
    redacted_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        indexes: ClassVar = [models.Index(fields=["user", "-at"], name="restored_lines_by_time")]

    def __str__(self) -> str:
        return f"{self.deed} {self.pk}"


class Import(Upload):
    """An upload from another assistant, imported beside the existing data."""

    KIND = "import"
    RUNNING = ("waiting", "making", "finding", "undoing")
    BUSY = "An import is already running. Wait for it, or cancel it."
    ENOUGH = "You can upload up to {most} files a day. Try again tomorrow."

    not_exported = "The imported data is already in the account."

    class State(models.TextChoices):
        BROUGHT = "brought", "waiting to be accepted"
        WAITING = "waiting", "waiting to start"
        MAKING = "making", "in progress"
        FINDING = "finding", "imported; looking for facts"
        READY = "ready", "imported"
        UNDOING = "undoing", "being undone"
        UNDONE = "undone", "undone"
        FAILED = "failed", "failed"
        CANCELLED = "cancelled", "cancelled"

    class Source(models.TextChoices):
        CHATGPT = "chatgpt", "ChatGPT"
        CLAUDE = "claude", "Claude"
        MEM0 = "mem0", "mem0"
        OPEN_WEBUI = "open_webui", "Open WebUI"
        LIBRECHAT = "librechat", "LibreChat"
        GEMINI = "gemini", "Gemini"
        LETTA = "letta", "Letta"
        LIST = "list", "a list"

    state = models.CharField(max_length=10, choices=State, default=State.BROUGHT)
    source = models.CharField(max_length=10, choices=Source)
    # Counts of the file as uploaded.
    conversations = models.PositiveIntegerField(default=0)
    messages = models.PositiveIntegerField(default=0)
    memories = models.PositiveIntegerField(default=0)
    known = models.PositiveIntegerField("already here", default=0)
    first_at = models.DateTimeField(null=True, blank=True)
    last_at = models.DateTimeField(null=True, blank=True)
    # Number of items not imported by reason; after the import, also those refused.
    skipped = models.JSONField(default=dict)
    # Conversations that stayed on undoing, because the user continued them here.
    continued = models.PositiveIntegerField(default=0)
    # While undoing: counts of deleted rows by kind, and the sentences and keys to verify
    # afterwards. Both are cleared when the receipt is written.
    gone = models.JSONField(default=dict)
    gone_marks = models.JSONField(default=dict)

    class Meta:
        indexes: ClassVar = [models.Index(fields=["user", "-asked_at"], name="imports_of_a_person")]

    def __str__(self) -> str:
        return f"{self.state} {self.pk}"


class ImportPiece(FilePiece):
    """A piece of the uploaded file; deleted when the import has ended."""

    not_exported = "The imported data is already in the account."

    brought = models.ForeignKey(Import, on_delete=models.CASCADE, related_name="pieces")

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["brought", "number"], name="one_import_piece_a_place")
        ]

    def __str__(self) -> str:
        return f"{self.brought_id} {self.number}"


class ImportedRow(OwnedModel):
    """A conversation or memory that an import brought, by its id here.

    The row's id is derived from the user and the original id, so that repeated items are
    recognised.
    """

    not_exported = "This only links an import to the rows it created."

    brought = models.ForeignKey(Import, on_delete=models.CASCADE, related_name="rows")
    # The conversation; null for a memory.
    conversation = models.UUIDField(null=True, blank=True)
    memory = models.UUIDField(null=True, blank=True)

    def __str__(self) -> str:
        return f"{self.brought_id} {self.pk}"


class LegacyRow(OwnedModel):
    """A row of an earlier store as it was there, and what it became here.

    Its key is derived from user, file, table and original id, so that it is migrated once. Erasing
    clears `original`, `value` and keys but keeps the row: erased data is not migrated again.
    """

    exported = (
        "source",
        "table",
        "original_id",
        "place",
        "checksum",
        "kind",
        "made",
        "joined",
        "conversation",
        "said_at",
        "slot",
        "value",
        "why",
        "original",
        "schema_version",
        "brought_at",
        "redacted_at",
    )

    class Kind(models.TextChoices):
        CONVERSATION = "conversation", "a conversation"
        MESSAGES = "messages", "messages"
        READ = "read", "a value not yet compared"
        FACT = "fact", "a fact"
        AGREED = "agreed", "a value already known"
        DISPUTED = "disputed", "a value in conflict with another"
        NOTE = "note", "a memory"
        SAME_NOTE = "same_note", "a memory already known"
        EARLIER = "earlier", "a memory that is no longer in use"
        TOPIC = "topic", "a topic"
        TOPIC_LINK = "topic_link", "the topic of a conversation"
        SUMMARY = "summary", "the summary of a conversation"
        TRUST = "trust", "an entry in the history of trust"
        WITHHELD = "withheld", "nothing, because it may not be saved"
        EMPTY = "empty", "nothing, because it has no text"
        KEPT = "kept", "nothing; kept unchanged"

    # The file's name, the table and id in the file, and the place among rows with the same id.
    source = models.CharField(max_length=200)
    table = models.CharField(max_length=80)
    original_id = models.CharField(max_length=200)
    place = models.PositiveIntegerField(default=0)
    # SHA-256 of `original`, in hexadecimal digits.
    checksum = models.CharField(max_length=64)
    kind = models.CharField(max_length=12, choices=Kind)
    # The rows made from it, and the existing rows it supports, each as 'table key'.
    made = ArrayField(models.CharField(max_length=100), default=list, blank=True)
    joined = ArrayField(models.CharField(max_length=100), default=list, blank=True)
    conversation = models.UUIDField(null=True, blank=True)
    said_at = models.DateTimeField(null=True, blank=True)
    slot = models.CharField(max_length=40, blank=True)
    value = models.CharField(max_length=500, blank=True)
    # The code of the gate that refused it.
    why = models.CharField(max_length=40, blank=True)
    original = models.JSONField(default=dict)
    # Of the row that represents a conversation: 1 while it is being migrated, 2 when complete.
    schema_version = models.PositiveSmallIntegerField(null=True, blank=True)
    brought_at = models.DateTimeField(default=now)
    redacted_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        indexes: ClassVar = [
            models.Index(fields=["user", "source", "table"], name="legacy_rows_of_a_file"),
            models.Index(fields=["user", "conversation"], name="legacy_rows_of_a_talk"),
        ]

    def __str__(self) -> str:
        return f"{self.table} {self.pk}"
