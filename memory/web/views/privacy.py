"""What I may note: the choices for all conversations, and the kinds of facts that are closed."""

from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from accounts import privacy as allowed
from accounts.models import PrivacySettings
from accounts.pages import PersonRequest, person_page
from memory.facts import blocked_slots
from memory.models import BlockedSlot
from memory.slots import SLOTS, Slot
from memory.web import present

Promotion = PrivacySettings.Promotion


@require_http_methods(["GET", "POST"])
@person_page
def privacy(request: PersonRequest) -> HttpResponse:
    """The choices; a switch saves at once and says so."""
    if request.method == "POST":
        messages.success(request, _choose(request))
        return redirect("memory:privacy")
    chosen = PrivacySettings.of(request.user.pk)
    closed = present.closed(BlockedSlot.objects.filter(user=request.user))
    context = {
        "memory_on": request.user.memory_on,
        "asks_first": chosen.promotion == Promotion.ASK,
        "settles_by_rule": chosen.settle_by_rule,
        "weights": {name: round(100 * w) for name, w in settings.MEMORY["settle_weights"].items()},
        "margin": settings.MEMORY["settle_margin"],
        "undo_days": settings.MEMORY["undo_days"],
        "never_noted": [
            slot.label for slot in SLOTS.values() if slot.sensitive and slot not in closed
        ],
        "closed": closed,
        "kinds": present.slot_choices(but={slot.key for slot in closed}),
    }
    return render(request, "memory/privacy.html", context)


@require_http_methods(["GET", "POST"])
@person_page
def never(request: PersonRequest) -> HttpResponse:
    """Close a kind of fact, after saying what goes with it."""
    slot = _slot(request.GET.get("slot", "") or request.POST.get("slot", ""))
    if request.method == "POST":
        blocked_slots.block(request.user.pk, slot.key)
        messages.success(request, f"{slot.label}: I note nothing of this kind any more.")
        return redirect("memory:profile")
    held = blocked_slots.held_of(request.user.pk, slot.key)
    context = {"slot": slot, "facts": held.facts, "notes": held.notes}
    return render(request, "memory/never.html", context)


@require_POST
@person_page
def again(request: PersonRequest) -> HttpResponse:
    """Open a kind again."""
    slot = _slot(request.POST.get("slot", ""))
    blocked_slots.unblock(request.user.pk, slot.key)
    messages.success(request, f"{slot.label} may be noted again.")
    return redirect("memory:privacy" if request.POST.get("from") == "privacy" else "memory:profile")


def _choose(request: PersonRequest) -> str:
    """Save one choice; returns what is so from now on."""
    on = request.POST.get("on") == "1"
    if request.POST.get("choice") == "ask":
        allowed.choose(request.user.pk, promotion=Promotion.ASK if on else Promotion.AUTO)
        if on:
            return "I ask you before anything new is kept."
        return "I note what you say plainly, and show you."
    if request.POST.get("choice") == "rule":
        allowed.choose(request.user.pk, settle_by_rule=on)
        return "I settle clear cases by the rule." if on else "I ask you about every contradiction."
    raise Http404


def _slot(key: str) -> Slot:
    """A kind that may be closed; a private one is then not even offered to be noted."""
    slot = SLOTS.get(key)
    if slot is None:
        raise Http404
    return slot
