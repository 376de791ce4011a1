"""What the notebook's pages share."""

from contextlib import suppress
from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse, HttpResponseRedirect

from accounts.access.pages import PersonRequest

# So many things that have just gone are offered back at once.
_MOST_GONE = 100


def redirect_to(request: PersonRequest, url: str) -> HttpResponse:
    """Another page: htmx is told by a header, a form by a redirect."""
    if request.htmx:
        return HttpResponse(status=204, headers={"HX-Redirect": url})
    return HttpResponseRedirect(url)


def keys_gone(request: PersonRequest) -> list[UUID]:
    """The keys in the address of what has just gone, to be offered back; what is no key is left."""
    keys = []
    for given in request.GET.getlist("gone")[:_MOST_GONE]:
        with suppress(ValueError):
            keys.append(UUID(given))
    return keys


def refuse(request: PersonRequest, words: str, url: str) -> HttpResponse:
    """Say why something cannot be: beside what was pressed, or on the page without a script."""
    if request.htmx:
        return HttpResponse(words, status=409)
    messages.error(request, words, extra_tags="error")
    return HttpResponseRedirect(url)
