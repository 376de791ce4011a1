"""Importing from other assistants: the file, what is in it, a yes, how far it is, and Undo."""

import io
from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from accounts.access.pages import PersonRequest, person_page
from privacy.importing import requests
from privacy.importing.requests import CannotImport
from privacy.importing.shapes import NotAnImport
from privacy.restoring import opening
from privacy.web import present_imports
from privacy.web.uploads import is_too_long


@require_http_methods(["GET", "POST"])
@person_page
def page(request: PersonRequest) -> HttpResponse:
    """Look at a file or at pasted lines; what is in it is shown before anything is imported."""
    pasted = request.POST.get("pasted", "")
    refused = _bring(request, pasted) if request.method == "POST" else ""
    if request.method == "POST" and not refused:
        return redirect("privacy:imports")
    context = {"import_refused": refused, "pasted": pasted}
    context |= present_imports.section(request.user)
    return render(request, "privacy/import.html", context, status=422 if refused else 200)


@require_GET
@person_page
def progress(request: PersonRequest) -> HttpResponse:
    """How far it is: the part of the page that asks for itself while there is something to see."""
    section = present_imports.section(request.user)
    answer = render(request, "privacy/_import.html", section)
    brought = section["brought"]
    if request.htmx and not (brought and brought.row.in_progress):
        answer["HX-Refresh"] = "true"
    return answer


@require_POST
@person_page
def accept(request: PersonRequest, pk: UUID) -> HttpResponse:
    """The yes: the worker imports it."""
    try:
        if requests.accept(request.user, pk) is None:
            messages.info(request, "This file is no longer waiting. Please choose it again.")
    except CannotImport as refused:
        messages.error(request, str(refused))
    return redirect("privacy:imports")


@require_POST
@person_page
def cancel(request: PersonRequest, pk: UUID) -> HttpResponse:
    """Leave it; what is here of it by now goes again."""
    if requests.cancel(request.user, pk):
        messages.success(request, "Cancelled. Nothing was imported.")
    else:
        messages.info(request, "The import had already finished.")
    return redirect("privacy:imports")


@require_POST
@person_page
def undo(request: PersonRequest, pk: UUID) -> HttpResponse:
    """Take all of an import out again."""
    if not requests.undo(request.user, pk):
        messages.info(request, "There’s nothing from this import left to remove.")
    return redirect("privacy:imports")


def _bring(request: PersonRequest, pasted: str) -> str:
    """Bring what was sent; returns why it is not taken, '' where it is."""
    file = request.FILES.get("file") or (io.BytesIO(pasted.encode()) if pasted.strip() else None)
    if file is None:
        if is_too_long(int(request.headers.get("Content-Length") or 0)):
            return opening.larger_than_taken()
        return "Choose a file, or paste your memories as lines."
    try:
        requests.bring(request.user, file)
    except (NotAnImport, CannotImport) as error:
        return str(error)
    return ""
