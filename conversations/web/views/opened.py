"""The trace of an answer: below the answer, or as a separate page."""

from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_GET, require_POST

from accounts.access.pages import PersonRequest, person_page
from conversations.models import Message
from conversations.web.present import talk
from conversations.web.present.answer_trace import opened
from memory.models import Memory
from memory.notes.note_store import pause_note


@require_GET
@person_page
def why(request: PersonRequest, pk: UUID) -> HttpResponse:
    """Show the items that an answer used and why, its look-ups and its cost."""
    return _show(request, _answer(request, pk))


@require_POST
@person_page
def leave_out(request: PersonRequest, pk: UUID) -> HttpResponse:
    """Pause a memory that an answer used; other memories are unchanged."""
    answer = _answer(request, pk)
    drawn = {item["id"] for item in answer.recalled if item["what"] in ("memory", "summary")}
    chosen = drawn & {request.POST.get("note", "")}
    for note in Memory.objects.for_user(request.user.pk).filter(pk__in=chosen):
        pause_note(note)
    return _show(request, answer) if request.htmx else redirect("conversations:why", answer.pk)


def _answer(request: PersonRequest, pk: UUID) -> Message:
    answers = Message.objects.for_user(request.user.pk).filter(role=Message.Role.ASSISTANT)
    shown = answers.exclude(state=Message.State.REMOVED).select_related("conversation")
    return get_object_or_404(shown, pk=pk)


def _show(request: PersonRequest, answer: Message) -> HttpResponse:
    context = {"opened": opened(answer), "answer": talk.Entry(answer)}
    template = "conversations/_opened.html" if request.htmx else "conversations/opened.html"
    return render(request, template, context)
