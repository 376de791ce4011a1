"""The start page of the admin: open tasks for staff with counts and links, and all pages."""

from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from typing import Any

from django.contrib import admin
from django.contrib.admin.templatetags.admin_urls import admin_urlname
from django.contrib.auth.models import Group
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.timezone import now

from accounts.database.isolation import acting_as_cohort, acting_as_staff, acting_as_worker
from accounts.models import Flag, User, Work
from config import health
from conversations import llm
from conversations.models import ModelConnection, ModelRefusal
from ledger.models import Contradiction, ProfileClassifier
from memory.models import ExperienceDay, Lesson, LessonReport, SiteQuality
from personas.models import Persona, PersonaProposal
from privacy.models import Export

# Sections of admin pages with descriptions. Other pages come last.
_SECTIONS: dict[str, dict[type, str]] = {
    "People": {
        Contradiction: "Conflicts whose owners asked for help",
        User: "Who can sign in, and who is staff",
        Group: "Permissions that staff share",
        Export: "Copies of their data that people asked for",
    },
    "Lessons and roles": {
        LessonReport: "Lessons that someone reported",
        Lesson: "What people in the same role learn from each other",
        PersonaProposal: "Roles that people asked for",
        Persona: "The roles people can join",
        ExperienceDay: "How much people learn in each role",
    },
    "This site": {
        ModelConnection: "The model that answers everyone",
        ModelRefusal: "Requests the model’s server refused",
        ProfileClassifier: "How Throughline decides which facts join a profile",
        SiteQuality: "Quality of facts and memories, day by day",
        Work: "Background jobs, and why they fail",
        Flag: "Features, and how many people have them",
    },
}


def home(request: HttpRequest) -> HttpResponse:
    """Show the admin's index with open tasks for staff above the pages."""
    context = {
        "tasks": list(_tasks(request)),
        "states": list(_states(request)),
        "sections": list(_sections(request)),
    }
    return admin.site.index(request, context)


def _sections(request: HttpRequest) -> Iterator[tuple[str, list[dict[str, str]]]]:
    """Yield each section with the pages that this member of staff may see."""
    apps = admin.site.get_app_list(request)
    pages = {page["model"]: page for app in apps for page in app["models"] if page["admin_url"]}
    for title, purposes in _SECTIONS.items():
        held = [(pages.pop(model), words) for model, words in purposes.items() if model in pages]
        if title == "This site":
            held += [(page, "") for page in pages.values()]
            if _may_see(request, Work):
                health_page = {"name": "Health", "admin_url": reverse("staff_health")}
                held.insert(0, (health_page, "How the site runs, and jobs that were given up"))
        if held:
            yield (
                title,
                [{**page, "url": page["admin_url"], "words": words} for page, words in held],
            )


def _tasks(request: HttpRequest) -> Iterator[dict[str, Any]]:
    """Yield the open tasks for staff, counting rows that this member of staff may see."""
    asked: list[tuple[QuerySet[Any], AbstractContextManager[Any], str, str, str]] = [
        (
            Contradiction.objects.filter(
                status=Contradiction.Status.OPEN, help_asked_at__isnull=False
            ),
            acting_as_staff(),
            "conflict is waiting for your help",
            "conflicts are waiting for your help",
            "?state=asked",
        ),
        (
            LessonReport.objects.filter(standing=LessonReport.Standing.OPEN),
            acting_as_cohort(),
            "reported lesson to review",
            "reported lessons to review",
            "",
        ),
        (
            PersonaProposal.objects.filter(standing=PersonaProposal.Standing.OPEN),
            acting_as_cohort(),
            "proposed role to review",
            "proposed roles to review",
            "",
        ),
        (
            Work.objects.exclude(failure=""),
            acting_as_worker(),
            "background job keeps failing",
            "background jobs keep failing",
            "",
        ),
        (
            ModelRefusal.objects.filter(expires_at__gt=now()),
            nullcontext(),
            "request refused by the language model",
            "requests refused by the language model",
            "",
        ),
    ]
    for rows, block, singular, plural, query in asked:
        if not _may_see(request, rows.model):
            continue
        with block:
            count = rows.count()
        if count:
            url = reverse(admin_urlname(rows.model._meta, "changelist"))  # type: ignore[arg-type]
            yield {"count": count, "words": singular if count == 1 else plural, "url": url + query}


def _states(request: HttpRequest) -> Iterator[dict[str, str]]:
    """Yield the state of the language model and of the background worker."""
    asked = llm.current()
    state = "not connected; answers come only from memory"
    if asked.key_is_lost:
        state = "its key cannot be read; connect it again"
    elif asked.exists:
        state = f"{asked.chat_model} at {asked.host}"
    can_connect = request.user.has_perm("conversations.change_modelconnection")
    yield {
        "label": "Language model",
        "state": state,
        "url": reverse("conversations:model") if can_connect else "",
    }
    worker = health.worker()
    yield {
        "label": "Background worker",
        "state": "running" if worker == health.OK else worker,
        "url": reverse("staff_health") if _may_see(request, Work) else "",
    }


def _may_see(request: HttpRequest, model: type) -> bool:
    return admin.site.get_model_admin(model).has_view_or_change_permission(request)
