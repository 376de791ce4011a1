"""The most significant sentences of the user in a conversation."""

from collections.abc import Iterator

from conversations.messages import stretches_of
from conversations.models import Message
from memory.notes.note_extraction import Remark, read_remarks

# How many sentences to return, and from how many of the latest messages.
SENTENCES, MOST_MESSAGES = 3, 60


def extract(messages: list[Message]) -> list[str]:
    """Return the most significant sentences, in the order in which they were said."""
    scored = [
        (remark.draft.significance, position, remark.draft.original or remark.draft.content)
        for position, message in enumerate(messages)
        for remark in _own_remarks(message)
    ]
    best = sorted(scored, key=lambda item: -item[0])[:SENTENCES]
    return [sentence for _, _, sentence in sorted(best, key=lambda item: item[1])]


def _own_remarks(message: Message) -> Iterator[Remark]:
    """Yield the user's remarks that may be shown elsewhere, without pasted text, orders, claims,
    and what holds in the conversation only.
    """
    apart = stretches_of(message)
    for remark in read_remarks(message.reading, message.said_at):
        if not any(start < remark.end and remark.start < end for start, end, _ in apart):
            yield remark
