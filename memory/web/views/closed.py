"""Pages that block a kind of fact, after showing what is retracted, and unblock it."""

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from accounts.access.pages import PersonRequest, person_page
from memory.facts import blocked_slots
from memory.slots import SLOTS, Slot


@require_http_methods(["GET", "POST"])
@person_page
def never(request: PersonRequest) -> HttpResponse:
    """Block a kind of fact; on GET, show what would be retracted."""
    slot = _slot(request.GET.get("slot", "") or request.POST.get("slot", ""))
    if request.method == "POST":
        blocked_slots.block_slot(request.user.pk, slot.key)
        messages.success(request, f"I’ll never note {slot.matter} again.")
        return redirect("memory:profile")
    holdings = blocked_slots.holdings_of(request.user.pk, slot.key)
    context = {"slot": slot, "facts": holdings.facts, "notes": holdings.notes}
    return render(request, "memory/never.html", context)


@require_POST
@person_page
def again(request: PersonRequest) -> HttpResponse:
    """Unblock a kind of fact."""
    slot = _slot(request.POST.get("slot", ""))
    blocked_slots.unblock(request.user.pk, slot.key)
    messages.success(request, f"I can note {slot.matter} again.")
    return redirect("privacy:page" if request.POST.get("from") == "privacy" else "memory:profile")


def _slot(key: str) -> Slot:
    """Return a slot, also a sensitive one. Raises Http404."""
    slot = SLOTS.get(key)
    if slot is None:
        raise Http404
    return slot
