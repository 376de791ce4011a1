"""API for adding many memories at once."""

from typing import Any
from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.access.api import ON_INPUT, PersonAPIView, Problem, RequestBody, valid
from accounts.database.isolation import acting_as
from memory.models import Memory
from memory.notes import agent_notes, same_note
from memory.notes import note_store as notes
from memory.notes.note_gate import NotKept
from memory.web.api.notes import BY_AGENT, MemoryIn, agent_of, unfit

MOST = 1000


class MemoriesIn(RequestBody):
    """Memories to add."""

    memories = serializers.ListField(
        child=serializers.JSONField(allow_null=True),
        allow_empty=False,
        max_length=MOST,
        help_text=f"At most {MOST:,} objects with `content` and, optionally, `category`, as in "
        "`POST /api/v1/memories`.",
    )
    by_agent = serializers.BooleanField(default=False, help_text=BY_AGENT)


class AddedMemoryOut(serializers.Serializer[Any]):
    """The result for one memory in the request."""

    id = serializers.UUIDField(
        allow_null=True, help_text="Id of the memory that has this text; null if it was refused."
    )
    new = serializers.BooleanField(
        help_text="Whether this request saved it; false if it already existed or was refused."
    )
    errors = serializers.DictField(  # type: ignore[assignment]
        allow_null=True, help_text="Why it was refused, by field name; otherwise null."
    )


class AddedMemoriesOut(serializers.Serializer[Any]):
    """The result for each memory, in the order of the request."""

    memories = AddedMemoryOut(many=True)
    new = serializers.IntegerField(help_text="Number of memories that this request saved.")
    refused = serializers.IntegerField(help_text="Number of memories that were refused.")


class BulkMemories(PersonAPIView):
    """Endpoint that adds many memories at once."""

    # Each memory has its own transaction, so that a refused one does not undo others.
    one_block = False

    @extend_schema(
        operation_id="memories_write_many",
        request=MemoriesIn,
        responses={200: AddedMemoriesOut, 413: Problem, **ON_INPUT},
    )
    def post(self, request: Request) -> Response:
        """Add up to 1,000 memories. If one cannot be saved, its result says why, and the others are
        saved. Sending the same text again saves nothing twice: the result is the existing memory,
        even if it has since been removed.
        """
        data, user_id = self.body(request, MemoriesIn), self.person(request).pk
        agent = agent_of(request) if data["by_agent"] else None
        added = [_add(user_id, item, agent) for item in data["memories"]]
        return Response(
            {
                "memories": added,
                "new": sum(result["new"] for result in added),
                "refused": sum(result["errors"] is not None for result in added),
            }
        )


def _add(user_id: UUID, item: Any, agent: str | None) -> dict[str, Any]:
    if isinstance(item, dict) and "by_agent" in item:
        sentence = "Send this once, next to `memories`."
        return {"id": None, "new": False, "errors": {"by_agent": [sentence]}}
    try:
        # `null` gives the error message for a value that is not an object.
        data = valid(MemoryIn, [] if item is None else item)
        with acting_as(user_id):
            known = same_note.find_kept_before(user_id, data["content"])
            note = known or _keep(user_id, data, agent)
    except ValidationError as wrong:
        return {"id": None, "new": False, "errors": wrong.detail}
    return {"id": str(note.pk), "new": known is None, "errors": None}


def _keep(user_id: UUID, data: dict[str, Any], agent: str | None) -> Memory:
    category = Memory.Category(data["category"])
    try:
        if agent is not None:
            return agent_notes.propose_memory(user_id, data["content"], category, agent)
        return notes.write_by_hand(user_id, data["content"], category)
    except NotKept as reason:
        raise unfit(reason) from None
