"""What somebody's work in a conversation teaches others in their role, read when it has rested."""

import structlog

from accounts import work
from accounts.database.isolation import acting_as
from accounts.models import User
from conversations.models import Conversation, Message
from memory.lessons import (
    LessonSource,
    NotShared,
    ToolRequest,
    contribute_lesson,
    decide_lesson_for,
    workflow_lessons,
)
from personas import membership
from personas.models import Persona

log = structlog.get_logger(__name__)
# Of one conversation so many messages are read, and so many lessons contributed, at most.
_MESSAGES, _LESSONS = 60, 5
# The steps of an answer in general words; what others have no use for is not among them.
_STEPS = {
    "find_personal_variables": "reading the profile",
    "get_conversation_summary": "reading the summary of an earlier conversation",
    "get_conversations_by_topic": "looking for earlier conversations about it",
    "get_topic_statistics": "counting how often it came up",
    "recall_memories": "recalling what was said about it",
    "recall_memories_with_time": "recalling what was said at that time",
    "search_conversations": "searching earlier conversations",
}


def derive_for(held: work.Claim) -> None:
    """The worker's way in: contribute what one conversation teaches. Twice is once."""
    with acting_as(held.user_id):
        if not work.still_holding(held):
            return
        rows = Conversation.objects.for_user(held.user_id).select_related("user")
        talk = rows.filter(pk=held.subject, privacy=Conversation.Privacy.USUAL).first()
        if talk is not None and decide_lesson_for(talk.user).kept:
            for mine in membership.of(held.user_id):
                _contribute(talk.user, talk, mine.persona)
        work.finish(held)


def _contribute(user: User, talk: Conversation, persona: Persona) -> None:
    requests = list(_requests(talk))
    said = [request.text for request in requests]
    for text in workflow_lessons(persona, requests)[:_LESSONS]:
        try:
            contribute_lesson(
                user,
                persona,
                text,
                source=LessonSource.CONVERSATION,
                said=said,
                conversation_id=talk.pk,
            )
        except NotShared as refused:
            log.info("lesson_not_shared", conversation=str(talk.pk), why=type(refused).__name__)
            return


def _requests(talk: Conversation) -> list[ToolRequest]:
    """What its person typed and may be told elsewhere, each with the steps of its answer."""
    rows = Message.objects.of(talk)
    rows = rows.filter(confidential=False).order_by("-number")[: 2 * _MESSAGES]
    found: list[ToolRequest] = []
    steps: tuple[str, ...] = ()
    for message in rows:
        if message.role == Message.Role.ASSISTANT:
            done = [step for step in message.steps if step.get("state") == "done"]
            steps = tuple(_STEPS[step["tool"]] for step in done if step["tool"] in _STEPS)
        elif not message.author and not message.pasted:
            found.append(ToolRequest(message.content, steps))
            steps = ()
    return found[::-1]
