"""Open questions in a conversation: conflicts between two values, and questions for a yes or no."""

import re
from uuid import UUID

from conversations.models import LearningOutcome, Message
from ledger.models import Contradiction
from memory.language.queries.query_intent import read_yes_or_no

# For how many messages after a question an answer to it is recognised: three exchanges.
_ANSWERED_WITHIN = 6
# The link to a conflict's page in an answer.
_LINKED = re.compile(r"/conflicts/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/")


def before(message: Message) -> tuple[list[Contradiction], list[str]]:
    """Return the open conflicts asked about shortly before a message, and the texts of the messages
    that caused them.
    """
    open_ones = Contradiction.objects.for_user(message.user_id).open()
    if not open_ones.exists():
        return [], []
    lately = Message.objects.filter(
        user_id=message.user_id,
        conversation=message.conversation_id,
        number__range=(message.number - _ANSWERED_WITHIN, message.number - 1),
    )
    notes = LearningOutcome.objects.filter(
        user_id=message.user_id, message__in=lately, contradiction__status=Contradiction.Status.OPEN
    )
    opened = dict(notes.values_list("contradiction", "message__content"))
    answers = lately.filter(role=Message.Role.ASSISTANT, content__contains="/conflicts/")
    mentioned = [
        UUID(link)
        for content in answers.exclude(state=Message.State.REMOVED).values_list(
            "content", flat=True
        )
        for link in _LINKED.findall(content)
    ]
    if not opened and not mentioned:
        return [], []
    return list(open_ones.filter(pk__in=[*opened, *mentioned])), list(opened.values())


def answer_meant(message: Message) -> Message | None:
    """Return the answer that a yes or no refers to: the last recent one that asks anything; None if
    the user has said yes or no since.
    """
    numbers = (message.number - _ANSWERED_WITHIN, message.number - 1)
    lately = Message.objects.beside(message).filter(number__range=numbers)
    for earlier in lately.exclude(state=Message.State.REMOVED).order_by("-number"):
        if earlier.role == Message.Role.ASSISTANT:
            if _asks(earlier):
                return earlier
        elif read_yes_or_no(earlier.content) is not None:
            return None
    return None


def _asks(answer: Message) -> bool:
    """Return whether an answer may ask something; an answer of a model counts even without "?"."""
    by_model = answer.tokens_out is not None
    return by_model or "?" in answer.content or _LINKED.search(answer.content) is not None
