"""Making a copy, seeing how far it is, and downloading it."""

from collections.abc import AsyncIterator, Iterator
from uuid import UUID

from asgiref.sync import sync_to_async
from django.contrib import messages
from django.http import Http404, HttpResponse, StreamingHttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.text import slugify
from django.views.decorators.http import require_GET, require_POST

from accounts.access.pages import PersonRequest, person_page
from conversations.models import Conversation
from privacy import exporting, one_conversation
from privacy.models import Export
from privacy.web import present


@require_POST
@person_page
def ask(request: PersonRequest) -> HttpResponse:
    """Have a copy made of the parts that were chosen."""
    chosen = request.POST.getlist("parts")
    if not chosen:
        messages.error(request, "Choose at least one part.")
        return _page()
    try:
        exporting.ask(request.user, chosen)
    except (exporting.OneAtATime, exporting.TooOften, exporting.UnknownPart) as refused:
        messages.error(request, str(refused))
    return _page()


@require_GET
@person_page
def progress(request: PersonRequest) -> HttpResponse:
    """How far it is: the part of the page that asks for itself while there is something to see."""
    return render(request, "privacy/_copy.html", present.copy_section(request.user.pk))


@require_POST
@person_page
def cancel(request: PersonRequest, pk: UUID) -> HttpResponse:
    """Stop making it."""
    if exporting.cancel(request.user, pk):
        messages.success(request, "Cancelled. No copy was made.")
    else:
        messages.info(request, "Your copy was already complete.")
    return _page()


@require_GET
@person_page
def download(request: PersonRequest, signed: str) -> StreamingHttpResponse:
    """The file, for its owner, by a link that expires."""
    export = exporting.opened(request.user.pk, signed)
    if export is None:
        raise Http404
    return file_of(export)


@require_GET
@person_page
def conversation_markdown(request: PersonRequest, pk: UUID) -> HttpResponse:
    """One conversation as a file to be read."""
    conversation = _conversation(request, pk)
    return _file(one_conversation.as_markdown(conversation), "text/markdown", conversation, "md")


@require_GET
@person_page
def conversation_json(request: PersonRequest, pk: UUID) -> HttpResponse:
    """One conversation as a file for programs."""
    conversation = _conversation(request, pk)
    return _file(one_conversation.as_json(conversation), "application/json", conversation, "json")


def _conversation(request: PersonRequest, pk: UUID) -> Conversation:
    return get_object_or_404(Conversation.objects.for_user(request.user.pk), pk=pk)


def _file(content: str, kind: str, conversation: Conversation, ending: str) -> HttpResponse:
    name = f"{slugify(conversation.name) or 'conversation'}.{ending}"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return HttpResponse(content, content_type=f"{kind}; charset=utf-8", headers=headers)


def file_of(export: Export) -> StreamingHttpResponse:
    """The answer that carries a copy, a piece at a time."""
    assert export.made_at is not None
    sent = StreamingHttpResponse(
        _carry(exporting.pieces(export.user_id, export.pk)), content_type="application/zip"
    )
    sent["Content-Disposition"] = f'attachment; filename="throughline-{export.made_at:%F}.zip"'
    sent["Content-Length"] = str(export.size)
    return sent


async def _carry(pieces: Iterator[bytes]) -> AsyncIterator[bytes]:
    while data := await sync_to_async(_next)(pieces):
        yield data


def _next(pieces: Iterator[bytes]) -> bytes:
    return next(pieces, b"")


def _page() -> HttpResponse:
    return redirect(reverse("privacy:page", fragment="copy"))
