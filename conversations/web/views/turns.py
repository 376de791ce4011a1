"""Views that change a conversation: regenerate, edit, archive, pin, delete."""

from collections.abc import Callable
from uuid import UUID, uuid4

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from accounts.access.pages import PersonRequest, person_page
from accounts.database.isolation import acting_as
from conversations.deletion import archiving, message_deletion
from conversations.deletion.message_deletion import BeingWritten, ConversationContinued, NotThere
from conversations.messages import as_read
from conversations.models import Conversation, Message, MessageQuerySet
from conversations.turns import turn
from conversations.web.forms import RewordForm, TakeBackForm
from conversations.web.present import talk
from conversations.web.rows import conversation_of
from conversations.web.views.refusing import refuse
from ledger.models import Erasure
from ledger.verification import kinds
from ledger.web import receipts

_A_PAGE = 50
State = Message.State


@require_POST
@login_required
def regenerate(request: PersonRequest, pk: UUID) -> HttpResponse:
    """Write the last answer of a conversation again."""
    answer = _message(request, pk, Message.Role.ASSISTANT)
    try:
        turn.regenerate(request.user, answer)
    except turn.NotTheLast as refused:
        return refuse(request, str(refused), answer.get_absolute_url())
    if not request.htmx:
        turn.write(request.user.pk, pk)
        return redirect(answer.get_absolute_url())
    with acting_as(request.user):
        answer.refresh_from_db()
        context = {"answer": talk.answer(answer), "conversation": answer.conversation}
        return render(request, "conversations/_answer.html", context)


@require_http_methods(["GET", "POST"])
@login_required
def edit(request: PersonRequest, pk: UUID) -> HttpResponse:
    """Edit a message; all later messages are deleted, after confirmation."""
    question = _message(request, pk, Message.Role.USER)
    if question.state == State.REMOVED:
        return refuse(request, str(NotThere()), question.get_absolute_url())
    if request.method == "GET":
        return _editor(request, question, _reword(question))
    form = RewordForm(request.POST)
    if not form.is_valid():
        return _editor(request, question, form, status=422)
    try:
        exchange = turn.resend(request.user, question, **form.cleaned_data)
    except NotThere as error:
        return refuse(request, str(error), question.conversation.get_absolute_url())
    except (ConversationContinued, BeingWritten) as refused:
        form.add_error("content", str(refused))
        return _editor(request, question, _with_fresh_preview(form, question), status=409)
    return _resent(request, exchange)


def _resent(request: PersonRequest, exchange: turn.Exchange) -> HttpResponse:
    if request.htmx:
        # The editor's page no longer exists after its message was deleted.
        if request.htmx.current_url_abs_path == request.path:
            address = exchange.question.get_absolute_url()
            return HttpResponse(status=204, headers={"HX-Redirect": address})
        return HttpResponse(status=204, headers={"HX-Refresh": "true"})
    turn.write(request.user.pk, exchange.answer.pk)
    return redirect(exchange.question.get_absolute_url())


@require_http_methods(["GET", "POST"])
@person_page
def delete_turn(request: PersonRequest, pk: UUID) -> HttpResponse:
    """Delete a question and its answer, after a preview."""
    message = get_object_or_404(_messages(request), pk=pk)
    if message.state == State.REMOVED:
        return refuse(request, str(NotThere()), message.get_absolute_url())
    affected = message_deletion.turn_of(message)
    if request.method == "GET":
        deletion = message_deletion.preview(request.user, affected)
        quoted = [as_read(quoted_message) for quoted_message in deletion.said]
        context = {"message": message, "going": deletion, "quoted": quoted}
        return render(request, "conversations/delete_turn.html", context)
    return _delete(
        request,
        lambda *take: message_deletion.remove_turn(request.user, message, *take),
        "Message and reply deleted.",
        back=message.get_absolute_url(),
        to=message.get_absolute_url(),
    )


@require_http_methods(["GET", "POST"])
@person_page
def delete_conversation(request: PersonRequest, pk: UUID) -> HttpResponse:
    """Delete a conversation with everything in it, after a preview."""
    conversation = conversation_of(request.user, pk)
    if request.method == "GET":
        deletion = message_deletion.preview(
            request.user, message_deletion.all_of(conversation), whole=True
        )
        everything = message_deletion.everything
        plan = message_deletion.plan(request.user, conversation, everything, everything)
        context = {
            "conversation": conversation,
            "going": deletion,
            "goes": kinds.counted(plan.counts),
            "stays": kinds.staying(plan.stays),
        }
        return render(request, "conversations/delete.html", context)
    return _delete(
        request,
        lambda *take: message_deletion.remove_conversation(request.user, conversation, *take),
        "Conversation deleted.",
        back=conversation.get_absolute_url(),
        to="conversations:home",
    )


def _delete(
    request: PersonRequest,
    deed: Callable[[message_deletion.Take, message_deletion.Take], Erasure | None],
    done: str,
    *,
    back: str,
    to: str,
) -> HttpResponse:
    form = TakeBackForm(request.POST)
    if not form.is_valid():
        raise Http404
    try:
        receipt = deed(form.takes, form.takes_answer)
    except BeingWritten as refused:
        return refuse(request, str(refused), back)
    except NotThere as error:
        # The previous page may have been deleted with the conversation.
        return refuse(request, str(error), to, status=404)
    messages.success(request, receipts.receipt_message(done, receipt) if receipt else done)
    return redirect(to)


@require_POST
@person_page
def archive(request: PersonRequest, pk: UUID) -> HttpResponse:
    """Archive or restore a conversation."""
    conversation = conversation_of(request.user, pk)
    away = request.POST.get("away") == "1"
    archiving.put_away(conversation, away)
    if away:
        is_searchable = conversation.privacy != Conversation.Privacy.PRIVATE
        where = (
            "Search still finds it."
            if is_searchable
            else "It’s private, so only this list shows it."
        )
        messages.success(request, f"Archived. {where}")
        return redirect("conversations:archived")
    messages.success(request, "The conversation is back in your list.")
    return redirect(conversation)


@require_POST
@person_page
def pin(request: PersonRequest, pk: UUID) -> HttpResponse:
    """Pin a conversation to the top of the list, or unpin it."""
    conversation = conversation_of(request.user, pk)
    pinned = request.POST.get("pinned") == "1"
    archiving.pin(conversation, pinned)
    messages.success(request, "Pinned." if pinned else "No longer pinned.")
    return redirect(conversation)


@require_GET
@person_page
def archived(request: PersonRequest) -> HttpResponse:
    """Show the archived conversations."""
    rows = Conversation.objects.for_user(request.user.pk).filter(archived_at__isnull=False)
    pages = Paginator(rows.order_by("-archived_at", "-pk"), _A_PAGE)
    page = pages.get_page(request.GET.get("page"))
    return render(request, "conversations/archived.html", {"page": page})


# --- Shared by the views -------------------------------------------------------------------------


def _messages(request: PersonRequest) -> MessageQuerySet:
    return Message.objects.for_user(request.user.pk).select_related("conversation")


def _message(request: PersonRequest, pk: UUID, role: Message.Role) -> Message:
    with acting_as(request.user):
        return get_object_or_404(_messages(request), pk=pk, role=role)


def _reword(question: Message) -> RewordForm:
    initial = {
        "content": question.content,
        "client_key": uuid4().hex,
        "up_to": question.conversation.last_number,
    }
    return RewordForm(initial=initial)


def _with_fresh_preview(form: RewordForm, question: Message) -> RewordForm:
    """Return the form with the same text, and a new preview of what would be deleted."""
    with acting_as(question.user_id):
        question.conversation.refresh_from_db(fields=["last_number"])
    form.data = {**form.data.dict(), "up_to": question.conversation.last_number}  # type: ignore[attr-defined]
    return form


def _editor(
    request: PersonRequest, question: Message, form: RewordForm, *, status: int = 200
) -> HttpResponse:
    """Return the editor: a fragment if JavaScript asks for it, else a page."""
    with acting_as(request.user):
        deletion = message_deletion.preview(request.user, message_deletion.from_here_on(question))
        # If only its own answer follows, this is not mentioned, because it is regenerated anyway.
        own = message_deletion.turn_of(question).count()
        after = len(deletion.said) - 1 if len(deletion.said) > own else 0
        context = {
            "question": question,
            "conversation": question.conversation,
            "form": form,
            "going": deletion,
            "after": after,
        }
        name = "_reword.html" if request.htmx else "reword.html"
        return render(request, f"conversations/{name}", context, status=status)
