"""What talking leaves behind besides the messages, and wiping out of it what was erased."""

import json
from collections.abc import Collection
from typing import Any
from uuid import UUID

from django.db.models import TextField
from django.db.models.functions import Cast

from conversations.deletion import quoted_answers
from conversations.models import Message, Topic
from conversations.topics import topic_store
from memory.deletion.redaction_terms import Words

ERASED = "erased by its owner"


def wipe(*, user_id: UUID, words: Collection[Words], **kwargs: Any) -> None:
    """No topic is called by words that were erased, and no answer says that it looked for them.

    The messages stay, and with them the summary that their own conversation goes on with.
    """
    named = Topic.objects.filter(user_id=user_id)
    Topic.objects.filter(
        user_id=user_id, pk__in=[topic.pk for topic in named if _tell(words, topic.name)]
    ).delete()
    topic_store.tidy(user_id)
    answers = Message.objects.for_user(user_id).exclude(steps=[])
    answers = answers.annotate(looked=Cast("steps", TextField())).only("steps")
    for wording in words:
        for answer in answers.filter(wording.may_be_in("looked")):
            answer.steps = [_without(step, wording) for step in answer.steps]
            answer.save(update_fields=["steps"])


def wipe_said(answers: Collection[Message], gone: Collection[Message]) -> None:
    """No step of these answers says any more what only the messages that go have said."""
    texts = [one.content for one in gone]
    questions = _questions_of(answers)
    for answer in answers:
        asked = questions.get((answer.conversation_id, answer.number - 1), "")
        steps = [
            _emptied(step) if quoted_answers.tells(step, asked, texts) else step
            for step in answer.steps
        ]
        if steps != answer.steps:
            answer.steps = steps
            answer.save(update_fields=["steps"])


def _questions_of(answers: Collection[Message]) -> dict[tuple[UUID, int], str]:
    if not answers:
        return {}
    rows = Message.objects.for_user(next(iter(answers)).user_id).filter(
        conversation__in={answer.conversation_id for answer in answers},
        number__in={answer.number - 1 for answer in answers},
    )
    found = rows.values_list("conversation", "number", "content")
    return {(conversation, number): content for conversation, number, content in found}


def _emptied(step: dict[str, Any]) -> dict[str, Any]:
    """Without its words; and what waits for a yes waits no more, for the yes would mean them."""
    state = "declined" if step["state"] == "asked" else step["state"]
    return {**step, "state": state, "arguments": {}, "found": ERASED}


def _without(step: dict[str, Any], wording: Words) -> dict[str, Any]:
    told = json.dumps([step.get("arguments"), step.get("found")], ensure_ascii=False)
    return _emptied(step) if wording.are_in(told) else step


def _tell(words: Collection[Words], text: str) -> bool:
    return any(wording.are(text) or wording.are_in(text) for wording in words)
