"""A message of which nothing was noted, noted as it was said because its owner says so."""

from dataclasses import replace

from django.db import transaction

from conversations.learning.sensitive_consent import asks_to_note
from conversations.models import LearningOutcome, Message
from memory.core import Authority
from memory.notes import NotKept, as_note_draft, keep_note, let_pass

_TAKEN_OUT = "You took this message out of the conversation: there is nothing to note."
_TOO_LITTLE = "I can note none of that as it stands. Say it once more, in a sentence."


def note_message(message: Message) -> list[LearningOutcome]:
    """Note what its owner said, in their open block; what came of it already stays as it is.

    Raises NotKept with the reason where nothing may be noted.
    """
    if message.state == Message.State.REMOVED:
        raise NotKept(_TAKEN_OUT)
    with transaction.atomic():
        rows = Message.objects.for_user(message.user_id).select_for_update(of=("self",))
        said = rows.select_related("conversation").get(pk=message.pk)
        made = list(LearningOutcome.objects.filter(user_id=said.user_id, message=said))
        return made or [_noted(said)]


def noted_by_a_word(message: Message) -> list[LearningOutcome]:
    """Where a message only asks that the one before it is noted, of which nothing was: the note as
    one of this message, not saved yet.
    """
    if message.pasted or not asks_to_note(message.content):
        return []
    before = Message.objects.beside(message).filter(number=message.number - 2)
    said = before.filter(role=Message.Role.USER, author="").first()
    if said is None or LearningOutcome.objects.filter(user_id=said.user_id, message=said).exists():
        return []
    try:
        made = _noted(said)
    except NotKept:
        return []
    return [
        LearningOutcome(
            user_id=message.user_id, message=message, kind=made.kind, memory=made.memory
        )
    ]


def _noted(message: Message) -> LearningOutcome:
    # Whose words they are stays with the note: a pasted text is no word of its owner's.
    origin = message.reading.origin_of(0, len(message.content))
    draft = replace(as_note_draft(message.content, message.said_at), origin=origin)
    let_pass(message.scope, draft, Authority.YES)
    kept = keep_note(message.scope, draft, word=Authority.YES)
    if kept is None:
        raise NotKept(_TOO_LITTLE)
    return LearningOutcome.objects.create(
        user_id=message.user_id,
        message=message,
        kind=LearningOutcome.Kind.MEMORY,
        memory=kept.memory,
    )
