"""The history page: every change, with filters, and its export."""

from django.core.paginator import Paginator
from django.http import HttpResponse, StreamingHttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from accounts.access.pages import PersonRequest, person_page
from accounts.models import AuditEvent
from ledger.history import log_export, log_lines, log_search
from ledger.history.log_search import LogQuery
from memory.web.present.facts import slot_choices

PAGE = 20


@require_GET
@person_page
def page(request: PersonRequest) -> HttpResponse:
    """Show the changes, newest first."""
    query = LogQuery.read(request.GET)
    lines = log_search.find(request.user.pk, query)
    shown = Paginator(lines, PAGE).get_page(request.GET.get("page"))
    context = {
        "lines": log_lines.lines_from(request.user.pk, list(shown.object_list)),
        "page": shown,
        "wanted": query,
        "next": query.address(page=shown.number + 1) if shown.has_next() else "",
        "previous": query.address(page=shown.number - 1) if shown.has_previous() else "",
        "deeds": [(deed.value, words) for deed, words in log_lines.DEEDS.items()],
        "doers": [(by.value, log_lines.DOERS[by]) for by in AuditEvent.By],
        "slots": slot_choices(),
    }
    return render(request, "ledger/history.html", context)


@require_GET
@person_page
def export(request: PersonRequest, kind: str) -> StreamingHttpResponse:
    """Return the matching changes as a file."""
    return log_export.response(request.user.pk, LogQuery.read(request.GET), kind)
