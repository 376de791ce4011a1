"""What a conversation was about, in a line, for the conversations after it; made without a model.

The few sentences in which its person said what matters most. A language model writes
a better one where there is one, see `conversations.learning.reflection_runs`.
"""

from collections.abc import Iterator

from django.conf import settings
from django.utils.text import capfirst

from accounts import work
from accounts.database.isolation import acting_as
from conversations.messages import stretches_of
from conversations.models import Conversation, Message
from memory.core import PersistenceRequest, RecordKind, Scope, allowances_of, decide_persistence
from memory.language import truncate_at_clause
from memory.models import Memory
from memory.notes import (
    NotKept,
    Remark,
    drop_summary,
    keep_summary,
    read_remarks,
    summary_is_by_model,
    untold_sentences,
)
from personas import membership

KIND = "summarise"
# Done by `conversations.learning.lesson_derivation`, a room above.
_LESSONS = "lessons"
# How many sentences make a summary, and out of how many messages, the latest first.
SENTENCES, MOST_MESSAGES = 3, 60
_SENTENCE_LENGTH = 180


def summarise_soon(conversation: Conversation) -> None:
    """Write down that a conversation is to be summed up once it has rested a little."""
    work.enqueue_all(conversation.user, [due(conversation)])


def due(conversation: Conversation) -> work.DueWork:
    """That it is to be summed up once it has rested a little."""
    return work.DueWork(KIND, conversation.pk, settings.MEMORY["summary_delay"])


def summarise_for(claim: work.Claim) -> None:
    """Worker entry point: sum up one conversation, unless memory is off or a model did it."""
    with acting_as(claim.user_id):
        if not work.still_holding(claim):
            return
        # Held while it is read: nothing that is taken out meanwhile may be summed up.
        rows = Conversation.objects.select_related("user")
        conversation = rows.held(claim.user_id, claim.subject)
        if conversation and not summary_is_by_model(claim.user_id, conversation.pk):
            allowed = allowances_of(claim.user_id, conversation.pk)
            # Where its person would have to be asked first, there is none.
            if decide_persistence(PersistenceRequest(RecordKind.SUMMARY), allowed).kept:
                summarise(conversation)
        if conversation and membership.of(claim.user_id):
            work.enqueue(conversation.user, _LESSONS, conversation.pk)
        work.finish(claim)


def summarise(conversation: Conversation) -> None:
    """Keep the summary of a conversation, in its person's open block; none when there is little.

    It says nothing that stands among the notes; what it was made of holds all of it.
    """
    messages = (
        Message.objects.for_user(conversation.user_id)
        .filter(
            conversation=conversation,
            role=Message.Role.USER,
            confidential=False,
            # What was said while memory was off was never made findable, nor is it summed up.
            passage__isnull=False,
        )
        .exclude(memory__status=Memory.Status.REMOVED)
    )
    said = list(messages.order_by("-number")[:MOST_MESSAGES])
    sentences = extract(list(reversed(said)))
    if not sentences:
        return
    untold = untold_sentences(conversation.user_id, sentences)
    if not untold:
        drop_summary(conversation.user_id, conversation.pk)
        return
    text = " ".join(_ended(truncate_at_clause(sentence, _SENTENCE_LENGTH)) for sentence in untold)
    scope = Scope(conversation.user_id, conversation.pk, None, conversation.last_at)
    try:
        keep_summary(scope, text, original=" ".join(map(_ended, sentences)))
    except NotKept:
        # The sentences are fit to be read and not to be remembered together.
        return


def _ended(sentence: str) -> str:
    """As a sentence that others may follow."""
    return f"{capfirst(sentence)}{'' if sentence[-1:] in '.!?…' else '.'}"


def extract(messages: list[Message]) -> list[str]:
    """The most significant sentences, in the order in which they were said; [] when none is."""
    found = [
        (remark.draft.significance, position, remark.draft.original or remark.draft.content)
        for position, message in enumerate(messages)
        for remark in _own_remarks(message)
    ]
    best = sorted(found, key=lambda one: -one[0])[:SENTENCES]
    return [sentence for _, _, sentence in sorted(best, key=lambda one: one[1])]


def _own_remarks(message: Message) -> Iterator[Remark]:
    """What its person typed themselves, and may be told elsewhere: pasted words wait for a yes and
    are summed up by nobody, nor are orders, claims, and what holds in the conversation only.
    """
    apart = stretches_of(message)
    for remark in read_remarks(message.reading, message.said_at):
        told_apart = any(start < remark.end and remark.start < end for start, end, _ in apart)
        if not (told_apart or remark.leans):
            yield remark
