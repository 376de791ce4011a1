"""The pages of roles: a role's lessons, the user's own lessons, and the roles themselves."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from accounts.access.pages import PersonRequest, person_page
from accounts.models import PrivacySettings
from memory.lessons import cohort as cohorts
from memory.lessons import contribution, reports, role_answers, wordings
from memory.lessons.contribution import ContributionResult, LessonSource, NotShared
from memory.models import LessonReport, LessonSupport
from memory.web.cohort_forms import AgreeForm, LessonForm, PersonaForm, ReportForm
from memory.web.present import cohort as present
from memory.web.views.common import redirect_to, refuse
from personas import membership
from personas.membership import TooManyProposals
from personas.models import Persona, PersonaProposal, UserPersona


@require_GET
@person_page
def cohort(request: PersonRequest) -> HttpResponse:
    """Show the lessons, the user's supports and roles, and whether they share lessons."""
    return render(request, "memory/cohort.html", _page(request))


@require_POST
@person_page
def write(request: PersonRequest) -> HttpResponse:
    """Contribute a lesson; a refused text stays in the form."""
    mine = _one_of_mine(request)
    form = LessonForm(request.POST)
    if form.is_valid():
        try:
            made = contribution.contribute_lesson(
                request.user, mine.persona, form.cleaned_data["text"], source=LessonSource.OWNER
            )
        except NotShared as reason:
            form.add_error("text", str(reason))
        else:
            if made.verdict.accepted:
                messages.success(request, _thanks(made))
                return redirect(f"{reverse('memory:cohort')}?of={mine.persona.handle}")
            form.add_error("text", made.verdict.why)
    context = _page(request) | {"form": form}
    return render(request, "memory/cohort.html", context, status=422)


@require_POST
@person_page
def agree(request: PersonRequest, pk: UUID) -> HttpResponse:
    """Support a lesson, instead of the user's own similar lesson if one is named."""
    lesson = get_object_or_404(cohorts.readable(request.user.pk), pk=pk)
    form = AgreeForm(request.POST)
    if not form.is_valid():
        raise Http404
    try:
        contribution.agree(request.user, lesson, in_place_of=form.cleaned_data["in_place_of"])
    except NotShared as reason:
        return refuse(request, str(reason), reverse("memory:cohort"))
    messages.success(request, "You now support this lesson.")
    return redirect_to(request, _back(request))


@require_POST
@person_page
def withdraw(request: PersonRequest, pk: UUID) -> HttpResponse:
    """Withdraw the user's support of a lesson."""
    if not contribution.withdraw(request.user.pk, pk):
        raise Http404
    messages.success(request, "You no longer support this lesson.")
    return redirect_to(request, _back(request))


@require_http_methods(["GET", "POST"])
@person_page
def report(request: PersonRequest, pk: UUID) -> HttpResponse:
    """Report a lesson to staff."""
    lesson = get_object_or_404(cohorts.readable(request.user.pk), pk=pk)
    form = ReportForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        reports.report(request.user.pk, lesson, **form.cleaned_data)
        messages.success(request, "Thank you. Staff will look at it and answer here.")
        return redirect("memory:cohort")
    context = {"lesson": lesson, "form": form}
    return render(request, "memory/cohort_report.html", context, status=422 if form.errors else 200)


@require_POST
@person_page
def share(request: PersonRequest) -> HttpResponse:
    """Turn sharing of lessons on or off; turning it off withdraws all support."""
    if request.POST.get("on") == "1":
        contribution.opt_in(request.user.pk)
        messages.success(request, "Sharing is on.")
    else:
        many = contribution.opt_out(request.user.pk)
        lost_support = (
            f" You no longer support {many} lesson{'s' if many > 1 else ''}." if many else ""
        )
        messages.success(request, f"Sharing is off.{lost_support}")
    return redirect("memory:cohort")


@require_GET
@person_page
def shared_block(request: PersonRequest, handle: str) -> HttpResponse:
    """Show the memory block that the members of a persona share."""
    mine = get_object_or_404(UserPersona.confirmed(request.user.pk), persona__handle=handle)
    text = cohorts.cohort_block(mine.persona)
    context = {"persona": mine.persona, "text": text, "meter": present.meter(len(text))}
    return render(request, "memory/cohort_block.html", context)


# --- Roles ---------------------------------------------------------------------------------------


@require_GET
@person_page
def roles(request: PersonRequest) -> HttpResponse:
    """Show all personas, and those that the user proposed."""
    return render(request, "memory/cohort_roles.html", _roles(request, PersonaForm()))


@require_POST
@person_page
def role(request: PersonRequest, handle: str) -> HttpResponse:
    """Confirm, decline or leave a persona."""
    persona = get_object_or_404(membership.personas(), handle=handle)
    answer = role_answers.known_role_answer(request.POST.get("answer", ""))
    if answer is None:
        raise Http404
    messages.success(request, role_answers.take_role_answer(request.user.pk, persona, answer))
    return redirect_to(request, reverse("memory:cohort"))


@require_POST
@person_page
def propose(request: PersonRequest) -> HttpResponse:
    """Propose a missing persona to staff."""
    form = PersonaForm(request.POST)
    if form.is_valid():
        try:
            membership.propose(request.user.pk, **form.cleaned_data)
        except TooManyProposals as reason:
            form.add_error(None, str(reason))
        else:
            messages.success(request, "Thank you. Staff will look at it and answer here.")
            return redirect("memory:cohort_roles")
    return render(request, "memory/cohort_roles.html", _roles(request, form), status=422)


# --- Contexts ------------------------------------------------------------------------------------


def _page(request: PersonRequest) -> dict[str, Any]:
    user_id = request.user.pk
    mine = membership.of(user_id)
    chosen = _chosen(request, mine)
    supports = list(LessonSupport.lessons_of(user_id))
    supported = {support.lesson_id for support in supports}
    reported = reports.reports_of(user_id)
    open_reports = {r.lesson_id for r in reported if r.standing == LessonReport.Standing.OPEN}
    names = {persona.handle: str(persona) for persona in membership.personas()}
    lessons = cohorts.lessons_for(user_id, opted_out_too=True)
    rows = [present.lesson_row(lesson, supported, open_reports, names) for lesson in lessons]
    return {
        "chosen": chosen.persona if chosen else None,
        "lessons": rows,
        "own": present.own_rows(supports, wordings.other_wordings(user_id, supports)),
        "answered": [
            (r, present.REPORT_KINDS[LessonReport.Kind(r.kind)])
            for r in reported
            if r.standing != LessonReport.Standing.OPEN
        ],
        "roles": [present.role(persona) for persona in (*mine, *membership.guesses(user_id))],
        "shares": PrivacySettings.of(user_id).shares_lessons,
        "helped": len(supports),
        "gets": len(lessons),
        "blocks": [
            (persona.persona, present.meter(len(cohorts.cohort_block(persona.persona))))
            for persona in mine
        ],
        "form": LessonForm(),
    }


def _chosen(request: PersonRequest, mine: list[UserPersona]) -> UserPersona | None:
    """Return the requested persona of the user, else the most probable one; None for none."""
    wanted = request.GET.get("of") or request.POST.get("of")
    return next(
        (persona for persona in mine if persona.persona.handle == wanted), mine[0] if mine else None
    )


def _one_of_mine(request: PersonRequest) -> UserPersona:
    mine = _chosen(request, membership.of(request.user.pk))
    if mine is None:
        raise Http404
    return mine


def _roles(request: PersonRequest, form: PersonaForm) -> dict[str, Any]:
    mine = {persona.persona_id for persona in membership.of(request.user.pk)}
    proposals = PersonaProposal.objects.filter(user=request.user).order_by("-proposed_at")
    personas: list[Persona] = list(membership.personas())
    return {
        "personas": [(persona, persona.pk in mine) for persona in personas],
        "proposals": proposals,
        "form": form,
    }


def _back(request: PersonRequest) -> str:
    of = request.POST.get("of", "")
    return f"{reverse('memory:cohort')}{f'?of={of}' if of else ''}"


def _thanks(made: ContributionResult) -> str:
    if made.similar is not None:
        return "Thank you. Others say nearly the same thing. You can support their wording below."
    if made.lesson is not None and made.lesson.visible:
        return "Thank you. Others in your role can read it."
    return "Thank you. Others can read it once enough people support it."
