"""The profile page: what is kept in mind, and the person's own hand on every line."""

from collections.abc import Callable
from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from accounts.pages import PersonRequest, person_page
from memory import finding, present, revision
from memory.forms import AddForm, ValueForm
from memory.models import FactQuerySet, ProfileFact
from memory.present import memories as notes_shown
from memory.present import reasons
from memory.revision import SlotTaken, UnfitValue
from memory.views.shared import go, refuse


@require_GET
@person_page
def profile(request: PersonRequest) -> HttpResponse:
    """Every fact, under headings."""
    facts = list(_facts(request).current())
    return render(
        request,
        "memory/profile.html",
        {
            "groups": present.groups(facts),
            "total": len(facts),
            "portrait": present.portrait(facts),
            "waiting": notes_shown.waiting(finding.waiting(request.user.pk)),
            "asked_from": "profile",
            "slots": present.profile_choices(),
        },
    )


@require_http_methods(["GET", "POST"])
@person_page
def add(request: PersonRequest) -> HttpResponse:
    """Write a line by hand."""
    form = AddForm(request.POST or None, initial={"slot": request.GET.get("slot", "")})
    if request.method == "POST" and form.is_valid():
        try:
            fact = revision.write_by_hand(
                request.user.pk, form.cleaned_data["slot"], form.cleaned_data["value"]
            )
        except SlotTaken as taken:
            more = "" if isinstance(taken, UnfitValue) else " Edit that line instead."
            form.add_error("value", f"{taken}{more}")
        else:
            messages.success(request, f"Noted: {fact.kind.note.format(value=fact.value)}.")
            return go(request, fact.get_absolute_url())
    return _editor(request, "add", {"form": form}, failed=bool(form.errors))


@require_http_methods(["GET", "POST"])
@person_page
def edit(request: PersonRequest, pk: UUID) -> HttpResponse:
    """Change the wording of a line; the old wording stays in the history."""
    fact = _one(request, pk)
    form = ValueForm(request.POST or None, initial={"value": fact.value})
    if request.method == "POST" and form.is_valid():
        try:
            fact = revision.rewrite(fact, form.cleaned_data["value"])
        except SlotTaken as taken:
            form.add_error("value", str(taken))
        else:
            return _answer_row(request, fact)
    return _editor(
        request, "edit", {"fact": present.row(fact), "form": form}, failed=bool(form.errors)
    )


@require_POST
@person_page
def confirm(request: PersonRequest, pk: UUID) -> HttpResponse:
    """The person says that a line is right."""
    fact = _one(request, pk)
    revision.confirm(fact)
    return _answer_row(request, fact)


@require_POST
@person_page
def remove(request: PersonRequest, pk: UUID) -> HttpResponse:
    """Take a line back."""
    fact = _one(request, pk)
    revision.retract(fact)
    if not request.htmx:
        messages.success(request, "Forgotten.")
        return redirect("memory:profile")
    context = {"fact": fact, "restore_url": reverse("memory:restore", args=[fact.pk])}
    return render(request, "memory/_fact_gone.html", context)


@require_POST
@person_page
def restore(request: PersonRequest, pk: UUID) -> HttpResponse:
    """Bring a removed line back."""
    fact = get_object_or_404(_facts(request).filter(status=ProfileFact.Status.REMOVED), pk=pk)
    return _or_say_why(request, fact, revision.bring_back)


@require_GET
@person_page
def why(request: PersonRequest, pk: UUID) -> HttpResponse:
    """Why a line is believed as far as it is."""
    fact = _one(request, pk)
    context = {"fact": present.row(fact), **reasons.of_fact(fact)}
    return render(request, "memory/why.html", context)


def _or_say_why(
    request: PersonRequest, fact: ProfileFact, deed: Callable[[ProfileFact], None]
) -> HttpResponse:
    try:
        deed(fact)
    except SlotTaken as taken:
        return refuse(request, str(taken), reverse("memory:profile"))
    return _answer_row(request, fact)


def _facts(request: PersonRequest) -> FactQuerySet:
    return ProfileFact.objects.for_user(request.user.pk).with_evidence()


def _one(request: PersonRequest, pk: UUID) -> ProfileFact:
    return get_object_or_404(_facts(request).current(), pk=pk)


def _answer_row(request: PersonRequest, fact: ProfileFact) -> HttpResponse:
    if not request.htmx:
        return HttpResponseRedirect(fact.get_absolute_url())
    return render(request, "memory/_fact_row.html", {"fact": present.row(_one(request, fact.pk))})


def _editor(
    request: PersonRequest, name: str, context: dict[str, object], *, failed: bool
) -> HttpResponse:
    fragment = {"add": "memory/_add_form.html", "edit": "memory/_fact_form.html"}[name]
    template = fragment if request.htmx else f"memory/{name}.html"
    return render(request, template, context, status=422 if failed else 200)
