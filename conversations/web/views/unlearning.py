"""Forgetting everything that was learned from a conversation, and restoring it."""

from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from accounts.access.pages import PersonRequest, person_page
from conversations.deletion import forget_learned
from conversations.web.rows import conversation_of


@require_POST
@person_page
def unlearn(request: PersonRequest, pk: UUID) -> HttpResponse:
    """Forget what was learned from this conversation only."""
    conversation = conversation_of(request.user, pk)
    if forgotten := forget_learned.forget(conversation):
        # The page shows the number, beside the link to restore.
        forget_learned.keep(request.session, conversation, forgotten)
    else:
        messages.success(request, "There’s nothing I learned only from this conversation.")
    return redirect(conversation)


@require_POST
@person_page
def relearn(request: PersonRequest, pk: UUID) -> HttpResponse:
    """Restore what was just forgotten."""
    conversation = conversation_of(request.user, pk)
    forgotten = forget_learned.last_forgotten(request.session, conversation)
    still_forgotten = forget_learned.count_still_forgotten(request.user.pk, forgotten)
    back = forget_learned.bring_back(request.user.pk, forgotten)
    forget_learned.keep(request.session, conversation, forget_learned.ForgottenItems())
    if not still_forgotten:
        done = "There’s nothing left to bring back."
    elif back == still_forgotten:
        done = f"Brought back: {_things(back)}."
    else:
        done = f"Brought back: {back} of {still_forgotten}. The others have since been replaced."
    messages.success(request, done)
    return redirect(conversation)


def _things(count: int) -> str:
    return "1 thing" if count == 1 else f"{count} things"
