"""The facts and memories that a correction may be about, as cards to edit, remove or keep.

Stored in `Message.recalled`: an entry with `offered` is a card in state 'open', 'kept' or 'saved'.
Everything else is read from the current fact or memory.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.urls import reverse

from conversations.models import Message
from conversations.notebook.changing import (
    SHOULD_I_CHANGE,
    Claim,
    claim_text,
    edit_page,
    is_in_use,
    proposed,
)
from conversations.web.forms import ClaimForm
from memory.models import Memory, ProfileFact

# Longest text of a fact or memory in the labels of its buttons, in characters.
_LONGEST_LABEL = 60


@dataclass(frozen=True)
class ClaimCard:
    """The card of a fact or memory. place: its index in `recalled`. claim: the fact or memory, None
    if it was erased. form: None if there is nothing to decide.
    """

    answer: Message
    place: int
    claim_id: UUID
    claim: Claim | None
    happened: str
    form: ClaimForm | None = None

    @property
    def key(self) -> str:
        """The HTML id prefix of its elements."""
        return f"{self.answer.pk}-{self.place}"

    @property
    def decide_url(self) -> str:
        """The URL of its buttons."""
        return reverse("conversations:decide_claim", args=[self.answer.pk, self.place])

    @property
    def label(self) -> str:
        """The kind of fact or memory: 'Employer'."""
        return self.claim.kind.label if isinstance(self.claim, ProfileFact) else "Memory"

    @property
    def about(self) -> str:
        """The kind and value, by which screen readers distinguish the buttons."""
        value = claim_text(self.claim) if self.claim else ""
        if len(value) > _LONGEST_LABEL:
            value = f"{value[: _LONGEST_LABEL - 1]}…"
        return f"{self.label}, {value}"

    @property
    def is_removed(self) -> bool:
        """Whether the fact or memory was retracted and may be restored."""
        return self.claim is not None and self.claim.status == self.claim.Status.REMOVED

    @property
    def holds(self) -> str:
        """The current value, '' if there is none."""
        standing = _standing(self.claim)
        return claim_text(standing) if standing else ""

    @property
    def edit_url(self) -> str:
        """The URL where the current value is edited."""
        standing = _standing(self.claim)
        return edit_page(standing) if standing else ""


def claim_cards(messages: Iterable[Message]) -> dict[UUID, list[ClaimCard]]:
    """Return the cards of messages of one user, by message id; no query if there are none."""
    offered = [
        (message, place, item)
        for message in messages
        for place, item in enumerate(message.recalled)
        if item.get("offered")
    ]
    if not offered:
        return {}
    claims = _claims(offered[0][0].user_id, {UUID(item["id"]) for _, _, item in offered})
    # The field has a new value only if the answer proposes one.
    proposing = [answer for answer, _, _ in offered if SHOULD_I_CHANGE in answer.content]
    questions = _questions_by_answer(offered[0][0].user_id, proposing) if proposing else {}
    cards: dict[UUID, list[ClaimCard]] = {}
    for message, position, item in offered:
        claim = claims.get(UUID(item["id"]))
        made = _card(message, position, item, claim, questions.get(message.pk, ""))
        cards.setdefault(message.pk, []).append(made)
    return cards


def card_at(message: Message, position: int) -> ClaimCard | None:
    """Return the card at this index of `recalled`, if any."""
    cards = claim_cards([message]).get(message.pk, [])
    return next((card for card in cards if card.place == position), None)


def claim_form(
    message: Message, position: int, claim: Claim, sent: Any = None, question: str = ""
) -> ClaimForm:
    """Return the form of a card, with `position` in the field's name. If the question gives another
    value, the field has that one, and the stored one is shown below.
    """
    new = proposed(claim, question)
    initial = {"value": new or claim_text(claim)}
    form = ClaimForm(claim, sent, initial=initial, auto_id=f"id_%s_{message.pk}-{position}")
    if new:
        form.fields["value"].help_text = f"Noted so far: {claim_text(claim)}"
    return form


def _claims(user_id: UUID, ids: set[UUID]) -> dict[UUID, Claim]:
    facts = ProfileFact.objects.for_user(user_id).prefetch_related("replaced_by")
    notes = Memory.objects.for_user(user_id).select_related("superseded_by")
    return {**facts.in_bulk(ids), **notes.in_bulk(ids)}


def _questions_by_answer(user_id: UUID, answers: Iterable[Message]) -> dict[UUID, str]:
    """Return the question of each answer, by answer id."""
    answer_ids = {(message.conversation_id, message.number - 1): message.pk for message in answers}
    talks, numbers = {talk for talk, _ in answer_ids}, {number for _, number in answer_ids}
    rows = (
        Message.objects.for_user(user_id)
        .filter(conversation__in=talks, number__in=numbers, role=Message.Role.USER)
        .values_list("conversation", "number", "content")
    )
    contents = {answer_ids.get((talk, number)): content for talk, number, content in rows}
    return {pk: content for pk, content in contents.items() if pk is not None}


def _card(
    message: Message, position: int, item: dict[str, Any], claim: Claim | None, question: str
) -> ClaimCard:
    decided = item["offered"]
    is_open = claim is not None and is_in_use(claim) and decided == "open"
    return ClaimCard(
        answer=message,
        place=position,
        claim_id=UUID(item["id"]),
        claim=claim,
        happened="" if is_open else _happened(claim, decided),
        form=(
            claim_form(message, position, claim, question=question)
            if claim is not None and is_open
            else None
        ),
    )


def _happened(claim: Claim | None, decided: str) -> str:
    """Return what happened to the fact or memory, in words; shown before the current value."""
    if claim is None:
        return "Erased"
    if claim.status == claim.Status.REMOVED:
        return "Forgotten"
    if is_in_use(claim):
        return "Kept" if decided == "kept" else "Saved"
    if _standing(claim):
        return "Changed to" if decided == "saved" else "Since changed to"
    return "No longer in use"


def _standing(claim: Claim | None) -> Claim | None:
    """Return the current fact or memory: this one, or its replacement; None if there is none."""
    if claim is None or is_in_use(claim):
        return claim
    successors: list[Claim] = []
    if isinstance(claim, ProfileFact):
        successors += claim.replaced_by.all()
    elif claim.superseded_by is not None:
        successors.append(claim.superseded_by)
    return next((successor for successor in successors if is_in_use(successor)), None)
