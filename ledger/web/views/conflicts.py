"""The conflicts page: open conflicts with both sides, answering and undoing."""

import re
from uuid import UUID

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.timezone import now
from django.views.decorators.http import require_GET, require_POST

from accounts.access.pages import PersonRequest, person_page
from accounts.database.isolation import is_reading_only
from ledger.conflicts import opening
from ledger.conflicts.resolution import AlreadySettled, SidesChanged, UnfitAnswer, resolve
from ledger.conflicts.undo import CannotUndo
from ledger.conflicts.undo import undo as open_again
from ledger.models import Contradiction
from ledger.web import present
from ledger.web.forms import AnswerForm
from ledger.web.put_off import fold

# Settled conflicts per page, below the open ones.
PAGE = 30
CARD = re.compile(r"[0-9a-f-]{1,36}")


@require_GET
@person_page
def conflicts(request: PersonRequest) -> HttpResponse:
    """Show open conflicts, then settled ones, page by page."""
    rows = present.with_evidence(Contradiction.objects.for_user(request.user.pk))
    today = now()
    page = Paginator(rows.settled(), PAGE).get_page(request.GET.get("page"))
    waiting = rows.open().order_by("-opened_at") if page.number == 1 else rows.none()
    context = {
        "open": present.one_at_a_time([present.view(entry, today) for entry in waiting]),
        "settled": [present.view(entry, today) for entry in page.object_list],
        "page": page,
    }
    return render(request, "ledger/conflicts.html", context)


@require_GET
@person_page
def conflict(request: PersonRequest, pk: UUID) -> HttpResponse:
    """Show both sides of a conflict."""
    entry = _get_entry(request, pk)
    if not is_reading_only():
        opening.mark_answer_read(entry)
    return _page(request, entry)


@require_POST
@person_page
def settle(request: PersonRequest, pk: UUID) -> HttpResponse:
    """Settle a conflict by the user's answer."""
    entry, form = _get_entry(request, pk), AnswerForm(request.POST)
    if not form.is_valid():
        return _page(request, entry, form, status=422)
    sides = (request.POST.get("old", ""), request.POST.get("new", ""))
    seen = sides if all(sides) else None
    try:
        resolve(entry, form.answer(), by=request.user, sides=seen)
    except UnfitAnswer as unfit:
        form.add_error(unfit.field, str(unfit))
        return _page(request, entry, form, status=422)
    except (AlreadySettled, SidesChanged) as changed:
        return _page(request, _get_entry(request, pk), error=str(changed), status=409)
    if request.htmx:
        return _page(request, _get_entry(request, pk))
    messages.success(request, present.view(_get_entry(request, pk)).settled_words)
    return redirect("ledger:conflicts")


@require_GET
@person_page
def later(request: PersonRequest, pk: UUID) -> HttpResponse:
    """Hide the card of a conflict for this visit."""
    entry = _get_entry(request, pk)
    if not request.htmx:
        return redirect("ledger:conflicts")
    fold(request.session, pk)
    card = {"conflict": present.view(entry), "card": _card(request), "later": str(pk)}
    return render(request, "ledger/_card.html", card)


@require_POST
@person_page
def undo(request: PersonRequest, pk: UUID) -> HttpResponse:
    """Reopen a settled conflict."""
    entry = _get_entry(request, pk)
    try:
        open_again(entry)
    except CannotUndo as reason:
        return _page(request, _get_entry(request, pk), error=str(reason), status=409)
    if request.htmx:
        return _page(request, _get_entry(request, pk))
    messages.success(request, "The conflict is open again.")
    return redirect(entry)


@require_POST
@person_page
def ask_for_help(request: PersonRequest, pk: UUID) -> HttpResponse:
    """Let staff read both values and settle the conflict."""
    entry = _get_entry(request, pk)
    opening.ask_for_help(entry)
    messages.success(
        request, "I’ve asked staff for help. They’ll tell you what they chose and why."
    )
    return redirect(entry)


def _get_entry(request: PersonRequest, pk: UUID) -> Contradiction:
    rows = present.with_evidence(Contradiction.objects.for_user(request.user.pk))
    return get_object_or_404(rows, pk=pk)


def _page(
    request: PersonRequest,
    entry: Contradiction,
    form: AnswerForm | None = None,
    *,
    error: str = "",
    status: int = 200,
) -> HttpResponse:
    """Return the page of a conflict, for htmx its card, with the form and its errors."""
    shown = present.view(entry)
    if request.htmx:
        refusal = next(iter(form.errors.values()))[0] if form and form.errors else ""
        card = {"conflict": shown, "error": error or refusal, "card": _card(request)}
        return render(request, "ledger/_settled.html", card, status=status)
    initial = {name: day.isoformat() for name, day in shown.proposed_days.items()}
    if shown.suggestion:
        initial["resolution"] = shown.suggestion.method
    context = {"conflict": shown, "form": form or AnswerForm(initial=initial), "error": error}
    return render(request, "ledger/conflict.html", context, status=status)


def _card(request: PersonRequest) -> str:
    """Return the id of the card that sent the request: a page may show a conflict twice."""
    card = request.POST.get("card", "") or request.GET.get("card", "")
    return card if CARD.fullmatch(card) else ""
