"""Pages for erasing facts and memories, with a preview, and for the receipts."""

from collections.abc import Iterable
from uuid import UUID

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.timezone import now
from django.views.decorators.http import require_GET, require_http_methods

from accounts.access.pages import PersonRequest, person_page
from accounts.support import formatting
from ledger import erasure
from ledger.erasure import Preview
from ledger.verification import kinds
from ledger.verification import receipts as kept_receipts
from ledger.web import receipts as present_receipts
from memory.deletion.sources import SourcePlace, source_places
from memory.models import Memory, ProfileFact

# How many memories and messages are listed individually.
MOST = 20
# Receipts per page.
_A_PAGE = 30
# Kinds that the page explains in its own sentences.
_TOLD_APART = frozenset(
    ("facts", "notes", "proposals", "summaries", "here_only", "questions", "places", "lines")
)


@require_http_methods(["GET", "POST"])
@person_page
def erase(request: PersonRequest, pk: UUID) -> HttpResponse:
    """Show what erasing a fact deletes and keeps; on POST, erase it."""
    fact = ProfileFact.objects.for_user(request.user.pk).filter(pk=pk).first()
    if fact is not None and request.method == "GET":
        return render(request, "ledger/erase.html", _fact_context(fact, erasure.preview(fact)))
    erasure_receipt = erasure.erase(fact) if fact is not None else None
    if fact is not None and erasure_receipt is not None:
        text = f"Erased for good: {fact.kind.label}. Your own messages are kept."
        messages.success(request, present_receipts.receipt_message(text, erasure_receipt))
    else:
        messages.success(request, "That fact has already been erased.")
    return redirect("memory:profile")


@require_http_methods(["GET", "POST"])
@person_page
def erase_note(request: PersonRequest, pk: UUID) -> HttpResponse:
    """Show what erasing a memory deletes and keeps; on POST, erase it."""
    note = Memory.objects.for_user(request.user.pk).filter(pk=pk).first()
    if note is not None and request.method == "GET":
        return render(request, "ledger/erase_note.html", _note_context(note))
    if note is not None and erasure.erase_note(note).notes:
        messages.success(request, "Erased for good. Your own messages are kept.")
    else:
        messages.success(request, "That memory has already been erased.")
    return redirect("memory:memories")


@require_GET
@person_page
def receipts(request: PersonRequest) -> HttpResponse:
    """Show all receipts of erasures, newest first."""
    page = Paginator(kept_receipts.receipts_of(request.user.pk), _A_PAGE).get_page(
        request.GET.get("page")
    )
    shown = [present_receipts.view(item) for item in page.object_list]
    return render(request, "ledger/erasures.html", {"page": page, "receipts": shown})


@require_GET
@person_page
def receipt(request: PersonRequest, pk: UUID) -> HttpResponse:
    """Show one receipt: what was deleted, what was searched, and what remains."""
    made = get_object_or_404(kept_receipts.receipts_of(request.user.pk), pk=pk)
    return render(request, "ledger/erasure.html", {"receipt": present_receipts.view(made)})


def _note_context(note: Memory) -> dict[str, object]:
    message_ids = [note.source_message_id] if note.source_message_id else []
    places = source_places(note.user_id, [], message_ids).values()
    return {"note": note, "letters": _dated(places)}


def _dated(places: Iterable[SourcePlace]) -> list[tuple[SourcePlace, str]]:
    today = now()
    latest = sorted(places, key=lambda place: place.said_at or today, reverse=True)
    return [
        (place, formatting.day(place.said_at, today) if place.said_at else "") for place in latest
    ]


def _fact_context(fact: ProfileFact, shown: Preview) -> dict[str, object]:
    going = shown.going
    summaries = [note for note in going.notes if note.category == Memory.Category.SUMMARY]
    notes = [note.content for note in going.notes if note not in summaries]
    letters = _dated(source_places(fact.user_id, [], going.message_ids).values())
    return {
        "fact": fact,
        "again": len(going.facts) - 1,
        "notes": notes[:MOST],
        "note_count": len(notes),
        "more_notes": len(notes[MOST:]),
        "summaries": len(summaries),
        "overrides": len(going.overrides),
        "open_questions": sum(entry.is_open for entry in shown.entries),
        "settled_questions": sum(not entry.is_open for entry in shown.entries),
        "replacements": [fact.sentence for fact in shown.replacements],
        "shared_pages": shown.shared_pages,
        "others": shown.others,
        "letters": letters[:MOST],
        "more_letters": len(letters[MOST:]),
        "mentioned": len(going.mentioned),
        "more": [count for count in kinds.counted(shown.counts) if count.kind not in _TOLD_APART],
    }
