"""Actions on chips: undo, edit, restore, keep everywhere, note anyway, answer."""

from collections.abc import Callable
from functools import partial
from uuid import UUID

from django.contrib import messages
from django.db import transaction
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from accounts.access.pages import PersonRequest, person_page
from conversations.learning import listening_runs, note_consent
from conversations.models import Conversation, LearningOutcome, Message
from conversations.notebook.changing import claim_text, is_in_use
from conversations.web.forms import ClaimForm
from conversations.web.present import chips, talk
from conversations.web.views.refusing import refuse
from ledger.models import Contradiction
from memory import manager
from memory.lessons.role_answers import known_role_answer, take_role_answer
from memory.models import Memory, Override, ProfileFact
from personas import membership

_OF_A_ROLE = (LearningOutcome.Kind.ROLE, LearningOutcome.Kind.LEFT_ROLE)
_OF_A_NOTE = ("fact__replaces", "memory", "override", "message__conversation")


@require_POST
@person_page
def undo(request: PersonRequest, pk: UUID) -> HttpResponse:
    """Retract what was learned from a message."""
    outcome = _note(request, pk)
    if outcome.override is not None:
        # An override and its memory are removed together.
        outcome.override.delete()
        return HttpResponse("") if request.htmx else redirect(outcome.message)
    if outcome.kind == LearningOutcome.Kind.ENDED and outcome.fact is not None:
        return _restore(request, outcome, partial(manager.resume, outcome.fact))
    if outcome.kind == LearningOutcome.Kind.ENDED and outcome.memory is not None:
        return _restore(request, outcome, partial(manager.restore, outcome.memory))
    before = _edited_from(outcome)
    if outcome.fact is not None:
        manager.undo(outcome.fact)
        if isinstance(before, ProfileFact):
            return _restore(request, outcome, partial(_back_to, outcome, before))
    if outcome.memory is not None:
        manager.undo(outcome.memory)
        if isinstance(before, Memory):
            _now_about(outcome, before)
    return _show(request, outcome)


def _edited_from(outcome: LearningOutcome) -> ProfileFact | Memory | None:
    """Return the fact or memory that was edited on the chip, and whose former text Undo restores;
    None if it was not edited.
    """
    fact, memory = outcome.fact, outcome.memory
    if fact is not None and fact.source == ProfileFact.Source.MANUAL:
        return fact.replaces
    if memory is not None and memory.source == Memory.Source.MANUAL:
        return Memory.objects.for_user(memory.user_id).filter(superseded_by=memory).first()
    return None


def _back_to(outcome: LearningOutcome, fact: ProfileFact) -> None:
    manager.resume(fact)
    _now_about(outcome, fact)


def _now_about(outcome: LearningOutcome, kept: ProfileFact | Memory) -> None:
    """Make the outcome refer to another fact or memory."""
    kept.refresh_from_db()
    name = "fact" if isinstance(kept, ProfileFact) else "memory"
    setattr(outcome, name, kept)
    outcome.save(update_fields=[name])


@require_http_methods(["GET", "POST"])
@person_page
def edit(request: PersonRequest, pk: UUID) -> HttpResponse:
    """Edit what a chip shows, in place; on a separate page without JavaScript."""
    outcome = _note(request, pk)
    kept = outcome.memory or outcome.fact
    if kept is None or not is_in_use(kept):
        return refuse(request, "I no longer use this. Reload the page.", outcome.message)
    form = ClaimForm(
        kept,
        request.POST or None,
        initial={"value": claim_text(kept)},
        auto_id=f"id_%s_{pk}",
    )
    form.fields["value"].label = "What should I remember?"
    if request.method == "POST" and form.is_valid():
        try:
            _rewrite(outcome, kept, form.cleaned_data["value"])
        except (manager.SlotTaken, manager.NotKept) as reason:
            form.add_error("value", str(reason))
        else:
            return _show(request, outcome)
    elif request.GET.get("cancel"):
        return _show(request, outcome)
    part = "_note_editor" if request.htmx else "note_edit"
    context = {"note": chips.note(outcome), "form": form}
    status = 422 if form.errors else 200
    return render(request, f"conversations/{part}.html", context, status=status)


def _rewrite(outcome: LearningOutcome, kept: ProfileFact | Memory, value: str) -> None:
    """Change the fact or memory; the chip then refers to the new version."""
    manager.rewrite(kept, value)
    kept.refresh_from_db()
    if isinstance(kept, Memory):
        _now_about(outcome, kept.superseded_by or kept)
    else:
        written = ProfileFact.objects.for_user(kept.user_id).current().filter(replaces=kept)
        _now_about(outcome, written.first() or kept)


@require_POST
@person_page
def widen(request: PersonRequest, pk: UUID) -> HttpResponse:
    """Make an override a fact for all conversations."""
    outcome = _note(request, pk)
    try:
        _keep_everywhere(outcome)
    except manager.SlotTaken as taken:
        return refuse(request, str(taken), outcome.message)
    return _show(request, outcome)


@require_POST
@person_page
def anyway(request: PersonRequest, pk: UUID) -> HttpResponse:
    """Save a withheld outcome: the user has read the offer and consents."""
    outcome = _note(request, pk)
    try:
        noted = note_consent.note_anyway(outcome)
    except manager.NotKept as reason:
        return refuse(request, str(reason), outcome.message)
    if not request.htmx:
        return redirect(outcome.message)
    return _show_noted(request, outcome.message, noted)


@require_GET
@person_page
def listened(request: PersonRequest, pk: UUID) -> HttpResponse:
    """Return the chips of an answer once the connected model has read its question; 204
    until then.
    """
    answers = Message.objects.for_user(request.user.pk).filter(role=Message.Role.ASSISTANT)
    answer = get_object_or_404(answers.select_related("conversation", "user"), pk=pk)
    conversation = answer.conversation
    entry = talk.answer(answer)
    if entry.listening_url and listening_runs.is_due(conversation):
        return HttpResponse(status=204)
    entry.listening_url = ""
    entries = Contradiction.objects.filter(user=request.user).open()
    return render(
        request,
        "conversations/_answer_notes.html",
        {"answer": entry, "open_conflicts": entries.count(), "read": True},
    )


@require_POST
@person_page
def note_message(request: PersonRequest, pk: UUID) -> HttpResponse:
    """Save a message as a memory at the user's request."""
    own_messages = Message.objects.for_user(request.user.pk).filter(
        role=Message.Role.USER, author=""
    )
    message = get_object_or_404(own_messages, pk=pk)
    try:
        noted = note_consent.note_message(message)
    except manager.NotKept as reason:
        return refuse(request, str(reason), message)
    if not request.htmx:
        return redirect(message)
    return _show_noted(request, message, noted)


def _show_noted(
    request: PersonRequest, message: Message, noted: list[LearningOutcome]
) -> HttpResponse:
    """Return the new chips, and the current text of the answer that offered to note something."""
    context: dict[str, object] = {"notes": [chips.note(outcome) for outcome in noted]}
    after = Message.objects.beside(message).filter(number=message.number + 1)
    answer = after.filter(role=Message.Role.ASSISTANT).select_related("user").first()
    if answer is not None:
        context["answer"] = talk.answer(answer, message)
    return render(request, "conversations/_notes_made.html", context)


@require_POST
@person_page
def widen_here(request: PersonRequest, pk: UUID) -> HttpResponse:
    """Make an override a fact for all conversations, from the profile page."""
    rows = Override.objects.filter(user=request.user)
    override = get_object_or_404(rows.select_related("conversation"), pk=pk)
    if override.conversation.privacy == Conversation.Privacy.PRIVATE:
        raise Http404
    outcome = LearningOutcome.objects.filter(user=request.user, override=override).first()
    try:
        if outcome is not None:
            _keep_everywhere(outcome)
        else:
            manager.widen_override(override)
    except manager.SlotTaken as taken:
        messages.error(request, str(taken), extra_tags="error")
    else:
        sentence = override.sentence
        messages.success(request, f"I’ll use this in every conversation again: {sentence}.")
    return redirect("memory:profile")


@require_POST
@person_page
def restore(request: PersonRequest, pk: UUID) -> HttpResponse:
    """Restore what was retracted."""
    outcome = _note(request, pk)
    taken_back = outcome.fact or outcome.memory
    if taken_back is None:
        return _show(request, outcome)
    return _restore(request, outcome, partial(manager.restore, taken_back))


def _restore(
    request: PersonRequest, outcome: LearningOutcome, restore_it: Callable[[], None]
) -> HttpResponse:
    try:
        restore_it()
    except (manager.SlotTaken, manager.NotKept) as taken:
        return refuse(request, str(taken), outcome.message)
    return _show(request, outcome)


@require_POST
@person_page
def answer_role(request: PersonRequest, pk: UUID) -> HttpResponse:
    """Answer the question about joining or leaving a persona: yes, yes without sharing, or no."""
    outcome = _note(request, pk)
    answer = known_role_answer(request.POST.get("answer", ""))
    persona = membership.personas().filter(handle=outcome.slot).first()
    if answer is None or persona is None or outcome.kind not in _OF_A_ROLE:
        raise Http404
    take_role_answer(request.user.pk, persona, answer)
    return _show(request, outcome)


def _keep_everywhere(outcome: LearningOutcome) -> None:
    """Move the memory from the override to the fact, so that it outlives the override."""
    override = outcome.override
    if override is None:
        if outcome.fact is not None:
            manager.restore(outcome.fact)
        return
    with transaction.atomic():
        outcome.override, outcome.kind = None, LearningOutcome.Kind.STORED
        outcome.save(update_fields=["override", "kind"])
        outcome.fact = manager.widen_override(override)
        outcome.save(update_fields=["fact"])


def _note(request: PersonRequest, pk: UUID) -> LearningOutcome:
    notes = LearningOutcome.objects.filter(user=request.user)
    outcome = get_object_or_404(notes.select_related(*_OF_A_NOTE), pk=pk)
    return chips.as_answered([outcome])[0]


def _show(request: PersonRequest, outcome: LearningOutcome) -> HttpResponse:
    if not request.htmx:
        return redirect(outcome.message)
    return render(request, "conversations/_note.html", {"note": chips.note(outcome)})
