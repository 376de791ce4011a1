"""The staff page Health: the state of the site, with buttons for jobs that were given up."""

from uuid import UUID

import structlog
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.views.decorators.http import require_POST, require_safe

from config import health
from config.monitoring import jobs, report

log = structlog.get_logger(__name__)

# Permissions to see, retry and drop jobs.
SEE, RETRY, DROP = "accounts.view_work", "accounts.change_work", "accounts.delete_work"


@require_safe
def page(request: HttpRequest) -> HttpResponse:
    """Show the state of the site. Raises PermissionDenied for staff who may not see jobs."""
    _require(request, SEE)
    gathered = report.gather()
    context = {
        **admin.site.each_context(request),
        "title": "Health",
        "report": gathered,
        "parts": [(part.capitalize(), state) for part, state in gathered.health.parts.items()],
        "ok": health.OK,
        "may_retry": request.user.has_perm(RETRY),
        "may_drop": request.user.has_perm(DROP),
    }
    return TemplateResponse(request, "admin/health.html", context)


@require_POST
def retry(request: HttpRequest, job: UUID) -> HttpResponse:
    """Queue a job that was given up again."""
    _require(request, RETRY)
    words = "The job is tried again now." if jobs.retry(job) else _GONE
    return _done(request, "job_retried", job, words)


@require_POST
def drop(request: HttpRequest, job: UUID) -> HttpResponse:
    """Drop a job that was given up."""
    _require(request, DROP)
    words = "The job was dropped." if jobs.drop(job) else _GONE
    return _done(request, "job_dropped", job, words)


_GONE = "That job is no longer waiting for a decision."


def _done(request: HttpRequest, event: str, job: UUID, words: str) -> HttpResponse:
    if words != _GONE:
        log.info(event, job=str(job), staff=str(request.user.pk))
    messages.info(request, words)
    return redirect("staff_health")


def _require(request: HttpRequest, permission: str) -> None:
    if not request.user.has_perm(permission):
        raise PermissionDenied
