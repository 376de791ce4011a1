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
        """Return this person's conversations."""
        return self.filter(user_id=user_id)

    def held(self, user_id: "UUID", pk: "UUID") -> "Conversation | None":
        """Return one of this person's conversations, locked against adding and
        removing messages.
        """
        return self.all_held(user_id, [pk]).first()

    def all_held(self, user_id: "UUID", keys: "Collection[UUID]") -> "ConversationQuerySet":
        """Return several of this person's conversations, locked."""
        rows = self.for_user(user_id).select_for_update(of=("self",), no_key=True)
        return rows.filter(pk__in=keys).order_by("pk")

    def is_private(self, pk: "UUID | None") -> bool:
        """Return whether one of these is a private conversation; False for None."""
        private = Conversation.Privacy.PRIVATE
        return pk is not None and self.filter(pk=pk, privacy=private).exists()

    def next_called(self, name: str) -> str:
        """Return the name, with a number appended when it is already taken."""
        titles = self.filter(title__startswith=name).values_list("title", flat=True)
        rest = (name_and_stamp(title)[0].removeprefix(name).strip() for title in titles)
        taken = [int(number or 1) for number in rest if not number or number.isdecimal()]
        return f"{name} {max(taken) + 1}" if taken else name


class Conversation(OwnedModel):
    """A conversation. Its title comes from the first words, until its owner renames it."""

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
    # The number the newest message has: taking the next one locks this row, so that numbers
    # have no gap and no repeat however many write at once.
    last_number = models.PositiveIntegerField(default=0)
    privacy = models.CharField(max_length=8, choices=Privacy, default=Privacy.USUAL, blank=True)
    # It goes, with everything in it, some time after its last word; see deletion.vanishing.
    temporary = models.BooleanField(default=False)
    # Up to which message a language model has read it for notes.
    reflected_up_to = models.PositiveIntegerField(default=0)
    # What was said in the messages up to this number, in few words; those after it speak for
    # themselves.
    compact_summary = models.TextField(blank=True)
    compacted_up_to = models.PositiveIntegerField(default=0)
    # Up to which message its topics were looked for.
    topics_up_to = models.PositiveIntegerField(default=0)
    # Put away by its owner: out of the list, still found.
    archived_at = models.DateTimeField(null=True, blank=True)
    # Pinned by its owner: above all others in the list.
    pinned_at = models.DateTimeField(null=True, blank=True)
    # Where it was imported from, and up to which message; what comes after was said here.
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
        """Return the address of its page."""
        return reverse("conversations:show", args=[self.pk])

    @property
    def name(self) -> str:
        """The title without the time at its end."""
        return name_and_stamp(self.title)[0]

    @property
    def stamp(self) -> str:
        """The time that its title ends with, `dd-mm:HH:MM`; '' when its owner gave it a name."""
        return name_and_stamp(self.title)[1]


def quotable_elsewhere(user_id: "UUID") -> Q:
    """Return the condition on a message to be quoted outside of its conversation.

    It is neither private nor confidential. An answer may repeat what was confided before it in its
    conversation, and is as confidential; what was not read yet may have been.
    """
    confided = Message.objects.filter(
        Q(confidential=True) | Q(role=Message.Role.USER, learned_at=None),
        user=OuterRef("user"),
        conversation=OuterRef("conversation"),
        number__lt=OuterRef("number"),
    )
    answered_after = Q(role=Message.Role.ASSISTANT, author="") & Q(Exists(confided))
    # By their ids, not joined: a plan that goes through the conversations one by one is slow.
    private = Conversation.objects.for_user(user_id).filter(privacy=Conversation.Privacy.PRIVATE)
    return Q(confidential=False) & ~Q(conversation__in=private.values("pk")) & ~answered_after


# Of a message that names no day to come.
NO_PLAN = date.min


class MessageQuerySet(models.QuerySet["Message"]):
    """Queries over messages."""

    def for_user(self, user_id: "UUID") -> "MessageQuerySet":
        """Return this person's messages and their answers."""
        return self.filter(user_id=user_id)

    def of(self, conversation: Conversation) -> "MessageQuerySet":
        """Return all messages of a conversation."""
        return self.for_user(conversation.user_id).filter(conversation=conversation)

    def beside(self, message: "Message") -> "MessageQuerySet":
        """Return all messages of the conversation of a message."""
        return self.for_user(message.user_id).filter(conversation=message.conversation_id)

    def quotable_elsewhere(self, user_id: "UUID") -> "MessageQuerySet":
        """Return this person's messages that may be quoted outside of their conversation."""
        return self.for_user(user_id).filter(quotable_elsewhere(user_id))

    def latest_of(self, conversation: Conversation, before: int, count: int) -> "list[Message]":
        """Return the `count` messages that end just below number `before`, in reading order."""
        newest = self.filter(conversation=conversation, number__lt=before).order_by("-number")
        return list(reversed(newest[:count]))


class Message(OwnedModel):
    """One message: a row of its own, numbered from 1 within its conversation."""

    exported = (
        *("conversation_id", "number", "role", "content", "said_at", "author", "state", "failure"),
        *("learned_at", "confidential", "pasted", "recalled", "used_facts", "used_conversations"),
        *("steps", "tokens_in", "tokens_out", "tokens_estimated", "milliseconds", "corrects_id"),
        "metadata",
    )
    # Whether it is found elsewhere than where it stands: what was said with memory off is not.
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

    # No index on one of them alone: joined with a narrower one, it would be read from end to end.
    conversation = models.ForeignKey(
        Conversation, on_delete=models.CASCADE, related_name="messages", db_index=False
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
    # What other software keeps beside a message that it brought; nothing here reads it.
    metadata = models.JSONField(
        default=dict, blank=True, db_default=models.Value({}, models.JSONField())
    )
    # A form's own key: the same form sent twice makes one message.
    client_key = models.CharField(max_length=80, blank=True)
    # What a client of the OpenAI-compatible endpoint sent up to here, as one value
    # (turns.client_history); null: it came in by another way.
    history_key = models.UUIDField(null=True, blank=True)
    # Of an answer to such a message: the two of them as one value, wherever they stand.
    exchange_key = models.UUIDField(null=True, blank=True)
    # When this message was read for what it says about the person; empty: not yet.
    learned_at = models.DateTimeField(null=True, blank=True)
    # The earlier message that it puts right or brings up to date, as its author was told.
    corrects = models.ForeignKey(
        "self",
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="corrected_by",
        db_index=False,
    )
    # Something in it is nobody's business elsewhere: it is quoted in its own conversation only.
    confidential = models.BooleanField(default=False)
    # What it says, or answers, was erased: it is summed up no more, in its own conversation either.
    left_out_of_summaries = models.BooleanField(default=False, db_default=False)
    # Which stretches of it were pasted, as [start, end) in characters.
    pasted = models.JSONField(default=list, blank=True)
    # What of it is not simply said by its author, as [start, end, standing] in characters
    # (memory.language.message_provenance); null: not read yet.
    stretches = models.JSONField(null=True, blank=True)
    # The last of the days to come that its author names (memory.language.planned_until), NO_PLAN
    # for none; null: not read yet.
    planned_until = models.DateField(null=True, blank=True)
    # How many of its characters were read for facts and notes; null: all of them, or none yet.
    read_up_to = models.PositiveIntegerField(null=True, blank=True)
    # What was put before the responder, by id and with the factors of its score.
    recalled = models.JSONField(default=list, blank=True)
    # What an answer drew on: facts by id, and how many other conversations they came from.
    used_facts = ArrayField(models.UUIDField(), default=list, blank=True)
    used_conversations = models.PositiveIntegerField(default=0)
    # What was looked up for an answer, one after the other: conversations.tools.steps.Step.
    steps = models.JSONField(default=list, blank=True)
    # What an answer took: tokens put before the responder and written by it, and time.
    tokens_in = models.PositiveIntegerField(null=True, blank=True)
    tokens_out = models.PositiveIntegerField(null=True, blank=True)
    # Whether some of them were reckoned here, because the server of the model did not count.
    tokens_estimated = models.BooleanField(default=False)
    milliseconds = models.PositiveIntegerField(null=True, blank=True)

    objects = MessageQuerySet.as_manager()

    # How its words stand where only a part of it is quoted; not a column.
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
        """Yield the rows of the export, with `findable` besides the columns."""
        rows = cls.objects.for_user(user_id).order_by("pk")
        has_passage = Exists(Passage.objects.filter(user=user_id, message=OuterRef("pk")))
        yield from rows.values("id", *cls.exported, findable=has_passage).iterator(500)

    def get_absolute_url(self) -> str:
        """Return the address of its conversation's page, opened around it."""
        page = reverse("conversations:show", args=[self.conversation_id])
        return f"{page}?at={self.number}#m{self.number}"

    @property
    def is_stated_by_owner(self) -> bool:
        """Whether its owner states it: not an answer, replayed dialogue, pasted text or unchecked
        claim.
        """
        by_owner = self.role == Message.Role.USER and not self.author
        return by_owner and self.quoted_as not in {TextStanding.PASTED, TextStanding.CLAIM}

    @property
    def is_imported(self) -> bool:
        """Whether it was said to another assistant, or by it, and imported from there."""
        return self.number <= self.conversation.imported_up_to

    @property
    def only_quotes(self) -> bool:
        """Whether an answer drew on what was said, and on nothing that is known."""
        return bool(self.recalled) and all(item.get("what") == "quote" for item in self.recalled)

    @property
    def is_long(self) -> bool:
        """Whether reading it may take so long that it is read before a transaction."""
        return len(self.content) > READ_HERE_CHARS

    @property
    def reading(self) -> Reading:
        """The reading of its text, cached until the text changes."""
        if self._reading is None or self._reading.whole != self.content:
            noticed = [self.content[start:end] for start, end in self.pasted]
            # What could not be read once is not tried again.
            limit = self.read_up_to if self.is_long else None
            self._reading = read_text(self.content, noticed, READ_CHARS if limit is None else limit)
        return self._reading

    @property
    def scope(self) -> Scope:
        """The scope of memory in which it is read."""
        return Scope(self.user_id, self.conversation_id, self.pk, self.said_at)

    @property
    def in_progress(self) -> bool:
        """Whether an answer is still to come or being written."""
        return self.state in self.IN_PROGRESS
