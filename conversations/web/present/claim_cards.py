"""The claims that a correction may be about, as cards under its answer: to edit, remove or keep.

Which they are, and what their owner did on the card, stands in `Message.recalled`: an entry with
`offered` is a card, 'open', 'kept' or 'saved'. All else is read from the claim as it is now.
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

# How much of a claim its buttons name, in characters.
_LONGEST_LABEL = 60


@dataclass(frozen=True)
class ClaimCard:
    """A card of a claim. `place` is its place among the used items; `claim` is None where it was
    erased; a form is there only where there is something to decide.
    """

    answer: Message
    place: int
    claim_id: UUID
    claim: Claim | None
    happened: str
    form: ClaimForm | None = None

    @property
    def key(self) -> str:
        """The id of its elements on the page."""
        return f"{self.answer.pk}-{self.place}"

    @property
    def decide_url(self) -> str:
        """The address of its buttons."""
        return reverse("conversations:decide_claim", args=[self.answer.pk, self.place])

    @property
    def label(self) -> str:
        """Its kind: 'Employer'."""
        return self.claim.kind.label if isinstance(self.claim, ProfileFact) else "Memory"

    @property
    def about(self) -> str:
        """Its kind with the value, by which a screen reader tells the buttons apart."""
        value = claim_text(self.claim) if self.claim else ""
        if len(value) > _LONGEST_LABEL:
            value = f"{value[: _LONGEST_LABEL - 1]}…"
        return f"{self.label}, {value}"

    @property
    def is_removed(self) -> bool:
        """Whether it was retracted, and may be restored."""
        return self.claim is not None and self.claim.status == self.claim.Status.REMOVED

    @property
    def holds(self) -> str:
        """The current value, if any."""
        standing = _standing(self.claim)
        return claim_text(standing) if standing else ""

    @property
    def edit_url(self) -> str:
        """The address where the current value is edited."""
        standing = _standing(self.claim)
        return edit_page(standing) if standing else ""


def claim_cards(messages: Iterable[Message]) -> dict[UUID, list[ClaimCard]]:
    """Return the cards of these messages of one person, by message; no read where
    there are none.
    """
    offered = [
        (message, place, item)
        for message in messages
        for place, item in enumerate(message.recalled)
        if item.get("offered")
    ]
    if not offered:
        return {}
    claims = _claims(offered[0][0].user_id, {UUID(item["id"]) for _, _, item in offered})
    # A new value stands in the field only where the answer proposes it.
    proposing = [answer for answer, _, _ in offered if SHOULD_I_CHANGE in answer.content]
    questions = _questions_by_answer(offered[0][0].user_id, proposing) if proposing else {}
    cards: dict[UUID, list[ClaimCard]] = {}
    for message, position, item in offered:
        claim = claims.get(UUID(item["id"]))
        made = _card(message, position, item, claim, questions.get(message.pk, ""))
        cards.setdefault(message.pk, []).append(made)
    return cards


def card_at(message: Message, position: int) -> ClaimCard | None:
    """Return the card at that place, if any."""
    cards = claim_cards([message]).get(message.pk, [])
    return next((card for card in cards if card.place == position), None)


def claim_form(
    message: Message, position: int, claim: Claim, sent: Any = None, question: str = ""
) -> ClaimForm:
    """Return the form of a card, its field named after its place. Where the question gives another
    value, that stands in it, and the stored one below.
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
    """Return the question of each of these answers, by answer."""
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
    """Return the outcome, in words before what holds now."""
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
    """Return what holds now: the claim, or its replacement."""
    if claim is None or is_in_use(claim):
        return claim
    successors: list[Claim] = []
    if isinstance(claim, ProfileFact):
        successors += claim.replaced_by.all()
    elif claim.superseded_by is not None:
        successors.append(claim.superseded_by)
    return next((successor for successor in successors if is_in_use(successor)), None)
