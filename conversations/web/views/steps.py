"""The user's approval of the steps of an answer."""

from uuid import UUID

from django.http import Http404, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST

from accounts.access.pages import PersonRequest, person_page
from conversations.models import Conversation, Message
from conversations.tools import consent
from conversations.web.present import talk
from conversations.web.views.refusing import refuse


@require_POST
@person_page
def decide(request: PersonRequest, pk: UUID, place: int) -> HttpResponseBase:
    """Carry out or decline the step."""
    answers = Message.objects.for_user(request.user.pk).filter(role=Message.Role.ASSISTANT)
    answer = get_object_or_404(answers, pk=pk)
    answer_word = request.POST.get("answer")
    if answer_word not in ("yes", "no"):
        raise Http404
    try:
        step = consent.decide(answer, place, request.POST.get("mark", ""), yes=answer_word == "yes")
    except consent.NoLongerAsked as not_now:
        return refuse(request, str(not_now), answer)
    if not answers.filter(pk=pk).exists():
        return _elsewhere(request, answer)
    if not request.htmx:
        return redirect(answer)
    answer.refresh_from_db(fields=["content", "steps"])
    context = {"step": talk.step(answer, place, step), "answer": talk.Entry(answer)}
    return render(request, "conversations/_step_decided.html", context)


def _elsewhere(request: PersonRequest, answer: Message) -> HttpResponseBase:
    """Redirect to the conversation, or to the home page where the step deleted it."""
    talks = Conversation.objects.for_user(request.user.pk)
    talk = talks.filter(pk=answer.conversation_id).first()
    url = talk.get_absolute_url() if talk else reverse("conversations:home")
    if request.htmx:
        return HttpResponse(status=204, headers={"HX-Redirect": url})
    return redirect(url)
