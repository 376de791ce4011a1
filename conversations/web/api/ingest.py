"""API for bringing messages into a conversation without having an answer written."""

import json
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

from django.conf import settings
from django.utils.timezone import now
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.exceptions import NotFound, ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.access.api import PersonAPIView, Problem, RequestBody, TextField, problem_response
from accounts.database.isolation import acting_as
from conversations.messages import NewMessage, UnfitText, fit, is_control
from conversations.models import Conversation, Message
from conversations.turns import ingesting
from conversations.web.rows import conversation_of

MOST = 1000
# Longest metadata of a message, as JSON, in bytes.
MOST_METADATA = 4096
# How far the client's clock may be ahead.
CLOCK_SKEW = timedelta(minutes=5)
_EARLIEST = datetime(1970, 1, 1, tzinfo=UTC)
_OTHER = "other"
ROLES = [(role, role) for role in (*Message.Role.values, _OTHER)]


class ByIndex(serializers.ListSerializer[Any]):
    """A list whose errors are keyed by the index of the invalid item."""

    def to_internal_value(self, data: Any) -> Any:
        """Return the items. Raises ValidationError, with a bounded number of errors."""
        try:
            return super().to_internal_value(data)
        except ValidationError as invalid:
            if not isinstance(invalid.detail, list):
                raise
            wrong = {str(at): detail for at, detail in enumerate(invalid.detail) if detail}
            first = dict(list(wrong.items())[: RequestBody.MOST_TOLD])
            raise ValidationError(first) from None


class IngestedMessageIn(RequestBody):
    """A message that was said elsewhere."""

    role = serializers.ChoiceField(
        choices=ROLES,
        help_text=(
            "user: the account owner; the text is read for facts as if they had typed it. "
            "assistant: an assistant. other: someone else, named in `author`. Nothing is learned "
            "from assistant and other."
        ),
    )
    content = TextField(
        most_characters=settings.MESSAGE_MAX_LENGTH,
        help_text=f"The text, at most {settings.MESSAGE_MAX_LENGTH} characters.",
    )
    author = serializers.CharField(
        max_length=80,
        default="",
        allow_blank=True,
        help_text="Name of the speaker; required for the role other and not allowed for any other "
        "role.",
    )
    said_at = serializers.DateTimeField(
        required=False,
        help_text="When it was said, in ISO 8601 format, 1970 or later; default now. A time "
        "without an offset is taken as UTC. It may be at most five minutes in the future.",
    )
    external_id = serializers.CharField(
        max_length=200,
        default="",
        allow_blank=True,
        help_text=(
            "Your own id for the message, unique within the conversation. If a message with the "
            "same `external_id` was sent before, it is not saved again."
        ),
    )

    metadata = serializers.DictField(
        default=dict,
        help_text=f"JSON object of your own, at most {MOST_METADATA:,} bytes, kept with the "
        "message and returned with it. Nothing is learned from it, and no answer uses it. Sending "
        "a message again does not change it.",
    )

    class Meta:
        list_serializer_class = ByIndex

    def validate_content(self, text: str) -> str:
        """Return the text as it will be saved. Raises ValidationError."""
        try:
            return fit(text)
        except UnfitText as unfit:
            raise ValidationError(unfit.words) from None

    def validate_metadata(self, metadata: dict[str, Any]) -> dict[str, Any]:
        """Return the metadata. Raises ValidationError if it is too large."""
        size = len(json.dumps(metadata, ensure_ascii=False, separators=(",", ":")).encode())
        if size > MOST_METADATA:
            raise ValidationError(
                f"This is {size:,} bytes of JSON. Send at most {MOST_METADATA:,}."
            )
        return metadata

    def validate_author(self, name: str) -> str:
        """Return the name. Raises ValidationError if it has characters that cannot be shown."""
        if any(map(is_control, name)):
            raise ValidationError("Send the name without line breaks or control characters.")
        return name

    def validate_said_at(self, at: datetime) -> datetime:
        """Return the time. Raises ValidationError if it is out of range."""
        if at > now() + CLOCK_SKEW:
            raise ValidationError("This is in the future. Send the time at which it was said.")
        if at < _EARLIEST:
            raise ValidationError("This is before 1970. Send a later time, or leave it out.")
        return at

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Return the values. Raises ValidationError if the author does not fit the role."""
        if (attrs["role"] == _OTHER) != bool(attrs["author"]):
            raise ValidationError(
                {
                    "author": (
                        "Give the speaker’s name for the role other, and leave it out for user "
                        "and assistant."
                    )
                }
            )
        return attrs


class IngestIn(RequestBody):
    """Messages to bring into a conversation, in the order in which they were said."""

    messages = IngestedMessageIn(
        many=True,
        allow_empty=False,
        max_length=MOST,  # type: ignore[call-arg]
    )

    def validate_messages(self, messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """Return the messages. Raises ValidationError if an external id occurs twice."""
        seen: set[str] = set()
        for index, message in enumerate(messages):
            if (name := message["external_id"]) and name in seen:
                sentence = "An earlier message in this request has the same id. Send each id once."
                raise ValidationError({str(index): {"external_id": [sentence]}})
            seen.add(name)
        return messages


class IngestedMessageOut(serializers.Serializer[Any]):
    """An imported message, from this request or an earlier one."""

    id = serializers.UUIDField()
    number = serializers.IntegerField(help_text="Position in the conversation, starting at 1.")
    new = serializers.BooleanField(
        help_text="Whether it was saved by this request; false if an earlier request saved it."
    )


class IngestOut(serializers.Serializer[Any]):
    """The messages of the request, in order, and how many still have to be read."""

    messages = IngestedMessageOut(many=True)
    new = serializers.IntegerField(help_text="Number of messages that this request saved.")
    to_read = serializers.IntegerField(
        help_text="Number of messages still to be read for facts and memories in the background."
    )


class Ingest(PersonAPIView):
    """Messages from elsewhere."""

    # The messages must be committed before they are learned from.
    one_block = False

    @extend_schema(
        operation_id="messages_ingest",
        request=IngestIn,
        responses={
            200: IngestOut,
            201: IngestOut,
            202: IngestOut,
            400: Problem,
            401: Problem,
            404: Problem,
            409: Problem,
            413: Problem,
            503: Problem,
        },
    )
    def post(self, request: Request, pk: UUID) -> Response:
        """Save up to 1,000 messages at the end of a conversation; no answer is written.

        201 when all were read at once, 202 when some are read in the background, 200 when nothing
        was new. If one message is invalid, none is saved.
        """
        person = self.person(request)
        with acting_as(person):
            conversation_of(person, pk)
        data = self.body(request, IngestIn)
        drafts = [_draft(pk, message) for message in data["messages"]]
        try:
            ingested = ingesting.ingest(person, pk, drafts)
        except Conversation.DoesNotExist:
            raise NotFound from None
        except ingesting.DifferentMessage as different:
            return _used_otherwise(different.position)
        with acting_as(person):
            to_read = ingesting.count_unlearned(person, ingested.messages)
        shown = [
            {"id": message.pk, "number": message.number, "new": message.pk in ingested.new}
            for message in ingested.messages
        ]
        body = {"messages": shown, "new": len(ingested.new), "to_read": to_read}
        done = 201 if ingested.new else 200
        return Response(IngestOut(body).data, status=202 if to_read else done)


def _draft(conversation_id: UUID, data: dict[str, Any]) -> NewMessage:
    by_user = data["role"] == Message.Role.USER
    return NewMessage(
        role=Message.Role.USER if by_user else Message.Role.ASSISTANT,
        content=data["content"],
        client_key=ingesting.client_key(conversation_id, data["external_id"]),
        author=data["author"],
        metadata=data["metadata"],
        said_at=data.get("said_at"),
    )


def _used_otherwise(index: int) -> Response:
    sentence = (
        "The conversation already has a message with this id but a different role, author or text. "
        "Nothing was saved. Send yours with a new id."
    )
    errors = {"messages": {str(index): {"external_id": [sentence]}}}
    detail = f"messages: {index}: external_id: {sentence}"
    return problem_response(409, "This external_id is already in use", detail, errors=errors)
