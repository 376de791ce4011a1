"""The conversation pages."""

import threading
from collections.abc import Iterator
from contextlib import suppress
from typing import Any
from uuid import UUID

from asgiref.sync import sync_to_async
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from accounts.access.pages import PersonRequest, person_page
from accounts.database.connections import release_connection
from accounts.database.isolation import acting_as
from accounts.models import PrivacySettings, User
from accounts.support import sse
from conversations import degraded, markdown, privacy
from conversations.deletion import forget_learned, vanishing
from conversations.learning.message_outcomes import WHAT_NAME
from conversations.llm import configured
from conversations.messages import Window, in_range, window
from conversations.models import Conversation, Message
from conversations.summaries import digest
from conversations.topics import topic_store
from conversations.turns import answer_writer, turn
from conversations.web.forms import MessageForm, PrivacyForm, TitleForm, fresh
from conversations.web.present import coming_up, first_steps, talk, topics
from conversations.web.rows import conversation_of
from conversations.web.streams import ANSWERS
from ledger.conflicts import opening
from ledger.models import Contradiction
from ledger.web import present
from ledger.web.present import ConflictView
from ledger.web.put_off import fold, folded_away
from memory import manager
from memory.core.scope import Scope
from memory.models import ProfileFact

TOO_MANY = (
    f"I’m already writing {settings.STREAMS_PER_PERSON} replies for you. Wait, or stop one of "
    "them. Your message is safe, and I’ll reply to it next."
)
# How many messages a long conversation shows at a time, from its end.
PAGE = 50
# How many conversations a user must have for examples to disappear.
_NEW_FOR = 4


@require_GET
@person_page
def home(request: PersonRequest) -> HttpResponse:
    """Show the home page: a greeting and an empty message form."""
    return render(request, "conversations/home.html", _home_context(request, _fresh_for(request)))


def _fresh_for(request: PersonRequest) -> MessageForm:
    """Return the form for a new conversation, private if that is the user's setting, with the
    chosen example as text.
    """
    wanted = request.GET.get("say", "")
    example = next((example.text for example in first_steps.EXAMPLES if example.text == wanted), "")
    return fresh(private=PrivacySettings.of(request.user.pk).begins_private, content=example)


@require_POST
@login_required
def start(request: PersonRequest) -> HttpResponse:
    """Begin a conversation with its first message."""
    form = MessageForm(request.POST)
    if not form.is_valid():
        return _refuse(request, None, form)
    exchange = turn.begin(request.user, None, **form.cleaned_data)
    _answer_now_without_script(request, exchange)
    url = exchange.question.conversation.get_absolute_url()
    if request.htmx:
        return HttpResponse(status=204, headers={"HX-Redirect": url})
    return redirect(url)


@require_GET
@person_page
def show(request: PersonRequest, pk: UUID) -> HttpResponse:
    """Show the end of a conversation; `?before=`, `?after=` and `?at=` show other parts."""
    conversation = conversation_of(request.user, pk)
    positions = {name: _number(request.GET.get(name), 0) for name in ("before", "after", "at")}
    context = {
        **_thread(conversation, window(conversation.last_number, PAGE, **positions), request.user),
        "form": fresh(),
        "action": reverse("conversations:send", args=[pk]),
        "model_configured": configured(),
        "later": _folded_questions(request),
        "topics": topics.chips(topic_store.of_conversation(request.user.pk, pk)),
        **_private_line(request, conversation),
    }
    return render(request, "conversations/show.html", context)


def _folded_questions(request: PersonRequest) -> frozenset[str]:
    """Return the ids of the collapsed questions; without JavaScript the URL adds one."""
    with suppress(ValueError):
        fold(request.session, UUID(request.GET.get("later", "")))
    return folded_away(request.session)


def _thread(conversation: Conversation, shown: Window, person: User) -> dict[str, Any]:
    """Return the messages of a window, and the links to earlier and later ones."""
    # One message more, because the chips of a question are shown under its answer.
    rows = in_range(conversation.user_id, conversation.pk, shown.first - 1, shown.last)
    page = conversation.get_absolute_url()
    in_place = shown.later > PAGE
    return {
        "conversation": conversation,
        "entries": [
            entry
            for entry in talk.entries(rows, memory_on=person.memory_on)
            if entry.message.number >= shown.first
        ],
        "shown": shown,
        "summary": digest.parse(conversation.compact_summary),
        "earlier_url": f"{page}?before={shown.first}" if shown.earlier else "",
        # The last window also has the form to write, so it is opened as a page.
        "later_url": (
            f"{page}?after={shown.last}"
            if in_place
            else f"{page}?at={shown.last + 1}#m{shown.last + 1}"
        ),
        "later_in_place": in_place,
    }


@require_POST
@login_required
def send(request: PersonRequest, pk: UUID) -> HttpResponse:
    """Store a message, then show it with the place for its answer."""
    form = MessageForm(request.POST)
    if not form.is_valid():
        with acting_as(request.user):
            conversation = conversation_of(request.user, pk)
        return _refuse(request, conversation, form)
    try:
        exchange = turn.begin(request.user, pk, **form.cleaned_data)
    except Conversation.DoesNotExist:
        raise Http404 from None
    if not request.htmx:
        _answer_now_without_script(request, exchange)
        return redirect(exchange.answer.get_absolute_url())
    context = {
        "question": talk.Entry(exchange.question),
        "answer": _place_of(exchange),
        "conversation": exchange.question.conversation,
        "form": fresh(),
        "action": reverse("conversations:send", args=[pk]),
        "oob": True,
    }
    return render(request, "conversations/_exchange.html", context)


def _place_of(exchange: turn.Exchange) -> talk.Entry:
    """Return the entry of the answer; for a form sent twice, with its outcome."""
    if exchange.answer.in_progress:
        return talk.Entry(exchange.answer)
    with acting_as(exchange.answer.user_id):
        return talk.answer(exchange.answer)


async def stream(request: HttpRequest, pk: UUID) -> HttpResponseBase:
    """Stream the answer: `steps` and `text` events with everything so far, then `answer`, then
    `done`.
    """
    user = await request.auser()
    if not isinstance(user, User):
        return HttpResponse("Sign in again.", status=403)
    await sync_to_async(_answer_of)(user, pk)
    try:
        open_stream = ANSWERS.open(user.pk)
    except sse.TooManyStreams:
        return HttpResponse(TOO_MANY, status=429, headers={"Retry-After": "5"})
    return open_stream.response(
        lambda disconnected: _stream(user, pk, disconnected),
        lambda: _broken_down(pk),
        answer=str(pk),
    )


def _stream(user: User, pk: UUID, disconnected: threading.Event) -> Iterator[str]:
    finished = False
    for event in turn.without_replaced_texts(turn.fill(user.pk, pk, disconnected)):
        if isinstance(event, answer_writer.Text):
            yield sse.event("text", markdown.render(event.so_far))
        elif isinstance(event, answer_writer.Steps):
            steps = talk.steps(Message(pk=pk), event.so_far)
            context = {"steps": steps, "latest": steps[-1]}
            yield sse.event("steps", render_to_string("conversations/_steps_live.html", context))
        else:
            finished = True
            with acting_as(user):
                # Learning may have made the message confidential and changed the title.
                event.answer.conversation.refresh_from_db(fields=["title"])
                answer = talk.answer(event.answer, event.question, event.outcomes)
                context = {
                    "answer": answer,
                    "no_longer_asked": talk.no_longer_asked(event.answer, event.question),
                    "decided": talk.decided_by(event.answer, event.question),
                    "offer": talk.offer_before(event.answer, event.question),
                    "claims": talk.claims_decided_by(event.answer, event.question),
                    "conversation": event.answer.conversation,
                    "new_name": _new_name(user, answer),
                    **_badge(user),
                }
                html = render_to_string("conversations/_finished.html", context)
            release_connection()
            yield sse.event("answer", html)
    if not finished:
        yield sse.event("answer", render_to_string("conversations/_answer_gone.html"))
    yield sse.event("done", "")


def _broken_down(pk: UUID) -> Iterator[str]:
    """Yield the event that reports a broken stream and how to continue."""
    yield sse.event("error", answer_writer.TROUBLE)
    context = {"answer": Message(pk=pk, failure=answer_writer.TROUBLE)}
    yield sse.event("answer", render_to_string("conversations/_answer_broken.html", context))
    yield sse.event("done", "")


@require_POST
@login_required
def stop(request: PersonRequest, pk: UUID) -> HttpResponse:
    """Stop an answer; its text so far stays."""
    answer = _answer_of(request.user, pk)
    turn.stop(request.user, answer)
    return HttpResponse(status=204) if request.htmx else redirect(answer.get_absolute_url())


@require_POST
@login_required
def retry(request: PersonRequest, pk: UUID) -> HttpResponse:
    """Write a cut, stopped or failed answer again."""
    turn.retry(request.user, _answer_of(request.user, pk))
    answer = _answer_of(request.user, pk)
    if not request.htmx:
        turn.write(request.user.pk, pk)
        return redirect(answer.get_absolute_url())
    with acting_as(request.user):
        context = {"answer": talk.answer(answer), "conversation": answer.conversation}
        return render(request, "conversations/_answer.html", context)


@require_http_methods(["GET", "POST"])
@person_page
def rename(request: PersonRequest, pk: UUID) -> HttpResponse:
    """Rename a conversation."""
    conversation = conversation_of(request.user, pk)
    form = TitleForm(request.POST or None, initial={"title": conversation.name})
    if request.method == "POST" and form.is_valid():
        conversation.title = form.cleaned_data["title"]
        conversation.save(update_fields=["title"])
        return redirect(conversation)
    context = {"conversation": conversation, "form": form}
    return render(request, "conversations/rename.html", context, status=422 if form.errors else 200)


@require_POST
@person_page
def choose_privacy(request: PersonRequest, pk: UUID) -> HttpResponse:
    """Set a conversation's privacy: the user's default, always note, ask first, or private."""
    conversation, form = conversation_of(request.user, pk), PrivacyForm(request.POST)
    if not form.is_valid():
        raise Http404
    privacy.choose(conversation, form.cleaned_data["privacy"])
    messages.success(request, _PRIVACY_WORDS[Conversation.Privacy(conversation.privacy)])
    return redirect(conversation)


_PRIVACY_WORDS = {
    Conversation.Privacy.USUAL: "I’ll follow your settings here again.",
    Conversation.Privacy.AUTO: "I’ll note what you tell me here, and show you each fact.",
    Conversation.Privacy.ASK: "I’ll ask before noting anything here.",
    Conversation.Privacy.PRIVATE: (
        "This conversation is now private. Memories that quote it are paused; everything else I "
        "noted is kept."
    ),
}


# --- Shared by the views -------------------------------------------------------------------------


def _answer_of(user: User, pk: UUID) -> Message:
    with acting_as(user):
        answers = Message.objects.for_user(user.pk).filter(role=Message.Role.ASSISTANT)
        message = answers.filter(pk=pk).first()
    if message is None:
        raise Http404
    return message


def _answer_now_without_script(request: PersonRequest, exchange: turn.Exchange) -> None:
    """Write the answer before the redirect: without JavaScript nobody opens the stream."""
    if not request.htmx:
        turn.write(request.user.pk, exchange.answer.pk)


def _refuse(
    request: PersonRequest, conversation: Conversation | None, form: MessageForm
) -> HttpResponse:
    """Return the page with the submitted form, its text and its errors."""
    action = (
        reverse("conversations:send", args=[conversation.pk])
        if conversation
        else reverse("conversations:start")
    )
    context: dict[str, Any] = {"form": form, "conversation": conversation, "action": action}
    if request.htmx:
        response = render(request, "conversations/_composer.html", context, status=422)
        response["HX-Retarget"] = "#composer"
        response["HX-Reswap"] = "outerHTML"
        return response
    with acting_as(request.user):
        if conversation is None:
            context |= _home_context(request, form)
            return render(request, "conversations/home.html", context, status=422)
        context |= _thread(conversation, window(conversation.last_number, PAGE), request.user)
        context |= _private_line(request, conversation)
        return render(request, "conversations/show.html", context, status=422)


def _home_context(request: PersonRequest, form: MessageForm) -> dict[str, Any]:
    is_new = Conversation.objects.for_user(request.user.pk)[:_NEW_FOR].count() < _NEW_FOR
    return {
        "greeting": _greeting(request),
        "form": form,
        "action": reverse("conversations:start"),
        "conversation": None,
        "model_configured": configured(),
        "answered": _settled_by_staff(request),
        "examples": first_steps.EXAMPLES if request.user.memory_on and is_new else (),
        "coming": coming_up.at_home(request.user, coming_up.just_marked(request)),
        **_badge(request.user),
    }


def _greeting(request: PersonRequest) -> str:
    """Return the greeting: with the user's name, unless memory is off, or asking for a name."""
    user = request.user
    known = _known_name(request) if user.memory_on else ""
    name = known or (user.name if user.memory_on else "")
    by_name = f", {name}" if name else ""
    # A name given at sign-up is known before the first message.
    was_told = bool(known) and known != user.name
    if was_told or Conversation.objects.for_user(user.pk).exists():
        return f"Welcome back{by_name}."
    name_question = "" if name or user.name else f" {WHAT_NAME}"
    return f"Good to meet you{by_name}.{name_question}"


def _settled_by_staff(request: PersonRequest) -> ConflictView | None:
    """Return the first conflict that staff settled and the user has not seen yet."""
    entry = opening.first_unread_answer(request.user.pk)
    return present.view(entry) if entry else None


@require_POST
@person_page
def keep(request: PersonRequest, pk: UUID) -> HttpResponse:
    """Make a temporary conversation permanent."""
    conversation = conversation_of(request.user, pk)
    if vanishing.keep(request.user, conversation):
        messages.success(request, "I’ll keep this conversation, and it stays private.")
    return redirect(conversation)


def _private_line(request: PersonRequest, conversation: Conversation) -> dict[str, object]:
    """Return the context of the privacy notice: whether the conversation is private, what was
    learned before, and what of that can be forgotten or restored.
    """
    if conversation.privacy != Conversation.Privacy.PRIVATE:
        return {"private": False}
    forgotten = forget_learned.last_forgotten(request.session, conversation)
    return {
        "private": True,
        "taught": privacy.taught(conversation),
        "to_forget": forget_learned.would_forget(conversation),
        "to_bring_back": forget_learned.count_still_forgotten(request.user.pk, forgotten),
    }


def _known_name(request: PersonRequest) -> str:
    """Return the name for the greeting; '' if memory cannot be read."""
    scope = Scope(request.user.pk, None, None, request.user.date_joined)
    recall = degraded.tried(lambda: manager.recall(scope), user=str(request.user.pk))
    if recall is None:
        return ""
    names = recall.facts.get("preferred_name") or recall.facts.get("name") or []
    return names[0].value if names else ""


def _new_name(user: User, answer: talk.Entry) -> str:
    """Return the name that the user gave in this turn; '' if none."""
    if not any(view.note.slot in ("name", "preferred_name") for view in answer.notes):
        return ""
    return ProfileFact.objects.for_user(user.pk).current().count_and_name()[1]


def _badge(user: User) -> dict[str, int]:
    return {"open_conflicts": Contradiction.objects.filter(user=user).open().count()}


def _number(text: str | None, default: int) -> int:
    return int(text) if text and text.isdecimal() and len(text) < 9 else default
