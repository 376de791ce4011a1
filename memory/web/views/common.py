"""Helpers of the pages of the profile and memories."""

from contextlib import suppress
from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse, HttpResponseRedirect

from accounts.access.pages import PersonRequest

# The most removed items that can be restored at once.
_MOST_GONE = 100


def redirect_to(request: PersonRequest, url: str) -> HttpResponse:
    """Return a redirect; for htmx requests by a header."""
    if request.htmx:
        return HttpResponse(status=204, headers={"HX-Redirect": url})
    return HttpResponseRedirect(url)


def keys_gone(request: PersonRequest) -> list[UUID]:
    """Return the ids of just removed items in the URL, without malformed ones."""
    keys = []
    for text in request.GET.getlist("gone")[:_MOST_GONE]:
        with suppress(ValueError):
            keys.append(UUID(text))
    return keys


def refuse(request: PersonRequest, words: str, url: str) -> HttpResponse:
    """Return an error: status 409 with text for htmx, else a redirect with a message."""
    if request.htmx:
        return HttpResponse(words, status=409)
    messages.error(request, words, extra_tags="error")
    return HttpResponseRedirect(url)
