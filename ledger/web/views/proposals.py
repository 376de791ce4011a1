"""What waits for a yes: the answers, from the profile and from the page of notes."""

from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST

from accounts.pages import PersonRequest, person_page
from ledger.promotion import proposals
from ledger.promotion.proposals import Accepted
from memory.models import Memory
from memory.notes.note_store import NotKept


@require_POST
@person_page
def accept(request: PersonRequest, pk: UUID) -> HttpResponse:
    """Keep it. What stands against another value leads to the question about both."""
    memory = _one(request, pk)
    try:
        done = proposals.accept(memory)
    except NotKept as reason:
        messages.error(request, str(reason))
        return _back(request)
    if done.contradiction is not None:
        messages.info(request, "I had another value for that. Which one is right?")
        return _go(request, done.contradiction.get_absolute_url())
    return _answer(request, memory, _said(done))


@require_POST
@person_page
def accept_all(request: PersonRequest, pk: UUID) -> HttpResponse:
    """All that waits from one conversation is right; what is known already is let go."""
    waiting = proposals.waiting(request.user.pk).filter(source_conversation_id=pk)
    if not waiting.exists() and not _waited(request, pk):
        raise Http404
    done = proposals.accept_all(request.user.pk, pk)
    disputed = sum(one.contradiction is not None for one in done)
    messages.success(request, "Noted, all of it.")
    if disputed:
        messages.info(request, "Some of it stands against what I had. You will find it here.")
        return _go(request, reverse("ledger:conflicts"))
    return _back(request)


@require_POST
@person_page
def decline(request: PersonRequest, pk: UUID) -> HttpResponse:
    """Say no, once or to everything of its kind."""
    memory = _one(request, pk)
    never = bool(request.POST.get("never"))
    try:
        proposals.decline(memory, never=never)
    except NotKept as reason:
        messages.error(request, str(reason))
        return _back(request)
    return _answer(request, memory, "I will not ask for that again." if never else "Not kept.")


def _one(request: PersonRequest, pk: UUID) -> Memory:
    rows = Memory.objects.for_user(request.user.pk).select_related("source_message", "ends")
    return get_object_or_404(rows, pk=pk)


def _waited(request: PersonRequest, conversation: UUID) -> bool:
    rows = Memory.objects.for_user(request.user.pk)
    return rows.filter(source_conversation_id=conversation).exists()


def _said(done: Accepted) -> str:
    if done.ended is not None:
        return f"Ended: {done.ended.kind.note.format(value=done.ended.value)}. It keeps its years."
    if done.fact is not None:
        return f"Noted: {done.fact.kind.note.format(value=done.fact.value)}."
    return "Noted."


def _answer(request: PersonRequest, memory: Memory, words: str) -> HttpResponse:
    if request.htmx:
        return render(request, "ledger/_answered.html", {"memory": memory, "words": words})
    messages.success(request, words)
    return _back(request)


def _back(request: PersonRequest) -> HttpResponse:
    """To the page of the two that asked."""
    page = "memory:memories" if request.POST.get("from") == "memories" else "memory:profile"
    return _go(request, reverse(page))


def _go(request: PersonRequest, url: str) -> HttpResponse:
    if not request.htmx:
        return redirect(url)
    answer = HttpResponse(status=204)
    answer["HX-Redirect"] = url
    return answer
