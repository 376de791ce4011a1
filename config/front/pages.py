"""Public pages: landing page, sign-up, and introduction to the API."""

from typing import Any
from urllib.parse import urlsplit

from allauth.account.views import SignupView
from django.conf import settings
from django.contrib.humanize.templatetags.humanize import apnumber
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.templatetags.static import static
from django.views.decorators.http import require_GET

from accounts.access import tokens
from accounts.access.adapter import on_our_port
from config.front import demo_look
from conversations import llm
from memory.retrieval.embedding_endpoint import endpoint_address, endpoint_is_configured


@require_GET
def landing(request: HttpRequest) -> HttpResponse:
    """Show the landing page; redirect signed-in users to their conversations."""
    if request.user.is_authenticated:
        return redirect("conversations:home")
    context = {
        "people": apnumber(settings.COHORT["people"]),
        "organisations": apnumber(settings.COHORT["organisations"]),
        "demo_offered": demo_look.is_offered(request),
        "page_url": on_our_port(request.build_absolute_uri()),
        "picture_url": on_our_port(request.build_absolute_uri(static("icons/social.png"))),
    }
    return render(request, "landing.html", context)


class SignUpPage(SignupView):  # type: ignore[misc]
    """The sign-up form; it names the servers that process messages."""

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Return the form's context with the language model and the embedding model."""
        context: dict[str, Any] = super().get_context_data(**kwargs)
        vectors = urlsplit(endpoint_address()).hostname if endpoint_is_configured() else ""
        return context | {"model": llm.current(), "vectors": vectors}


@require_GET
def api_intro(request: HttpRequest) -> HttpResponse:
    """Show how a program uses the API: a token, three examples, and a link to the reference."""
    site = on_our_port(request.build_absolute_uri("/")).rstrip("/")
    return render(request, "api_intro.html", {"site": site, "days": tokens.DAYS})
