"""API for memories, and for turning memory on and off."""

from dataclasses import asdict
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.shortcuts import get_object_or_404
from django.utils.timezone import now
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.exceptions import ErrorDetail, ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.access.api import (
    ON_INPUT,
    PAGING,
    PROBLEMS,
    USUAL,
    Pages,
    PersonAPIView,
    Problem,
    RequestBody,
    ScoreField,
    page_of,
)
from accounts.models import ApiToken, User
from memory.core import switch
from memory.maintenance import lifecycle, note_statistics
from memory.models import CLAIMS, CONTENT_LENGTH, Memory, MemoryQuerySet, ProfileFact
from memory.notes import agent_notes
from memory.notes import note_store as notes
from memory.notes.note_gate import NotKept
from memory.retrieval import note_search
from memory.web.forms import TOO_LONG
from memory.web.present.remedies import ReasonField

# Shown for agents whose token has no name.
UNNAMED = "An app without a name"
WRITTEN = [choice for choice in Memory.Category.choices if choice[0] != Memory.Category.SUMMARY]


class MemoryOut(serializers.Serializer[Any]):
    """A memory: a free text about the user, beside the facts of the profile."""

    id = serializers.UUIDField()
    content = serializers.CharField()
    original = serializers.CharField(
        help_text="Text that `content` was shortened from; empty if it was not shortened."
    )
    category = serializers.ChoiceField(choices=Memory.Category.choices)
    kind = serializers.ChoiceField(choices=Memory.Kind.choices)
    mode = serializers.ChoiceField(choices=Memory.Mode.choices)
    priority = serializers.ChoiceField(choices=Memory.Priority.choices)
    sensitive = serializers.BooleanField(
        source="is_sensitive",
        help_text="Whether it is a private matter that the user explicitly asked to save.",
    )
    status = serializers.ChoiceField(choices=Memory.Status.choices)
    trust = ScoreField(help_text="Current trust, 0 to 1; changes with later messages.")
    confidence = ScoreField(help_text="Certainty when saved, 0 to 1; never changes.")
    source = serializers.ChoiceField(  # type: ignore[assignment]
        choices=ProfileFact.Source.choices
    )
    origin = serializers.CharField(
        help_text="How it was said: typed, pasted, tool, assistant, imported or model."
    )
    written_by = serializers.CharField(
        help_text="Name of the API token that an agent used to write it; otherwise empty."
    )
    claim = serializers.ChoiceField(
        choices=[("", ""), *CLAIMS],
        help_text="Kind of unverified claim that it makes; empty if none. Such a memory cannot "
        "have the priority “always in mind”, and its trust does not rise when it is said again.",
    )
    said_at = serializers.DateTimeField()
    happened_on = serializers.DateField(
        allow_null=True, help_text="Day that it is about, YYYY-MM-DD; otherwise null."
    )
    uses = serializers.IntegerField(help_text="Number of replies that used it.")
    last_used_at = serializers.DateTimeField(allow_null=True)
    source_conversation = serializers.UUIDField(source="source_conversation_id", allow_null=True)
    source_message = serializers.UUIDField(source="source_message_id", allow_null=True)
    superseded_by = serializers.UUIDField(
        source="superseded_by_id",
        allow_null=True,
        help_text="Id of the memory that replaced this one; otherwise null.",
    )
    reason = ReasonField(
        "code",
        help_text="Code for why it is saved or waits for approval, such as ask_first.",
    )
    sentence = ReasonField("in_full", help_text="The reason as a sentence to show to the user.")
    url = serializers.CharField(source="get_absolute_url", help_text="Path to its page.")


class ContentField(serializers.CharField):
    """The text of a memory. Only strings are accepted; numbers are not converted."""

    def __init__(self, **more: Any) -> None:
        super().__init__(
            max_length=CONTENT_LENGTH,
            error_messages={"max_length": TOO_LONG, "blank": "Write a few words to remember."},
            **more,
        )

    def to_internal_value(self, data: Any) -> str:
        """Return the text. Raises ValidationError for anything but a string."""
        if not isinstance(data, str):
            raise ValidationError("This must be a JSON string.")
        return str(super().to_internal_value(data))


BY_AGENT = (
    "true if a language model or another program wrote the text, and not the user. The memory "
    "then waits for the user's approval, and `written_by` holds the name of the token."
)


class MemoryIn(RequestBody):
    """A memory to add."""

    content = ContentField()
    category = serializers.ChoiceField(choices=WRITTEN, default=Memory.Category.FACT)
    by_agent = serializers.BooleanField(default=False, help_text=BY_AGENT)


class MemoryChange(RequestBody):
    """Changes to a memory; omitted fields keep their value."""

    least_fields = 1

    content = ContentField(
        required=False, help_text="New text. The memory is replaced by one with a new id."
    )
    priority = serializers.ChoiceField(choices=Memory.Priority.choices, required=False)
    paused = serializers.BooleanField(
        required=False, help_text="true stops using the memory, false uses it again."
    )
    by_agent = serializers.BooleanField(
        default=False,
        help_text=f"{BY_AGENT} Once accepted, it replaces this one. Only with `content`.",
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Raise ValidationError if an agent changes more than the text."""
        if attrs["by_agent"] and attrs.keys() != {"by_agent", "content"}:
            raise ValidationError(
                {"by_agent": "Send this only with content, and with nothing else."}
            )
        return attrs


class FiguresOut(serializers.Serializer[Any]):
    """Quality of facts and memories, as counts out of `kept`.

    `stale`: not used or confirmed for a long time. `junk`: memories that say too little or are
    hardly trusted.
    """

    kept = serializers.IntegerField()
    duplicates = serializers.IntegerField()
    stale = serializers.IntegerField()
    junk = serializers.IntegerField()
    disputed = serializers.IntegerField()
    never_used = serializers.IntegerField()


class MemoryStateIn(RequestBody):
    """Whether memory is on."""

    on = serializers.BooleanField(
        help_text="Whether memory is on. While it is off, nothing is saved and nothing already "
        "saved is used."
    )


class MemoryStateOut(MemoryStateIn):
    """Whether memory is on, and the number of memories."""

    in_use = serializers.IntegerField(help_text="Number of memories in use.")
    capacity = serializers.IntegerField(help_text="Maximum number of memories.")
    used_last = serializers.IntegerField(
        help_text="Number of memories used by the last reply that used any."
    )
    resting = serializers.IntegerField(
        help_text="Number of memories that are paused or have faded."
    )
    ever_used = serializers.IntegerField(
        help_text="Number of memories in use that at least one reply has used."
    )
    figures = FiguresOut()


class Memories(PersonAPIView):
    """Endpoint of the memories of a user: list and add."""

    @extend_schema(
        operation_id="memories_list",
        responses={200: page_of(MemoryOut), **PROBLEMS},
        parameters=[
            OpenApiParameter("q", str, description="Text to search for, by word and by meaning."),
            OpenApiParameter(
                "category",
                str,
                enum=Memory.Category.values,
                description="Only memories in this category.",
            ),
            OpenApiParameter(
                "status",
                str,
                enum=[*Memory.Status.values, "all"],
                description="Only memories with this status; defaults to active, paused and "
                "waiting ones.",
            ),
            *PAGING,
        ],
    )
    def get(self, request: Request) -> Response:
        """List memories, newest first; with `q`, best match first."""
        user_id = self.person(request).pk
        wanted = _narrowed(user_id, request.query_params)
        query = note_search.clean_query(request.query_params.get("q", ""))
        if query:
            note_ids = note_search.matching(user_id, wanted, query)
        else:
            note_ids = list(wanted.order_by("-said_at", "-pk").values_list("pk", flat=True))
        pages = Pages()
        page = pages.paginate_queryset(note_ids, request, view=self) or []
        rows = note_search.shown_notes(user_id).in_bulk(list(page))
        shown = [rows[pk] for pk in page]
        return pages.get_paginated_response(MemoryOut(shown, many=True).data)

    @extend_schema(
        operation_id="memories_write",
        request=MemoryIn,
        responses={201: MemoryOut, **ON_INPUT},
    )
    def post(self, request: Request) -> Response:
        """Add a memory."""
        data = self.body(request, MemoryIn)
        category, user_id = Memory.Category(data["category"]), self.person(request).pk
        try:
            if data["by_agent"]:
                agent = agent_of(request)
                note = agent_notes.propose_memory(user_id, data["content"], category, agent)
            else:
                note = notes.write_by_hand(user_id, data["content"], category)
        except NotKept as reason:
            raise unfit(reason) from None
        return Response(MemoryOut(note).data, status=201)


class OneMemory(PersonAPIView):
    """Endpoint of one memory: read, change and remove."""

    @extend_schema(operation_id="memories_read", responses={200: MemoryOut, **PROBLEMS})
    def get(self, request: Request, pk: UUID) -> Response:
        """Read a memory, whatever its status."""
        rows = note_search.shown_notes(self.person(request).pk)
        return Response(MemoryOut(get_object_or_404(rows, pk=pk)).data)

    @extend_schema(
        operation_id="memories_change", request=MemoryChange, responses={200: MemoryOut, **PROBLEMS}
    )
    def patch(self, request: Request, pk: UUID) -> Response:
        """Change the text or priority of a memory, or pause it."""
        rows = note_search.shown_notes(self.person(request).pk)
        note = get_object_or_404(rows.shown(), pk=pk)
        data = self.body(request, MemoryChange)
        try:
            if data["by_agent"]:
                note = agent_notes.propose_change(note, data["content"], agent_of(request))
            else:
                note = _change(note, data)
        except NotKept as reason:
            raise unfit(reason) from None
        return Response(MemoryOut(get_object_or_404(rows, pk=note.pk)).data)

    @extend_schema(
        operation_id="memories_remove", responses={204: None, 401: Problem, 404: Problem}
    )
    def delete(self, request: Request, pk: UUID) -> Response:
        """Remove a memory. It can be restored on the Memories page."""
        rows = note_search.shown_notes(self.person(request).pk)
        notes.remove_note(get_object_or_404(rows.shown(), pk=pk))
        return Response(status=204)


class MemoryState(PersonAPIView):
    """Endpoint of the memory switch and the number of memories."""

    @extend_schema(operation_id="memory_read", responses={200: MemoryStateOut, **USUAL})
    def get(self, request: Request) -> Response:
        """Read whether memory is on, how many memories there are, and quality figures."""
        return Response(_state(self.person(request)))

    @extend_schema(
        operation_id="memory_switch",
        request=MemoryStateIn,
        responses={200: MemoryStateOut, **ON_INPUT},
    )
    def patch(self, request: Request) -> Response:
        """Turn memory on or off."""
        person = self.person(request)
        switch.switch_memory(person, on=self.body(request, MemoryStateIn)["on"])
        return Response(_state(person))


def agent_of(request: Request) -> str:
    """Return the name of the API token that the agent uses."""
    return (request.auth.name if isinstance(request.auth, ApiToken) else "") or UNNAMED


def unfit(refused: NotKept) -> ValidationError:
    """Return the error for a text that may not be saved as a memory."""
    return ValidationError({"content": [ErrorDetail(str(refused), refused.code or "unfit")]})


def _narrowed(user_id: UUID, parameters: Any) -> MemoryQuerySet:
    category, status = parameters.get("category", ""), parameters.get("status", "")
    rows = Memory.objects.for_user(user_id)
    if not status:
        rows = rows.shown()
    elif status != "all":
        rows = rows.filter(status=status)
    return rows.filter(category=category) if category else rows


def _change(note: Memory, changes: dict[str, Any]) -> Memory:
    """Apply the changes to a memory in a fixed order. Raises NotKept."""
    with transaction.atomic():
        if "priority" in changes:
            notes.prioritise(note, Memory.Priority(changes["priority"]))
        if "content" in changes:
            note = notes.rewrite(note, changes["content"])
    if changes.get("paused") is True:
        notes.pause_note(note)
    elif changes.get("paused") is False:
        notes.restore_note(note)
    return note


def _state(person: User) -> dict[str, Any]:
    counts = note_statistics.counts(person.pk, now())
    return {
        "on": person.memory_on,
        "in_use": counts.in_use,
        "capacity": settings.MEMORY["capacity"],
        "used_last": counts.used_last,
        "resting": counts.resting,
        "ever_used": counts.ever_used,
        "figures": asdict(lifecycle.figures(person.pk, now())),
    }
