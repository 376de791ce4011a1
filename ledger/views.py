"""The conflicts page: what is open, both sides of it, and the answer."""

from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.timezone import now
from django.views.decorators.http import require_GET, require_POST

from accounts.pages import PersonRequest, person_page
from ledger import present
from ledger.models import Contradiction, Resolution
from ledger.resolution import AlreadySettled, SidesChanged, resolve

# The newest settled ones are shown beneath the open ones.
MOST_SETTLED = 30
ANSWERS = {Resolution.Method.KEEP_OLD, Resolution.Method.KEEP_NEW}


@require_GET
@person_page
def conflicts(request: PersonRequest) -> HttpResponse:
    """What is open, then what was settled."""
    entries = present.with_evidence(Contradiction.objects.for_user(request.user.pk))
    today = now()
    waiting = entries.open().order_by("-opened_at")
    settled = entries.exclude(status=Contradiction.Status.OPEN).order_by("-resolution__at")
    context = {
        "open": [present.view(entry, today) for entry in waiting],
        "settled": [present.view(entry, today) for entry in settled[:MOST_SETTLED]],
    }
    return render(request, "ledger/conflicts.html", context)


@require_GET
@person_page
def conflict(request: PersonRequest, pk: UUID) -> HttpResponse:
    """Both sides of one."""
    entry = _one(request, pk)
    return render(request, "ledger/conflict.html", {"conflict": present.view(entry)})


@require_POST
@person_page
def settle(request: PersonRequest, pk: UUID) -> HttpResponse:
    """Take the person's answer."""
    entry = _one(request, pk)
    method = request.POST.get("resolution", "")
    if method not in ANSWERS:
        return _say(request, entry, "Choose which one is right, then press Settle it.", 422)
    sides = (request.POST.get("old", ""), request.POST.get("new", ""))
    seen = sides if all(sides) else None
    try:
        resolve(entry, method, by=request.user, sides=seen)
    except (AlreadySettled, SidesChanged) as changed:
        return _say(request, _one(request, pk), str(changed), 409)
    entry = _one(request, pk)
    shown = present.view(entry)
    if request.htmx:
        return render(request, "ledger/_settled.html", {"conflict": shown})
    messages.success(request, shown.settled_words)
    return redirect("ledger:conflicts")


def _one(request: PersonRequest, pk: UUID) -> Contradiction:
    entries = present.with_evidence(Contradiction.objects.for_user(request.user.pk))
    return get_object_or_404(entries, pk=pk)


def _say(request: PersonRequest, entry: Contradiction, error: str, status: int) -> HttpResponse:
    context = {"conflict": present.view(entry), "error": error}
    template = "ledger/_card.html" if request.htmx else "ledger/conflict.html"
    return render(request, template, context, status=status)
