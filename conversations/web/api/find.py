"""API for searching messages."""

from typing import Any

from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.access.api import PersonAPIView, Problem, TextField
from conversations.models import Conversation, Message
from conversations.search import message_search, search_parameters
from conversations.search.message_search import MOST
from conversations.search.search_query import Role
from memory.retrieval.ranking import FACTOR_WORDS

LIMIT = 20


class SearchIn(serializers.Serializer[Any]):
    """What to search for, and filters."""

    q = TextField(
        required=False,
        help_text="Words or a question. Words in “quotes” must occur exactly as written; a time "
        "such as 'last May' limits the search to that time.",
    )
    role = serializers.ChoiceField(
        choices=[(role.value, role.value) for role in Role],
        required=False,
        help_text="Who said it: me (default), assistant or both.",
    )
    topic = serializers.CharField(
        required=False, help_text="Only messages about this topic, given by id or name."
    )
    conversation = serializers.UUIDField(
        required=False,
        help_text="Only messages from this conversation. This is the only way to find messages "
        "from a private conversation.",
    )
    since = serializers.DateField(required=False, help_text="First day to include, YYYY-MM-DD.")
    until = serializers.DateField(required=False, help_text="Last day to include, YYYY-MM-DD.")
    title = serializers.BooleanField(
        required=False, help_text="Whether to search only the titles of conversations."
    )
    anytime = serializers.BooleanField(
        required=False, help_text="Whether to ignore any time mentioned in `q`."
    )
    plain = serializers.BooleanField(
        required=False,
        help_text="Whether to find only messages that contain all the words as written, newest "
        "first, instead of searching by meaning.",
    )
    limit = serializers.IntegerField(
        required=False,
        min_value=1,
        max_value=MOST,
        help_text=f"Maximum number of results; default {LIMIT}.",
    )


class _Words(serializers.CharField):
    """The name of a ranking factor in words."""

    def to_representation(self, value: str) -> str:
        """Return the words that the search page shows."""
        return FACTOR_WORDS[value]


class FactorOut(serializers.Serializer[Any]):
    """A reason for the rank of a result."""

    name = serializers.CharField()
    adds = serializers.FloatField(help_text="How much this reason adds to the score.")
    says = _Words(source="name", help_text="The reason in words.")


class ResultOut(serializers.Serializer[Any]):
    """A matching message or, with `title=true`, a conversation without a message."""

    message = serializers.UUIDField(source="message.pk", allow_null=True)
    conversation = serializers.UUIDField(source="conversation.pk")
    conversation_title = serializers.CharField(source="conversation.title", allow_blank=True)
    number = serializers.IntegerField(source="message.number", allow_null=True)
    role = serializers.ChoiceField(
        source="message.role", choices=Message.Role.choices, allow_null=True
    )
    author = serializers.CharField(allow_blank=True)
    said_at = serializers.DateTimeField()
    snippet = serializers.CharField(
        source="snippet.text", help_text="Passage of the message that matches best, as plain text."
    )
    marks = serializers.ListField(
        source="snippet.marks",
        child=serializers.ListField(child=serializers.IntegerField()),
        help_text="Positions of the matching words in the snippet, as [start, end) in characters.",
    )
    only_here = serializers.BooleanField(
        help_text="Whether it is private, which means it is never quoted in other conversations."
    )
    url = serializers.CharField(help_text="Path to the message on the page of its conversation.")
    factors = FactorOut(many=True)


class NarrowedOut(serializers.Serializer[Any]):
    """The period meant by a time in `q`, including both days."""

    words = serializers.CharField()
    first = serializers.DateField()
    last = serializers.DateField()


class FoundOut(serializers.Serializer[Any]):
    """The results of a search, best first."""

    count = serializers.IntegerField(
        source="total", help_text=f"Number of results, at most {MOST}."
    )
    plain = serializers.BooleanField(
        help_text="Whether the search matched only the words and lists the newest first, because "
        "`plain` was set or memory is off."
    )
    narrowed = NarrowedOut(allow_null=True)
    titles = ResultOut(many=True, help_text="Conversations whose title contains the words.")
    results = ResultOut(many=True)


class Search(PersonAPIView):
    """The messages of a person."""

    @extend_schema(
        operation_id="search",
        parameters=[SearchIn],
        responses={200: FoundOut, 400: Problem, 401: Problem, 404: Problem, 503: Problem},
    )
    def get(self, request: Request) -> Response:
        """Find messages by words, meaning, time, topic and speaker."""
        search = SearchIn(data=request.query_params.dict())
        person = self.person(request)
        try:
            query = search_parameters.read(person.pk, request.query_params)
        except Conversation.DoesNotExist:
            raise Http404 from None
        if query.problems:
            raise ValidationError({name: [words] for name, words in query.problems.items()})
        search.is_valid(raise_exception=True)
        results = message_search.find(
            person.pk, query.search, search.validated_data.get("limit", LIMIT)
        )
        return Response(FoundOut(results).data)
