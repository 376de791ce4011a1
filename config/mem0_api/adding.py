"""Adding messages: what they say is learned, or each is stored word for word."""

from typing import Any

from django.utils.timezone import localdate
from rest_framework.exceptions import ValidationError

from accounts.database.isolation import acting_as
from accounts.models import User
from accounts.privacy import hold_choices
from config.mem0_api import shapes
from config.mem0_api.bodies import AddRequest
from config.mem0_api.subjects import Subject
from conversations.messages import NewMessage, UnfitText, fit
from conversations.models import Conversation, LearningOutcome, Message
from conversations.turns import ingesting, turn
from memory.models import CONTENT_LENGTH, Memory
from memory.notes import NotKept, propose_memory

_LONGEST_TITLE = Conversation._meta.get_field("title").max_length or 0


def learn(asked: AddRequest, subject: Subject, agent: str) -> dict[str, Any]:
    """Keep the messages and learn from them, as from those of any other software.

    `status` is PENDING where more came than is read at once. Raises ValidationError.
    """
    drafts = [_draft(asked, place) for place in range(len(asked.said))]
    person = subject.person
    if not drafts:
        return {"results": [], "status": "SUCCEEDED"}
    run = asked.run_id or localdate().isoformat()
    name = f"{agent[: _LONGEST_TITLE - len(run) - 2]}, {run}"
    ingested = ingesting.ingest(person, _conversation(person, name), drafts)
    with acting_as(person):
        outcomes = LearningOutcome.objects.filter(user=person, message__in=ingested.messages)
        outcomes = outcomes.select_related("fact", "memory").order_by("pk")
        results = [shapes.learned(outcome, subject) for outcome in outcomes]
        waits = ingesting.count_unlearned(person, ingested.messages)
    status = "PENDING" if waits else "SUCCEEDED"
    return {"results": [result for result in results if result], "status": status}


def store(asked: AddRequest, subject: Subject, agent: str) -> dict[str, Any]:
    """Store each message as a memory that an agent wrote, all or none. Raises ValidationError."""
    results = []
    with acting_as(subject.person):
        for place, message in enumerate(asked.said):
            text = " ".join(message.content.split())
            if len(text) > CONTENT_LENGTH:
                sentence = f"Without infer, a message can have at most {CONTENT_LENGTH} characters."
                raise _refused(place, sentence)
            try:
                kept = propose_memory(subject.person.pk, text, Memory.Category.FACT, agent)
            except NotKept as refused:
                raise _refused(place, str(refused)) from None
            results.append(shapes.added(kept, subject))
    return {"results": results, "status": "SUCCEEDED"}


def _draft(asked: AddRequest, place: int) -> NewMessage:
    message = asked.said[place]
    try:
        content = fit(message.content)
    except UnfitText as unfit:
        raise _refused(place, unfit.words) from None
    return NewMessage(role=Message.Role(message.role), content=content, said_at=asked.said_at)


def _conversation(person: User, name: str) -> Any:
    """The conversation of this name, which is made for the first messages of a run or a day."""
    with acting_as(person):
        # One at a time, so that two requests do not make two.
        hold_choices(person.pk)
        named = Conversation.objects.for_user(person.pk).filter(title=name)
        known = named.order_by("started_at").values_list("pk", flat=True).first()
        if known is None:
            known = turn.make_conversation(person, private=False)
            Conversation.objects.for_user(person.pk).filter(pk=known).update(title=name)
        return known


def _refused(place: int, sentence: str) -> ValidationError:
    return ValidationError({f"messages.{place}": [sentence]})
