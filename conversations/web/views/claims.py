"""Actions on the card of a fact or memory: edit, remove, keep, restore."""

from dataclasses import replace
from uuid import UUID

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST

from accounts.access.pages import PersonRequest, person_page
from conversations.models import Message
from conversations.notebook import changing
from conversations.web.present.claim_cards import ClaimCard, card_at, claim_form
from conversations.web.views.refusing import refuse
from memory import manager

_DEEDS = ("save", "remove", "keep", "restore")


@require_POST
@person_page
def decide(request: PersonRequest, pk: UUID, place: int) -> HttpResponse:
    """Carry out the pressed action; if the fact or memory has changed, show the current card."""
    answers = Message.objects.for_user(request.user.pk).filter(role=Message.Role.ASSISTANT)
    answer = get_object_or_404(answers.exclude(state=Message.State.REMOVED), pk=pk)
    deed = request.POST.get("deed")
    if deed not in _DEEDS:
        raise Http404
    changing.hold_offer(answer)
    card = card_at(answer, place)
    if card is None or str(card.claim_id) != request.POST.get("claim"):
        # The answer was regenerated in the meantime.
        return refuse(
            request, "My reply has changed since you opened this page. Reload the page.", answer
        )
    if deed == "restore":
        return _bring_back(request, card)
    if card.form is None or card.claim is None:
        return _show(request, answer, place)
    if deed == "save":
        return _save(request, card)
    if deed == "remove":
        manager.retract(card.claim)
    else:
        changing.settle_offer(answer, place, "kept")
    return _show(request, answer, place)


def _save(request: PersonRequest, card: ClaimCard) -> HttpResponse:
    """Save the edited text; a refused text stays in the field, with the reason below."""
    assert card.claim is not None
    form = claim_form(card.answer, card.place, card.claim, request.POST)
    if form.is_valid():
        try:
            value = form.cleaned_data["value"]
            changing.save_offered(card.answer, card.place, card.claim, value)
        except (manager.SlotTaken, manager.NotKept) as reason:
            form.add_error("value", str(reason))
        else:
            return _show(request, card.answer, card.place)
    template = "conversations/_claim.html" if request.htmx else "conversations/claim.html"
    context = {"card": replace(card, form=form), "pressed": True}
    return render(request, template, context, status=422)


def _bring_back(request: PersonRequest, card: ClaimCard) -> HttpResponse:
    if card.claim is not None and card.is_removed:
        try:
            manager.restore(card.claim)
        except (manager.SlotTaken, manager.NotKept) as taken:
            return refuse(request, str(taken), card.answer)
    return _show(request, card.answer, card.place)


def _show(request: PersonRequest, answer: Message, place: int) -> HttpResponse:
    if not request.htmx:
        return redirect(answer)
    context = {"card": card_at(answer, place), "pressed": True}
    return render(request, "conversations/_claim.html", context)
