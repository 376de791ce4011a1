"""Applying a proposed correction: after a yes in the conversation, or on a card."""

from django.urls import reverse

from conversations.learning import open_questions
from conversations.markdown import literal
from conversations.models import Conversation, Message
from conversations.notebook.answer_builder import Answer
from conversations.prompt import Prompt
from memory import manager
from memory.core.slot_locks import lock_names
from memory.language.queries.query_intent import read_yes_or_no
from memory.language.substitution import put_right
from memory.models import Memory, ProfileFact
from memory.notes.note_store import take_over_notes

Claim = ProfileFact | Memory
SHOULD_I_CHANGE = "Should I change it to"


def is_in_use(claim: Claim) -> bool:
    """Return whether a fact is current, or a memory active."""
    if isinstance(claim, Memory):
        return claim.status == Memory.Status.ACTIVE
    return claim.status == ProfileFact.Status.CURRENT


def proposed(claim: Claim, correction: str) -> str:
    """Return the text of a fact or memory with a correction applied; "" if that is ambiguous."""
    return put_right(claim_text(claim), correction)


def claim_text(claim: Claim) -> str:
    """Return the text that the user can edit: a fact's value, or a memory's content."""
    return claim.content if isinstance(claim, Memory) else claim.value


def edit_page(claim: Claim) -> str:
    """Return the URL of the page where the user edits a fact or memory."""
    name = "memory:memory_edit" if isinstance(claim, Memory) else "memory:edit"
    return reverse(name, args=[claim.pk])


def change_on_a_yes(prompt: Prompt, answer: Answer) -> bool:
    """Change or keep the fact or memory that the last question proposed to change, if the message
    is a yes or no; return False otherwise.
    """
    yes = read_yes_or_no(prompt.question.content)
    before = open_questions.answer_meant(prompt.question) if yes is not None else None
    if before is None or SHOULD_I_CHANGE not in before.content:
        return False
    hold_offer(before)
    correction = Message.objects.beside(before).filter(number=before.number - 1).first()
    offered = {
        kept["id"]: place
        for place, kept in enumerate(before.recalled)
        if kept.get("offered") == "open"
    }
    facts = ProfileFact.objects.for_user(before.user_id).filter(pk__in=offered)
    notes = Memory.objects.for_user(before.user_id).filter(pk__in=offered)
    claims = [claim for claim in (*facts, *notes) if is_in_use(claim)]
    if correction is None or len(claims) != 1 or not may_propose(prompt, correction):
        return False
    new = proposed(claims[0], correction.content)
    if not new:
        return False
    position = offered[str(claims[0].pk)]
    if not yes:
        settle_offer(before, position, "kept")
        answer.say("OK, I haven’t changed anything.")
        return True
    try:
        save_offered(before, position, claims[0], new)
    except (manager.SlotTaken, manager.NotKept) as reason:
        answer.say(str(reason))
    else:
        answer.say(f"I changed it to “{literal(new)}”.")
    return True


def hold_offer(answer: Message) -> None:
    """Lock the cards of this answer (stored in one JSON column), and reload their state."""
    lock_names([f"answer {answer.pk}"])
    answer.refresh_from_db(fields=["recalled"])


def settle_offer(answer: Message, position: int, decided: str) -> None:
    """Store the decision on the card at `position` in the answer: 'saved' or 'kept'."""
    answer.recalled[position]["offered"] = decided
    answer.save(update_fields=["recalled"])


def save_offered(answer: Message, position: int, claim: Claim, value: str) -> None:
    """Change the fact or memory of a card, in the user's transaction (`acting_as`). A memory made
    from the correction itself is superseded. Raises SlotTaken, and NotKept for a memory.
    """
    manager.rewrite(claim, value)
    message = Message.objects.beside(answer).filter(number=answer.number - 1).first()
    if message is not None and isinstance(claim, Memory):
        claim.refresh_from_db(fields=["superseded_by"])
        notes = Memory.objects.for_user(message.user_id).active().filter(source_message=message.pk)
        if claim.superseded_by is not None:
            take_over_notes(claim.superseded_by, notes)
    settle_offer(answer, position, "saved")


def may_propose(prompt: Prompt, correction: Message) -> bool:
    """Return whether a correction's text may go into a memory: it is not in a private conversation,
    and without text of others.
    """
    private = prompt.question.conversation.privacy == Conversation.Privacy.PRIVATE
    return not private and not correction.reading.foreign
