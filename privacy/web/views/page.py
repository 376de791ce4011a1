"""The privacy page: what may be remembered, who sees it, and what can be done about it."""

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from accounts import privacy as allowed
from accounts.access.pages import PersonRequest, person_page
from accounts.models import PrivacySettings
from privacy.web import present

Promotion = PrivacySettings.Promotion


@require_http_methods(["GET", "POST"])
@person_page
def privacy(request: PersonRequest) -> HttpResponse:
    """The choices and all else; a switch saves at once and says so."""
    if request.method == "POST":
        messages.success(request, _choose(request))
        return redirect("privacy:page")
    return render(request, "privacy/page.html", present.page(request))


def _choose(request: PersonRequest) -> str:
    """Save one choice; returns what is so from now on."""
    on, key = request.POST.get("on") == "1", request.user.pk
    choice = request.POST.get("choice")
    if choice == "ask":
        allowed.choose(key, promotion=Promotion.ASK if on else Promotion.AUTO)
        if on:
            return "I ask before I note anything new."
        return "I note what you clearly say, and show you each fact."
    if choice == "rule":
        allowed.choose(key, settle_by_rule=on)
        return "I settle clear conflicts." if on else "I ask about every conflict."
    if choice == "cohort":
        allowed.choose(key, shares_lessons=on)
        return "You share lessons with your role." if on else "Nothing is shared with others."
    if choice == "private":
        allowed.choose(key, begins_private=on)
        if on:
            return "Every new conversation starts private."
        return "New conversations are not private."
    raise Http404
