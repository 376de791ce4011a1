"""Serializers for conversations and messages."""

from typing import Any

from django.conf import settings
from rest_framework import serializers
from rest_framework.exceptions import ValidationError

from accounts.access.api import RequestBody, TextField
from conversations.messages import UnfitText, fit
from conversations.models import Conversation, Message
from conversations.web.present.chips import NoteView
from memory.context.prompt_items import ItemKind
from memory.core.persistence_gate import PersistenceReason
from memory.language.origin import Origin, locate_pastes
from memory.language.text.compression import truncate_at_clause
from memory.web.present.remedies import ReasonField

ROLES = Message.Role.choices


class ConversationIn(RequestBody):
    """A conversation to start."""

    temporary = serializers.BooleanField(
        default=False, help_text="Whether it is private and deleted a day after its last message."
    )
    title = serializers.CharField(max_length=120, required=False, allow_blank=True, default="")
    privacy = serializers.ChoiceField(
        choices=Conversation.Privacy.choices,
        required=False,
        allow_blank=True,
        help_text="What is saved from it: '' (as in the settings), auto (save and show it), "
        "ask (ask first) or private (save nothing).",
    )


class ConversationChange(RequestBody):
    """Changes to a conversation; omitted fields keep their value."""

    least_fields = 1

    title = serializers.CharField(max_length=120, required=False, help_text="New title.")
    privacy = serializers.ChoiceField(
        choices=Conversation.Privacy.choices,
        required=False,
        allow_blank=True,
        help_text="'' (as in the settings), auto, ask, or private: nothing is saved from it "
        "and nothing in it is quoted elsewhere.",
    )
    archived = serializers.BooleanField(
        required=False,
        help_text="Whether it is archived: not in the list, but still found by search.",
    )

    pinned = serializers.BooleanField(
        required=False,
        help_text="Whether it is pinned above all others in the list. A pinned conversation "
        "is not archived.",
    )


class ConversationOut(serializers.Serializer[Any]):
    """A conversation."""

    id = serializers.UUIDField()
    title = serializers.CharField()
    privacy = serializers.CharField(
        help_text="What is saved from it: '' (as in the settings), auto (save and show it), ask "
        "(ask first) or private (save nothing)."
    )
    temporary = serializers.BooleanField(
        help_text="Whether it is deleted a day after its last message."
    )
    started_at = serializers.DateTimeField()
    last_at = serializers.DateTimeField()
    messages = serializers.IntegerField(
        source="last_number", help_text="Number of messages in the conversation."
    )
    archived_at = serializers.DateTimeField(
        allow_null=True, help_text="When it was archived; null if it is not archived."
    )
    pinned_at = serializers.DateTimeField(
        allow_null=True, help_text="When it was pinned; null if it is not pinned."
    )
    imported_from = serializers.ChoiceField(
        choices=[("", "nowhere"), *Conversation.ImportedFrom.choices],
        help_text="Assistant that it was imported from; empty if it started here.",
    )
    url = serializers.CharField(source="get_absolute_url", help_text="Path to its page.")


class OneConversationOut(ConversationOut):
    """A conversation, with what was summed up of it."""

    summary = serializers.CharField(
        source="compact_summary",
        help_text="Short summary of its first messages; empty until there are enough of them. In a "
        "long conversation, an answer is based on this summary and the messages after it.",
    )
    compacted_up_to = serializers.IntegerField(
        help_text="Number of the last message that the summary covers; 0 if there is no summary."
    )


class MessageIn(RequestBody):
    """A message to send."""

    content = TextField(
        most_characters=settings.MESSAGE_MAX_LENGTH,
        help_text=f"The text, at most {settings.MESSAGE_MAX_LENGTH} characters.",
    )
    origin = serializers.ChoiceField(
        choices=[Origin.TYPED.value, Origin.PASTED.value],
        default=Origin.TYPED.value,
        help_text=(
            "typed, or pasted if all of it was written by someone else, such as a forwarded "
            "e-mail. Pasted text is never treated as the user's own words; anything learned "
            "from it waits for approval."
        ),
    )
    pasted = serializers.ListField(
        child=serializers.CharField(max_length=settings.MESSAGE_MAX_LENGTH, trim_whitespace=False),
        max_length=200,
        default=list,
        help_text="Parts of `content` that someone else wrote, copied exactly; default none.",
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Return the values, with `pasted` set from `origin`. Raises ValidationError for a part
        that is not in the content.
        """
        content = attrs["content"]
        if missing := [part for part in attrs["pasted"] if not locate_pastes(content, [part])]:
            raise ValidationError(
                {"pasted": f"This is not in the content: {truncate_at_clause(missing[0], 80)}"}
            )
        if attrs.pop("origin") == Origin.PASTED:
            attrs["pasted"] = [content]
        return attrs

    def validate_content(self, text: str) -> str:
        """Return the text as it will be saved. Raises ValidationError."""
        try:
            return fit(text)
        except UnfitText as unfit:
            raise ValidationError(unfit.words) from None


class Range(serializers.Serializer[Any]):
    """A range of message numbers; `MOST` is the largest number that the column can hold."""

    MOST = 2**31 - 1
    to = serializers.IntegerField(required=False, default=MOST, min_value=1, max_value=MOST)

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        """Return the fields with `from`, which is a Python keyword."""
        first = serializers.IntegerField(
            required=False, default=1, min_value=1, max_value=self.MOST
        )
        return {"from": first, **super().get_fields()}


class StepOut(serializers.Serializer[Any]):
    """A call of a tool while an answer was written."""

    tool = serializers.CharField()
    arguments = serializers.DictField()
    state = serializers.ChoiceField(
        choices=["done", "failed", "asked", "declined", "overtaken"],
        help_text=(
            "asked: it is waiting for the user's approval on the page. overtaken: the user asked "
            "for something else instead of answering."
        ),
    )
    found = serializers.CharField(help_text="Result of the call, or why it failed, in a few words.")
    milliseconds = serializers.IntegerField()


class _RecalledIds(serializers.ListField):
    """The ids of some kinds of items that an answer used, not only offered for correction."""

    def __init__(self, *kinds: ItemKind, **kwargs: Any) -> None:
        self.kinds = kinds
        super().__init__(source="recalled", child=serializers.UUIDField(), **kwargs)

    def to_representation(self, data: list[dict[str, Any]]) -> list[str]:
        """Return the ids as text."""
        kept = (item for item in data if not item.get("offered"))
        return [item["id"] for item in kept if item.get("what") in self.kinds]


class MessageOut(serializers.Serializer[Any]):
    """A message."""

    id = serializers.UUIDField()
    number = serializers.IntegerField(
        help_text="Position in the conversation, starting at 1, without gaps."
    )
    role = serializers.ChoiceField(choices=ROLES)
    content = serializers.CharField()
    state = serializers.ChoiceField(choices=Message.State.choices)
    failure = serializers.CharField(help_text="What went wrong with this answer; otherwise empty.")
    author = serializers.CharField(
        help_text=(
            "Name of the speaker, if an imported message was said by someone other than the user "
            "or an assistant; otherwise empty."
        )
    )
    said_at = serializers.DateTimeField()
    metadata = serializers.DictField(
        help_text="Metadata sent with an imported message; otherwise empty."
    )
    used_facts = serializers.ListField(
        child=serializers.UUIDField(),
        help_text=(
            "Ids of the facts that the answer used, including disputed ones. For an answer by a "
            "language model, this, `used_memories` and `used_messages` list what the model was "
            "given; what it looked up itself is in `steps`."
        ),
    )
    used_memories = _RecalledIds(
        "memory",
        "summary",
        help_text="Ids of the memories that the answer used, including summaries of conversations.",
    )
    used_messages = _RecalledIds("quote", help_text="Ids of the messages that the answer quotes.")
    used_conversations = serializers.IntegerField(
        help_text="Number of earlier conversations that the used facts came from."
    )
    steps = StepOut(many=True, help_text="Tool calls for this answer, in order.")
    tokens_in = serializers.IntegerField(
        allow_null=True,
        help_text="Number of tokens sent to the language model; null if none was used.",
    )
    tokens_out = serializers.IntegerField(
        allow_null=True,
        help_text="Number of tokens that the language model wrote; null if none was used.",
    )
    tokens_estimated = serializers.BooleanField(
        help_text="Whether the token counts are estimates, because the server reported none."
    )
    milliseconds = serializers.IntegerField(
        allow_null=True,
        help_text="Time that the answer took, in milliseconds; null for a message from the user.",
    )


class ReasonOut(serializers.Serializer[Any]):
    """Why something was saved, kept in its conversation or not saved."""

    reason = serializers.CharField(
        help_text="Code for the reason, such as private_here; empty if there is none."
    )
    sentence = serializers.CharField(help_text="The reason as a sentence to show to the user.")


def _why_there(note: NoteView) -> PersistenceReason | None:
    """Return the reason why a chip's content is stored where it is; None for no reason."""
    return note.because.reason if note.because else None


class NoteOut(serializers.Serializer[Any]):
    """A fact or memory learned from a message."""

    id = serializers.UUIDField(source="pk")
    kind = serializers.CharField(
        help_text=(
            "What happened: stored (new fact), reinforced (said again), override (used in this "
            "conversation only), conflict (contradicts another value), kept (stays in this "
            "conversation), memory (new memory), waiting (waits for approval) or undone."
        )
    )
    slot = serializers.CharField(
        source="note.slot", allow_blank=True, help_text="Kind of fact; empty for a memory."
    )
    value = serializers.CharField()
    text = serializers.CharField(source="full_text")
    offered = serializers.BooleanField(
        source="anyway_url",
        help_text=(
            "Whether it stays in its conversation but can be saved with POST /notes/{id}/anyway."
        ),
    )
    fact = serializers.UUIDField(source="note.fact_id", allow_null=True)
    memory = serializers.UUIDField(source="note.memory_id", allow_null=True)
    conflict = serializers.UUIDField(source="note.contradiction_id", allow_null=True)
    reason = ReasonField(
        "code", reason_of=_why_there, help_text="Code for why it is there; empty if there is none."
    )
    sentence = ReasonField(
        "in_full", reason_of=_why_there, help_text="The reason as a sentence to show to the user."
    )


class ExchangeOut(serializers.Serializer[Any]):
    """A message as it was saved, the reply, and what was learned."""

    conversation = serializers.UUIDField()
    message = MessageOut()
    reply = MessageOut()
    notes = NoteOut(many=True)
    not_kept = ReasonOut(help_text="Why nothing from the message was saved; otherwise empty.")
    reading_notice = serializers.CharField(
        allow_blank=True,
        help_text="How much of the message was read for facts, if not all of it; otherwise empty.",
    )
