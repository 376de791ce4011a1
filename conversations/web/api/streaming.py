"""API for answers as they are written: server-sent events, also after a lost connection."""

import threading
from collections.abc import Iterator
from contextlib import suppress
from typing import Any
from uuid import UUID

from django.conf import settings
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework.exceptions import NotFound, Throttled, ValidationError
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.utils.encoders import JSONEncoder

from accounts.access.api import PersonAPIView, Problem, with_request_id
from accounts.database.isolation import acting_as
from accounts.models import User
from accounts.support import sse
from accounts.support.sse import EventStream, Stream
from conversations.models import Message
from conversations.turns import answer_writer, turn
from conversations.web.api.talk_serializers import ExchangeOut, MessageOut
from conversations.web.present import talk
from conversations.web.streams import ANSWERS
from memory.web.present.remedies import reason_in_api

BROKEN_DOWN = (
    "Your message is safe, and I’m still writing the answer. Read the conversation’s messages "
    "again in a moment."
)
_LONGEST_ID = 9


class AnswerStream(PersonAPIView):
    """One answer as it is written."""

    one_block = False
    renderer_classes = (JSONRenderer, EventStream)

    @extend_schema(
        operation_id="messages_follow",
        parameters=[
            OpenApiParameter(
                "Last-Event-ID",
                {"type": "string", "pattern": f"^[0-9]{{0,{_LONGEST_ID}}}$"},
                OpenApiParameter.HEADER,
                description="The `id` of the last `delta` that you received; the text after it is "
                "sent. Without it, the answer is sent from its beginning.",
            )
        ],
        responses={
            (200, "text/event-stream"): OpenApiResponse(
                sse.EVENT_SCHEMA,
                description="The events of sending a message: `message`, `reply`, `delta`, "
                "`steps`, and `done` with the whole exchange.",
            ),
            400: Problem,
            401: Problem,
            404: Problem,
            429: Problem,
        },
    )
    def get(self, request: Request, pk: UUID) -> HttpResponseBase:
        """Stream an answer from the start or from where you left off. A finished answer is sent at
        once.
        """
        person = self.person(request)
        sent = _sent(request.headers.get("Last-Event-ID", ""))
        with acting_as(person):
            exchange = _exchange_of(person, pk)
        return open_for(person).response(
            lambda disconnected: events(person, exchange, disconnected, sent),
            broken_down,
            answer=str(pk),
        )


def wants_events(request: Request) -> bool:
    """Return whether a request asks for server-sent events."""
    return getattr(request, "accepted_media_type", "") == EventStream.media_type


def open_for(person: User) -> Stream:
    """Return a stream for the user. Raises Throttled if the user has too many."""
    try:
        return ANSWERS.open(person.pk)
    except sse.TooManyStreams:
        raise Throttled(
            wait=5,
            detail=(
                f"You’ve reached the limit of {settings.STREAMS_PER_PERSON} open streams. Nothing "
                "was saved. Send the message again once one of them has ended."
            ),
        ) from None


def shown_exchange(
    person: User, exchange: turn.Exchange, last: answer_writer.Event | None
) -> dict[str, Any]:
    """Return the exchange after the last event of its answer. Raises NotFound if it was deleted
    meanwhile.
    """
    if not isinstance(last, answer_writer.FinishedAnswer):
        raise NotFound
    question = last.question or exchange.question
    with acting_as(person):
        shown = talk.answer(last.answer, question, last.outcomes)
    exchanged = {
        "conversation": question.conversation_id,
        "message": question,
        "reply": last.answer,
        "notes": shown.notes,
        "not_kept": reason_in_api(shown.not_kept),
        "reading_notice": shown.reading_notice,
    }
    return dict(ExchangeOut(exchanged).data)


def events(
    person: User, exchange: turn.Exchange, disconnected: threading.Event, sent: int = 0
) -> Iterator[str]:
    """Yield the events of an answer, without the first `sent` characters of its text."""
    encode = JSONEncoder().encode
    yield sse.event("message", encode(MessageOut(exchange.question).data))
    yield sse.event("reply", encode({"id": exchange.answer.pk, "number": exchange.answer.number}))
    event = None
    for event in turn.without_replaced_texts(
        turn.fill(person.pk, exchange.answer.pk, disconnected)
    ):
        if isinstance(event, answer_writer.Steps):
            yield sse.event("steps", encode(event.so_far))
            continue
        whole = event.so_far if isinstance(event, answer_writer.Text) else event.answer.content
        if whole[sent:]:
            yield sse.event("delta", encode({"text": whole[sent:]}), len(whole))
            sent = len(whole)
    with suppress(NotFound):
        yield sse.event("done", encode(shown_exchange(person, exchange, event)))


def broken_down() -> Iterator[str]:
    """Yield the event that reports a broken stream."""
    problem = {"status": 500, "title": "The stream was interrupted", "detail": BROKEN_DOWN}
    yield sse.event("error", JSONEncoder().encode(with_request_id(problem)))


def _exchange_of(person: User, pk: UUID) -> turn.Exchange:
    """Return an answer with its question. Raises Http404, also for ingested answers."""
    rows = Message.objects.for_user(person.pk).select_related("conversation")
    answers = rows.filter(role=Message.Role.ASSISTANT, author="")
    answer = get_object_or_404(answers.exclude(state=Message.State.REMOVED), pk=pk)
    questions = rows.filter(conversation=answer.conversation_id, number=answer.number - 1)
    return turn.Exchange(get_object_or_404(questions), answer)


def _sent(text: str) -> int:
    """Return the number of characters that the client already has. Raises ValidationError."""
    if not text:
        return 0
    if not text.isdecimal() or len(text) > _LONGEST_ID:
        raise ValidationError({"Last-Event-ID": ["Send the id of the last event you received."]})
    return int(text)
