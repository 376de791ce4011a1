"""Bringing a copy back: the file, what it holds, a yes, and how far it is."""

from uuid import UUID

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_POST

from accounts.access.pages import PersonRequest, person_page
from privacy import restored_history
from privacy.restoring import opening, requests
from privacy.restoring.opening import NotACopy
from privacy.restoring.requests import CannotRestore
from privacy.web import present, present_restores
from privacy.web.uploads import is_too_long

_LINES = 100


@require_POST
@person_page
def bring(request: PersonRequest) -> HttpResponse:
    """Look at a file; what it holds is shown before anything is restored."""
    file = request.FILES.get("file")
    refused = "" if file else _no_file(request)
    if file:
        try:
            requests.bring(request.user, file)
        except (NotACopy, CannotRestore) as error:
            refused = str(error)
    if refused:
        context = present.page(request) | {"restore_refused": refused}
        return render(request, "privacy/page.html", context, status=422)
    return _page()


@require_GET
@person_page
def progress(request: PersonRequest) -> HttpResponse:
    """How far it is: the part of the page that asks for itself while there is something to see.

    When it is over, the whole page is read anew: all that it counts has changed.
    """
    section = present_restores.section(request.user)
    answer = render(request, "privacy/_restore.html", section)
    brought = section["brought"]
    if request.htmx and not (brought and brought.restore.in_progress):
        answer["HX-Refresh"] = "true"
    return answer


@require_POST
@person_page
def accept(request: PersonRequest, pk: UUID) -> HttpResponse:
    """The yes: the worker restores it."""
    try:
        if requests.accept(request.user, pk) is None:
            messages.info(request, "This copy is no longer waiting. Please choose it again.")
    except CannotRestore as refused:
        messages.error(request, str(refused))
    return _page()


@require_POST
@person_page
def cancel(request: PersonRequest, pk: UUID) -> HttpResponse:
    """Leave it."""
    if requests.cancel(request.user, pk):
        messages.success(request, "Cancelled. Nothing was restored.")
    else:
        messages.info(request, "The restore had already finished.")
    return _page()


@require_GET
@person_page
def history(request: PersonRequest) -> HttpResponse:
    """The history that a copy told of, apart from the one of this account."""
    pages = Paginator(restored_history.lines_of(request.user.pk), _LINES)
    page = pages.get_page(request.GET.get("page"))
    lines = [present_restores.line(line) for line in page]
    return render(request, "privacy/restored_history.html", {"page": page, "lines": lines})


def _no_file(request: PersonRequest) -> str:
    if is_too_long(int(request.headers.get("Content-Length") or 0)):
        return opening.too_large()
    return "Choose the ZIP file of a copy first."


def _page() -> HttpResponse:
    return redirect(reverse("privacy:page", fragment="restore"))
