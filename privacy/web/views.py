"""Pages about privacy: settings, exports, restores, imports, sessions and the account."""

import io
from collections.abc import AsyncIterator, Callable, Iterator
from typing import IO, Any
from uuid import UUID

from allauth.account.forms import ReauthenticateForm
from allauth.usersessions.models import UserSession
from asgiref.sync import sync_to_async
from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.html import format_html
from django.utils.text import slugify
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from accounts import privacy as allowed
from accounts.access.pages import PersonRequest, person_page
from accounts.models import PrivacySettings, User
from accounts.support.refusals import Refused
from conversations.deletion import erase_all
from conversations.models import Conversation
from ledger.promotion.proposals import Accepted
from memory.notes.note_gate import NotKept
from privacy import account_deletion, consents, exporting, one_conversation, retention
from privacy.account_deletion import TooLate
from privacy.importing import deciding
from privacy.importing import requests as imports
from privacy.models import Export, Import, RestoredLine
from privacy.restoring import opening
from privacy.restoring import requests as restores
from privacy.web import present
from privacy.web.forms import PERIODS, KeptForm
from privacy.web.uploads import is_too_long

Promotion = PrivacySettings.Promotion
_LINES = 100


def _act(
    request: PersonRequest, deed: Callable[[], object], page: str, *, done: str = "", over: str = ""
) -> HttpResponse:
    """Call `deed` and redirect to a page; show `done`, or `over` if it returned something false."""
    try:
        if not deed():
            messages.info(request, over)
        elif done:
            messages.success(request, done)
    except Refused as refused:
        messages.error(request, str(refused))
    return redirect(page)


def _action(
    deed: Callable[[User, UUID], object],
    page: tuple[str, str | None],
    *,
    done: str = "",
    over: str = "",
) -> Callable[..., HttpResponseBase]:
    """Return a view that calls `deed` for a row and redirects to a section of a page."""

    @require_POST
    @person_page
    def view(request: PersonRequest, pk: UUID) -> HttpResponse:
        name, section = page
        address = reverse(name, fragment=section)
        return _act(request, lambda: deed(request.user, pk), address, done=done, over=over)

    return view


# --- Settings -------------------------------------------------------------------------------------


@require_http_methods(["GET", "POST"])
@person_page
def privacy(request: PersonRequest) -> HttpResponse:
    """Show the privacy page; a submitted switch is saved at once."""
    if request.method == "POST":
        messages.success(request, _choose(request))
        return redirect("privacy:page")
    return render(request, "privacy/page.html", present.page(request))


# By the name of a switch: the setting, and the messages when it is turned on and off.
_SWITCHES = {
    "ask": (
        "promotion",
        "I ask before I note anything new.",
        "I note what you clearly say, and show you each fact.",
    ),
    "rule": ("settle_by_rule", "I settle clear conflicts.", "I ask about every conflict."),
    "cohort": (
        "shares_lessons",
        "You share lessons with your role.",
        "Nothing is shared with others.",
    ),
    "private": (
        "begins_private",
        "Every new conversation starts private.",
        "New conversations are not private.",
    ),
}


def _choose(request: PersonRequest) -> str:
    """Save one setting; return the message about its new state."""
    on, switch = request.POST.get("on") == "1", request.POST.get("choice", "")
    if switch not in _SWITCHES:
        raise Http404
    name, if_on, if_off = _SWITCHES[switch]
    promotion = Promotion.ASK if on else Promotion.AUTO
    allowed.choose(request.user.pk, **{name: promotion if name == "promotion" else on})
    return if_on if on else if_off


@require_http_methods(["GET", "POST"])
@person_page
def kept(request: PersonRequest) -> HttpResponse:
    """Show and save retention periods; shows what a change would delete before saving."""
    if request.method == "GET" and not request.GET:
        return redirect(reverse("privacy:page", fragment="kept"))
    form = KeptForm(request.POST if request.method == "POST" else request.GET)
    if not form.is_valid():
        return render(request, "privacy/kept.html", {"form": form}, status=422)
    chosen = form.cleaned_data
    if request.method == "POST":
        retention.choose(request.user.pk, **chosen)
        messages.success(request, "Saved. Anything too old will be deleted within minutes.")
        return redirect("privacy:page")
    context = {
        "form": form,
        "going": retention.would_go(request.user.pk, **chosen),
        "chosen": [(form[name], dict(PERIODS)[chosen[name] or ""]) for name in chosen],
    }
    return render(request, "privacy/kept.html", context)


@require_POST
@person_page
def withdraw(request: PersonRequest) -> HttpResponse:
    """Withdraw a consent."""
    return _act(
        request,
        lambda: consents.withdraw(request.user, request.POST.get("name", "")),
        "privacy:page",
        done="Withdrawn.",
        over="You’ve already withdrawn this.",
    )


# --- Sessions and the account ---------------------------------------------------------------------


@require_POST
@person_page
def end_session(request: PersonRequest, pk: int) -> HttpResponse:
    """End another session of the user; no password is asked for, since it may be urgent."""
    get_object_or_404(UserSession.objects.filter(user=request.user), pk=pk).end()
    messages.success(request, "That device is signed out.")
    return redirect("privacy:page")


@require_POST
@person_page
def end_other_sessions(request: PersonRequest) -> HttpResponse:
    """End all sessions except this one."""
    here = request.session.session_key
    for session in UserSession.objects.filter(user=request.user).exclude(session_key=here):
        session.end()
    messages.success(request, "All other devices are signed out.")
    return redirect("privacy:page")


@require_http_methods(["GET", "POST"])
@person_page
def delete_account(request: PersonRequest) -> HttpResponse:
    """Show what deleting the account removes; schedule it if the password is right."""
    form = ReauthenticateForm(request.POST or None, user=request.user)
    refused = ""
    if request.method == "POST" and form.is_valid():
        try:
            account_deletion.ask(request.user)
            return redirect("privacy:delete_account")
        except Refused as error:
            refused = str(error)
    context = {
        "form": form,
        "refused": refused,
        "held": erase_all.stored_counts(request.user.pk),
        "grace": present.grace(),
    }
    status = 422 if form.errors or refused else 200
    return render(request, "privacy/delete_account.html", context, status=status)


@require_POST
@person_page
def keep_account(request: PersonRequest) -> HttpResponse:
    """Cancel the deletion of the account, or say that it is too late."""
    try:
        is_kept = account_deletion.keep(request.user)
    except TooLate as error:
        return render(request, "privacy/account_deleted.html", {"refused": error}, status=410)
    if is_kept:
        messages.success(request, "Your account won’t be deleted.")
    return redirect("privacy:page")


# --- Exports --------------------------------------------------------------------------------------


@require_POST
@person_page
def make_copy(request: PersonRequest) -> HttpResponse:
    """Request an export of the chosen parts."""
    parts = request.POST.getlist("parts")
    if not parts:
        messages.error(request, "Choose at least one part.")
        return redirect(_section("copy"))
    return _act(request, lambda: exporting.ask(request.user, parts), _section("copy"))


@require_GET
@person_page
def copy_progress(request: PersonRequest) -> HttpResponse:
    """Render the section with the export's progress, which reloads itself."""
    return render(request, "privacy/_copy.html", present.copy_section(request.user.pk))


cancel_copy = _action(
    exporting.cancel,
    ("privacy:page", "copy"),
    done="Cancelled. No copy was made.",
    over="Your copy was already complete.",
)


@require_GET
@person_page
def download(request: PersonRequest, signed: str) -> StreamingHttpResponse:
    """Stream the export's file to its owner, by a link that expires."""
    export = exporting.opened(request.user.pk, signed)
    if export is None:
        raise Http404
    return file_of(export)


def file_of(export: Export) -> StreamingHttpResponse:
    """Return the response that streams an export."""
    assert export.made_at is not None
    pieces = _streamed(exporting.pieces(export.user_id, export.pk))
    response = StreamingHttpResponse(pieces, content_type="application/zip")
    response["Content-Disposition"] = f'attachment; filename="throughline-{export.made_at:%F}.zip"'
    response["Content-Length"] = str(export.size)
    return response


async def _streamed(pieces: Iterator[bytes]) -> AsyncIterator[bytes]:
    while data := await sync_to_async(lambda: next(pieces, b""))():
        yield data


@require_GET
@person_page
def conversation_file(request: PersonRequest, pk: UUID, ending: str) -> HttpResponse:
    """Return one conversation as a file: `md` is Markdown, `json` JSON."""
    conversation = get_object_or_404(Conversation.objects.for_user(request.user.pk), pk=pk)
    if ending == "md":
        content, kind = one_conversation.as_markdown(conversation), "text/markdown"
    else:
        content, kind = one_conversation.as_json(conversation), "application/json"
    name = f"{slugify(conversation.name) or 'conversation'}.{ending}"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return HttpResponse(content, content_type=f"{kind}; charset=utf-8", headers=headers)


# --- Restores -------------------------------------------------------------------------------------


@require_POST
@person_page
def restore(request: PersonRequest) -> HttpResponse:
    """Save an uploaded export and show its content; restoring starts after accepting."""
    try:
        missing = "Choose the ZIP file of a copy first."
        restores.bring(request.user, _uploaded(request, missing, opening.too_large()))
    except Refused as refused:
        context = present.page(request) | {"restore_refused": str(refused)}
        return render(request, "privacy/page.html", context, status=422)
    return redirect(_section("restore"))


@require_GET
@person_page
def restore_progress(request: PersonRequest) -> HttpResponse:
    """Render the section with the restore's progress; the whole page once it has ended."""
    return _progress(request, "privacy/_restore.html", present.restore_section(request.user))


accept_restore = _action(
    restores.accept,
    ("privacy:page", "restore"),
    over="This copy is no longer waiting. Please choose it again.",
)
cancel_restore = _action(
    restores.cancel,
    ("privacy:page", "restore"),
    done="Cancelled. Nothing was restored.",
    over="The restore was already complete.",
)


@require_GET
@person_page
def history_of_copy(request: PersonRequest) -> HttpResponse:
    """Show the history of a restored export."""
    lines = RestoredLine.objects.filter(user_id=request.user.pk).order_by("-at", "-pk")
    page = Paginator(lines, _LINES).get_page(request.GET.get("page"))
    context = {"page": page, "lines": [present.restored_line(line) for line in page]}
    return render(request, "privacy/restored_history.html", context)


# --- Imports --------------------------------------------------------------------------------------


@require_http_methods(["GET", "POST"])
@person_page
def import_page(request: PersonRequest) -> HttpResponse:
    """Save an uploaded file or pasted lines, show the counts; importing starts after accepting."""
    pasted, refused = request.POST.get("pasted", ""), ""
    if request.method == "POST":
        missing = "Choose a file, or paste your memories as lines."
        lines = io.BytesIO(pasted.encode()) if pasted.strip() else None
        try:
            file = _uploaded(request, missing, opening.larger_than_taken(), lines)
            imports.bring(request.user, file)
            return redirect("privacy:imports")
        except Refused as error:
            refused = str(error)
    context = {"import_refused": refused, "pasted": pasted} | present.import_section(request.user)
    return render(request, "privacy/import.html", context, status=422 if refused else 200)


@require_GET
@person_page
def import_progress(request: PersonRequest) -> HttpResponse:
    """Render the section with the import's progress, which reloads itself."""
    return _progress(request, "privacy/_import.html", present.import_section(request.user))


accept_import = _action(
    imports.accept,
    ("privacy:imports", None),
    over="This file is no longer waiting. Please choose it again.",
)
cancel_import = _action(
    imports.cancel,
    ("privacy:imports", None),
    done="Cancelled. Nothing was imported.",
    over="The import was already complete.",
)
undo_import = _action(
    imports.undo,
    ("privacy:imports", None),
    over="There’s nothing from this import left to remove.",
)


@require_http_methods(["GET", "POST"])
@person_page
def decide(request: PersonRequest, pk: UUID) -> HttpResponse:
    """Save a decision about an import: one slot, a group of memories, or everything."""
    row = get_object_or_404(Import.owned(request.user.pk), pk=pk)
    if request.method == "POST":
        try:
            _answer(request, row)
        except (NotKept, Refused) as refused:
            messages.error(request, str(refused))
        return redirect("privacy:import_decide", pk)
    return render(request, "privacy/import_decide.html", present.decisions(row))


def _answer(request: PersonRequest, row: Import) -> None:
    slot, shown = request.POST.get("slot"), _keys(request, "shown")
    if slot:
        past = "past" in request.POST
        done = deciding.decide(row, slot, _keys(request, "chosen"), keep_past=past, among=shown)
        _say(request, done, "Saved.")
    elif shown:
        keep = request.POST.get("answer") == "keep"
        done = deciding.answer_notes(row, shown, keep=keep)
        _say(request, done, f"Kept {len(done):,}." if keep else f"Declined {len(done):,}.")
    else:
        done = deciding.decline_all(row)
        left = deciding.waiting_of(row).count()
        more = f" {left:,} still waiting." if left else ""
        _say(request, done, f"Declined {len(done):,}.{more}")


def _keys(request: PersonRequest, name: str) -> set[UUID]:
    """Return the submitted ids; only ids shown to the user are decided on."""
    try:
        return {UUID(key) for key in request.POST.getlist(name) if key}
    except ValueError:
        raise deciding.NotOffered("Choose one of these, or none.") from None


def _say(request: PersonRequest, done: dict[UUID, Accepted], words: str) -> None:
    messages.success(request, words)
    if any(accepted.contradiction for accepted in done.values()):
        html = 'Some of it contradicts your profile. <a href="{}">See conflicts</a>'
        messages.info(request, format_html(html, reverse("ledger:conflicts")))


def _uploaded(
    request: PersonRequest, missing: str, too_large: str, otherwise: IO[bytes] | None = None
) -> Any:
    """Return the uploaded file of a form. Raises Refused."""
    file = request.FILES.get("file") or otherwise
    if file is None:
        raise Refused(too_large if is_too_long(request) else missing)
    return file


def _progress(request: PersonRequest, template: str, context: dict[str, object]) -> HttpResponse:
    answer, brought = render(request, template, context), context["brought"]
    if request.htmx and not (isinstance(brought, dict) and brought["row"].in_progress):
        answer["HX-Refresh"] = "true"
    return answer


def _section(name: str) -> str:
    return reverse("privacy:page", fragment=name)
