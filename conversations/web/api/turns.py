"""Messages by their own addresses: reading one, saying it differently, taking its turn out."""

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
from conversations.web.present import talk

LEARNED = OpenApiParameter(
    "learned",
    str,
    enum=["keep", "remove"],
    description="What becomes of facts and notes that were learned from it alone: keep (without "
    "the parameter) or remove.",
)
ANSWERS = OpenApiParameter(
    "answers",
    str,
    enum=["keep", "remove"],
    description="What becomes of other answers that quoted it: keep (without the parameter) or "
    "remove; the question before one stays.",
)
_PROBLEMS = {401: Problem, 404: Problem, 503: Problem}
_WISHES = {"keep": message_deletion.nothing, "remove": message_deletion.everything}


class NotNow(APIException):
    """It cannot be done as the conversation stands."""

    status_code = 409


def wishes(request: Request) -> list[message_deletion.Take]:
    """What the caller wants done with what was learned, and with answers that quoted it."""
    return [_wish(request, name) for name in ("learned", "answers")]


def _wish(request: Request, name: str) -> message_deletion.Take:
    try:
        return _WISHES[request.query_params.get(name, "keep")]
    except KeyError:
        raise ValidationError({name: "Use keep or remove."}) from None


@contextmanager
def refused() -> Iterator[None]:
    """Tell in the API's way why something cannot be done now."""
    try:
        yield
    except message_deletion.NotThere:
        # Somebody was faster: this is what a caller finds who comes later.
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
        """Take its turn out: the question and its answer. Both keep their numbers, empty."""
        person = self.person(request)
        message, take = _message(person, pk), wishes(request)
        with refused():
            message_deletion.remove_turn(person, message, *take)
        return Response(status=204)


class Regenerate(PersonAPIView):
    """Another answer."""

    # The answer's place must be kept before the answer begins.
    one_block = False

    @extend_schema(
        operation_id="messages_regenerate",
        request=None,
        responses={200: dict, **_PROBLEMS, 409: Problem},
    )
    def post(self, request: Request, pk: UUID) -> Response:
        """Have the last answer of a conversation written once more; 409 for any other."""
        person = self.person(request)
        with acting_as(person):
            answer = _message(person, pk, role=Message.Role.ASSISTANT)
        with refused():
            turn.regenerate(person, answer)
        turn.write(person.pk, pk)
        with acting_as(person):
            return Response(talk.api_message(_message(person, pk)))


class Stop(PersonAPIView):
    """Enough of an answer."""

    one_block = False

    @extend_schema(operation_id="messages_stop", request=None, responses={200: dict, **_PROBLEMS})
    def post(self, request: Request, pk: UUID) -> Response:
        """Stop an answer that is being written; what came of it stays. One that ended stands."""
        person = self.person(request)
        with acting_as(person):
            answer = _message(person, pk, role=Message.Role.ASSISTANT)
        turn.stop(person, answer)
        with acting_as(person):
            return Response(talk.api_message(_message(person, pk)))


def _message(person: User, pk: UUID, **conditions: object) -> Message:
    rows = Message.objects.for_user(person.pk).select_related("conversation")
    return get_object_or_404(rows, pk=pk, **conditions)
