"""What talking leaves behind besides the messages, and wiping out of it what was erased."""

import json
from collections.abc import Collection
from typing import Any
from uuid import UUID

from django.db.models import TextField
from django.db.models.functions import Cast

from conversations import topics
from conversations.models import Message, Topic
from memory.wordings import Words

ERASED = "erased by its owner"


def wipe(*, user_id: UUID, words: Collection[Words], **kwargs: Any) -> None:
    """No topic is called by words that were erased, and no answer says that it looked for them.

    The messages stay, and with them the summary that their own conversation goes on with.
    """
    named = Topic.objects.filter(user_id=user_id)
    Topic.objects.filter(
        user_id=user_id, pk__in=[topic.pk for topic in named if _tell(words, topic.name)]
    ).delete()
    topics.tidy(user_id)
    answers = Message.objects.for_user(user_id).exclude(steps=[])
    answers = answers.annotate(looked=Cast("steps", TextField())).only("steps")
    for wording in words:
        for answer in answers.filter(wording.may_be_in("looked")):
            answer.steps = [_without(step, wording) for step in answer.steps]
            answer.save(update_fields=["steps"])


def _without(step: dict[str, Any], wording: Words) -> dict[str, Any]:
    told = json.dumps([step.get("arguments"), step.get("found")], ensure_ascii=False)
    return {**step, "arguments": {}, "found": ERASED} if wording.are_in(told) else step


def _tell(words: Collection[Words], text: str) -> bool:
    return any(wording.are(text) or wording.are_in(text) for wording in words)
