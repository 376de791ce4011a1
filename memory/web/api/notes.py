"""The notes beside the profile, and the switch, for other software."""

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

from accounts.access.api import PAGING, Pages, PersonAPIView, Problem, RequestBody, page_of
from accounts.models import User
from memory.core import switch
from memory.maintenance import lifecycle, note_statistics
from memory.models import CLAIMS, CONTENT_LENGTH, Memory, MemoryQuerySet, ProfileFact
from memory.notes import note_store as notes
from memory.notes.note_gate import NotKept
from memory.retrieval import note_search
from memory.web.api.common import ON_INPUT, PROBLEMS, USUAL, valid
from memory.web.forms import TOO_LONG
from memory.web.present.memories import note_api

WRITTEN = [choice for choice in Memory.Category.choices if choice[0] != Memory.Category.SUMMARY]


class MemoryOut(serializers.Serializer[Any]):
    """A note beside the profile."""

    id = serializers.UUIDField()
    content = serializers.CharField()
    original = serializers.CharField(help_text="What was shortened to it; '' for nothing.")
    category = serializers.ChoiceField(choices=Memory.Category.choices)
    kind = serializers.ChoiceField(choices=Memory.Kind.choices)
    mode = serializers.ChoiceField(choices=Memory.Mode.choices)
    priority = serializers.ChoiceField(choices=Memory.Priority.choices)
    status = serializers.ChoiceField(choices=Memory.Status.choices)
    trust = serializers.FloatField(help_text="0..1, moves with agreement.")
    confidence = serializers.FloatField(help_text="0..1, fixed when it was noted.")
    source = serializers.ChoiceField(  # type: ignore[assignment]
        choices=ProfileFact.Source.choices
    )
    origin = serializers.CharField(help_text="typed, pasted, tool, assistant, imported or model.")
    claim = serializers.ChoiceField(
        choices=[("", ""), *CLAIMS],
        help_text="What it claims that nobody has checked, '' for nothing. Such a note is never "
        "always in mind and is not believed more for being said again.",
    )
    said_at = serializers.DateTimeField()
    happened_on = serializers.DateField(allow_null=True, help_text="The day it speaks of.")
    uses = serializers.IntegerField(help_text="In how many replies it was used.")
    last_used_at = serializers.DateTimeField(allow_null=True)
    source_conversation = serializers.UUIDField(allow_null=True)
    source_message = serializers.UUIDField(allow_null=True)
    superseded_by = serializers.UUIDField(allow_null=True)
    reason = serializers.CharField(help_text="Why it is kept or waits, as a code: ask_first, …")
    sentence = serializers.CharField(help_text="The same in words for the person.")
    url = serializers.CharField()


class ContentField(serializers.CharField):
    """A note's words: only a string is a text, no silent turning of numbers into words."""

    def __init__(self, **more: Any) -> None:
        super().__init__(
            max_length=CONTENT_LENGTH,
            error_messages={"max_length": TOO_LONG, "blank": "Write a few words to keep."},
            **more,
        )

    def to_internal_value(self, data: Any) -> str:
        """Refuse whatever is no text."""
        if not isinstance(data, str):
            raise ValidationError("This must be a text in quotes.")
        return str(super().to_internal_value(data))


class MemoryIn(RequestBody):
    """A note to write."""

    content = ContentField()
    category = serializers.ChoiceField(choices=WRITTEN, default=Memory.Category.FACT)


class MemoryChange(RequestBody):
    """What of a note may be changed; whatever is left out stays."""

    content = ContentField(required=False, help_text="Another wording makes a note with a new id.")
    priority = serializers.ChoiceField(choices=Memory.Priority.choices, required=False)
    paused = serializers.BooleanField(required=False)


class FiguresOut(serializers.Serializer[Any]):
    """How good the facts and notes are, as counts out of `kept`."""

    kept = serializers.IntegerField()
    duplicates = serializers.IntegerField()
    stale = serializers.IntegerField()
    junk = serializers.IntegerField()
    disputed = serializers.IntegerField()
    never_used = serializers.IntegerField()


class MemoryStateIn(RequestBody):
    """The switch."""

    on = serializers.BooleanField(help_text="Off: nothing is noted, and nothing noted is used.")


class MemoryStateOut(MemoryStateIn):
    """The switch, and the notes in numbers."""

    in_use = serializers.IntegerField()
    capacity = serializers.IntegerField(help_text="How many notes there may be at most.")
    used_last = serializers.IntegerField(help_text="Used together, the last time any were.")
    resting = serializers.IntegerField(help_text="Paused or faded.")
    ever_used = serializers.IntegerField()
    figures = FiguresOut()


class Memories(PersonAPIView):
    """The notes beside the profile."""

    @extend_schema(
        operation_id="memories_list",
        responses={200: page_of(MemoryOut), **PROBLEMS},
        parameters=[
            OpenApiParameter("q", str, description="words, or what they mean"),
            OpenApiParameter("category", str, enum=Memory.Category.values),
            OpenApiParameter(
                "status",
                str,
                enum=[*Memory.Status.values, "all"],
                description="as a rule those that are active, paused or waiting",
            ),
            *PAGING,
        ],
    )
    def get(self, request: Request) -> Response:
        """List notes, the newest first; with `q` the best match first."""
        user_id = self.person(request).pk
        wanted = _narrowed(user_id, request.query_params)
        query = note_search.clean_query(request.query_params.get("q", ""))
        if query:
            found = note_search.matching(user_id, wanted, query)
        else:
            found = list(wanted.order_by("-said_at", "-pk").values_list("pk", flat=True))
        pages = Pages()
        page = pages.paginate_queryset(found, request, view=self) or []
        rows = note_search.shown_notes(user_id).in_bulk(list(page))
        return pages.get_paginated_response([note_api(rows[pk]) for pk in page])

    @extend_schema(
        operation_id="memories_write",
        request=MemoryIn,
        responses={201: MemoryOut, **ON_INPUT},
    )
    def post(self, request: Request) -> Response:
        """Write a note by hand."""
        given = valid(MemoryIn, request.data)
        category = Memory.Category(given["category"])
        try:
            note = notes.write_by_hand(self.person(request).pk, given["content"], category)
        except NotKept as reason:
            raise _unfit(reason) from None
        return Response(note_api(note), status=201)


class OneMemory(PersonAPIView):
    """One note."""

    @extend_schema(operation_id="memories_read", responses={200: MemoryOut, **PROBLEMS})
    def get(self, request: Request, pk: UUID) -> Response:
        """Read it, whatever its standing."""
        rows = note_search.shown_notes(self.person(request).pk)
        return Response(note_api(get_object_or_404(rows, pk=pk)))

    @extend_schema(
        operation_id="memories_change", request=MemoryChange, responses={200: MemoryOut, **PROBLEMS}
    )
    def patch(self, request: Request, pk: UUID) -> Response:
        """Change its wording, how much it matters, or let it rest."""
        rows = note_search.shown_notes(self.person(request).pk)
        note = get_object_or_404(rows.shown(), pk=pk)
        given = valid(MemoryChange, request.data)
        try:
            note = _change(note, given)
        except NotKept as reason:
            raise _unfit(reason) from None
        return Response(note_api(get_object_or_404(rows, pk=note.pk)))

    @extend_schema(
        operation_id="memories_remove", responses={204: None, 401: Problem, 404: Problem}
    )
    def delete(self, request: Request, pk: UUID) -> Response:
        """Take it back. It can be brought back on the page."""
        rows = note_search.shown_notes(self.person(request).pk)
        notes.remove_note(get_object_or_404(rows.shown(), pk=pk))
        return Response(status=204)


class MemoryState(PersonAPIView):
    """The switch, and the notes in numbers."""

    @extend_schema(operation_id="memory_read", responses={200: MemoryStateOut, **USUAL})
    def get(self, request: Request) -> Response:
        """Whether memory is on, how many notes there are, and how good they are."""
        return Response(_state(self.person(request)))

    @extend_schema(
        operation_id="memory_switch",
        request=MemoryStateIn,
        responses={200: MemoryStateOut, **ON_INPUT},
    )
    def patch(self, request: Request) -> Response:
        """Turn memory on or off."""
        person = self.person(request)
        switch.switch_memory(person, on=valid(MemoryStateIn, request.data)["on"])
        return Response(_state(person))


def _unfit(refused: NotKept) -> ValidationError:
    return ValidationError({"content": [ErrorDetail(str(refused), refused.code or "unfit")]})


def _narrowed(user_id: UUID, given: Any) -> MemoryQuerySet:
    category, status = given.get("category", ""), given.get("status", "")
    if category and category not in Memory.Category.values:
        raise ValidationError({"category": f"Use one of: {', '.join(Memory.Category.values)}."})
    if status and status not in {*Memory.Status.values, "all"}:
        known = ", ".join([*Memory.Status.values, "all"])
        raise ValidationError({"status": f"Use one of: {known}."})
    rows = Memory.objects.for_user(user_id)
    if not status:
        rows = rows.shown()
    elif status != "all":
        rows = rows.filter(status=status)
    return rows.filter(category=category) if category else rows


def _change(note: Memory, given: dict[str, Any]) -> Memory:
    """Do what is asked, all of it or nothing, in the order in which it holds. Raises NotKept."""
    with transaction.atomic():
        if "priority" in given:
            notes.prioritise(note, Memory.Priority(given["priority"]))
        if "content" in given:
            note = notes.rewrite(note, given["content"])
    if given.get("paused") is True:
        notes.pause_note(note)
    elif given.get("paused") is False:
        notes.bring_back(note)
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
