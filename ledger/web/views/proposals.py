"""Answering proposals on the pages of the profile and the memories."""

from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_POST

from accounts.access.pages import PersonRequest, person_page
from ledger.promotion import proposals
from ledger.promotion.proposals import Accepted
from memory.models import Memory
from memory.notes.note_gate import NotKept


@require_POST
@person_page
def accept(request: PersonRequest, pk: UUID) -> HttpResponse:
    """Accept a proposal; redirect to the conflict if it opens one."""
    memory = _get_note(request, pk)
    try:
        accepted = proposals.accept(memory)
    except NotKept as reason:
        messages.error(request, str(reason))
        return _back(request)
    if accepted.contradiction is not None:
        messages.info(request, "Your profile has another value for that. Which is right?")
        return _go(request, accepted.contradiction.get_absolute_url())
    return _answer(request, f"memory-{pk}", _said(accepted))


@require_POST
@person_page
def accept_all(request: PersonRequest, pk: UUID) -> HttpResponse:
    """Accept all proposals of a conversation; already known ones are closed."""
    if not proposals.has_proposals_from(request.user.pk, pk):
        raise Http404
    try:
        results = proposals.accept_all(request.user.pk, pk)
    except NotKept as reason:
        messages.error(request, str(reason))
        return _back(request)
    disputed = sum(accepted.contradiction is not None for accepted in results.values())
    messages.success(request, "I noted all of it.")
    if disputed:
        messages.info(request, "Some of it contradicts your profile. Choose what’s right below.")
        return _go(request, reverse("ledger:conflicts"))
    return _back(request)


@require_POST
@person_page
def decline(request: PersonRequest, pk: UUID) -> HttpResponse:
    """Decline a proposal, or block its slot."""
    memory = _get_note(request, pk)
    never = bool(request.POST.get("never"))
    try:
        proposals.decline(memory, never=never)
    except NotKept as reason:
        messages.error(request, str(reason))
        return _back(request)
    words = "I won’t ask about that again." if never else "Not kept."
    return _answer(request, f"memory-{pk}", words)


@require_POST
@person_page
def decline_all(request: PersonRequest, pk: UUID) -> HttpResponse:
    """Decline all proposals of a conversation. Safe to repeat."""
    if not proposals.has_proposals_from(request.user.pk, pk):
        raise Http404
    count = len(proposals.decline_all(request.user.pk, pk))
    if not count:
        messages.info(request, "You’ve already answered this.")
        return _back(request)
    return _answer(request, f"waiting-{pk}", _declined(count))


def _get_note(request: PersonRequest, pk: UUID) -> Memory:
    rows = Memory.objects.for_user(request.user.pk).select_related("source_message", "ends")
    return get_object_or_404(rows, pk=pk)


def _declined(count: int) -> str:
    if count == 1:
        return "Declined. You can bring it back under “No longer in use”."
    return f"Declined all {count}. You can bring them back under “No longer in use”."


def _said(accepted: Accepted) -> str:
    if accepted.ended is not None:
        return f"Ended: {accepted.ended.sentence}."
    if accepted.fact is not None:
        return f"Noted: {accepted.fact.sentence}."
    return "Noted."


def _answer(request: PersonRequest, place: str, words: str) -> HttpResponse:
    """Return a fragment for htmx, else redirect with a message to the page of the request."""
    if request.htmx:
        return render(request, "ledger/_answered.html", {"place": place, "words": words})
    messages.success(request, words)
    return _back(request)


def _back(request: PersonRequest) -> HttpResponse:
    """Redirect to the page in the request: profile, memories, or another path of this site."""
    asked = request.POST.get("from", "")
    if asked.startswith("/") and url_has_allowed_host_and_scheme(asked, allowed_hosts=None):
        return _go(request, asked)
    page = "memory:memories" if asked == "memories" else "memory:profile"
    return _go(request, reverse(page))


def _go(request: PersonRequest, url: str) -> HttpResponse:
    if not request.htmx:
        return redirect(url)
    answer = HttpResponse(status=204)
    answer["HX-Redirect"] = url
    return answer
