"""Shared profile pages: the user's list, a new page, and the public page."""

from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.timezone import now
from django.views.decorators.http import (
    require_GET,
    require_http_methods,
    require_POST,
    require_safe,
)

from accounts.access.pages import PersonRequest, person_page
from memory import sharing
from memory.models import ProfileFact, ProfileShare
from memory.sharing import NotShareable
from memory.web.forms import ShareForm
from memory.web.present import sharing as present

# Seconds within which opening a page again is the same visit.
VISIT = 30 * 60
_VISITED = "visited"
# User agents that fetch previews or an index and are not visitors.
_MACHINES = ("bot", "crawl", "spider", "preview", "facebookexternalhit", "whatsapp", "slurp")


@require_GET
@person_page
def shares(request: PersonRequest) -> HttpResponse:
    """Show all shared pages, open ones first, newest first."""
    at = now()
    newest = ProfileShare.objects.filter(user=request.user).order_by("-made_at", "-pk")
    rows = sorted(newest, key=lambda share: not share.is_open(at))
    shown = sharing.shown_on(request.user.pk, rows)
    context = {"shares": [present.row(share, shown[share.pk], request) for share in rows]}
    return render(request, "memory/shares.html", context)


@require_http_methods(["GET", "POST"])
@person_page
def new(request: PersonRequest) -> HttpResponse:
    """Create a shared page."""
    facts = sharing.choosable(request.user.pk)
    _, known_name = ProfileFact.objects.for_user(request.user.pk).current().count_and_name()
    initial = {"shown_as": known_name or request.user.name, "days": "7"}
    form = ShareForm(request.POST or None, facts=facts, initial=initial)
    if request.method == "POST" and form.is_valid():
        try:
            share = sharing.make(request.user.pk, **form.cleaned_data)
        except NotShareable as reason:
            form.add_error("facts", str(reason))
        else:
            messages.success(request, "Here’s your link. Anyone who has it sees what you chose.")
            return redirect(f"{reverse('memory:shares')}#share-{share.pk}")
    context = {"form": form, "groups": present.groups(facts, form["facts"].value() or [])}
    return render(request, "memory/share_new.html", context, status=422 if form.errors else 200)


@require_POST
@person_page
def revoke(request: PersonRequest, pk: UUID) -> HttpResponse:
    """Close a shared page."""
    share = get_object_or_404(ProfileShare, user=request.user, pk=pk)
    sharing.revoke(share)
    if request.htmx:
        shown = sharing.shown_on(request.user.pk, [share])[share.pk]
        context = {"share": present.row(share, shown, request)}
        return render(request, "memory/_share_row.html", context)
    messages.success(request, "Sharing stopped. The link no longer works.")
    return redirect("memory:shares")


@require_safe
def shared_page(request: HttpRequest, token: str) -> HttpResponse:
    """Show a shared page to anybody; stores nothing about the visitor."""
    at = now()
    shared = sharing.read(token, at)
    if shared is None:
        return _uncached_response(render_to_string("memory/shared_gone.html"), status=404)
    share, facts = shared
    page = render_to_string("memory/shared.html", present.page(share, facts))
    response = _uncached_response(page)
    if _is_a_visit(request, share):
        sharing.count_opening(share, at)
        response.set_cookie(
            _VISITED,
            "1",
            max_age=VISIT,
            path=share.get_absolute_url(),
            secure=request.is_secure(),
            httponly=True,
            samesite="Lax",
        )
    return response


def _uncached_response(page: str, status: int = 200) -> HttpResponse:
    """Return a response that is neither indexed nor cached and sends no referrer."""
    headers = {
        "X-Robots-Tag": "noindex, nofollow",
        "Cache-Control": "no-store",
        "Referrer-Policy": "no-referrer",
    }
    return HttpResponse(page, status=status, headers=headers)


def _is_a_visit(request: HttpRequest, share: ProfileShare) -> bool:
    """Return whether a request is a new visit of a person other than the owner."""
    agent = request.headers.get("User-Agent", "").lower()
    purposes = (request.headers.get(name, "") for name in ("Purpose", "Sec-Purpose", "X-Moz"))
    return (
        request.method == "GET"
        and _VISITED not in request.COOKIES
        and request.headers.get("Sec-Fetch-Dest", "document") == "document"
        and not any(purposes)
        and bool(agent)
        and not any(machine in agent for machine in _MACHINES)
        and request.user.pk != share.user_id
    )
