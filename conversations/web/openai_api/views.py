"""The OpenAI-compatible endpoint: POST /v1/chat/completions, GET /v1/models."""

from typing import Any
from uuid import UUID, uuid4

from django.conf import settings
from django.http.response import HttpResponseBase
from django.urls import path
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework.exceptions import Throttled
from rest_framework.renderers import BaseRenderer, JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.access.api import PersonAPIView
from accounts.support import sse
from conversations import llm, scheduling
from conversations.messages import UnfitText
from conversations.models import Conversation
from conversations.turns import client_turn
from conversations.turns.client_history import MemoryMode
from conversations.web.openai_api import errors
from conversations.web.openai_api.answers import Answering, StoredAnswer, UnstoredAnswer
from conversations.web.openai_api.chat_request import (
    ChatRequest,
    conversation_id,
    memory_mode,
    read_request,
)
from conversations.web.openai_api.completion import Chunks, broken_down, whole
from conversations.web.openai_api.schema import ErrorOut, ModelOut, ModelsOut
from conversations.web.streams import ANSWERS

_TAGS = ["OpenAI"]
_ERRORS = {400: ErrorOut, 401: ErrorOut, 403: ErrorOut, 404: ErrorOut, 503: ErrorOut}
_DESCRIBED = "In OpenAI's format, with an extra field `throughline` that says what was used."
# Model name -> memory mode, for clients that cannot send a header.
OWN_MODELS = {
    "throughline": MemoryMode.ON,
    "throughline-read-only": MemoryMode.READ_ONLY,
    "throughline-no-memory": MemoryMode.OFF,
}


class OpenAIView(PersonAPIView):
    """Base view: requests, responses and errors have OpenAI's formats."""

    one_block = False

    def perform_content_negotiation(
        self, request: Request, force: bool = False
    ) -> tuple[BaseRenderer, str]:
        """Choose JSON whatever the client accepts: some send `Accept: text/event-stream` only."""
        return JSONRenderer(), "application/json"

    def handle_exception(self, exc: Exception) -> Response:
        """Return expected errors in OpenAI's format; raise all others."""
        response = super().handle_exception(exc)
        response.data = errors.from_problem(response.data, exc)
        response.content_type = "application/json"
        return response

    def _refuse_unfit_parameters(self, request: Request, handler: Any) -> None:
        """Accept unknown query parameters: clients add some, such as an API version."""


class Models(OpenAIView):
    """The models that can be named."""

    @extend_schema(
        operation_id="openai_models_list", tags=_TAGS, responses={200: ModelsOut, **_ERRORS}
    )
    def get(self, request: Request) -> Response:
        """List the models that a client of OpenAI's API can name."""
        return Response({"object": "list", "data": [_as_model(name) for name in _models()]})


class OneModel(OpenAIView):
    """One model."""

    @extend_schema(
        operation_id="openai_models_read", tags=_TAGS, responses={200: ModelOut, **_ERRORS}
    )
    def get(self, request: Request, name: str) -> Response:
        """Read one model that a client of OpenAI's API can name."""
        _check_model(name)
        return Response(_as_model(name))


class ChatCompletions(OpenAIView):
    """Answering a conversation that the client keeps."""

    @extend_schema(
        operation_id="openai_chat_completions",
        tags=_TAGS,
        request=ChatRequest,
        parameters=[
            OpenApiParameter(
                "X-Memory",
                str,
                OpenApiParameter.HEADER,
                enum=list(MemoryMode),
                description=(
                    "on: recall and learn; read-only: recall only; off: neither, and nothing is "
                    "stored. `metadata.memory` does the same."
                ),
            ),
            OpenApiParameter(
                "X-Conversation",
                UUID,
                OpenApiParameter.HEADER,
                description="Id of the conversation to continue, like `metadata.conversation`. "
                "Without it, the conversation with this history is continued, or a new one is "
                "started.",
            ),
        ],
        responses={
            (200, "application/json"): OpenApiResponse(OpenApiTypes.OBJECT, _DESCRIBED),
            (200, "text/event-stream"): OpenApiResponse(
                sse.EVENT_SCHEMA, "With `stream`: chunks in OpenAI's format, then `data: [DONE]`."
            ),
            **_ERRORS,
            429: ErrorOut,
        },
    )
    def post(self, request: Request) -> HttpResponseBase:
        """Answer a conversation that a client of OpenAI's API keeps, whole or as a stream."""
        chat_request = read_request(request.data)
        _check_model(chat_request.model)
        stream = self._stream(request) if chat_request.stream else None
        answering, answer_id = self._begin(request, chat_request)
        if stream is not None:
            chunks = Chunks(chat_request, answer_id, answering)
            return stream.response(chunks.events, broken_down, answer=answer_id)
        with scheduling.working(self.person(request).pk):
            return Response(whole(chat_request, answer_id, answering))

    def _stream(self, request: Request) -> sse.Stream:
        try:
            return ANSWERS.open(self.person(request).pk)
        except sse.TooManyStreams:
            sentence = (
                f"You’ve reached the limit of {settings.STREAMS_PER_PERSON} open streams. Nothing "
                "was saved."
            )
            raise Throttled(wait=5, detail=sentence) from None

    def _begin(self, request: Request, chat_request: ChatRequest) -> tuple[Answering, str]:
        """Store the message, unless memory is off; return the answer to come, and its id."""
        person, headers = self.person(request), request.headers
        of_model = OWN_MODELS.get(chat_request.model, MemoryMode.ON)
        mode = memory_mode(chat_request, headers, of_model)
        named = conversation_id(chat_request, headers)
        if mode is MemoryMode.OFF:
            if named is not None:
                sentence = (
                    "With memory off, nothing is stored, so you can’t continue a conversation."
                )
                raise errors.RefusedRequest(sentence, "metadata.memory")
            return UnstoredAnswer(person, chat_request), f"chatcmpl-{uuid4().hex}"
        turn = client_turn.ClientTurn(
            chat_request.history, mode, named, bool(chat_request.transcript)
        )
        try:
            exchange = client_turn.begin(person, turn)
        except Conversation.DoesNotExist:
            raise errors.NoSuchConversation from None
        except UnfitText as unfit:
            raise errors.RefusedRequest(unfit.words, "messages") from None
        except (client_turn.ConversationWentOn, client_turn.NotPrivate) as refused:
            raise errors.RefusedRequest(str(refused), "metadata.conversation") from None
        return StoredAnswer(
            person, chat_request, exchange, mode
        ), f"chatcmpl-{exchange.answer.pk.hex}"


def _models() -> list[str]:
    """Return the product's own model names, and the name of the connected model."""
    connected = [llm.current().chat_model] if llm.configured() else []
    return list(dict.fromkeys([*OWN_MODELS, *connected]))


def _check_model(name: str) -> None:
    if name not in (known := _models()):
        raise errors.NoSuchModel(name, known)


def _as_model(name: str) -> dict[str, Any]:
    owner = "throughline" if name in OWN_MODELS else "connected"
    return {"id": name, "object": "model", "created": 0, "owned_by": owner}


urlpatterns = (
    [
        path("chat/completions", ChatCompletions.as_view(), name="chat-completions"),
        path("models", Models.as_view(), name="models"),
        path("models/<path:name>", OneModel.as_view(), name="model"),
    ],
    "openai",
)
