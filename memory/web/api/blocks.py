"""API for memory blocks, with versions to prevent lost updates."""

from typing import Any

from django.conf import settings
from django.http import Http404
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.access.api import (
    ETAG,
    ON_A_ROW,
    ON_INPUT,
    PAGING,
    PROBLEMS,
    PersonAPIView,
    Problem,
    RequestBody,
    named_version,
    page_of,
    paged,
    problem_response,
)
from accounts.models import User
from memory.blocks import private_blocks
from memory.blocks.private_blocks import BLOCK_LIMITS, Block, BlockChanged, BlockRefused
from memory.lessons import cohort as cohorts
from personas.models import Persona, UserPersona


class BlockOut(serializers.Serializer[Any]):
    """A memory block: a short text that the assistant reads before every answer."""

    label = serializers.CharField()  # type: ignore[assignment]
    content = serializers.CharField()
    version = serializers.IntegerField(
        help_text="Version of the text; 0 if nothing is written yet or the block has no versions."
    )
    limit = serializers.IntegerField(help_text="Maximum number of characters.")
    read_only = serializers.BooleanField()  # type: ignore[assignment]
    updated_at = serializers.DateTimeField(allow_null=True)


class BlockVersionOut(serializers.Serializer[Any]):
    """An earlier version of a memory block."""

    version = serializers.IntegerField()
    content = serializers.CharField()
    written_by = serializers.CharField()
    written_at = serializers.DateTimeField()


class BlockIn(RequestBody):
    """The new text of a memory block."""

    content = serializers.CharField(allow_blank=True, trim_whitespace=False)


class Overtaken(Problem):
    """The block has changed since you read it: the current text and yours."""

    current = BlockOut()
    yours = serializers.CharField(help_text="The text that you sent.")


class Blocks(PersonAPIView):
    """Endpoint of all memory blocks that a user can read: list."""

    @extend_schema(
        operation_id="blocks_list",
        responses={200: page_of(BlockOut), **ON_INPUT},
        parameters=PAGING,
    )
    def get(self, request: Request) -> Response:
        """List your own memory blocks and those shared by your roles."""
        user = self.person(request)
        shared = [_shared_block(persona) for persona in UserPersona.confirmed(user.pk)]
        return paged(self, request, [*map(_as_told, private_blocks.read_all(user)), *shared], list)


class OneBlock(PersonAPIView):
    """Endpoint of one memory block: read and write."""

    @extend_schema(
        operation_id="blocks_read",
        responses={200: BlockOut, **ON_A_ROW},
    )
    def get(self, request: Request, label: str) -> Response:
        """Read a memory block. Its version is the ETag, to send with the next write."""
        block = _as_json(self.person(request), label)
        return Response(block, headers={"ETag": _etag(block["version"])})

    @extend_schema(
        operation_id="blocks_write",
        request=BlockIn,
        parameters=[
            OpenApiParameter(
                "If-Match",
                ETAG,
                OpenApiParameter.HEADER,
                required=True,
                description='ETag of the version that you read, such as "3".',
            )
        ],
        responses={
            200: BlockOut,
            403: Problem,
            409: Overtaken,
            422: Problem,
            428: Problem,
            **PROBLEMS,
        },
    )
    def put(self, request: Request, label: str) -> Response:
        """Write a memory block. `If-Match` names the version that you read."""
        user = self.person(request)
        if _as_json(user, label)["read_only"]:
            return problem_response(403, "The block is read-only", "It can’t be edited by hand.")
        content = self.body(request, BlockIn)["content"]
        if (version := named_version(request)) is None:
            detail = "Read the block and send its ETag as If-Match."
            return problem_response(428, "Name the version that you read", detail)
        try:
            written = private_blocks.write(user, label, content, version)
        except BlockChanged as outdated:
            current = _as_told(outdated.current)
            return problem_response(
                409, "The block has changed", str(outdated), current=current, yours=content
            )
        except BlockRefused as refused:
            title = "The block can’t hold this text"
            return problem_response(422, title, str(refused), reason=refused.code)
        return Response(_as_told(written), headers={"ETag": _etag(written.version)})


class BlockHistory(PersonAPIView):
    """Endpoint of the versions of a memory block."""

    @extend_schema(
        operation_id="blocks_history",
        responses={200: page_of(BlockVersionOut), **PROBLEMS},
        parameters=PAGING,
    )
    def get(self, request: Request, label: str) -> Response:
        """List the versions of a memory block, newest first."""
        if label not in BLOCK_LIMITS:
            raise Http404
        rows = private_blocks.history(self.person(request).pk, label)
        return self.page(request, rows, BlockVersionOut)


def _as_json(user: User, label: str) -> dict[str, Any]:
    """Return a memory block of the user or of their roles as JSON. Raises Http404."""
    if label in BLOCK_LIMITS:
        return _as_told(private_blocks.read_block(user, label))
    mine = UserPersona.confirmed(user.pk).filter(persona__handle=Persona.handle_of(label))
    return _shared_block(get_object_or_404(mine))


def _shared_block(member: UserPersona) -> dict[str, Any]:
    block = cohorts.cohort_block(member.persona)
    return {
        "label": member.persona.block_label,
        "content": block,
        "version": 0,
        "limit": settings.COHORT["block_characters"],
        "read_only": True,
        "updated_at": None,
    }


def _as_told(block: Block) -> dict[str, Any]:
    return dict(BlockOut(block).data)


def _etag(version: int) -> str:
    return f'"{version}"'
