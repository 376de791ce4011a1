"""API for the topics of conversations."""

from datetime import datetime
from typing import Any
from uuid import UUID

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.access.api import PAGING, Pages, PersonAPIView, Problem, RequestBody, page_of, valid
from conversations.models import Conversation, Topic
from conversations.topics import topic_store

PROBLEMS = {400: Problem, 401: Problem, 404: Problem, 503: Problem}


class TopicOut(serializers.Serializer[Any]):
    """A topic and how often it came up."""

    id = serializers.UUIDField()
    name = serializers.CharField()
    conversations = serializers.IntegerField(
        help_text="Number of conversations in which it came up."
    )
    messages = serializers.IntegerField()
    first_at = serializers.DateTimeField()
    last_at = serializers.DateTimeField()


class TopicHereOut(serializers.Serializer[Any]):
    """A topic of one conversation."""

    id = serializers.UUIDField()
    name = serializers.CharField()
    weight = serializers.FloatField(help_text="Share of the conversation that is about it, 0 to 1.")
    messages = serializers.IntegerField()
    first_at = serializers.DateTimeField()
    last_at = serializers.DateTimeField()


class ConversationAboutOut(serializers.Serializer[Any]):
    """A conversation about a topic; times and counts cover only its messages about the topic."""

    id = serializers.UUIDField(source="conversation.pk")
    title = serializers.CharField(source="conversation.title")
    url = serializers.CharField(
        source="conversation.get_absolute_url", help_text="Path to its page."
    )
    weight = serializers.FloatField(
        source="topic.weight", help_text="Share of the conversation that is about it, 0 to 1."
    )
    messages = serializers.IntegerField(source="topic.messages")
    first_at = serializers.DateTimeField(source="topic.first_at")
    last_at = serializers.DateTimeField(source="topic.last_at")


class TopicChange(RequestBody):
    """Changes to a topic."""

    name = serializers.CharField(
        max_length=80, help_text="New name. If another topic already has it, the two are merged."
    )


class Days(serializers.Serializer[Any]):
    """The period to look at."""

    since = serializers.DateTimeField(required=False, default=None)
    until = serializers.DateTimeField(required=False, default=None)


class Topics(PersonAPIView):
    """The topics of a person."""

    @extend_schema(
        operation_id="topics_list",
        responses={200: page_of(TopicOut), **PROBLEMS},
        parameters=[
            OpenApiParameter(
                "since", datetime, description="Only topics that came up at this time or later."
            ),
            OpenApiParameter(
                "until", datetime, description="Only topics that came up before this time."
            ),
            *PAGING,
        ],
    )
    def get(self, request: Request) -> Response:
        """List topics, most frequent first."""
        days = valid(Days, request.query_params.dict())
        pages = Pages()
        rows = topic_store.statistics(self.person(request).pk, **days)
        page = pages.paginate_queryset(rows, request, view=self) or []
        return pages.get_paginated_response(TopicOut(page, many=True).data)


class OneTopic(PersonAPIView):
    """One topic."""

    @extend_schema(
        operation_id="topics_change", request=TopicChange, responses={200: TopicOut, **PROBLEMS}
    )
    def patch(self, request: Request, pk: UUID) -> Response:
        """Rename a topic. If another topic already has the name, the two are merged: read the `id`
        in the answer.
        """
        user_id = self.person(request).pk
        topic = _topic(user_id, pk)
        data = self.body(request, TopicChange)
        now_called = topic_store.rename(topic, data["name"])
        figures = {topic.id: topic for topic in topic_store.statistics(user_id)}
        return Response(TopicOut(figures[now_called.pk]).data)

    @extend_schema(operation_id="topics_remove", responses={204: None, **PROBLEMS})
    def delete(self, request: Request, pk: UUID) -> Response:
        """Remove a topic. Its conversations are kept but no longer show it."""
        topic_store.remove(_topic(self.person(request).pk, pk))
        return Response(status=204)


class TopicConversations(PersonAPIView):
    """The conversations about a topic."""

    @extend_schema(
        operation_id="topics_conversations",
        responses={200: page_of(ConversationAboutOut), **PROBLEMS},
        parameters=PAGING,
    )
    def get(self, request: Request, pk: UUID) -> Response:
        """List the conversations about a topic, latest first."""
        user_id = self.person(request).pk
        rows = topic_store.conversations_about(user_id, _topic(user_id, pk).pk)
        return self.page(request, rows, ConversationAboutOut)


class ConversationTopics(PersonAPIView):
    """The topics of a conversation."""

    @extend_schema(
        operation_id="conversations_topics",
        responses={200: page_of(TopicHereOut), **PROBLEMS},
        parameters=PAGING,
    )
    def get(self, request: Request, pk: UUID) -> Response:
        """List the main topics of a conversation, largest share first."""
        user_id = self.person(request).pk
        if not Conversation.objects.for_user(user_id).filter(pk=pk).exists():
            raise NotFound
        rows = topic_store.of_conversation(user_id, pk)
        return self.page(request, rows, TopicHereOut)


def _topic(user_id: UUID, pk: UUID) -> Topic:
    return get_object_or_404(topic_store.topics_in_use(user_id), pk=pk)
