"""Model of the operations on a user's memory: times and outcomes, no content."""

from typing import ClassVar

from django.conf import settings
from django.db import models

from accounts.database.owned import OwnedModel
from memory.models.namespaces import KEY_LENGTH, NAMESPACE_LENGTH


class MemoryOperation(OwnedModel):
    """One operation on memory. The operations of a turn share a trace id, also in the worker."""

    not_exported = "These are counts and timings without content, deleted after a few days."
    outlives_forgetting = "It is emptied with the rest; later rows cover only the time since then."

    class Verb(models.TextChoices):
        READ = "read", "Read"
        WRITE = "write", "Wrote"
        QUERY = "query", "Searched"
        REMOVE = "remove", "Removed"
        RECALL = "recall", "Recalled for an answer"
        LEARN = "learn", "Learned from a message"
        REVISE = "revise", "Changed"
        FORGET = "forget", "Forgot"
        MAINTAIN = "maintain", "Tidied up"
        MODEL = "model", "Asked the language model"

    class Outcome(models.TextChoices):
        OK = "ok", "Done"
        NOTHING = "nothing", "Nothing found"
        HELD = "held", "Kept for the session only"
        CONFLICT = "conflict", "Changed in the meantime"
        REFUSED = "refused", "Refused"
        FAILED = "failed", "Failed"

    class Door(models.TextChoices):
        PAGE = "page", "a page"
        API = "api", "another app"
        MODEL = "model", "the assistant"
        WORKER = "worker", "a background job"
        COMMAND = "command", "a command"

    # Rows may be written during the deletion of an account, so the database deletes them.
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.DO_NOTHING, db_index=False, related_name="+"
    )
    # The id of the turn's user message, or of the request.
    trace_id = models.UUIDField()
    verb = models.CharField(max_length=10, choices=Verb)
    namespace = models.CharField(max_length=NAMESPACE_LENGTH)
    # Empty for operations on several entries, and for keys that the user does not allow to be
    # stored.
    key = models.CharField(max_length=KEY_LENGTH, blank=True)
    door = models.CharField(max_length=8, choices=Door)
    outcome = models.CharField(max_length=10, choices=Outcome)
    at = models.DateTimeField()
    duration_ms = models.FloatField()
    # The number of SQL statements.
    statements = models.PositiveIntegerField(default=0)
    # Tokens saved by the short form against full sentences, by a real tokenizer; else 0.
    tokens_saved = models.IntegerField(default=0)

    class Meta:
        indexes: ClassVar = [
            models.Index(fields=["user", "-at"], name="operations_of_a_person"),
            models.Index(fields=["user", "trace_id"], name="operations_of_a_turn"),
        ]

    def __str__(self) -> str:
        return f"{self.verb} {self.namespace} {self.pk}"
