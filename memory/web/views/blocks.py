"""The pages of a user's memory blocks."""

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_POST

from accounts.access.pages import PersonRequest, person_page
from memory.blocks import private_blocks
from memory.blocks.private_blocks import BLOCK_LIMITS, Block, BlockChanged, BlockRefused
from memory.models import MemoryBlock


@require_GET
@person_page
def blocks(request: PersonRequest) -> HttpResponse:
    """Show all memory blocks with their purpose and earlier versions."""
    return render(request, "memory/blocks.html", _page(request))


@require_POST
@person_page
def write(request: PersonRequest, label: str) -> HttpResponse:
    """Write a memory block at the version that was read; a newer text is not overwritten."""
    if label not in BLOCK_LIMITS:
        raise Http404
    # Browsers send CRLF line ends.
    content = request.POST.get("content", "").replace("\r\n", "\n")
    try:
        version = int(request.POST.get("version", "0"))
        private_blocks.write(request.user, label, content, version)
    except BlockChanged as outdated:
        return _again(request, label, content, str(outdated), outdated.current, status=409)
    except (BlockRefused, ValueError) as refused:
        current = private_blocks.read_block(request.user, label)
        return _again(request, label, content, str(refused), current, status=422)
    messages.success(request, "Saved.")
    return redirect("memory:blocks")


def _again(
    request: PersonRequest, label: str, content: str, why: str, current: Block, *, status: int
) -> HttpResponse:
    context = _page(request) | {
        "refused": {"label": label, "content": content, "why": why, "current": current},
        "outdated": status == 409,
    }
    return render(request, "memory/blocks.html", context, status=status)


def _page(request: PersonRequest) -> dict[str, object]:
    return {
        "blocks": [
            {
                "block": block,
                "title": _title(block),
                "purpose": _IN_WORDS[block.label],
                "before": private_blocks.history(request.user.pk, block.label)[1:11],
            }
            for block in private_blocks.read_all(request.user)
        ]
    }


# The purposes for the user; those for a model are in `private_blocks.BLOCK_PURPOSES`.
_IN_WORDS = {
    private_blocks.AGENT: "Who I am. It’s the same for everyone and can’t be changed.",
    MemoryBlock.Label.HUMAN: (
        "About you as a person: how you like your answers, and what your habits are."
    ),
    MemoryBlock.Label.PROFILE: (
        "What you do at work: your role, what you measure, what you usually look into. No names "
        "or addresses of other people, and nothing confidential about your company."
    ),
}


def _title(block: Block) -> str:
    return "The assistant" if block.read_only else str(MemoryBlock.Label(block.label).label)
