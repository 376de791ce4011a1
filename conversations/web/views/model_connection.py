"""The page on which staff connect a language model, try it, and see how far it is trusted."""

from typing import Any

from allauth.account.internal.flows.reauthentication import is_reauthentication_required
from allauth.core.exceptions import ReauthenticationRequired
from django.conf import settings
from django.contrib import messages
from django.contrib.admin.models import CHANGE, DELETION, LogEntry
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods
from django_htmx.http import HttpResponseClientRedirect

from accounts.access.pages import PersonRequest
from conversations import llm
from conversations.llm import connection, trusting, trying
from conversations.models import ModelConnection
from conversations.web.model_form import ModelConnectionForm
from memory.operations.checks import Trust


@sensitive_post_parameters("key")
@require_http_methods(["GET", "POST"])
@login_required
def page(request: PersonRequest) -> HttpResponse:
    """Show the current connection and its form, with buttons to test, save and remove it."""
    user = request.user
    if not (user.is_staff and user.has_perm("conversations.change_modelconnection")):
        raise PermissionDenied
    if is_reauthentication_required(request, app=""):
        return _ask_for_password(request)
    if request.method == "GET":
        return _page(request, ModelConnectionForm(llm.current()))
    if request.POST.get("deed") == "remove":
        return _remove(request)
    form = ModelConnectionForm(llm.current(), request.POST)
    tries = request.POST.get("deed") == "try"
    if form.is_valid() and not tries:
        return _save(request, form.connection())
    tried = form.connection() if form.is_valid() else None
    trials = trying.try_each(tried) if tried else []
    if request.htmx:
        context = {"trials": trials, "tried": tried, "form": form}
        return render(request, "conversations/_model_tried.html", context)
    return _page(request, form, trials=trials, tried=tried)


def _ask_for_password(request: PersonRequest) -> HttpResponse:
    """Ask for the password before the form: a form sent again would put its key in the session."""
    if request.method == "GET":
        raise ReauthenticationRequired
    messages.info(request, "It’s been a while. Enter your password, then fill this in again.")
    here = reverse("conversations:model")
    return HttpResponseClientRedirect(here) if request.htmx else redirect(here)


def _save(request: PersonRequest, new: llm.Connection) -> HttpResponse:
    row = connection.store(new)
    _log(request, row, CHANGE, f"Connected {new.chat_model} at {new.host}.")
    messages.success(request, "Saved. I’ll use this model from now on.")
    return redirect("conversations:model")


def _remove(request: PersonRequest) -> HttpResponse:
    if row := ModelConnection.objects.first():
        _log(request, row, DELETION, "Switched back to the environment’s settings.")
        row.delete()
    messages.success(request, "I’ll use the environment’s settings again.")
    return redirect("conversations:model")


def _log(request: PersonRequest, row: ModelConnection, deed: int, what: str) -> None:
    LogEntry.objects.log_actions(request.user.pk, [row], deed, what, single_object=True)


def _page(request: PersonRequest, form: ModelConnectionForm, **more: Any) -> HttpResponse:
    environment = connection.from_environment()
    context = {
        "form": form,
        "in_force": llm.current(),
        "environment": environment if environment.exists else None,
        "agreement": trusting.agreement(),
        "is_strict": trusting.trust_in_model() is Trust.STRICT,
        "trust_setting": settings.MODEL_TRUST,
    }
    status = 422 if form.errors else 200
    return render(request, "conversations/model.html", context | more, status=status)
