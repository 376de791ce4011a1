"""API for the tools of the assistant: listing them and calling one."""

from typing import Any
from uuid import UUID

from django.utils.timezone import now
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiExample, OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.access.api import PAGING, PersonAPIView, Problem, page_of, problem_response
from conversations.models import Conversation
from conversations.tools import registry
from conversations.tools.tool import NotThere, Result, ToolContext, ToolRefused, UnknownTool

# Names next to the tool's own arguments in the body; no tool has arguments with these names.
CONFIRM, ASKED_IN = "confirm", "asked_in"


class ToolOut(serializers.Serializer[Any]):
    """A tool of the assistant."""

    name = serializers.CharField()
    purpose = serializers.CharField(help_text="What it does, and when to use it.")
    arguments = serializers.DictField(source="schema", help_text="JSON schema of its arguments.")
    asks_first = serializers.BooleanField(
        help_text="Whether it needs approval, because it deletes or writes something: a call"
        ' needs `"confirm": true`.'
    )


class WouldOut(Problem):
    """A tool that needs approval was called without `confirm`. Nothing was done."""

    would = serializers.DictField(
        help_text="What the call would do. Send its `arguments` with `confirm` to do exactly this."
    )


class Tools(PersonAPIView):
    """All tools."""

    @extend_schema(
        operation_id="tools_list",
        responses={200: page_of(ToolOut), 400: Problem, 401: Problem},
        parameters=PAGING,
    )
    def get(self, request: Request) -> Response:
        """List the tools with their arguments, in the order in which the assistant lists them."""
        tools = list(registry.tools().values())
        return self.page(request, tools, ToolOut)


class OneTool(PersonAPIView):
    """One tool."""

    @extend_schema(
        operation_id="tools_call",
        request=OpenApiTypes.OBJECT,
        examples=[
            OpenApiExample("recall_memories", {"query": "the hotel in Lisbon", "limit": 5}),
            OpenApiExample("memory_cleanup", {"kinds": ["duplicates"], CONFIRM: True}),
        ],
        responses={
            200: OpenApiResponse(OpenApiTypes.OBJECT, description="Result of the tool."),
            400: Problem,
            401: Problem,
            404: Problem,
            409: WouldOut,
            503: Problem,
        },
        description=(
            "Call a tool. The body is an object with its arguments. It can also contain "
            "`asked_in`, the id of the conversation in which the user asks; private content of "
            "that conversation can be found only from there. A tool that asks first acts only "
            "with `confirm`: true. Without it, the response is a 409 that says what would be "
            "done."
        ),
    )
    def post(self, request: Request, name: str) -> Response:
        """Call a tool with the arguments in the body."""
        arguments, confirmed, asked_in = _read(request)
        context = ToolContext(self.person(request).pk, now(), asked_in)
        try:
            _check(context)
            if registry.find(name).asks_first and not confirmed:
                return _would(registry.foresee(context, name, arguments))
            return Response(registry.call(context, name, arguments).model_dump(mode="json"))
        except (UnknownTool, NotThere) as refused:
            return problem_response(404, "Not found", str(refused))
        except ToolRefused as refused:
            return problem_response(400, "The tool can’t be called like this", str(refused))


def _read(request: Request) -> tuple[dict[str, Any], bool, UUID | None]:
    """Return the arguments, whether the user has approved, and the id of the conversation that
    asks.
    """
    if not isinstance(request.data, dict):
        raise ValidationError("Send the arguments as one JSON object.")
    arguments = dict(request.data)
    confirmed = arguments.pop(CONFIRM, False)
    if not isinstance(confirmed, bool):
        raise ValidationError({CONFIRM: "Use true or false."})
    asked_in = arguments.pop(ASKED_IN, None)
    field = serializers.UUIDField(allow_null=True)
    try:
        return arguments, confirmed, field.run_validation(asked_in)
    except ValidationError as error:
        raise ValidationError({ASKED_IN: error.detail}) from None


def _check(context: ToolContext) -> None:
    if context.conversation_id is not None:
        rows = Conversation.objects.for_user(context.user_id)
        if not rows.filter(pk=context.conversation_id).exists():
            raise NotThere("I can’t find a conversation with the id in 'asked_in'.")


def _would(foreseen: Result) -> Response:
    return problem_response(
        409,
        f"Not done yet: {registry.in_words(foreseen)}",
        "Show the user what would be done. After their approval, send the request "
        'again with `"confirm": true` and the `arguments` in `would` to do exactly'
        " this.",
        would=foreseen.model_dump(mode="json"),
    )
