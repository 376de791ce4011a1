"""A message that was not noted by itself, noted as it was said because its owner says so."""

from collections.abc import Iterable
from dataclasses import replace

from django.db import transaction

from conversations.learning import sensitive_consent
from conversations.models import Conversation, LearningOutcome, Message
from memory.core import (
    Authority,
    PersistenceRequest,
    RecordKind,
    allowances_of,
    decide_persistence,
)
from memory.notes import (
    WHOLE_NOTE,
    NotKept,
    as_note_draft,
    keep_note,
    let_pass,
    needs_privacy_consent,
)

MAY_BE_PRIVATE = f"That may be private, so I have not noted it. {sensitive_consent.OFFER}"
# Where a part of it is noted, as its chips say.
MAY_BE_PRIVATE_BESIDE = (
    f"The rest may be private, so I have not noted that. {sensitive_consent.OFFER}"
)

_TAKEN_OUT = "You took this message out of the conversation: there is nothing to note."
_TOO_LITTLE = "I can note none of that as it stands. Say it once more, in a sentence."


def note_message(message: Message) -> list[LearningOutcome]:
    """Note what its owner said, in their open block, and let it be quoted elsewhere again.

    Outcomes that it has already are kept.

    Returns what is new, and where nothing is, all that came of it.

    Raises NotKept with the reason where nothing may be noted.
    """
    if message.state == Message.State.REMOVED:
        raise NotKept(_TAKEN_OUT)
    with transaction.atomic():
        rows = Message.objects.for_user(message.user_id).select_for_update(of=("self",))
        said = rows.select_related("conversation").get(pk=message.pk)
        outcomes = LearningOutcome.objects.filter(user_id=said.user_id, message=said)
        made = list(outcomes.select_related("memory"))
        waits = needs_privacy_consent(said.reading) and not is_noted_whole(said, made)
        if made and not waits:
            return made
        return [_keep_whole(said)]


def is_noted_whole(message: Message, outcomes: Iterable[LearningOutcome]) -> bool:
    """Whether one of the outcomes of a message is a note of all of it: a part may be noted as what
    it tells of a slot, "Family: brother Stefan".
    """
    notes = [outcome.memory for outcome in outcomes if outcome.memory is not None]
    least = WHOLE_NOTE * len(" ".join(message.content.split()))
    return any(len(note.original or note.content) >= least for note in notes)


def asks(answer: Message) -> bool:
    """Whether an answer asks whether to note what it was told."""
    return answer.content.endswith((MAY_BE_PRIVATE, MAY_BE_PRIVATE_BESIDE))


def may_be_offered(message: Message) -> bool:
    """Whether a message tells something that may be private, and that a yes would note."""
    reading = message.reading
    if reading.only_asks or reading.holds_a_secret or not needs_privacy_consent(reading):
        return False
    private = message.conversation.privacy == Conversation.Privacy.PRIVATE
    allowed = replace(allowances_of(message.user_id), private=private)
    request = PersistenceRequest(RecordKind.NOTE, authority=Authority.YES)
    return decide_persistence(request, allowed).kept


def note_previous_message(message: Message) -> list[LearningOutcome]:
    """Where a message only asks that the one before it is noted, or says yes to that: the note as
    one of this message, not saved yet.
    """
    if message.pasted or not sensitive_consent.says_to_note(message):
        return []
    before = Message.objects.beside(message).filter(number=message.number - 2)
    said = before.filter(role=Message.Role.USER, author="").select_related("conversation").first()
    if said is None:
        return []
    outcomes = LearningOutcome.objects.filter(user_id=said.user_id, message=said)
    known = set(outcomes.values_list("pk", flat=True))
    try:
        made = [outcome for outcome in note_message(said) if outcome.pk not in known]
    except NotKept:
        return []
    return [
        LearningOutcome(
            user_id=message.user_id, message=message, kind=outcome.kind, memory=outcome.memory
        )
        for outcome in made
    ]


def _keep_whole(message: Message) -> LearningOutcome:
    # Whose words they are stays with the note: a pasted text is no word of its owner's.
    origin = message.reading.origin_of(0, len(message.content))
    draft = replace(as_note_draft(message.content, message.said_at), origin=origin)
    let_pass(message.scope, draft, Authority.YES)
    kept = keep_note(message.scope, draft, authority=Authority.YES)
    if kept is None:
        raise NotKept(_TOO_LITTLE)
    return LearningOutcome.objects.create(
        user_id=message.user_id,
        message=message,
        kind=LearningOutcome.Kind.MEMORY,
        memory=kept.memory,
    )
