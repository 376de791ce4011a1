"""How long things are kept, with what that would let go shown first; and consents withdrawn."""

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST

from accounts.access.pages import PersonRequest, person_page
from accounts.models import PrivacySettings
from privacy import consents, retention

_CHOICES = (("", "Forever"), *PrivacySettings.KEPT_FOR)


class _Days(forms.TypedChoiceField):
    """A number of days to choose; empty is for ever."""

    def __init__(self, label: str) -> None:
        super().__init__(
            label=label, choices=_CHOICES, coerce=int, empty_value=None, required=False
        )


class KeptForm(forms.Form):
    """For how many days each is kept."""

    conversation_days = _Days("Conversations, after the last message")
    retired_note_days = _Days("Memories no longer in use")


@require_http_methods(["GET", "POST"])
@person_page
def kept(request: PersonRequest) -> HttpResponse:
    """What a choice would let go, and the press that makes it."""
    if request.method == "GET" and not request.GET:
        return redirect(f"{reverse('privacy:page')}#kept")
    form = KeptForm(request.POST if request.method == "POST" else request.GET)
    if not form.is_valid():
        return render(request, "privacy/kept.html", {"form": form}, status=422)
    chosen = form.cleaned_data
    if request.method == "POST":
        retention.choose(request.user.pk, **chosen)
        messages.success(request, "Saved. Anything too old will be deleted within minutes.")
        return redirect("privacy:page")
    context = {
        "form": form,
        "going": retention.would_go(request.user.pk, **chosen),
        "chosen": [(form[name], dict(_CHOICES)[chosen[name] or ""]) for name in chosen],
    }
    return render(request, "privacy/kept.html", context)


@require_POST
@person_page
def withdraw(request: PersonRequest) -> HttpResponse:
    """End a consent."""
    try:
        consents.withdraw(request.user, request.POST.get("name", ""))
    except consents.NoSuchConsent:
        messages.info(request, "You’ve already withdrawn this.")
    else:
        messages.success(request, "Withdrawn.")
    return redirect("privacy:page")
