"""The memories page: all memories, changes by hand, and the memory switch."""

from datetime import datetime
from uuid import UUID

from django.conf import settings
from django.contrib import messages
from django.core.paginator import Paginator
from django.db import transaction
from django.http import HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.timezone import localtime, now
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from accounts.access.pages import PersonRequest, page_before, person_page
from memory.core import switch as memory_switch
from memory.maintenance import lifecycle, note_statistics
from memory.models import Memory, MemoryQuerySet, Merge
from memory.notes import note_store as notes
from memory.notes.note_gate import NotKept
from memory.retrieval import note_search
from memory.retrieval.note_search import NoteQuery
from memory.web.forms import NoteEditForm, NoteForm
from memory.web.present import charts, reasons, remedies
from memory.web.present import memories as present
from memory.web.views.common import keys_gone, redirect_to, refuse

PAGE = 14


@require_GET
@person_page
def memories(request: PersonRequest) -> HttpResponse:
    """Show waiting memories, statistics, the list of memories, and their quality."""
    query, frozen_now = NoteQuery.read(request.GET), now()
    context = _list(request, query, frozen_now) | _at_a_glance(request.user.pk, frozen_now)
    waiting = note_search.waiting(request.user.pk)
    merges = note_statistics.recent_merges(request.user.pk, frozen_now)
    folds = note_statistics.recent_folds(request.user.pk, frozen_now)
    context |= {
        "memory_on": request.user.memory_on,
        "waiting": present.waiting(waiting),
        "gone": _just_gone(request, query),
        "asked_from": "memories",
        "merges": [
            *(present.merge_row(merge, frozen_now) for merge in merges),
            *(present.fold_row(fact, into, frozen_now) for fact, into in folds),
        ],
    }
    return render(request, "memory/memories.html", context)


@require_POST
@person_page
def switch(request: PersonRequest) -> HttpResponse:
    """Turn memory on or off."""
    on = request.POST.get("on") == "1"
    memory_switch.switch_memory(request.user, on=on)
    messages.success(request, "Memory is on." if on else "Memory is off.")
    page = "privacy:page" if request.POST.get("from") == "privacy" else "memory:memories"
    return redirect_to(request, page_before(request, reverse(page)))


@require_http_methods(["GET", "POST"])
@person_page
def add(request: PersonRequest) -> HttpResponse:
    """Add a memory by hand."""
    form = NoteForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            note = notes.write_by_hand(request.user.pk, **form.cleaned_data)
        except NotKept as reason:
            form.add_error("content", remedies.in_a_form(reason))
        else:
            messages.success(request, "Noted.")
            return redirect_to(
                request, f"{reverse('memory:memories')}?sort=newest#memory-{note.pk}"
            )
    template = "memory/_note_add.html" if request.htmx else "memory/memory_add.html"
    return render(request, template, {"form": form}, status=422 if form.errors else 200)


@require_http_methods(["GET", "POST"])
@person_page
def edit(request: PersonRequest, pk: UUID) -> HttpResponse:
    """Change the text or priority of a memory."""
    note = get_object_or_404(_shown_notes(request), pk=pk)
    now_so = {"content": note.content, "priority": note.priority}
    form = NoteEditForm(request.POST or None, initial=now_so)
    if request.method == "POST" and form.is_valid():
        try:
            with transaction.atomic():
                notes.prioritise(note, form.cleaned_data["priority"])
                note = notes.rewrite(note, form.cleaned_data["content"])
        except NotKept as reason:
            form.add_error("content", remedies.in_a_form(reason))
        else:
            return _answer_row(request, note)
    template = "memory/_memory_row.html" if request.htmx else "memory/memory_edit.html"
    context = {"note": present.note_row(note), "editor": form, "back": _back(request)}
    return render(request, template, context, status=422 if form.errors else 200)


@require_POST
@person_page
def pause(request: PersonRequest, pk: UUID) -> HttpResponse:
    """Pause a memory."""
    note = get_object_or_404(_shown_notes(request), pk=pk)
    notes.pause_note(note)
    return _answer_row(request, note)


@require_POST
@person_page
def restore(request: PersonRequest, pk: UUID) -> HttpResponse:
    """Restore a memory that was paused or removed."""
    note = get_object_or_404(_all(request), pk=pk)
    try:
        notes.restore_note(note)
    except NotKept as reason:
        return refuse(request, str(reason), _address(request))
    return _answer_row(request, note)


@require_POST
@person_page
def remove(request: PersonRequest, pk: UUID) -> HttpResponse:
    """Remove a memory."""
    note = get_object_or_404(_shown_notes(request), pk=pk)
    notes.remove_note(note)
    if request.htmx:
        return render(request, "memory/_memory_gone.html", {"note": note})
    messages.success(request, "Forgotten. You can bring it back under “No longer in use”.")
    return HttpResponseRedirect(_address(request))


@require_GET
@person_page
def why(request: PersonRequest, pk: UUID) -> HttpResponse:
    """Show the history of a memory's trust."""
    note = get_object_or_404(_all(request), pk=pk)
    context = {"note": present.note_row(note), **reasons.of_note(note)}
    if note.mode != Memory.Mode.LOSSLESS and note.category != Memory.Category.SUMMARY:
        context["original"] = note.original
    return render(request, "memory/why.html", context)


@require_POST
@person_page
def undo_merge(request: PersonRequest, pk: UUID) -> HttpResponse:
    """Undo a merge of memories."""
    merge = get_object_or_404(Merge.objects.filter(user=request.user).select_related("kept"), pk=pk)
    try:
        lifecycle.undo_merge(merge)
    except NotKept as reason:
        return refuse(request, str(reason), reverse("memory:memories"))
    messages.success(request, "Undone. These are separate memories again.")
    return redirect_to(request, reverse("memory:memories"))


# --- Helpers -------------------------------------------------------------------------------------


def _all(request: PersonRequest) -> MemoryQuerySet:
    return note_search.shown_notes(request.user.pk)


def _shown_notes(request: PersonRequest) -> MemoryQuerySet:
    return _all(request).shown()


def _list(request: PersonRequest, query: NoteQuery, at: datetime) -> dict[str, object]:
    note_ids = note_search.find_notes(request.user.pk, query)
    page = Paginator(note_ids, PAGE).get_page(request.GET.get("page"))
    rows = _all(request).in_bulk(list(page.object_list))
    here = page.number if page.number > 1 else ""
    return {
        "notes": [present.note_row(rows[pk], at) for pk in page.object_list],
        "page": page,
        "wanted": query,
        "back": query.address(page=here),
        "next": query.address(page=page.number + 1) if page.has_next() else "",
        "previous": query.address(page=page.number - 1) if page.has_previous() else "",
        "kinds": present.KINDS.items(),
        "shows": note_search.SHOWS.items(),
        "sorts": note_search.SORTS.items(),
    }


def _just_gone(request: PersonRequest, query: NoteQuery) -> list[Memory]:
    """Return just removed memories that the list does not show, to offer restoring them."""
    keys = [] if query.show == "gone" else keys_gone(request)
    return list(_all(request).filter(pk__in=keys, status__in=note_search.GONE)) if keys else []


def _at_a_glance(user_id: UUID, at: datetime) -> dict[str, object]:
    counts, of_kinds = note_statistics.counts(user_id, at), note_statistics.kinds(user_id)
    history, today = note_statistics.history(user_id, at), localtime(at).date()
    figures = lifecycle.figures(user_id, at)
    return {
        "counts": counts,
        "capacity": settings.MEMORY["capacity"],
        "growth": charts.draw_line(counts.weeks, today, "this week"),
        "of_kinds": [(kind, label, of_kinds[kind]) for kind, label in present.KINDS.items()],
        "most_of_kind": max(of_kinds.values()),
        "figures": figures,
        "quality": present.quality(figures),
        "history": charts.draw_line(history, today, "now") if len(history) > 1 else None,
    }


def _answer_row(request: PersonRequest, note: Memory) -> HttpResponse:
    if not request.htmx:
        return HttpResponseRedirect(f"{_address(request)}#memory-{note.pk}")
    shown = present.note_row(get_object_or_404(_all(request), pk=note.pk))
    context = {"note": shown, "back": _back(request)}
    return render(request, "memory/_memory_row.html", context)


def _back(request: PersonRequest) -> str:
    """Return the list's filters as a query string, so that a form leads back to the list."""
    if request.method == "POST":
        return request.POST.get("back", "")
    return request.GET.urlencode()


def _address(request: PersonRequest) -> str:
    back = _back(request)
    return reverse("memory:memories") + (f"?{back}" if back else "")
