"""The demo tour: viewing the demo user's pages read-only and without a password.

A cookie enables it, which is no secret: it gives the same access as the public button. Only the
pages in `SHOWN` open, in read-only transactions; on all other pages the visitor is anonymous.
"""

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from typing import Any

from allauth.account.adapter import get_adapter
from asgiref.sync import iscoroutinefunction, sync_to_async
from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import Resolver404, resolve
from django.utils.decorators import sync_and_async_middleware
from django.views.decorators.http import require_POST
from structlog.contextvars import bind_contextvars

from accounts.database.isolation import acting_as, reading_only
from accounts.models import User
from conversations.demo import waiting
from conversations.demo.logins import TALKER

COOKIE = "look"
REFUSED = "This is a demo account, so you can’t change anything here. Create your own to try it."
# The pages of the demo user shown to visitors, only by GET. Not: the account, sessions, tokens,
# downloads, shared links, receipts, forms, and streams, which write.
SHOWN = {
    *(f"conversations:{name}" for name in ("home", "show", "archived", "search", "why")),
    *(f"conversations:{name}" for name in ("insights", "topics", "topic", "coming_up")),
    *(f"memory:{name}" for name in ("profile", "why", "memories", "memory_why", "cohort")),
    *(f"memory:{name}" for name in ("cohort_roles", "activity")),
    *(f"ledger:{name}" for name in ("timeline", "conflicts", "conflict", "history")),
}
# URLs of user pages: elsewhere a visitor stays anonymous, without mention of the demo.
PERSONAL = {"conversations", "memory", "ledger", "privacy", "accounts", "webhooks"}

Respond = Callable[[HttpRequest], Any]


def is_offered(request: HttpRequest) -> bool:
    """Return whether this instance has demo users and is open to visitors."""
    return settings.DEMO and bool(get_adapter().is_open_for_signup(request))


@require_POST
def enter(request: HttpRequest) -> HttpResponse:
    """Start the demo tour; signed-in users go to their own pages."""
    if request.user.is_authenticated:
        return redirect("conversations:home")
    if _demo_person(request) is None:
        missing = "This site has no demo."
        unready = "The demo is still being set up. Please try again in a minute."
        messages.error(request, unready if is_offered(request) else missing)
        return redirect("landing")
    response = redirect("memory:profile")
    secure = settings.SESSION_COOKIE_SECURE
    response.set_cookie(COOKIE, "1", secure=secure, httponly=True, samesite="Lax")
    return response


@require_POST
def leave(request: HttpRequest) -> HttpResponse:
    """End the demo tour; redirect to sign-up or the landing page."""
    response = redirect("account_signup" if "signup" in request.POST else "landing")
    response.delete_cookie(COOKIE, samesite="Lax")
    return response


@sync_and_async_middleware
def look_around(respond: Respond) -> Respond:
    """Middleware that lets visitors with the cookie view the demo user's pages."""

    async def answer_later(request: HttpRequest) -> HttpResponseBase:
        look = await sync_to_async(_admit)(request) if request.COOKIES.get(COOKIE) else _Look()
        with look.database:
            return _finished(request, look.refusal or await respond(request))

    def answer(request: HttpRequest) -> HttpResponseBase:
        look = _admit(request) if request.COOKIES.get(COOKIE) else _Look()
        with look.database:
            return _finished(request, look.refusal or respond(request))

    return answer_later if iscoroutinefunction(respond) else answer


@dataclass(frozen=True)
class _Look:
    """How a request with the cookie is handled: unchanged, as the demo user, or refused."""

    database: AbstractContextManager[None] = field(default_factory=nullcontext)
    refusal: HttpResponse | None = None


def _admit(request: HttpRequest) -> _Look:
    person = None if request.user.is_authenticated else _demo_person(request)
    if person is None:
        return _Look()
    request.looking = True  # type: ignore[attr-defined]
    bind_contextvars(looking=True)
    try:
        match = resolve(request.path_info)
    except Resolver404:
        return _Look()
    if match.view_name in SHOWN and request.method == "GET":
        request.user = person
        return _Look(database=reading_only())
    return _Look(refusal=_refuse(request)) if match.namespace in PERSONAL else _Look()


def _finished(request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
    """Return the response; deletes the cookie for signed-in users and without demo users."""
    if request.COOKIES.get(COOKIE) and not hasattr(request, "looking"):
        response.delete_cookie(COOKIE, samesite="Lax")
    return response


def _demo_person(request: HttpRequest) -> User | None:
    if not is_offered(request):
        return None
    people = User.objects.filter(email=TALKER, is_demo=True, is_active=True, deleted_from=None)
    person = people.filter(is_staff=False, is_superuser=False).first()
    if person is None:
        return None
    with acting_as(person):
        return None if waiting.is_expected(person) else person


def _refuse(request: HttpRequest) -> HttpResponse:
    if request.headers.get("HX-Request"):
        return HttpResponse(REFUSED, status=403)
    return render(request, "demo_closed.html", status=403)
