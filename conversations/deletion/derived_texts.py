"""Finding texts derived from messages, and removing erased words from these texts."""

import json
from collections.abc import Collection
from functools import partial
from typing import Any
from uuid import UUID

from django.db.models import Exists, OuterRef

from conversations import privacy
from conversations.deletion import quoted_answers
from conversations.models import Conversation, Message, Topic
from conversations.summaries import compaction
from conversations.topics import topic_store
from memory.deletion.sought import ErasurePart, ErasureTarget

ERASED = "erased by the user"


def telling(
    *, user_id: UUID, target: ErasureTarget, messages: Collection[UUID], **kwargs: Any
) -> list[ErasurePart]:
    """Return the derived texts that contain the erased words: topic names, titles, answers that
    report a search for them, and running summaries.
    """
    topics = [
        topic
        for topic in Topic.objects.filter(user_id=user_id)
        if _names_target(target, topic.name)
    ]
    answers = _that_looked(user_id, target)
    talks = _summed_up(user_id, target, messages)
    return [
        ErasurePart("topics", len(topics), partial(_drop, user_id, topics)),
        privacy.titles_of(user_id, messages),
        ErasurePart("looks", len(answers), partial(_empty_looks, answers, target)),
        ErasurePart("long_summaries", len(talks), partial(_rebuild_summaries, user_id, talks)),
    ]


def _that_looked(user_id: UUID, target: ErasureTarget) -> list[Message]:
    answers = Message.objects.for_user(user_id).exclude(steps=[]).only("steps")
    return [
        message
        for message in answers
        if any(_step_names_target(step, target) for step in message.steps)
    ]


def _summed_up(user_id: UUID, target: ErasureTarget, messages: Collection[UUID]) -> list[UUID]:
    """Return the conversations whose running summary contains the erased words or was made from
    these messages.
    """
    conversations = Conversation.objects.for_user(user_id).exclude(compact_summary="")
    sources = Message.objects.filter(
        pk__in=messages, conversation=OuterRef("pk"), number__lte=OuterRef("compacted_up_to")
    )
    rows = conversations.annotate(made_of_it=Exists(sources)).order_by("pk")
    summaries = rows.values_list("pk", "compact_summary", "made_of_it")
    return [key for key, text, made_of_it in summaries if made_of_it or target.is_in(text)]


def _drop(user_id: UUID, topics: Collection[Topic]) -> None:
    Topic.objects.filter(user_id=user_id, pk__in=[topic.pk for topic in topics]).delete()
    topic_store.tidy(user_id)


def _empty_looks(answers: Collection[Message], target: ErasureTarget) -> None:
    for answer in answers:
        answer.steps = [
            _emptied(step) if _step_names_target(step, target) else step for step in answer.steps
        ]
        answer.save(update_fields=["steps"])


def _rebuild_summaries(user_id: UUID, talks: Collection[UUID]) -> None:
    """Rebuild the summaries of these conversations; messages with erased words are left out."""
    for key in talks:
        compaction.invalidate(user_id, key)


def erase_quotes(answers: Collection[Message], messages: Collection[Message]) -> None:
    """Remove from the steps of these answers the words that only the deleted messages contain."""
    texts = [message.content for message in messages]
    questions = _questions_of(answers)
    for answer in answers:
        question = questions.get((answer.conversation_id, answer.number - 1), "")
        steps = [
            _emptied(step) if quoted_answers.step_quotes(step, question, texts) else step
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
    questions = rows.values_list("conversation", "number", "content")
    return {(conversation, number): content for conversation, number, content in questions}


def _emptied(step: dict[str, Any]) -> dict[str, Any]:
    """Return the step without its texts; a step that waits for approval is cancelled."""
    state = "declined" if step["state"] == "asked" else step["state"]
    return {**step, "state": state, "arguments": {}, "found": ERASED}


def _step_names_target(step: dict[str, Any], target: ErasureTarget) -> bool:
    text = json.dumps([step.get("arguments"), step.get("found")], ensure_ascii=False)
    return target.is_in(text)


def _names_target(target: ErasureTarget, name: str) -> bool:
    return target.is_in(name) or any(words.match_value(name) for words in target.words)
