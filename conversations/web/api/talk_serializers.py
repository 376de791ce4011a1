"""What the interface for other software takes and gives of conversations and messages."""

from typing import Any

from django.conf import settings
from rest_framework import serializers
from rest_framework.exceptions import ValidationError

from accounts.access.api import RequestBody, TextField
from conversations.messages import UnfitText, fit
from conversations.models import Conversation, Message
from memory.language import Origin, locate_pastes, truncate_at_clause


class ConversationIn(RequestBody):
    """What a new conversation may bring."""

    temporary = serializers.BooleanField(
        default=False, help_text="Private, and gone a day after its last word."
    )
    title = serializers.CharField(max_length=120, required=False, allow_blank=True, default="")
    privacy = serializers.ChoiceField(
        choices=Conversation.Privacy.choices,
        required=False,
        allow_blank=True,
        help_text="'' (as in the settings), auto, ask or private.",
    )


class ConversationChange(RequestBody):
    """What of a conversation may be changed."""

    title = serializers.CharField(max_length=120, required=False, help_text="Another name.")
    privacy = serializers.ChoiceField(
        choices=Conversation.Privacy.choices,
        required=False,
        allow_blank=True,
        help_text="private: nothing is learned from it, nothing said in it is quoted elsewhere.",
    )
    archived = serializers.BooleanField(
        required=False, help_text="Put away: out of the list, still found."
    )

    pinned = serializers.BooleanField(
        required=False, help_text="Above all others in the list; what is pinned is not put away."
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """A change that changes nothing is a slip."""
        if not attrs:
            raise ValidationError("Say what to change: title, privacy, archived or pinned.")
        return attrs


class ConversationOut(serializers.Serializer[Any]):
    """A conversation."""

    id = serializers.UUIDField()
    title = serializers.CharField()
    privacy = serializers.CharField(help_text="'' (as in the settings), auto, ask or private.")
    temporary = serializers.BooleanField(help_text="It goes a day after its last word.")
    started_at = serializers.DateTimeField()
    last_at = serializers.DateTimeField()
    messages = serializers.IntegerField(source="last_number", help_text="How many it holds.")
    archived_at = serializers.DateTimeField(allow_null=True, help_text="When it was put away.")
    pinned_at = serializers.DateTimeField(allow_null=True, help_text="When it was pinned.")
    imported_from = serializers.ChoiceField(
        choices=[("", "nowhere"), *Conversation.ImportedFrom.choices],
        help_text="Which assistant it was imported from; empty for one that began here.",
    )
    url = serializers.CharField(source="get_absolute_url", help_text="Its page.")


class MessageIn(RequestBody):
    """What is said."""

    content = TextField(help_text="The text, at most settings.MESSAGE_MAX_LENGTH characters.")
    origin = serializers.ChoiceField(
        choices=[Origin.TYPED.value, Origin.PASTED.value],
        default=Origin.TYPED.value,
        help_text="pasted: all of it is somebody else's words, such as a forwarded mail. They are "
        "never taken for what the person says; what is learned from them waits for a yes.",
    )
    pasted = serializers.ListField(
        child=serializers.CharField(max_length=settings.MESSAGE_MAX_LENGTH, trim_whitespace=False),
        max_length=200,
        default=list,
        help_text="The parts of the content that are somebody else's words, as they stand in it.",
    )

    pinned = serializers.BooleanField(
        required=False, help_text="Above all others in the list; what is pinned is not put away."
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """With `pasted` as the turn takes it; a part that is not in the content is a slip."""
        content = attrs["content"]
        if missing := [part for part in attrs["pasted"] if not locate_pastes(content, [part])]:
            raise ValidationError(
                {"pasted": f"This is not in the content: {truncate_at_clause(missing[0], 80)}"}
            )
        if attrs.pop("origin") == Origin.PASTED:
            attrs["pasted"] = [content]
        return attrs

    def validate_content(self, text: str) -> str:
        """The text as it will be kept."""
        try:
            return fit(text)
        except UnfitText as unfit:
            raise ValidationError(unfit.words) from None


class Range(serializers.Serializer[Any]):
    """Which numbers of a conversation are wanted; the greatest is what the column can hold."""

    MOST = 2**31 - 1
    to = serializers.IntegerField(required=False, default=MOST, min_value=1, max_value=MOST)

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        """With `from`, which Python keeps for itself."""
        first = serializers.IntegerField(
            required=False, default=1, min_value=1, max_value=self.MOST
        )
        return {"from": first, **super().get_fields()}

    def bounds(self) -> tuple[int, int]:
        """The first and the last number, both included."""
        return self.validated_data["from"], self.validated_data["to"]


class StepOut(serializers.Serializer[Any]):
    """A tool that was called on the way to an answer."""

    tool = serializers.CharField()
    arguments = serializers.DictField()
    state = serializers.ChoiceField(
        choices=["done", "failed", "asked", "declined", "overtaken"],
        help_text="asked: it takes something away, and waits for a yes on the page.",
    )
    found = serializers.CharField(help_text="What came back, or why nothing did, in few words.")
    milliseconds = serializers.IntegerField()


class MessageOut(serializers.Serializer[Any]):
    """A message."""

    id = serializers.UUIDField()
    number = serializers.IntegerField(help_text="Its place in the conversation, from 1, no gaps.")
    role = serializers.ChoiceField(choices=Message.Role.choices)
    content = serializers.CharField()
    state = serializers.ChoiceField(choices=Message.State.choices)
    failure = serializers.CharField(help_text="What went wrong with this answer; '' for nothing.")
    author = serializers.CharField(help_text="Who spoke, in a dialogue that was played back.")
    said_at = serializers.DateTimeField()
    used_facts = serializers.ListField(child=serializers.UUIDField())
    used_conversations = serializers.IntegerField(
        help_text="From how many earlier conversations the used facts came."
    )
    steps = StepOut(many=True, help_text="What was looked up for this answer, in order.")
    tokens_in = serializers.IntegerField(
        allow_null=True, help_text="Tokens put before the language model; null without one."
    )
    tokens_out = serializers.IntegerField(allow_null=True, help_text="Tokens that it wrote.")
    milliseconds = serializers.IntegerField(
        allow_null=True, help_text="How long the answer took; null for a message."
    )


class ReasonOut(serializers.Serializer[Any]):
    """Why something is kept where it is, or nowhere."""

    reason = serializers.CharField(help_text="A code, such as private_here; '' for none.")
    sentence = serializers.CharField(help_text="The same in words for the person.")


class NoteOut(ReasonOut):
    """What was noted from a message."""

    id = serializers.UUIDField()
    kind = serializers.CharField(
        help_text="stored, reinforced, override, conflict, kept, memory, waiting, undone"
    )
    slot = serializers.CharField(allow_blank=True, help_text="Empty for a note beside the profile.")
    value = serializers.CharField()
    text = serializers.CharField()
    offered = serializers.BooleanField(
        help_text="Kept to its conversation; POST /notes/{id}/anyway notes it all the same."
    )
    fact = serializers.UUIDField(allow_null=True)
    memory = serializers.UUIDField(allow_null=True)
    conflict = serializers.UUIDField(allow_null=True)


class ExchangeOut(serializers.Serializer[Any]):
    """A message as it was kept, the reply, and what was noted."""

    conversation = serializers.UUIDField()
    message = MessageOut()
    reply = MessageOut()
    notes = NoteOut(many=True)
    not_kept = ReasonOut(help_text="Why nothing that the message states was kept, if so.")
    reading_notice = serializers.CharField(
        allow_blank=True,
        help_text="How much of the message was read for facts, where that is not all of it.",
    )
