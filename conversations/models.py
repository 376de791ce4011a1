"""Conversations, their messages, and what was noted from each."""

from datetime import datetime
from typing import TYPE_CHECKING, ClassVar

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils.timezone import now

from accounts.ids import new_id
from memory.models import Memory, Override, ProfileFact
from memory.slots import SLOTS, Slot

if TYPE_CHECKING:
    from uuid import UUID


class ConversationQuerySet(models.QuerySet["Conversation"]):
    """Questions about many conversations."""

    def for_user(self, user_id: "UUID") -> "ConversationQuerySet":
        """This person's conversations."""
        return self.filter(user_id=user_id)


class Conversation(models.Model):
    """One talk. Its title comes from the first words, until its owner renames it."""

    class Privacy(models.TextChoices):
        USUAL = "", "As in my settings"
        AUTO = "auto", "Note what I say, and show me"
        ASK = "ask", "Ask me before noting anything"
        PRIVATE = "private", "Private: note nothing, share nothing"

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE)
    title = models.CharField(max_length=120, blank=True)
    started_at = models.DateTimeField(default=now)
    last_at = models.DateTimeField(default=now)
    # The number the newest message has: taking the next one locks this row, so that numbers
    # have no gap and no repeat however many write at once.
    last_number = models.PositiveIntegerField(default=0)
    privacy = models.CharField(max_length=8, choices=Privacy, default=Privacy.USUAL, blank=True)
    # Up to which message a language model has read it for notes.
    reflected_up_to = models.PositiveIntegerField(default=0)

    objects = ConversationQuerySet.as_manager()

    class Meta:
        indexes: ClassVar = [
            models.Index(fields=["user", "-last_at"], name="conversations_newest_first")
        ]

    def __str__(self) -> str:
        return str(self.pk)

    def get_absolute_url(self) -> str:
        """Its page."""
        return reverse("conversations:show", args=[self.pk])


class MessageQuerySet(models.QuerySet["Message"]):
    """Questions about many messages."""

    def for_user(self, user_id: "UUID") -> "MessageQuerySet":
        """This person's messages, and what was answered."""
        return self.filter(user_id=user_id)

    def latest_of(self, conversation: Conversation, before: int, count: int) -> "list[Message]":
        """The `count` messages that end just below number `before`, in reading order."""
        newest = self.filter(conversation=conversation, number__lt=before).order_by("-number")
        return list(reversed(newest[:count]))


class Message(models.Model):
    """One message: a row of its own, numbered from 1 within its conversation."""

    class Role(models.TextChoices):
        USER = "user", "the person"
        ASSISTANT = "assistant", "the assistant"

    class State(models.TextChoices):
        WAITING = "waiting", "not begun"
        WRITING = "writing", "being written"
        DONE = "done", "whole"
        CUT = "cut", "ended half way"
        STOPPED = "stopped", "stopped by the reader"
        FAILED = "failed", "nothing came"

    IN_PROGRESS: ClassVar = (State.WAITING, State.WRITING)

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE)
    conversation = models.ForeignKey(
        Conversation, on_delete=models.CASCADE, related_name="messages"
    )
    number = models.PositiveIntegerField()
    role = models.CharField(max_length=10, choices=Role)
    content = models.TextField(blank=True)
    said_at = models.DateTimeField(default=now)
    # Who spoke, in a dialogue that was played back; empty for what was typed here.
    author = models.CharField(max_length=80, blank=True)
    state = models.CharField(max_length=10, choices=State, default=State.DONE)
    # One plain sentence for the reader when the answer is cut or failed.
    failure = models.CharField(max_length=300, blank=True)
    # A form's own key: the same form sent twice makes one message.
    client_key = models.CharField(max_length=80, blank=True)
    # When this message was read for what it says about the person; empty: not yet.
    learned_at = models.DateTimeField(null=True, blank=True)
    # Something in it is nobody's business elsewhere: it is quoted in its own conversation only.
    confidential = models.BooleanField(default=False)
    # Which stretches of it were pasted, as [start, end) in characters.
    pasted = models.JSONField(default=list, blank=True)
    # What was put before the responder, by id and with the factors of its score.
    recalled = models.JSONField(default=list, blank=True)
    # What an answer drew on: facts by id, and how many other conversations they came from.
    used_facts = ArrayField(models.UUIDField(), default=list, blank=True)
    used_conversations = models.PositiveIntegerField(default=0)

    objects = MessageQuerySet.as_manager()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["conversation", "number"], name="one_message_a_number"),
            models.UniqueConstraint(
                fields=["user", "client_key"],
                condition=~Q(client_key=""),
                name="one_message_a_form",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.conversation_id} {self.number}"

    def get_absolute_url(self) -> str:
        """Its place on the conversation's page."""
        return reverse("conversations:show", args=[self.conversation_id]) + f"#m{self.number}"

    @property
    def in_progress(self) -> bool:
        """Whether an answer is still to come or being written."""
        return self.state in self.IN_PROGRESS


class Note(models.Model):
    """What was taken from one message: the chip under its answer."""

    class Kind(models.TextChoices):
        STORED = "stored", "new in the profile"
        REINFORCED = "reinforced", "said again"
        OVERRIDE = "override", "holds in this conversation"
        CONFLICT = "conflict", "two values, waiting for an answer"
        KEPT = "kept", "stays in this conversation"
        MEMORY = "memory", "a new note beside the profile"
        WAITING = "waiting", "waits for a yes"
        SETTLED = "settled", "answered the question about two values"

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE)
    message = models.ForeignKey(Message, on_delete=models.CASCADE, related_name="notes")
    kind = models.CharField(max_length=12, choices=Kind)
    slot = models.CharField(max_length=40, blank=True)
    fact = models.ForeignKey(ProfileFact, null=True, blank=True, on_delete=models.CASCADE)
    memory = models.ForeignKey(Memory, null=True, blank=True, on_delete=models.CASCADE)
    override = models.ForeignKey(Override, null=True, blank=True, on_delete=models.CASCADE)
    contradiction = models.ForeignKey(
        "ledger.Contradiction", null=True, blank=True, on_delete=models.CASCADE
    )

    class Meta:
        indexes: ClassVar = [models.Index(fields=["user", "message"], name="notes_of_a_message")]

    def __str__(self) -> str:
        return f"{self.kind} {self.slot} {self.pk}"

    @property
    def about(self) -> Slot:
        """The registry's entry for the slot this note is about."""
        return SLOTS[self.slot]


def title_from(text: str, at: datetime) -> str:
    """The first four words and the time, as `dd-mm:HH:MM`, until the owner finds a better one."""
    words = " ".join(text.split()[:4])
    if len(words) > 60:
        words = words[:59] + "…"
    return f"{words} {at:%d-%m:%H:%M}"
