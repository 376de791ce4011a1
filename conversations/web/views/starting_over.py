"""The page that erases everything: the preview, and the confirmation phrase."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.timezone import now
from django.views.decorators.http import require_http_methods

from accounts.access.pages import PersonRequest
from accounts.database.isolation import acting_as
from accounts.models import AuditEvent
from accounts.support import formatting
from conversations.deletion import erase_all
from conversations.search.search_parameters import as_id
from conversations.web.forms import ForgetEverythingForm
from ledger.verification import kinds, receipts
from ledger.web.receipts import view

# Counts that the page shows in other sentences.
_LISTED_KINDS = frozenset(
    "passages blocks roles lessons copies entries_hot entries_warm entries_cold".split()
)
NOTHING = "There’s nothing left to forget."


@require_http_methods(["GET", "POST"])
@login_required
def forget_everything(request: PersonRequest) -> HttpResponse:
    """Preview the erasure, carry it out after the typed confirmation, and show the receipt
    (`?receipt=`, the id of an audit event).
    """
    if request.method == "GET":
        return _page(request, ForgetEverythingForm())
    form = ForgetEverythingForm(request.POST)
    if not form.is_valid():
        return _page(request, form, status=422)
    here = reverse("conversations:forget_everything")
    line = erase_all.forget_everything(request.user).line
    if line is None:
        messages.info(request, NOTHING)
        return redirect(here)
    return redirect(f"{here}?receipt={line.pk}")


def _page(request: PersonRequest, form: ForgetEverythingForm, *, status: int = 200) -> HttpResponse:
    user_id = request.user.pk
    with acting_as(request.user):
        lines = erase_all.receipts(user_id)
        receipt_id = as_id(request.GET.get("receipt", ""))
        receipt = lines.filter(pk=receipt_id).first() if receipt_id else None
        kept = receipts.receipts_of(user_id).filter(subject=receipt.pk).first() if receipt else None
        held, last = erase_all.stored_counts(user_id), lines.first()
        context = {
            "form": form,
            "held": held,
            "more": [count for count in kinds.counted(held.counts) if count.kind in _LISTED_KINDS],
            "asks": held.anything and receipt is None,
            "receipt": receipt,
            "receipt_day": _day(receipt),
            "kept": kept and view(kept),
            "last": last,
            "last_day": _day(last),
            "confirmation": erase_all.CONFIRMATION,
        }
        return render(request, "conversations/forget_everything.html", context, status=status)


def _day(line: AuditEvent | None) -> str:
    return formatting.day(line.at, now()) if line is not None else ""
