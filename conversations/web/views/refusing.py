"""Responses to refused actions."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect


def refuse(request: HttpRequest, why: str, back: Any, *, status: int = 409) -> HttpResponse:
    """Return a refusal: to JavaScript as a sentence, else as a message on the page `back`."""
    if getattr(request, "htmx", False):
        return HttpResponse(why, status=status, content_type="text/plain")
    messages.error(request, why, extra_tags="error")
    return redirect(back)
