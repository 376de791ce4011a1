"""Finding what was said: recall's passages, and which of them may be quoted where."""

from dataclasses import dataclass

from django.db.models import Q

from conversations.models import Message
from memory import retrieval
from memory.passages import Said
from memory.retrieval import Hit

# Recall is asked for more than is quoted, because some of what it finds stays where it is.
_SPARE = 20
# A hit that shares none of the question's words is no answer to it, however alike in meaning.
_SHARED_WORDS = {"words", "cover"}


@dataclass(frozen=True)
class Passage:
    """A message that bears on a question; `hit` says why, factor by factor."""

    message: Message
    hit: Hit


def said(message: Message) -> Said:
    """A message in the shape that recall takes in."""
    return Said(
        user_id=message.user_id,
        conversation_id=message.conversation_id,
        message_id=message.pk,
        number=message.number,
        text=message.content,
        said_at=message.said_at,
        by_user=message.role == Message.Role.USER,
        speaker=message.author,
    )


def passages(question: Message, count: int = 3) -> list[Passage]:
    """The messages of this person that bear on their question, best first.

    What is confidential is found only from its own conversation. Left out are the assistant's own
    words and what was only asked here before: neither tells anything new.
    """
    found = retrieval.search(
        question.user_id,
        question.content,
        k=count + _SPARE,
        asked_at=question.said_at,
        but=question.pk,
    )
    hits = {hit.message_id: hit for hit in found if _tells_something(hit)}
    rows = Message.objects.for_user(question.user_id).select_related("conversation")
    quotable = rows.filter(
        Q(confidential=False) | Q(conversation_id=question.conversation_id)
    ).in_bulk(hits)
    return [Passage(quotable[pk], hit) for pk, hit in hits.items() if pk in quotable][:count]


def _tells_something(hit: Hit) -> bool:
    if not hit.speaker and (not hit.by_user or hit.text.rstrip().endswith("?")):
        return False
    return any(factor.name in _SHARED_WORDS and factor.strength > 0 for factor in hit.factors)
