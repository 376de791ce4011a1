"""API for statistics about conversations and memories."""

from typing import Any

from django.utils.timezone import now
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.access.api import PersonAPIView, Problem, valid
from conversations import insights
from conversations.web.api.topics import TopicOut

PROBLEMS = {400: Problem, 401: Problem, 503: Problem}
_PERIODS = ("month", "year", "all")


class InsightsParameters(serializers.Serializer[Any]):
    """The period to count."""

    period = serializers.ChoiceField(choices=_PERIODS, required=False, default="year")


class StretchOut(serializers.Serializer[Any]):
    """One part of the period: its messages, and the facts and memories saved by its end."""

    start = serializers.DateField(help_text="First day, YYYY-MM-DD.")
    messages = serializers.IntegerField()
    facts = serializers.IntegerField(help_text="Number of facts at the end of this part.")
    notes = serializers.IntegerField(help_text="Number of memories at the end of this part.")


class AnswersOut(serializers.Serializer[Any]):
    """Number of answers that used saved facts, memories or earlier messages, and of answers that
    did not.
    """

    with_notes = serializers.IntegerField(source="answers_with_notes")
    without_notes = serializers.IntegerField(source="answers_without_notes")


class TokensOut(serializers.Serializer[Any]):
    """Tokens that the answers of a language model used."""

    answers = serializers.IntegerField(help_text="Number of answers with a known token count.")
    estimated = serializers.IntegerField(
        help_text="Number of these answers whose token count is an estimate, because the model's "
        "server did not report it."
    )
    put = serializers.IntegerField(help_text="Number of tokens sent to the model.")
    whole = serializers.IntegerField(
        help_text="Number of tokens in all earlier messages, estimated from their length."
    )
    saved = serializers.IntegerField(
        help_text="Number of tokens saved: `whole` minus `put`, at least 0."
    )
    characters = serializers.FloatField(
        help_text="Average number of characters per token in the latest messages."
    )


class InsightsOut(serializers.Serializer[Any]):
    """Statistics for a period. Private conversations are not counted."""

    period = serializers.ChoiceField(source="span.period", choices=_PERIODS)
    unit = serializers.ChoiceField(source="span.unit", choices=["day", "week", "month", "year"])
    messages = serializers.IntegerField(
        source="said.messages", help_text="Number of messages, both yours and the assistant's."
    )
    yours = serializers.IntegerField(source="said.yours", help_text="Number of your messages.")
    conversations = serializers.IntegerField(source="said.conversations")
    stretches = StretchOut(
        many=True,
        help_text="Parts of the period, one for each `unit`; the last one contains today.",
    )
    weekdays = serializers.ListField(
        source="said.weekdays",
        child=serializers.IntegerField(),
        help_text="Number of your messages on each day of the week, Monday first.",
    )
    hours = serializers.ListField(
        source="said.hours",
        child=serializers.IntegerField(),
        help_text="Number of your messages in each hour of the day, 0 to 23.",
    )
    topics = TopicOut(many=True, help_text="The ten topics that came up most often.")
    answers = AnswersOut(source="said")
    tokens = TokensOut(source="cost")


class InsightsView(PersonAPIView):
    """Statistics about conversations and memories."""

    @extend_schema(
        operation_id="insights",
        responses={200: InsightsOut, **PROBLEMS},
        parameters=[
            OpenApiParameter(
                "period",
                str,
                enum=_PERIODS,
                description="Period that the statistics cover; default year.",
            )
        ],
    )
    def get(self, request: Request) -> Response:
        """Read statistics about messages, topics, saved facts and memories, and tokens."""
        wanted = valid(InsightsParameters, request.query_params.dict())
        figures = insights.read(self.person(request).pk, wanted["period"], now())
        return Response(InsightsOut(figures).data)
