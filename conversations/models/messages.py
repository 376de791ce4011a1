"""Conversations and their messages."""

from collections.abc import Collection, Iterator
from datetime import date
from typing import TYPE_CHECKING, Any, ClassVar

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Exists, OuterRef, Q
from django.urls import reverse
from django.utils.timezone import now

from accounts.database.owned import OwnedModel
from conversations.titles import name_and_stamp
from memory.core.scope import Scope
from memory.language.budget import READ_CHARS, READ_HERE_CHARS
from memory.language.message_provenance import TextStanding
from memory.language.reading import Reading, read_text
from memory.models import Passage

if TYPE_CHECKING:
    from uuid import UUID


class ConversationQuerySet(models.QuerySet["Conversation"]):
    """Queries over conversations."""

    def for_user(self, user_id: "UUID") -> "ConversationQuerySet":
        """Return the user's conversations."""
        return self.filter(user_id=user_id)

    def held(self, user_id: "UUID", pk: "UUID") -> "Conversation | None":
        """Return one of the user's conversations, locked against adding and deleting messages; None
        if it does not exist.
        """
        return self.all_held(user_id, [pk]).first()

    def all_held(self, user_id: "UUID", keys: "Collection[UUID]") -> "ConversationQuerySet":
        """Return several of the user's conversations, locked."""
        rows = self.for_user(user_id).select_for_update(of=("self",), no_key=True)
        return rows.filter(pk__in=keys).order_by("pk")

    def is_private(self, pk: "UUID | None") -> bool:
        """Return whether `pk` is a private conversation among these; False for None."""
        private = Conversation.Privacy.PRIVATE
        return pk is not None and self.filter(pk=pk, privacy=private).exists()

    def next_called(self, name: str) -> str:
        """Return the name, with a number appended if it is already used."""
        titles = self.filter(title__startswith=name).values_list("title", flat=True)
        rest = (name_and_stamp(title)[0].removeprefix(name).strip() for title in titles)
        taken = [int(number or 1) for number in rest if not number or number.isdecimal()]
        return f"{name} {max(taken) + 1}" if taken else name


class Conversation(OwnedModel):
    """A conversation. Its title comes from the first messages until the user renames it."""

    exported = (
        *("title", "started_at", "last_at", "privacy", "temporary", "reflected_up_to"),
        *("compact_summary", "compacted_up_to", "topics_up_to", "archived_at"),
        *("pinned_at", "imported_from", "imported_up_to"),
    )

    class Privacy(models.TextChoices):
        USUAL = "", "As in my settings"
        AUTO = "auto", "Note what I say, and show me"
        ASK = "ask", "Ask me before noting anything"
        PRIVATE = "private", "Private"

    class ImportedFrom(models.TextChoices):
        CHATGPT = "chatgpt", "ChatGPT"
        CLAUDE = "claude", "Claude"
        OPEN_WEBUI = "open_webui", "Open WebUI"
        LIBRECHAT = "librechat", "LibreChat"
        GEMINI = "gemini", "Gemini"

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE)
    title = models.CharField(max_length=120, blank=True)
    started_at = models.DateTimeField(default=now)
    last_at = models.DateTimeField(default=now)
    # Number of the newest message. Adding a message locks this row, so that numbers have no gaps or
    # duplicates.
    last_number = models.PositiveIntegerField(default=0)
    privacy = models.CharField(max_length=8, choices=Privacy, default=Privacy.USUAL, blank=True)
    # Deleted some time after its last message; see deletion.vanishing.
    temporary = models.BooleanField(default=False)
    # Number of the last message that a language model has read for facts and memories.
    reflected_up_to = models.PositiveIntegerField(default=0)
    # Running summary of the messages up to this number; later messages go into prompts in full.
    compact_summary = models.TextField(blank=True)
    compacted_up_to = models.PositiveIntegerField(default=0)
    # Number of the last message that was searched for topics.
    topics_up_to = models.PositiveIntegerField(default=0)
    # Archived by the user: not in the list, but still found by search.
    archived_at = models.DateTimeField(null=True, blank=True)
    # Pinned by the user: at the top of the list.
    pinned_at = models.DateTimeField(null=True, blank=True)
    # Where it was imported from, and the number of the last imported message.
    imported_from = models.CharField(max_length=10, choices=ImportedFrom, blank=True)
    imported_up_to = models.PositiveIntegerField(default=0)

    objects = ConversationQuerySet.as_manager()

    class Meta:
        indexes: ClassVar = [
            models.Index(fields=["user", "-last_at"], name="conversations_newest_first")
        ]

    def __str__(self) -> str:
        return str(self.pk)

    def get_absolute_url(self) -> str:
        """Return the URL of the conversation's page."""
        return reverse("conversations:show", args=[self.pk])

    @property
    def name(self) -> str:
        """The title without the time at its end."""
        return name_and_stamp(self.title)[0]

    @property
    def stamp(self) -> str:
        """The time at the end of the title, `dd-mm:HH:MM`; '' if the user gave it a name."""
        return name_and_stamp(self.title)[1]


def quotable_elsewhere(user_id: "UUID") -> Q:
    """Return the condition for a message to be quotable outside of its conversation.

    It is neither private nor confidential. Answers after a confidential or unread message are
    excluded too, because they may repeat it.
    """
    confided = Message.objects.filter(
        Q(confidential=True) | Q(role=Message.Role.USER, learned_at=None),
        user=OuterRef("user"),
        conversation=OuterRef("conversation"),
        number__lt=OuterRef("number"),
    )
    answered_after = Q(role=Message.Role.ASSISTANT, author="") & Q(Exists(confided))
    # A subquery of ids instead of a join: the planner would visit the conversations one by one.
    private = Conversation.objects.for_user(user_id).filter(privacy=Conversation.Privacy.PRIVATE)
    return Q(confidential=False) & ~Q(conversation__in=private.values("pk")) & ~answered_after


# For a message that names no coming day.
NO_PLAN = date.min


class MessageQuerySet(models.QuerySet["Message"]):
    """Queries over messages."""

    def for_user(self, user_id: "UUID") -> "MessageQuerySet":
        """Return the user's messages and the answers to these."""
        return self.filter(user_id=user_id)

    def of(self, conversation: Conversation) -> "MessageQuerySet":
        """Return all messages of a conversation."""
        return self.for_user(conversation.user_id).filter(conversation=conversation)

    def beside(self, message: "Message") -> "MessageQuerySet":
        """Return all messages of the conversation that `message` belongs to."""
        return self.for_user(message.user_id).filter(conversation=message.conversation_id)

    def quotable_elsewhere(self, user_id: "UUID") -> "MessageQuerySet":
        """Return the user's messages that may be quoted outside of their conversation."""
        return self.for_user(user_id).filter(quotable_elsewhere(user_id))

    def latest_of(self, conversation: Conversation, before: int, count: int) -> "list[Message]":
        """Return the last `count` messages below number `before`, in order."""
        newest = self.filter(conversation=conversation, number__lt=before).order_by("-number")
        return list(reversed(newest[:count]))


class Message(OwnedModel):
    """A message of a user or the assistant, numbered from 1 within its conversation."""

    exported = (
        *("conversation_id", "number", "role", "content", "said_at", "author", "state", "failure"),
        *("learned_at", "confidential", "pasted", "recalled", "used_facts", "used_conversations"),
        *("steps", "tokens_in", "tokens_out", "tokens_estimated", "milliseconds", "corrects_id"),
        "metadata",
    )
    # Whether it is in the retrieval index; not if it was sent while memory was off.
    also_exported: ClassVar = {"findable": "BooleanField"}

    class Role(models.TextChoices):
        USER = "user", "the user"
        ASSISTANT = "assistant", "the assistant"

    class State(models.TextChoices):
        WAITING = "waiting", "not started"
        WRITING = "writing", "being written"
        DONE = "done", "complete"
        CUT = "cut", "cut short"
        STOPPED = "stopped", "stopped by the user"
        FAILED = "failed", "the model failed"
        REMOVED = "removed", "deleted by the user"

    IN_PROGRESS: ClassVar = (State.WAITING, State.WRITING)

    # No index on one of these columns alone: the planner would scan it completely in joins.
    conversation = models.ForeignKey(
        Conversation, on_delete=models.CASCADE, related_name="messages", db_index=False
    )
    number = models.PositiveIntegerField()
    role = models.CharField(max_length=10, choices=Role)
    content = models.TextField(blank=True)
    said_at = models.DateTimeField(default=now)
    # The speaker in a replayed dialogue; empty for messages typed here.
    author = models.CharField(max_length=80, blank=True)
    state = models.CharField(max_length=10, choices=State, default=State.DONE)
    # The sentence shown to the user if the answer was cut or failed.
    failure = models.CharField(max_length=300, blank=True)
    # Data that other software attached to an ingested message; not used here.
    metadata = models.JSONField(
        default=dict, blank=True, db_default=models.Value({}, models.JSONField())
    )
    # The form's idempotency key: a form sent twice makes one message.
    client_key = models.CharField(max_length=80, blank=True)
    # Hash of the history that a client of the OpenAI-compatible endpoint sent up to this message
    # (turns.client_history); null for other messages.
    history_key = models.UUIDField(null=True, blank=True)
    # Hash of an answer with its question, independent of their position in a history.
    exchange_key = models.UUIDField(null=True, blank=True)
    # When the message was learned from; null: not yet.
    learned_at = models.DateTimeField(null=True, blank=True)
    # The earlier message that this one corrects, as the user was shown.
    corrects = models.ForeignKey(
        "self",
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="corrected_by",
        db_index=False,
    )
    # Contains something sensitive: quoted in its own conversation only.
    confidential = models.BooleanField(default=False)
    # Says, or answers, something erased: left out of summaries, also in its own conversation.
    left_out_of_summaries = models.BooleanField(default=False, db_default=False)
    # Pasted parts, as [start, end) in characters.
    pasted = models.JSONField(default=list, blank=True)
    # Parts that are not the author's own statements, as [start, end, standing] in characters
    # (memory.language.message_provenance); null: not computed yet.
    stretches = models.JSONField(null=True, blank=True)
    # The last coming day that the author names (memory.language.planned_until), NO_PLAN for none;
    # null: not computed yet.
    planned_until = models.DateField(null=True, blank=True)
    # How many characters were read for facts and memories; null: all of them, or none yet.
    read_up_to = models.PositiveIntegerField(null=True, blank=True)
    # Items in the prompt of the answer, by id and with the factors of their scores.
    recalled = models.JSONField(default=list, blank=True)
    # What an answer used: facts by id, and from how many other conversations.
    used_facts = ArrayField(models.UUIDField(), default=list, blank=True)
    used_conversations = models.PositiveIntegerField(default=0)
    # The tool calls and look-ups for an answer, in order: conversations.tools.steps.Step.
    steps = models.JSONField(default=list, blank=True)
    # Cost of an answer: input tokens, output tokens and time.
    tokens_in = models.PositiveIntegerField(null=True, blank=True)
    tokens_out = models.PositiveIntegerField(null=True, blank=True)
    # Whether some token counts are estimates, because the model's server did not count.
    tokens_estimated = models.BooleanField(default=False)
    milliseconds = models.PositiveIntegerField(null=True, blank=True)

    objects = MessageQuerySet.as_manager()

    # Standing of the text where only a part is quoted; not a column.
    quoted_as: TextStanding = TextStanding.OWN
    _reading: Reading | None = None

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["conversation", "number"], name="one_message_a_number"),
            models.UniqueConstraint(
                fields=["user", "client_key"],
                condition=~Q(client_key=""),
                name="one_message_a_form",
            ),
        ]
        indexes: ClassVar = [
            models.Index(fields=["user", "-said_at", "-number"], name="messages_latest_first"),
            models.Index(
                fields=["corrects"], condition=Q(corrects__isnull=False), name="messages_corrected"
            ),
            models.Index(
                fields=["user", "planned_until"],
                condition=Q(planned_until__gt=NO_PLAN),
                name="messages_that_plan",
            ),
            models.Index(
                fields=["user", "history_key"],
                condition=Q(history_key__isnull=False),
                name="messages_by_history",
            ),
            models.Index(
                fields=["user", "exchange_key"],
                condition=Q(exchange_key__isnull=False),
                name="messages_by_exchange",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.conversation_id} {self.number}"

    @classmethod
    def exported_rows(cls, user_id: "UUID") -> Iterator[dict[str, Any]]:
        """Yield the rows of the export: the columns and `findable`."""
        rows = cls.objects.for_user(user_id).order_by("pk")
        has_passage = Exists(Passage.objects.filter(user=user_id, message=OuterRef("pk")))
        yield from rows.values("id", *cls.exported, findable=has_passage).iterator(500)

    def get_absolute_url(self) -> str:
        """Return the URL of the conversation's page, opened at this message."""
        page = reverse("conversations:show", args=[self.conversation_id])
        return f"{page}?at={self.number}#m{self.number}"

    @property
    def is_stated_by_owner(self) -> bool:
        """Whether the user states it: not an answer, replayed dialogue, pasted text or unchecked
        claim.
        """
        by_owner = self.role == Message.Role.USER and not self.author
        return by_owner and self.quoted_as not in {TextStanding.PASTED, TextStanding.CLAIM}

    @property
    def is_imported(self) -> bool:
        """Whether the message was imported from another assistant."""
        return self.number <= self.conversation.imported_up_to

    @property
    def only_quotes(self) -> bool:
        """Whether an answer used quoted messages only, and no facts or memories."""
        return bool(self.recalled) and all(item.get("what") == "quote" for item in self.recalled)

    @property
    def is_long(self) -> bool:
        """Whether reading may take so long that it must be done before a transaction."""
        return len(self.content) > READ_HERE_CHARS

    @property
    def reading(self) -> Reading:
        """The trained reader's reading of the text, cached until the text changes."""
        if self._reading is None or self._reading.whole != self.content:
            noticed = [self.content[start:end] for start, end in self.pasted]
            # A text that could not be read once is not tried again.
            limit = self.read_up_to if self.is_long else None
            self._reading = read_text(self.content, noticed, READ_CHARS if limit is None else limit)
        return self._reading

    @property
    def scope(self) -> Scope:
        """The memory scope in which the message is learned from."""
        return Scope(self.user_id, self.conversation_id, self.pk, self.said_at)

    @property
    def in_progress(self) -> bool:
        """Whether an answer is queued or being written."""
        return self.state in self.IN_PROGRESS
