"""The plans page: list, done and snoozed marks, and calendar exports."""

from typing import Any
from uuid import UUID

from allauth.core.internal import ratelimit
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.timezone import now
from django.views.decorators.http import require_GET, require_POST, require_safe

from accounts.access.pages import PersonRequest, person_page
from accounts.support import formatting
from conversations.calendars import feed, icalendar
from conversations.tools import plan_marks
from conversations.tools.plans import Plan, find_plan
from conversations.tools.tool import ToolContext
from conversations.web.forms import SnoozeForm
from conversations.web.present import coming_up as present

# How often one address may fetch calendars.
_RATE = {"calendar": "60/m/ip"}


@require_GET
@person_page
def page(request: PersonRequest) -> HttpResponse:
    """Show every plan: the next days, later, done and earlier."""
    return _page(request)


@require_POST
@person_page
def done(request: PersonRequest, pk: UUID) -> HttpResponse:
    """Mark a plan as done."""
    plan_marks.mark_done(request.user, _plan(request, pk))
    messages.success(request, "Done.")
    return _back(request, pk)


@require_POST
@person_page
def snooze(request: PersonRequest, pk: UUID) -> HttpResponse:
    """Snooze a plan until a day."""
    plan, form = _plan(request, pk), SnoozeForm(request.POST)
    if not form.is_valid():
        return _page(request, status=422, refused=(pk, form))
    until = form.cleaned_data["until"]
    plan_marks.snooze(request.user, plan, until)
    messages.success(request, f"Moved to {formatting.weekday(until, now().date())}.")
    return _back(request, pk)


@require_POST
@person_page
def undo(request: PersonRequest, pk: UUID) -> HttpResponse:
    """Undo the latest mark of a plan."""
    plan_marks.undo(request.user, _plan(request, pk))
    messages.success(request, "Undone.")
    return _back(request, pk)


@require_GET
@person_page
def plans_file(request: PersonRequest) -> HttpResponse:
    """Return the plans as an iCalendar file."""
    response = _calendar(request, feed.calendar_plans(request.user.pk))
    response["Content-Disposition"] = 'attachment; filename="coming-up.ics"'
    return response


@require_POST
@person_page
def calendar_link(request: PersonRequest) -> HttpResponse:
    """Create a calendar link, which is shown in this response only, or revoke it."""
    if "close" in request.POST:
        if feed.revoke(request.user):
            messages.success(request, "Calendar link turned off. It no longer works.")
        return redirect(f"{reverse('conversations:coming_up')}#calendar")
    path = reverse("conversations:calendar_feed", args=[feed.make(request.user)])
    return _page(request, link=request.build_absolute_uri(path))


@require_safe
def calendar_feed(request: HttpRequest, token: str) -> HttpResponse:
    """Return the calendar feed of a secret link; no session is read and no cookie set."""
    usage = ratelimit.consume(
        request, app="conversations", action="calendar", config=_RATE, limit_get=True
    )
    if usage is None:
        return HttpResponse(
            "Too many requests. Try again in a minute.\n",
            status=429,
            headers={"Retry-After": "60"},
            content_type="text/plain",
        )
    plans = feed.read(token)
    if plans is None:
        return HttpResponse(
            "This link no longer works. Create a new one under Coming up.\n",
            status=404,
            content_type="text/plain",
        )
    return _calendar(request, plans)


def _calendar(request: HttpRequest, plans: list[Plan]) -> HttpResponse:
    text = icalendar.calendar(plans, request.build_absolute_uri)
    headers = {"X-Robots-Tag": "noindex, nofollow", "Referrer-Policy": "no-referrer"}
    return HttpResponse(text, content_type=icalendar.CONTENT_TYPE, headers=headers)


def _plan(request: PersonRequest, pk: UUID) -> Plan:
    plan = find_plan(ToolContext(request.user.pk, now()), pk)
    if plan is None:
        raise Http404
    return plan


def _back(request: PersonRequest, pk: UUID) -> HttpResponse:
    """Redirect to the page with the pressed button, at the plan if it is still shown there."""
    name = "home" if request.POST.get("back") == "home" else "coming_up"
    return redirect(f"{reverse(f'conversations:{name}')}?just={pk}#plan-{pk}")


def _page(
    request: PersonRequest,
    *,
    status: int = 200,
    refused: tuple[UUID, SnoozeForm] | None = None,
    link: str = "",
) -> HttpResponse:
    context: dict[str, Any] = {
        "coming": present.coming_up(request.user, present.just_marked(request), refused),
        "feed": feed.feed_of(request.user),
        "link": link,
    }
    return render(request, "conversations/coming_up.html", context, status=status)
