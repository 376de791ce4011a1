"""The timeline, and the profile on any past day."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from datetime import date, datetime
from typing import Any
from urllib.parse import urlencode

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.timezone import localtime, now
from django.views.decorators.http import require_GET

from accounts.access.pages import PersonRequest, person_page
from accounts.support import formatting
from ledger.history import recent_changes, timeline, timeline_drawing
from ledger.history.timeline import History, SlotHistory
from memory.web.as_of import UnfitDay, day_looked_back_at

# How many changes are listed at first, how many more with each "Earlier changes", and the maximum.
STEP, MOST = 20, 1000


@require_GET
@person_page
def show(request: PersonRequest) -> HttpResponse:
    """Show every slot over time, the values of a day, and the latest changes."""
    frozen_now = now()
    today = localtime(frozen_now).date()
    typed, error = request.GET.get("as_of", "").strip(), ""
    try:
        day = day_looked_back_at(typed, frozen_now) if typed else today
    except UnfitDay as unfit:
        day, error = today, str(unfit)
    history = timeline.read(request.user.pk)
    strands = timeline.slot_histories(history)
    slots = [(strand.slot.key, strand.label) for strand in strands]
    slot = next((key for key, _ in slots if key == request.GET.get("slot")), "")
    chosen = [strand for strand in strands if slot in ("", strand.slot.key)]
    context = {
        "as_of": typed if error else day.isoformat(),
        "error": error,
        "slots": slots,
        "slot": slot,
        **_steps(chosen, day, today, slot),
        **_timeline_context(chosen, day, today, alone=bool(slot)),
        **_happened(request, history, slot, frozen_now),
    }
    return render(request, "ledger/timeline.html", context, status=422 if error else 200)


def _steps(strands: Sequence[SlotHistory], day: date, today: date, slot: str) -> dict[str, str]:
    """Return the URLs of the changes before and after this day; '' if there is none."""
    days = timeline.days_of_change(strands)
    before, after = bisect_left(days, day), bisect_right(days, day)
    return {
        "previous_url": _address(days[before - 1], slot) if before else "",
        "next_url": _address(days[after], slot) if after < len(days) else "",
        "today_url": _address(None, slot) if day < today else "",
    }


def _address(day: date | None, slot: str, **more: int) -> str:
    asked: dict[str, Any] = {"as_of": day.isoformat()} if day else {}
    asked |= {"slot": slot} if slot else {}
    asked |= more
    return reverse("ledger:timeline") + (f"?{urlencode(asked)}" if asked else "")


def _timeline_context(
    strands: Sequence[SlotHistory], day: date, today: date, *, alone: bool
) -> dict[str, Any]:
    """Return the template context: the drawing, its text version, and the values of the day."""
    if not strands:
        return {}
    is_today = day == today
    return {
        "drawing": timeline_drawing.draw(
            strands, day, today, timeline_drawing.MANY if alone else timeline_drawing.FEW
        ),
        "threads": [_thread(strand, day, today) for strand in strands],
        "heading": "Today" if is_today else f"On {formatting.plain_date(day, today)}",
        "is_today": is_today,
        "held": [
            {"label": s.label, "spans": spans, "rivals": s.rivals if is_today else []}
            for s in strands
            if (spans := s.on(day))
        ],
        "since_then": "" if is_today else timeline.changes_since(strands, day, today).words,
    }


def _thread(strand: SlotHistory, day: date, today: date) -> dict[str, Any]:
    """Return one slot in words: a sentence, and its values, newest first."""
    return {
        "label": strand.label,
        "sentence": strand.sentence(today),
        "values": [
            {"value": span.value, "when": span.words(today), "shown": span.covers(day)}
            for span in reversed(strand.spans)
        ],
        "rivals": strand.rivals,
    }


def _happened(
    request: PersonRequest, history: History, slot: str, frozen_now: datetime
) -> dict[str, Any]:
    """Return the latest changes, as many as requested, and the URL of more."""
    happened = [
        change for change in recent_changes.changes_in(history) if slot in ("", change.slot)
    ]
    asked = request.GET.get("changes", "")
    count = min(int(asked), MOST) if asked.isdecimal() and len(asked) < 5 else STEP
    changes = recent_changes.with_sources(request.user.pk, happened[:count])
    more = min(count + STEP, MOST)
    return {
        "changes": [{"change": change, "when": change.when(frozen_now)} for change in changes],
        "more_url": _address(None, slot, changes=more) if more > count < len(happened) else "",
    }
