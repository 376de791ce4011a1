"""API for conversations and messages."""

import hashlib
from uuid import UUID

from django.http.response import HttpResponseBase
from django.urls import reverse
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework.exceptions import NotFound
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.access.api import PAGING, PersonAPIView, Problem, page_of, valid
from accounts.database.isolation import acting_as
from accounts.models import PrivacySettings, User
from accounts.support.sse import EVENT_SCHEMA, EventStream, Stream
from conversations import privacy
from conversations.deletion import archiving, message_deletion, vanishing
from conversations.messages import in_range
from conversations.models import Conversation
from conversations.turns import turn
from conversations.web.api import streaming, turns
from conversations.web.api.talk_serializers import (
    ConversationChange,
    ConversationIn,
    ConversationOut,
    ExchangeOut,
    MessageIn,
    MessageOut,
    OneConversationOut,
    Range,
)
from conversations.web.rows import conversation_of
from ledger.models import Erasure
from ledger.web.api.erasure import PreviewOut, gone_with
from ledger.web.receipts import foreseen

# Response header: the exchange was created by an earlier request with the same key.
REPLAYED = "Idempotent-Replayed"
PROBLEMS = {400: Problem, 401: Problem, 404: Problem, 503: Problem}


class Conversations(PersonAPIView):
    """The conversations of a person."""

    @extend_schema(
        operation_id="conversations_list",
        responses={200: page_of(ConversationOut), **PROBLEMS},
        parameters=[
            OpenApiParameter(
                "archived",
                bool,
                description="true: only archived conversations; false: only others; default all.",
            ),
            *PAGING,
        ],
    )
    def get(self, request: Request) -> Response:
        """List conversations, sorted by latest message, newest first."""
        rows = Conversation.objects.for_user(self.person(request).pk).order_by("-last_at", "-pk")
        wanted = {"true": False, "false": True}.get(
            request.query_params.get("archived", "").lower()
        )
        if wanted is not None:
            rows = rows.filter(archived_at__isnull=wanted)
        return self.page(request, rows, ConversationOut)

    @extend_schema(
        operation_id="conversations_create",
        request=ConversationIn,
        responses={201: ConversationOut, **PROBLEMS},
    )
    def post(self, request: Request) -> Response:
        """Start a conversation."""
        data = self.body(request, ConversationIn)
        person, chosen = self.person(request), dict(data)
        begins_private = PrivacySettings.of(person.pk).begins_private
        if chosen["temporary"] or ("privacy" not in chosen and begins_private):
            chosen["privacy"] = Conversation.Privacy.PRIVATE
        conversation = Conversation.objects.create(user=person, **chosen)
        if conversation.temporary:
            vanishing.expect(person, conversation)
        location = reverse("api:conversation", args=[conversation.pk])
        return Response(
            ConversationOut(conversation).data, status=201, headers={"Location": location}
        )


class OneConversation(PersonAPIView):
    """One conversation."""

    @extend_schema(
        operation_id="conversations_read", responses={200: OneConversationOut, **PROBLEMS}
    )
    def get(self, request: Request, pk: UUID) -> Response:
        """Read a conversation, without its messages."""
        return Response(OneConversationOut(conversation_of(self.person(request), pk)).data)

    @extend_schema(
        operation_id="conversations_change",
        request=ConversationChange,
        responses={200: ConversationOut, **PROBLEMS},
    )
    def patch(self, request: Request, pk: UUID) -> Response:
        """Rename, pin or archive a conversation, or change its privacy.

        Facts and memories learned from it are kept.
        """
        conversation = conversation_of(self.person(request), pk)
        data = self.body(request, ConversationChange)
        if "privacy" in data:
            privacy.choose(conversation, data["privacy"])
        if "archived" in data:
            archiving.put_away(conversation, data["archived"])
        if "pinned" in data:
            archiving.pin(conversation, data["pinned"])
        if "title" in data:
            conversation.title = data["title"]
            conversation.save(update_fields=["title"])
        return Response(ConversationOut(conversation).data)

    @extend_schema(
        operation_id="conversations_delete",
        parameters=[turns.LEARNED, turns.ANSWERS],
        responses={204: None, **PROBLEMS, 409: Problem},
    )
    def delete(self, request: Request, pk: UUID) -> Response:
        """Delete a conversation with its messages. 409 while an answer is being written.

        `Location` is the URL of the receipt.
        """
        person = self.person(request)
        conversation, take = conversation_of(person, pk), turns.wishes(request)
        with turns.refused():
            return gone_with(message_deletion.remove_conversation(person, conversation, *take))


class Erase(PersonAPIView):
    """Previewing the deletion of a conversation."""

    @extend_schema(
        operation_id="conversations_erase_preview",
        parameters=[turns.LEARNED, turns.ANSWERS],
        responses={200: PreviewOut, **PROBLEMS},
    )
    def get(self, request: Request, pk: UUID) -> Response:
        """Preview what deleting a conversation would delete and what would stay. Nothing is
        changed.
        """
        person = self.person(request)
        going = message_deletion.plan(person, conversation_of(person, pk), *turns.wishes(request))
        kind = Erasure.Kind.CONVERSATION
        return Response(PreviewOut(foreseen(kind, going.counts, going.stays)).data)


class Messages(PersonAPIView):
    """The messages of a conversation."""

    # The message must be committed before the answer begins.
    one_block = False
    renderer_classes = (JSONRenderer, EventStream)

    @extend_schema(
        operation_id="messages_list",
        responses={200: page_of(MessageOut), **PROBLEMS},
        parameters=[
            *PAGING,
            OpenApiParameter(
                "from",
                {"type": "integer", "minimum": 1, "maximum": Range.MOST},
                description="Number of the first message to include; default 1.",
            ),
            OpenApiParameter(
                "to",
                {"type": "integer", "minimum": 1, "maximum": Range.MOST},
                description="Number of the last message to include; defaults to the last one.",
            ),
        ],
    )
    def get(self, request: Request, pk: UUID) -> Response:
        """List the messages of a conversation in order, all or a range of numbers."""
        person = self.person(request)
        wanted = valid(Range, request.query_params.dict())
        with acting_as(person):
            conversation = conversation_of(person, pk)
            rows = in_range(person.pk, conversation.pk, wanted["from"], wanted["to"])
            return self.page(request, rows, MessageOut)

    @extend_schema(
        operation_id="messages_send",
        request=MessageIn,
        parameters=[
            OpenApiParameter(
                "Idempotency-Key",
                str,
                OpenApiParameter.HEADER,
                description="Any unique text. Sending the same key and the same text to the same "
                "conversation returns the exchange of the first request; reusing the key for "
                "anything else returns a 409.",
            ),
            OpenApiParameter(
                REPLAYED,
                str,
                OpenApiParameter.HEADER,
                description="`true` if the exchange is that of an earlier request with this key.",
                response=[201],
            ),
        ],
        responses={
            201: ExchangeOut,
            (200, "text/event-stream"): OpenApiResponse(
                EVENT_SCHEMA,
                description="With `Accept: text/event-stream`: `message`, `reply` with the id of "
                "the answer, then `delta` events with the next piece of text and `steps` events "
                "with the tool calls so far, then `done` with the whole exchange. Each `delta` has "
                "an `id`, for reading on after a lost connection: `GET /api/v1/messages/{id of the "
                "answer}/stream`. `error`, a problem document, means that the stream was "
                "interrupted: the message has been saved, and its answer will be written later.",
            ),
            **PROBLEMS,
            409: Problem,
            429: Problem,
        },
    )
    def post(self, request: Request, pk: UUID) -> HttpResponseBase:
        """Send a message. The response contains the answer."""
        person = self.person(request)
        data = self.body(request, MessageIn)
        key = _key(request.headers.get("Idempotency-Key", ""))
        # Before the message is stored, because a client that is refused sends it again.
        stream = streaming.open_for(person) if streaming.wants_events(request) else None
        try:
            exchange = turn.begin(person, pk, client_key=key, refuse_taken_key=True, **data)
        except Conversation.DoesNotExist:
            raise NotFound from None
        except turn.KeyTaken as taken:
            raise turns.NotNow(str(taken)) from None
        response = _answer(person, exchange, stream)
        if exchange.replayed:
            response[REPLAYED] = "true"
        return response


def _answer(person: User, exchange: turn.Exchange, stream: Stream | None) -> HttpResponseBase:
    """Return a response with the finished exchange, or a stream of its events."""
    if stream is not None:
        return stream.response(
            lambda disconnected: streaming.events(person, exchange, disconnected),
            streaming.broken_down,
            answer=str(exchange.answer.pk),
        )
    last = turn.write(person.pk, exchange.answer.pk)
    return Response(streaming.shown_exchange(person, exchange, last), status=201)


def _key(client_key: str) -> str:
    """Return a key of UUID size for a client's key of any length; '' for ''."""
    return f"api:{hashlib.sha256(client_key.encode()).hexdigest()}" if client_key else ""
