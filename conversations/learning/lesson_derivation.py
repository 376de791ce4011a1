"""Deriving lessons for other members of a persona from a conversation that has come to rest."""

import structlog
from django.conf import settings

from accounts import work
from accounts.database.isolation import acting_as
from accounts.models import User
from conversations.models import Conversation, Message
from memory.lessons.contribution import (
    LessonSource,
    NotShared,
    contribute_lesson,
    decide_lesson_for,
)
from memory.lessons.workflows import ToolRequest, workflow_lessons
from personas import membership
from personas.models import Persona

log = structlog.get_logger(__name__)
KIND = "lessons"
# How many messages of one conversation are read, and how many lessons are contributed, at most.
_MESSAGES, _LESSONS = 60, 5
# Steps of an answer in general words; steps that are of no use to others are missing.
_STEPS = {
    "find_personal_variables": "reading the profile",
    "get_conversation_summary": "reading the summary of an earlier conversation",
    "get_conversations_by_topic": "looking for earlier conversations about it",
    "get_topic_statistics": "counting how often it came up",
    "recall_memories": "recalling what was said about it",
    "recall_memories_with_time": "recalling what was said at that time",
    "search_conversations": "searching earlier conversations",
}


def due_for_members(conversation: Conversation) -> work.DueWork | None:
    """Return the job that derives lessons later; None if the user belongs to no persona."""
    if not membership.of(conversation.user_id):
        return None
    return work.DueWork(KIND, conversation.pk, settings.MEMORY["rest_delay"])


def derive_for(claim: work.Claim) -> None:
    """Worker entry point: contribute the lessons of one conversation. Idempotent."""
    with acting_as(claim.user_id):
        if not work.still_holding(claim):
            return
        rows = Conversation.objects.for_user(claim.user_id).select_related("user")
        conversation = rows.filter(pk=claim.subject, privacy=Conversation.Privacy.USUAL).first()
        if conversation is not None and decide_lesson_for(conversation.user).kept:
            for member in membership.of(claim.user_id):
                _contribute(conversation.user, conversation, member.persona)
        work.finish(claim)


def _contribute(user: User, conversation: Conversation, persona: Persona) -> None:
    requests = list(_requests(conversation))
    texts = [request.text for request in requests]
    for text in workflow_lessons(persona, requests)[:_LESSONS]:
        try:
            contribute_lesson(
                user,
                persona,
                text,
                source=LessonSource.CONVERSATION,
                messages=texts,
                conversation_id=conversation.pk,
            )
        except NotShared as refused:
            log.info(
                "lesson_not_shared", conversation=str(conversation.pk), why=type(refused).__name__
            )
            return


def _requests(conversation: Conversation) -> list[ToolRequest]:
    """Return the user's typed messages quotable elsewhere, each with its answer's steps."""
    rows = Message.objects.of(conversation)
    rows = rows.filter(confidential=False).order_by("-number")[: 2 * _MESSAGES]
    requests: list[ToolRequest] = []
    steps: tuple[str, ...] = ()
    for message in rows:
        if message.role == Message.Role.ASSISTANT:
            done = [step for step in message.steps if step.get("state") == "done"]
            steps = tuple(_STEPS[step["tool"]] for step in done if step["tool"] in _STEPS)
        elif not message.author and not message.pasted:
            requests.append(ToolRequest(message.content, steps))
            steps = ()
    return requests[::-1]
