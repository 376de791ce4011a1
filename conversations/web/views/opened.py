"""An answer, opened: in its place under the answer, or as a page."""

from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_GET

from accounts.pages import PersonRequest, person_page
from conversations.models import Message
from conversations.web.present import talk
from conversations.web.present.answer_trace import opened


@require_GET
@person_page
def why(request: PersonRequest, pk: UUID) -> HttpResponse:
    """What an answer drew on and why, what was looked up, what it took."""
    answers = Message.objects.for_user(request.user.pk).filter(role=Message.Role.ASSISTANT)
    shown = answers.exclude(state=Message.State.REMOVED).select_related("conversation")
    answer = get_object_or_404(shown, pk=pk)
    context = {"opened": opened(answer), "answer": talk.Entry(answer)}
    template = "conversations/_opened.html" if request.htmx else "conversations/opened.html"
    return render(request, template, context)
