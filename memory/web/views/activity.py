"""The activity page: operations on memory, and the namespaces of other software."""

from dataclasses import dataclass
from uuid import UUID

from django.conf import settings
from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.http import urlencode
from django.utils.timezone import localdate
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from accounts.access.pages import PersonRequest, person_page
from memory import manager
from memory.manager import NamespaceFull
from memory.models import MemoryOperation
from memory.namespaces import entry_text, registered, registry
from memory.namespaces.registry import Namespace
from memory.web.present import activity as present

# The number of events on a page, and of operations that are read for them.
PAGE = 12
_MOST_READ = 2000


@dataclass(frozen=True)
class Part:
    """A namespace as the page shows it, with the number of stored and session entries."""

    namespace: Namespace
    allowed: bool
    kept: int
    held: int

    @property
    def count(self) -> int:
        """The number of entries in all tiers."""
        return self.kept + self.held

    @property
    def in_use(self) -> bool:
        """Whether the namespace has entries or consent."""
        return bool(self.count or self.allowed)


@require_GET
@person_page
def activity(request: PersonRequest) -> HttpResponse:
    """Show the latest operations, newest first, with filters."""
    user, today = request.user, localdate()
    rows = MemoryOperation.objects.filter(user=user)
    chosen = {name: request.GET.get(name, "") for name in ("verb", "namespace", "door", "outcome")}
    matching = rows.filter(**{name: value for name, value in chosen.items() if value})
    events = present.events(matching.order_by("-at", "-pk")[:_MOST_READ])
    shown = Paginator(events, PAGE).get_page(request.GET.get("page"))
    wanted = {name: value for name, value in chosen.items() if value}
    parts = _parts(request)
    context = {
        "events": shown.object_list,
        "page": shown,
        "is_narrowed": bool(wanted),
        "next": urlencode(wanted | {"page": shown.number + 1}) if shown.has_next() else "",
        "previous": urlencode(wanted | {"page": shown.number - 1}) if shown.has_previous() else "",
        "sifts": present.sifts(chosen),
        "glance": present.glance(
            rows, today, settings.MEMORY["traces_days"], settings.MEMORY["slow_ms"]
        ),
        "slow_ms": settings.MEMORY["slow_ms"],
        "parts": {
            "used": [part for part in parts if part.in_use],
            "unused": [part for part in parts if not part.in_use],
        },
    }
    return render(request, "memory/activity.html", context)


@require_GET
@person_page
def part(request: PersonRequest, name: str) -> HttpResponse:
    """Show the entries of a namespace in sentences."""
    namespace = _namespace_or_404(request.user.pk, name)
    entries = manager.query(request.user.pk, name)
    context = {
        "part": next(
            candidate for candidate in _parts(request) if candidate.namespace == namespace
        ),
        "lines": [(entry, entry_text.sentences(namespace, entry.data)) for entry in entries[::-1]],
        # The same for all session entries.
        "held_because": next((entry.held_because for entry in entries if entry.held_because), ""),
    }
    return render(request, "memory/activity_part.html", context)


@require_http_methods(["GET", "POST"])
@person_page
def allow(request: PersonRequest, name: str) -> HttpResponse:
    """Give or withdraw consent to a namespace; first show how many entries withdrawing deletes."""
    namespace = _namespace_or_404(request.user.pk, name)
    on = request.POST.get("on") == "1"
    kept = next(candidate.kept for candidate in _parts(request) if candidate.namespace == namespace)
    if not on and kept and request.POST.get("sure") != "1":
        context = {"namespace": namespace, "kept": kept}
        return render(request, "memory/activity_stop.html", context)
    if request.method == "POST":
        try:
            entries = manager.allow(request.user, name, on=on)
        except NamespaceFull as full:
            messages.error(request, str(full), extra_tags="error")
        else:
            messages.success(request, _change_message(namespace, entries, on=on))
    return redirect("memory:activity")


@require_POST
@person_page
def remove(request: PersonRequest, name: str) -> HttpResponse:
    """Remove an entry of a namespace."""
    namespace = _namespace_or_404(request.user.pk, name)
    if not manager.remove(request.user.pk, namespace.name, request.POST.get("key", "")):
        raise Http404
    messages.success(request, "Removed.")
    return redirect("memory:activity_part", name=name)


def _parts(request: HttpRequest) -> list[Part]:
    """Return all namespaces that other software writes."""
    user_id = request.user.pk
    assert user_id is not None
    allowed, lying = manager.granted_namespaces(user_id), manager.tier_figures(user_id)
    parts = []
    for namespace in registered.namespaces_of(user_id).values():
        here = [figure for figure in lying if figure.namespace == namespace.name]
        session_count = sum(figure.entries for figure in here if figure.bytes is None)
        kept = sum(figure.entries for figure in here if figure.bytes is not None)
        if not namespace.own:
            parts.append(Part(namespace, namespace.name in allowed, kept, session_count))
    return parts


def _namespace_or_404(user_id: UUID, name: str) -> Namespace:
    try:
        namespace = registered.namespace_of(user_id, name)
    except registry.UnknownNamespace:
        raise Http404 from None
    if namespace.own:
        raise Http404
    return namespace


def _change_message(namespace: Namespace, entries: int, *, on: bool) -> str:
    if not on:
        return f"“{namespace.purpose}” will no longer be saved."
    also_kept = f" I also kept what was saved in the last two hours ({entries})." if entries else ""
    return f"“{namespace.purpose}” will be saved from now on.{also_kept}"
