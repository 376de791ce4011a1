"""What the notebook's pages share."""

from django.contrib import messages
from django.http import HttpResponse, HttpResponseRedirect

from accounts.access.pages import PersonRequest


def redirect_to(request: PersonRequest, url: str) -> HttpResponse:
    """Another page: htmx is told by a header, a form by a redirect."""
    if request.htmx:
        return HttpResponse(status=204, headers={"HX-Redirect": url})
    return HttpResponseRedirect(url)


def refuse(request: PersonRequest, words: str, url: str) -> HttpResponse:
    """Say why something cannot be: beside what was pressed, or on the page without a script."""
    if request.htmx:
        return HttpResponse(words, status=409)
    messages.error(request, words, extra_tags="error")
    return HttpResponseRedirect(url)
