"""The topic pages."""

from uuid import UUID

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from accounts.access.pages import PersonRequest, person_page
from conversations.models import Topic
from conversations.topics import topic_store
from conversations.web.present import topics

# How many topics the list shows at first.
MOST_LISTED = 30


class TopicForm(forms.Form):
    """A new name for a topic."""

    name = forms.CharField(
        label="New name", max_length=80, error_messages={"required": "Give it a name."}
    )


@require_GET
@person_page
def index(request: PersonRequest) -> HttpResponse:
    """List all topics, most frequent first."""
    figures = topic_store.statistics(request.user.pk)
    listed = figures if request.GET.get("all") else figures[:MOST_LISTED]
    context = {"topics": topics.rows(listed), "more": len(figures) - len(listed)}
    return render(request, "conversations/topics.html", context)


@require_GET
@person_page
def show(request: PersonRequest, pk: UUID) -> HttpResponse:
    """Show one topic, and the conversations about it."""
    topic = _topic(request, pk)
    about = topic_store.conversations_about(request.user.pk, topic.pk)
    context = {"topic": topic, "summed_up": topics.summed_up(about), "talks": topics.talks(about)}
    return render(request, "conversations/topic.html", context)


@require_http_methods(["GET", "POST"])
@person_page
def rename(request: PersonRequest, pk: UUID) -> HttpResponse:
    """Rename a topic; with the name of another topic the two are merged."""
    topic = _topic(request, pk)
    form = TopicForm(request.POST or None, initial={"name": topic.name})
    if request.method == "POST" and form.is_valid():
        now_called = topic_store.rename(topic, form.cleaned_data["name"])
        if now_called.pk != topic.pk:
            messages.success(request, f"Merged with {now_called.name}.")
        return redirect("conversations:topic", now_called.pk)
    context = {"topic": topic, "form": form}
    status = 422 if form.errors else 200
    return render(request, "conversations/topic_rename.html", context, status=status)


@require_POST
@person_page
def remove(request: PersonRequest, pk: UUID) -> HttpResponse:
    """Remove a topic from the list; its conversations stay."""
    topic = _topic(request, pk)
    topic_store.remove(topic)
    messages.success(request, f"{topic.name} is off the list. Its conversations are kept.")
    return redirect("conversations:topics")


def _topic(request: PersonRequest, pk: UUID) -> Topic:
    return get_object_or_404(topic_store.topics_in_use(request.user.pk), pk=pk)
