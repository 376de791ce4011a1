"""The profile page: all facts, and changes by hand."""

from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse, HttpResponseRedirect, QueryDict
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.timezone import now
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from accounts.access.pages import PersonRequest, person_page
from memory.facts import revision
from memory.facts.day_precision import beginning_of_day
from memory.facts.revision import NowhereToStay, SlotTaken, UnfitValue
from memory.models import BlockedSlot, FactQuerySet, ProfileFact
from memory.retrieval import note_search
from memory.web import present
from memory.web.forms import AddForm, OverForm, ValueForm
from memory.web.present import memories as notes_shown
from memory.web.present import reasons, remedies
from memory.web.views.common import keys_gone, redirect_to, refuse


@require_GET
@person_page
def profile(request: PersonRequest) -> HttpResponse:
    """Show all facts by heading; with `?q=` only those that contain the words."""
    facts = list(_facts(request).current())
    query = note_search.clean_query(request.GET.get("q", ""))
    return render(
        request,
        "memory/profile.html",
        {
            "groups": present.groups(facts, query),
            "query": query,
            "gone": _just_gone(request),
            "closed": present.closed_slots(BlockedSlot.objects.filter(user=request.user)),
            "total": len(facts),
            "portrait": present.portrait(facts),
            "here_only": [] if query else present.here_only(request.user.pk),
            "waiting": notes_shown.waiting(note_search.waiting(request.user.pk)),
            "asked_from": "profile",
        },
    )


@require_http_methods(["GET", "POST"])
@person_page
def add(request: PersonRequest) -> HttpResponse:
    """Add a fact by hand."""
    form = AddForm(request.POST or None, initial={"slot": request.GET.get("slot", "")})
    context: dict[str, object] = {"form": form}
    if request.method == "POST" and form.is_valid():
        try:
            fact = _written(request, form.cleaned_data)
        except SlotTaken as taken:
            if taken.reason is None and not isinstance(taken, UnfitValue):
                context |= _way_on(request, form.cleaned_data)
            form.add_error("value", remedies.in_a_form(taken))
        else:
            past = fact.status == ProfileFact.Status.PAST
            noted = "Noted as past" if past else "Noted"
            messages.success(request, f"{noted}: {fact.in_words}.")
            return redirect_to(
                request, reverse("ledger:timeline") if past else fact.get_absolute_url()
            )
    return _editor(request, "add", context, failed=bool(form.errors))


def _written(request: PersonRequest, data: dict[str, Any]) -> ProfileFact:
    since, over = beginning_of_day(data["since"]), beginning_of_day(data["over"])
    line = request.user.pk, data["slot"], data["value"], since
    return revision.write_past_by_hand(*line, over) if over else revision.write_by_hand(*line)


def _way_on(request: PersonRequest, data: dict[str, Any]) -> dict[str, object]:
    """Return the fact that fills the slot, and URL parameters for the page that changes it."""
    fact = _facts(request).current().filter(slot=data["slot"], many=False).first()
    return {"held": fact, "typed": urlencode({"value": data["value"]})}


@require_http_methods(["GET", "POST"])
@person_page
def edit(request: PersonRequest, pk: UUID) -> HttpResponse:
    """Change the value of a fact; the old value stays in the history."""
    fact = _get_fact(request, pk)
    form = _value_form(fact, request.POST or None, request.GET.get("value", ""))
    if request.method == "POST" and form.is_valid():
        data = form.cleaned_data
        try:
            fact = revision.rewrite(fact, data["value"], beginning_of_day(data["since"]))
        except SlotTaken as taken:
            form.add_error("value", str(taken))
        else:
            return _answer_row(request, fact)
    return _edit(request, fact, form, OverForm(auto_id=_ids(fact)))


@require_POST
@person_page
def confirm(request: PersonRequest, pk: UUID) -> HttpResponse:
    """Confirm that a fact is right."""
    fact = _get_fact(request, pk)
    revision.confirm(fact)
    return _answer_row(request, fact)


@require_POST
@person_page
def over(request: PersonRequest, pk: UUID) -> HttpResponse:
    """End a fact on a day; it stays in the history and is no longer used."""
    fact = _get_fact(request, pk)
    form = OverForm(request.POST, auto_id=_ids(fact))
    if not form.is_valid():
        return _edit(request, fact, _value_form(fact), form)
    revision.close(fact, beginning_of_day(form.cleaned_data["over"]) or now())
    return _show_removed_line(request, fact, "Ended, and kept in your history")


@require_POST
@person_page
def narrow(request: PersonRequest, pk: UUID) -> HttpResponse:
    """Limit a fact to the conversation in which it was said."""
    fact = _get_fact(request, pk)
    try:
        revision.narrow(fact)
    except NowhereToStay as reason:
        return refuse(request, str(reason), reverse("memory:profile"))
    return _show_removed_line(request, fact, "Now only in its conversation")


@require_POST
@person_page
def remove(request: PersonRequest, pk: UUID) -> HttpResponse:
    """Retract a fact."""
    fact = _get_fact(request, pk)
    revision.retract(fact)
    return _show_removed_line(request, fact, "Forgotten")


@require_POST
@person_page
def restore(request: PersonRequest, pk: UUID) -> HttpResponse:
    """Restore a fact that was retracted or ended."""
    fact = get_object_or_404(_ended(request), pk=pk)
    try:
        revision.restore(fact)
    except SlotTaken as taken:
        return refuse(request, str(taken), reverse("memory:profile"))
    if fact.status == ProfileFact.Status.PAST:
        # A fact that was past when saved has no row in the profile.
        return redirect_to(request, reverse("ledger:timeline"))
    return _answer_row(request, fact)


@require_GET
@person_page
def why(request: PersonRequest, pk: UUID) -> HttpResponse:
    """Show the history of a fact's trust."""
    fact = _get_fact(request, pk)
    context = {"fact": present.row(fact), **reasons.of_fact(fact)}
    return render(request, "memory/why.html", context)


def _facts(request: PersonRequest) -> FactQuerySet:
    return ProfileFact.objects.for_user(request.user.pk).with_evidence()


def _ended(request: PersonRequest) -> FactQuerySet:
    return _facts(request).filter(status__in=revision.RETURNING)


def _just_gone(request: PersonRequest) -> list[ProfileFact]:
    """Return the facts that were just removed, for pages without JavaScript."""
    keys = keys_gone(request)
    return list(_ended(request).filter(pk__in=keys)) if keys else []


def _get_fact(request: PersonRequest, pk: UUID) -> ProfileFact:
    return get_object_or_404(_facts(request).current(), pk=pk)


def _answer_row(request: PersonRequest, fact: ProfileFact) -> HttpResponse:
    if not request.htmx:
        return HttpResponseRedirect(fact.get_absolute_url())
    return render(
        request, "memory/_fact_row.html", {"fact": present.row(_get_fact(request, fact.pk))}
    )


def _show_removed_line(request: PersonRequest, fact: ProfileFact, words: str) -> HttpResponse:
    """Return the row of a removed fact with a button that restores it."""
    if not request.htmx:
        messages.success(request, f"{words}: {fact.kind.label}, {fact.value}.")
        return HttpResponseRedirect(f"{reverse('memory:profile')}?gone={fact.pk}")
    context = {
        "fact": fact,
        "words": words,
        "restore_url": reverse("memory:restore", args=[fact.pk]),
    }
    return render(request, "memory/_fact_gone.html", context)


def _edit(
    request: PersonRequest, fact: ProfileFact, form: ValueForm, ending: OverForm
) -> HttpResponse:
    context = {"fact": present.row(fact), "form": form, "ending": ending}
    return _editor(request, "edit", context, failed=bool(form.errors or ending.errors))


def _value_form(fact: ProfileFact, data: QueryDict | None = None, instead: str = "") -> ValueForm:
    return ValueForm(data, initial={"value": instead or fact.value}, auto_id=_ids(fact))


def _ids(fact: ProfileFact) -> str:
    """Return a pattern of field ids unique to a fact, as several editors may be open."""
    return f"id_%s_{fact.pk}"


def _editor(
    request: PersonRequest, name: str, context: dict[str, object], *, failed: bool
) -> HttpResponse:
    fragment = {"add": "memory/_add_form.html", "edit": "memory/_fact_form.html"}[name]
    template = fragment if request.htmx else f"memory/{name}.html"
    return render(request, template, context, status=422 if failed else 200)
