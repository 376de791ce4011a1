"""Deciding about what an import says: a kind of fact, a group of memories, or all of it at once."""

from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.html import format_html
from django.views.decorators.http import require_http_methods

from accounts.access.pages import PersonRequest, person_page
from ledger.promotion.proposals import Accepted
from memory.notes import NotKept
from privacy.importing import deciding
from privacy.importing.deciding import NotOffered
from privacy.models import Import
from privacy.web import present_decisions


@require_http_methods(["GET", "POST"])
@person_page
def page(request: PersonRequest, pk: UUID) -> HttpResponse:
    """Show what waits; an answer comes back here."""
    row = get_object_or_404(Import.objects.filter(user=request.user), pk=pk)
    if request.method == "POST":
        try:
            _answer(request, row)
        except (NotKept, NotOffered) as refused:
            messages.error(request, str(refused))
        return redirect("privacy:import_decide", pk)
    return render(request, "privacy/import_decide.html", present_decisions.section(row))


def _answer(request: PersonRequest, row: Import) -> None:
    slot, shown = request.POST.get("slot"), _keys(request, "shown")
    if slot:
        past = "past" in request.POST
        done = deciding.decide(row, slot, _keys(request, "chosen"), keep_past=past, among=shown)
        _say(request, done, "Saved.")
    elif shown:
        keep = request.POST.get("answer") == "keep"
        done = deciding.answer_notes(row, shown, keep=keep)
        _say(request, done, f"Kept {len(done):,}." if keep else f"Declined {len(done):,}.")
    else:
        done = deciding.decline_all(row)
        left = deciding.waiting_of(row).count()
        more = f" {left:,} still waiting." if left else ""
        _say(request, done, f"Declined {len(done):,}.{more}")


def _keys(request: PersonRequest, name: str) -> set[UUID]:
    """The ids that were sent under a name; '' stands for none. What came since the page was made,
    and was not shown, is decided by no answer.
    """
    try:
        return {UUID(key) for key in request.POST.getlist(name) if key}
    except ValueError:
        raise NotOffered("Choose one of these, or none.") from None


def _say(request: PersonRequest, done: dict[UUID, Accepted], words: str) -> None:
    messages.success(request, words)
    if any(one.contradiction for one in done.values()):
        told = '{} <a href="{}">See conflicts</a>'
        words = "Some of it contradicts your profile."
        messages.info(request, format_html(told, words, reverse("ledger:conflicts")))
