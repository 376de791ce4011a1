"""Searching what was said, for other software."""

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
from memory.retrieval import FACTOR_WORDS

LIMIT = 20


class SearchIn(serializers.Serializer[Any]):
    """What is looked for."""

    q = TextField(
        required=False,
        help_text="Words, or a question; “in quotes” what must really be there; 'last May' "
        "narrows to that time.",
    )
    role = serializers.ChoiceField(
        choices=[(one.value, one.value) for one in Role],
        required=False,
        help_text="Who said it: me (as when it is left out), assistant or both.",
    )
    topic = serializers.CharField(required=False, help_text="The id of a topic, or its name.")
    conversation = serializers.UUIDField(
        required=False,
        help_text="Only in this one; what is said in a private one is found so, and no other way.",
    )
    since = serializers.DateField(required=False, help_text="From this day on.")
    until = serializers.DateField(required=False, help_text="Up to this day.")
    title = serializers.BooleanField(
        required=False, help_text="Only conversations with the words in their title."
    )
    anytime = serializers.BooleanField(required=False, help_text="Words for a time do not narrow.")
    plain = serializers.BooleanField(
        required=False, help_text="All words as they stand, no meaning, the latest first."
    )
    limit = serializers.IntegerField(
        required=False, min_value=1, max_value=MOST, help_text=f"At most {MOST}, or {LIMIT}."
    )


class _Words(serializers.CharField):
    """A factor's name in words."""

    def to_representation(self, value: str) -> str:
        """As the list on the page has it."""
        return FACTOR_WORDS[value]


class FactorOut(serializers.Serializer[Any]):
    """A reason for a place in the list."""

    name = serializers.CharField()
    adds = serializers.FloatField(help_text="What it adds to the score.")
    says = _Words(source="name", help_text="The same in words.")


class ResultOut(serializers.Serializer[Any]):
    """A message that was found; with `title=true` a conversation, and no message."""

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
        source="snippet.text", help_text="Plain text, not HTML: the stretch that fits best."
    )
    marks = serializers.ListField(
        source="snippet.marks",
        child=serializers.ListField(child=serializers.IntegerField()),
        help_text="Where in the snippet the words stand, as [start, end) in characters.",
    )
    only_here = serializers.BooleanField(
        help_text="Whether it stays in its conversation: private words, used in no other."
    )
    url = serializers.CharField(help_text="Its place on the conversation's page.")
    factors = FactorOut(many=True)


class NarrowedOut(serializers.Serializer[Any]):
    """The days that words for a time were read as, both included."""

    words = serializers.CharField()
    first = serializers.DateField()
    last = serializers.DateField()


class FoundOut(serializers.Serializer[Any]):
    """What was found, best first."""

    count = serializers.IntegerField(
        source="total", help_text=f"How many there are, {MOST} at most."
    )
    plain = serializers.BooleanField(
        help_text="Found by plain words, the latest first: asked for, or memory is off."
    )
    narrowed = NarrowedOut(allow_null=True)
    titles = ResultOut(many=True, help_text="Conversations with the words in their title.")
    results = ResultOut(many=True)


class Search(PersonAPIView):
    """Everything that was said."""

    @extend_schema(
        operation_id="search",
        parameters=[SearchIn],
        responses={200: FoundOut, 400: Problem, 401: Problem, 404: Problem, 503: Problem},
    )
    def get(self, request: Request) -> Response:
        """Find messages by word, meaning, time, topic, and who said them."""
        given = SearchIn(data=request.query_params)
        person = self.person(request)
        try:
            query = search_parameters.read(person.pk, request.query_params)
        except Conversation.DoesNotExist:
            raise Http404 from None
        if query.problems:
            raise ValidationError({name: [words] for name, words in query.problems.items()})
        given.is_valid(raise_exception=True)
        results = message_search.find(
            person.pk, query.search, given.validated_data.get("limit", LIMIT)
        )
        return Response(FoundOut(results).data)
