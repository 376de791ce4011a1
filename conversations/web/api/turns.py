"""API for single messages: deleting, regenerating and stopping."""

from collections.abc import Iterator
from contextlib import contextmanager
from uuid import UUID

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.exceptions import APIException, NotFound, ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.access.api import PersonAPIView, Problem
from accounts.database.isolation import acting_as
from accounts.models import User
from conversations.deletion import message_deletion
from conversations.models import Message
from conversations.turns import turn
from conversations.web.api.talk_serializers import MessageOut

LEARNED = OpenApiParameter(
    "learned",
    str,
    enum=["keep", "remove"],
    description="What to do with facts and memories that were learned from it alone: keep "
    "(default) or remove.",
)
ANSWERS = OpenApiParameter(
    "answers",
    str,
    enum=["keep", "remove"],
    description="What to do with other answers that quoted it: keep (default) or remove. The "
    "question before such an answer is kept.",
)
_PROBLEMS = {401: Problem, 404: Problem, 503: Problem}
_WISHES = {"keep": message_deletion.nothing, "remove": message_deletion.everything}


class NotNow(APIException):
    """The conversation is in a state that does not allow this."""

    status_code = 409


def wishes(request: Request) -> list[message_deletion.Take]:
    """Return two functions that choose the learned items to delete, and the answers quoting the
    message.
    """
    return [_wish(request, name) for name in ("learned", "answers")]


def _wish(request: Request, name: str) -> message_deletion.Take:
    try:
        return _WISHES[request.query_params.get(name, "keep")]
    except KeyError:
        raise ValidationError({name: "Use keep or remove."}) from None


@contextmanager
def refused() -> Iterator[None]:
    """Turn refusals to change a message into 404 or 409."""
    try:
        yield
    except message_deletion.NotThere:
        # Another request was faster: respond as to one that comes later.
        raise NotFound from None
    except (message_deletion.BeingWritten, turn.NotTheLast) as reason:
        raise NotNow(str(reason)) from None


class OneMessage(PersonAPIView):
    """One message."""

    @extend_schema(
        operation_id="messages_delete",
        parameters=[LEARNED, ANSWERS],
        responses={204: None, 400: Problem, **_PROBLEMS, 409: Problem},
    )
    def delete(self, request: Request, pk: UUID) -> Response:
        """Delete a message together with its answer or question. Both keep their numbers, without
        text.
        """
        person = self.person(request)
        message, take = _message(person, pk), wishes(request)
        with refused():
            message_deletion.remove_turn(person, message, *take)
        return Response(status=204)


class Regenerate(PersonAPIView):
    """Writing an answer again."""

    # The answer must be committed before it is written.
    one_block = False

    @extend_schema(
        operation_id="messages_regenerate",
        request=None,
        responses={200: MessageOut, **_PROBLEMS, 409: Problem},
    )
    def post(self, request: Request, pk: UUID) -> Response:
        """Regenerate the last answer of a conversation. 409 for any other answer."""
        person = self.person(request)
        with acting_as(person):
            # Messages of other software are not regenerated here.
            answer = _message(person, pk, role=Message.Role.ASSISTANT, author="")
        with refused():
            turn.regenerate(person, answer)
        turn.write(person.pk, pk)
        with acting_as(person):
            return Response(MessageOut(_message(person, pk)).data)


class Stop(PersonAPIView):
    """Stopping an answer."""

    one_block = False

    @extend_schema(
        operation_id="messages_stop", request=None, responses={200: MessageOut, **_PROBLEMS}
    )
    def post(self, request: Request, pk: UUID) -> Response:
        """Stop an answer that is being written; its text so far is kept. A finished answer is
        unchanged.
        """
        person = self.person(request)
        with acting_as(person):
            answer = _message(person, pk, role=Message.Role.ASSISTANT)
        turn.stop(person, answer)
        with acting_as(person):
            return Response(MessageOut(_message(person, pk)).data)


def _message(person: User, pk: UUID, **conditions: object) -> Message:
    rows = Message.objects.for_user(person.pk).select_related("conversation")
    return get_object_or_404(rows, pk=pk, **conditions)
