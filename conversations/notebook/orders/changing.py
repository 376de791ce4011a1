"""Changing what was noted as a correction proposes: by a yes, or on the card of the claim."""

from collections.abc import Sequence
from typing import Any

from django.urls import reverse

from conversations.markdown import literal
from conversations.models import Conversation, Message
from conversations.notebook.answer_builder import Answer
from conversations.prompt import Prompt
from memory import manager
from memory.core import lock_names
from memory.language import put_right, read_yes_or_no
from memory.models import Memory, ProfileFact
from memory.notes import take_over_notes

Claim = ProfileFact | Memory
SHALL_I_CHANGE = "Shall I change it to"


def is_in_use(claim: Claim) -> bool:
    """Whether it is in use."""
    if isinstance(claim, Memory):
        return claim.status == Memory.Status.ACTIVE
    return claim.status == ProfileFact.Status.CURRENT


def proposed(claim: Claim, told: str) -> str:
    """What a claim would say with the value that a correction tells; "" where that is not clear."""
    return put_right(claim_text(claim), told)


def claim_text(claim: Claim) -> str:
    """What its owner edits."""
    return claim.content if isinstance(claim, Memory) else claim.value


def change_on_a_yes(prompt: Prompt, answer: Answer) -> bool:
    """Change, or leave, the one claim that the answer before proposes to change, where the message
    is nothing but a yes or a no; False where it is not.
    """
    yes = read_yes_or_no(prompt.question.content)
    rows = Message.objects.beside(prompt.question)
    before = rows.filter(number=prompt.question.number - 1).first() if yes is not None else None
    if before is None or SHALL_I_CHANGE not in before.content:
        return False
    hold_offer(before)
    message = rows.filter(number=prompt.question.number - 2).first()
    places = [place for place, one in enumerate(before.recalled) if one.get("offered") == "open"]
    offered = [before.recalled[place] for place in places]
    claims = [one for one in _claims_of(prompt, offered) if is_in_use(one)]
    if message is None or len(claims) != 1 or not (new := proposed(claims[0], message.content)):
        return False
    if not may_propose(prompt, message):
        return False
    position = next(place for place in places if before.recalled[place]["id"] == str(claims[0].pk))
    if not yes:
        settle_offer(before, position, "kept")
        answer.say("I left it as it was.")
        return True
    try:
        save_offered(before, position, claims[0], new)
    except (manager.SlotTaken, manager.NotKept) as reason:
        answer.say(str(reason))
    else:
        answer.say(f"Changed to “{literal(new)}”.")
    return True


def hold_offer(answer: Message) -> None:
    """Wait for whoever decides on a claim of this answer just now, and see what they did: all of
    them are kept in one row.
    """
    lock_names([f"answer {answer.pk}"])
    answer.refresh_from_db(fields=["recalled"])


def settle_offer(answer: Message, position: int, decided: str) -> None:
    """Keep with the answer what became of the claim offered at that place: 'saved' or 'kept'."""
    answer.recalled[position]["offered"] = decided
    answer.save(update_fields=["recalled"])


def save_offered(answer: Message, position: int, claim: Claim, value: str) -> None:
    """Change a claim offered under an answer, in its owner's open block. Raises SlotTaken, and
    NotKept for a note.
    """
    manager.rewrite(claim, value)
    message = Message.objects.beside(answer).filter(number=answer.number - 1).first()
    if message is not None:
        _take_in(claim, message)
    settle_offer(answer, position, "saved")


def may_propose(prompt: Prompt, message: Message) -> bool:
    """Whether the words of a correction may go into a note: what is told in a private conversation
    goes no further, nor what somebody else wrote.
    """
    private = prompt.question.conversation.privacy == Conversation.Privacy.PRIVATE
    return not private and not message.reading.foreign


def _take_in(claim: Claim, message: Message) -> None:
    """The note that was taken from the correction itself gives way to the corrected one."""
    if isinstance(claim, Memory):
        claim.refresh_from_db(fields=["superseded_by"])
        notes = Memory.objects.for_user(message.user_id).active().filter(source_message=message.pk)
        if claim.superseded_by is not None:
            take_over_notes(claim.superseded_by, notes)


def _claims_of(prompt: Prompt, offered: Sequence[dict[str, Any]]) -> list[Claim]:
    user_id, ids = prompt.question.user_id, [one["id"] for one in offered]
    facts = ProfileFact.objects.for_user(user_id).filter(pk__in=ids)
    return [*facts, *Memory.objects.for_user(user_id).filter(pk__in=ids)]


def edit_page(claim: Claim) -> str:
    """Where its owner changes it."""
    name = "memory:memory_edit" if isinstance(claim, Memory) else "memory:edit"
    return reverse(name, args=[claim.pk])
