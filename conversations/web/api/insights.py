"""What a person's conversations and notes come to, for other software."""

from typing import Any

from django.utils.timezone import now
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.access.api import PersonAPIView, Problem
from conversations import insights
from conversations.web.api.topics import TopicOut

PROBLEMS = {400: Problem, 401: Problem, 503: Problem}
_PERIODS = ("month", "year", "all")


class InsightsParameters(serializers.Serializer[Any]):
    """Which time."""

    period = serializers.ChoiceField(choices=_PERIODS, required=False, default="year")


class StretchOut(serializers.Serializer[Any]):
    """A stretch of time: how much was said in it, how much was kept at its end."""

    start = serializers.DateField()
    messages = serializers.IntegerField()
    facts = serializers.IntegerField()
    notes = serializers.IntegerField()


class AnswersOut(serializers.Serializer[Any]):
    """Answers, and how many drew on what was noted or said."""

    with_notes = serializers.IntegerField(source="answers_with_notes")
    without_notes = serializers.IntegerField(source="answers_without_notes")


class TokensOut(serializers.Serializer[Any]):
    """What answers of a language model took."""

    answers = serializers.IntegerField(help_text="Of how many it is known.")
    estimated = serializers.IntegerField(
        help_text="Of how many the model's server did not count, so that they are reckoned here."
    )
    put = serializers.IntegerField(help_text="Tokens put before the model.")
    whole = serializers.IntegerField(
        help_text="Tokens of all that had been said by then, estimated from characters."
    )
    saved = serializers.IntegerField(help_text="What was left out; 0 while little was said.")
    characters = serializers.FloatField(help_text="Characters a token, by the latest messages.")


class InsightsOut(serializers.Serializer[Any]):
    """All of it. Private conversations are neither counted nor named."""

    period = serializers.ChoiceField(source="span.period", choices=_PERIODS)
    unit = serializers.ChoiceField(source="span.unit", choices=["day", "week", "month", "year"])
    messages = serializers.IntegerField(
        source="said.messages", help_text="Yours and the assistant's."
    )
    yours = serializers.IntegerField(source="said.yours")
    conversations = serializers.IntegerField(source="said.conversations")
    stretches = StretchOut(many=True, help_text="One for each `unit`, the last holds today.")
    weekdays = serializers.ListField(
        source="said.weekdays",
        child=serializers.IntegerField(),
        help_text="Your messages by day, from Monday.",
    )
    hours = serializers.ListField(
        source="said.hours",
        child=serializers.IntegerField(),
        help_text="Your messages by hour of the day, from 0.",
    )
    topics = TopicOut(many=True, help_text="The ten of which most was said.")
    answers = AnswersOut(source="said")
    tokens = TokensOut(source="cost")


class InsightsView(PersonAPIView):
    """Conversations and notes in numbers."""

    @extend_schema(
        operation_id="insights",
        responses={200: InsightsOut, **PROBLEMS},
        parameters=[OpenApiParameter("period", str, enum=_PERIODS, description="year by default")],
    )
    def get(self, request: Request) -> Response:
        """Tell how much was said, about what, what is kept, and what answers took."""
        wanted = InsightsParameters(data=request.query_params.dict())
        wanted.is_valid(raise_exception=True)
        told = insights.read(self.person(request).pk, wanted.validated_data["period"], now())
        return Response(InsightsOut(told).data)
