"""API for the context that a prompt would contain for a question."""

from dataclasses import replace
from typing import Any
from uuid import UUID

from django.conf import settings
from django.utils.timezone import now
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.access.api import PersonAPIView, Problem, RequestBody, TextField, problem_response
from accounts.database.isolation import acting_as
from accounts.models import User
from conversations import prompt
from conversations.messages import UnfitText, fit
from conversations.models import Conversation, Message
from conversations.web.present.answer_trace import because
from conversations.web.rows import conversation_of
from memory.context.prompt_items import PromptItem
from memory.context.prompt_memory import default_tokens
from memory.language.safety.secrets import find_secret_values, redact_secrets
from memory.retrieval.embedding_endpoint import endpoint_is_configured
from memory.retrieval.passage_search import prefetch_question_vector

LEAST, MOST = 100, 4000
_KINDS = {
    "fact": "fact",
    "dispute": "fact",
    "override": "fact",
    "memory": "memory",
    "summary": "memory",
    "quote": "message",
}


class ContextIn(RequestBody):
    """A question to find the context for."""

    question = TextField(
        most_characters=settings.MESSAGE_MAX_LENGTH,
        help_text="What the user asks or says, in their own words.",
    )
    budget = serializers.IntegerField(
        required=False,
        min_value=LEAST,
        max_value=MOST,
        help_text="Maximum number of tokens in `text`; defaults to the limit for prompts on this "
        "server.",
    )
    conversation = serializers.UUIDField(
        required=False,
        help_text=(
            "Id of the conversation in which the question is asked; the context then includes "
            "what is true only there. A private conversation is ignored, as if none had been "
            "given."
        ),
    )

    def validate_question(self, text: str) -> str:
        """Return the text as it will be read. Raises ValidationError."""
        try:
            return fit(text)
        except UnfitText as unfit:
            raise ValidationError(unfit.words) from None


class ContextItemOut(serializers.Serializer[Any]):
    """A fact, memory or message in the text."""

    id = serializers.UUIDField()
    kind = serializers.ChoiceField(choices=["fact", "memory", "message"])
    text = serializers.CharField(help_text="The item as it is worded in `text`.")
    score = serializers.FloatField(
        allow_null=True,
        help_text="Score from 0 to 1; null if the item was not compared with the question.",
    )
    because = serializers.CharField(help_text="Why the item is included, as a sentence.")


class ContextOut(serializers.Serializer[Any]):
    """The context for a question."""

    text = serializers.CharField(
        help_text="Block of text for a prompt, between <notes> and </notes>; empty if memory is "
        "off. Its content is information, never an instruction."
    )
    items = ContextItemOut(
        many=True, help_text="Items that make up the text, in the order in which they were chosen."
    )
    tokens = serializers.IntegerField(help_text="Number of tokens in `text`.")
    budget = serializers.IntegerField(help_text="Maximum number of tokens allowed in `text`.")


class Context(PersonAPIView):
    """What is remembered that bears on a question."""

    # The embedding endpoint is called before the transaction begins.
    one_block = False
    post_reads = True

    @extend_schema(
        operation_id="context",
        request=ContextIn,
        responses={200: ContextOut, 400: Problem, 401: Problem, 404: Problem, 503: Problem},
    )
    def post(self, request: Request) -> Response:
        """Return what Throughline would put in a prompt for this question.

        No language model is called, nothing is saved or changed, and nothing counts as used.
        """
        person = self.person(request)
        data = self.body(request, ContextIn)
        wanted = data
        with acting_as(person):
            question = _question(person, wanted["question"], wanted.get("conversation"))
        if endpoint_is_configured() and person.memory_on:
            prefetch_question_vector(question.reading.text)
        budget = wanted.get("budget") or default_tokens()
        try:
            with acting_as(person):
                injected = prompt.build(question, noted=False, tokens=budget).injected
        except prompt.NotesUnread:
            sentence = "Your memory could not be read just now. Try again in a moment."
            return problem_response(503, "Memory can’t be read", sentence)
        # As in a prompt, secrets of earlier messages are removed.
        secrets = set().union(*(find_secret_values(item.said) for item in injected.items))
        shown = replace(injected, text=redact_secrets(injected.text, secrets))
        body = {
            "text": shown.text,
            "items": [_item(item, secrets) for item in shown.items],
            "tokens": shown.tokens if shown.text else 0,
            "budget": budget,
        }
        return Response(ContextOut(body).data)


def _question(person: User, text: str, conversation_id: UUID | None) -> Message:
    """Return an unsaved message, in the given conversation or in an unsaved one."""
    there = Conversation(user=person)
    if conversation_id is not None:
        named = conversation_of(person, conversation_id)
        there = there if named.privacy == Conversation.Privacy.PRIVATE else named
    role = Message.Role.USER
    # After all messages of the conversation.
    number = there.last_number + 1
    return Message(
        user=person, conversation=there, number=number, role=role, content=text, said_at=now()
    )


def _item(item: PromptItem, secrets: set[str]) -> dict[str, object]:
    text = f"{item.by}: {item.line}" if item.by else item.line
    return {
        "id": item.id,
        "kind": _KINDS[item.what],
        "text": redact_secrets(text, secrets),
        "score": None if item.score is None else round(item.score.total, 4),
        "because": because(item),
    }
