"""The profile for other software: to read, to write by hand, and the kinds that are closed."""

from typing import Any
from uuid import UUID

from django.http import Http404
from django.shortcuts import get_object_or_404
from django.utils.timezone import localdate, now
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.exceptions import APIException, ErrorDetail, ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.access.api import PersonAPIView, Problem, RequestBody, TextField
from memory.facts import blocked_slots, revision
from memory.facts.day_precision import OVER_BEFORE_IT_BEGAN, beginning_of_day, not_yet_to_come
from memory.facts.revision import NowhereToStay, SlotTaken
from memory.models import VALUE_LENGTH, BlockedSlot, FactQuerySet, Precision, ProfileFact
from memory.slots import SLOTS
from memory.web import as_of, present
from memory.web.api.common import ON_INPUT, PROBLEMS, USUAL, valid

WRITABLE = [(slot.key, slot.label) for slot in SLOTS.values() if not slot.sensitive]
# A private kind that is closed is not even offered to be noted.
CLOSABLE = [(slot.key, slot.label) for slot in SLOTS.values()]


class FactOut(serializers.Serializer[Any]):
    """A profile fact."""

    id = serializers.UUIDField()
    slot = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]
    value = serializers.CharField()
    many = serializers.BooleanField(  # type: ignore[assignment]
        help_text="Whether this slot may hold several values."
    )
    trust = serializers.FloatField(help_text="0..1, moves with agreement.")
    confidence = serializers.FloatField(help_text="0..1, fixed when it was noted.")
    source = serializers.ChoiceField(  # type: ignore[assignment]
        choices=ProfileFact.Source.choices
    )
    origin = serializers.CharField(
        help_text="typed, pasted, tool, assistant, imported or model: how it came to be said."
    )
    disputed = serializers.BooleanField(help_text="Whether another value stands against it.")
    sensitive = serializers.BooleanField(
        help_text="A private matter, noted at its owner's express word."
    )
    last_verified = serializers.DateTimeField()
    valid_from = serializers.DateTimeField()
    valid_to = serializers.DateTimeField(
        allow_null=True, help_text="When it ended; null for what holds now."
    )
    from_precision = serializers.ChoiceField(
        choices=Precision.choices, help_text="How exactly its beginning was said."
    )
    to_precision = serializers.ChoiceField(
        choices=Precision.choices, help_text="How exactly its end was said."
    )
    conversations = serializers.IntegerField(help_text="In how many conversations it was said.")
    source_conversation = serializers.UUIDField(allow_null=True)
    source_message = serializers.UUIDField(allow_null=True)
    reason = serializers.CharField(help_text="Why it is kept, as a code: allowed, by_hand, …")
    sentence = serializers.CharField(help_text="The same in words for the person.")
    url = serializers.CharField()


class ProfileOut(serializers.Serializer[Any]):
    """All facts that hold, or held at the moment that was asked for."""

    count = serializers.IntegerField()
    results = FactOut(many=True)


class ValueField(TextField):
    """A fact's value: a text that says something and is not too long."""

    def run_validation(self, data: Any = serializers.empty) -> Any:
        """Nothing at all is refused with the same words as blanks are."""
        return super().run_validation(" " if data == "" else data)

    def to_internal_value(self, data: Any) -> str:
        """The text without spaces around it."""
        value = super().to_internal_value(data).strip()
        if not value:
            raise ValidationError("Write what I should remember.")
        if len(value) > VALUE_LENGTH:
            raise ValidationError(f"Say it in {VALUE_LENGTH} characters or fewer.")
        return value


class SinceField(serializers.DateField):
    """The day since which it is true; now, unless it is told."""

    def __init__(self, **kwargs: Any) -> None:
        kwargs.setdefault("help_text", "Since which day it is true; now, unless told.")
        super().__init__(
            required=False, default=None, allow_null=True, validators=[not_yet_to_come], **kwargs
        )


class FactEnd(RequestBody):
    """How a fact ends."""

    over_since = SinceField(
        help_text="The day since which it is over; it then stays in the history as true until then."
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """What is over has begun before that."""
        since, over = attrs.get("since"), attrs.get("over_since")
        if since and over and over <= since:
            raise ValidationError({"over_since": [OVER_BEFORE_IT_BEGAN]})
        return attrs


class FactIn(FactEnd):
    """A fact to write: one that holds now, or one that is over."""

    slot = serializers.ChoiceField(choices=WRITABLE)
    value = ValueField()
    since = SinceField()


class FactChange(FactEnd):
    """Another wording, another beginning, or its end; whatever is left out stays."""

    value = ValueField(required=False)
    since = SinceField()

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Another wording holds from now on, so it is not over."""
        if attrs.get("over_since") and "value" in attrs:
            raise ValidationError("Change the wording, or end it: one at a time.")
        return super().validate(attrs)


class KeptHereOut(serializers.Serializer[Any]):
    """Where a fact holds from now on."""

    slot = serializers.CharField()
    value = serializers.CharField()
    conversation = serializers.UUIDField()


class ClosedOut(serializers.Serializer[Any]):
    """A kind of fact that is never noted."""

    slot = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]
    closed_at = serializers.DateTimeField()


class ClosedIn(RequestBody):
    """A kind to close."""

    slot = serializers.ChoiceField(choices=CLOSABLE)


class Taken(APIException):
    """Something else stands in the way."""

    status_code = 409
    default_detail = "This has changed since you read it. Read it again."


class Profile(PersonAPIView):
    """What is kept in mind in every conversation."""

    @extend_schema(
        operation_id="profile_read",
        responses={200: ProfileOut, **ON_INPUT},
        parameters=[
            OpenApiParameter(
                "as_of",
                str,
                description="A day (2024-03-14, as it ended) or a moment "
                "(2024-03-14T09:30:00+01:00): what held then, as far as is known now.",
            )
        ],
    )
    def get(self, request: Request) -> Response:
        """List every current fact, or those of a past day; one that is disputed says so."""
        held = _facts_at(_facts(self, request), request.query_params.get("as_of", ""))
        facts = held.order_by("slot", "created_at")
        results = [present.api(fact) for fact in facts]
        return Response({"count": len(results), "results": results})

    @extend_schema(
        operation_id="profile_write",
        request=FactIn,
        responses={201: FactOut, 409: Problem, **ON_INPUT},
    )
    def post(self, request: Request) -> Response:
        """Write a fact by hand; 409 when its slot has a value, or had another then.

        With `over_since` it goes into the history, beside what holds now.
        """
        told = valid(FactIn, request.data)
        since, over = beginning_of_day(told["since"]), beginning_of_day(told["over_since"])
        line = self.person(request).pk, told["slot"], told["value"], since
        try:
            fact = (
                revision.write_past_by_hand(*line, over) if over else revision.write_by_hand(*line)
            )
        except SlotTaken as taken:
            raise _refusal(taken) from None
        return Response(_as_json(self, request, fact.pk), status=201)


class OneFact(PersonAPIView):
    """One fact."""

    @extend_schema(operation_id="profile_fact_read", responses={200: FactOut, **PROBLEMS})
    def get(self, request: Request, pk: UUID) -> Response:
        """Read a fact that holds, or that held until its `valid_to`."""
        holds_or_held = ProfileFact.Status.CURRENT, ProfileFact.Status.PAST
        facts = _facts(self, request).filter(status__in=holds_or_held)
        return Response(present.api(get_object_or_404(facts, pk=pk)))

    @extend_schema(
        operation_id="profile_fact_change",
        request=FactChange,
        responses={200: FactOut, 409: Problem, **PROBLEMS},
    )
    def patch(self, request: Request, pk: UUID) -> Response:
        """Change its wording; that makes a fact with a new id, and the old one stays as history.

        Without another wording it confirms the fact, with the beginning that is told. With
        `over_since` it is over: it stays in the history, and can be brought back.
        """
        fact = _current(self, request, pk)
        told = valid(FactChange, request.data)
        _refuse_end_before_beginning(fact, told)
        since, over = beginning_of_day(told["since"]), beginning_of_day(told["over_since"])
        try:
            if since or not over:
                fact = revision.rewrite(fact, told.get("value", fact.value), since)
        except SlotTaken as taken:
            raise _refusal(taken) from None
        if over:
            revision.close(fact, over)
        return Response(_as_json(self, request, fact.pk))

    @extend_schema(
        operation_id="profile_fact_end", request=FactEnd, responses={204: None, **PROBLEMS}
    )
    def delete(self, request: Request, pk: UUID) -> Response:
        """Take it back, or with `over_since` end it. Either can be brought back."""
        fact = _current(self, request, pk)
        told = valid(FactEnd, request.data)
        _refuse_end_before_beginning(fact, told)
        over = beginning_of_day(told["over_since"])
        if over is None:
            revision.retract(fact)
        else:
            revision.close(fact, over)
        return Response(status=204)


class Confirm(PersonAPIView):
    """Its owner says that it is right."""

    @extend_schema(
        operation_id="profile_fact_confirm", request=None, responses={200: FactOut, **PROBLEMS}
    )
    def post(self, request: Request, pk: UUID) -> Response:
        """Say that it is still true."""
        revision.confirm(_current(self, request, pk))
        return Response(present.api(_current(self, request, pk)))


class Narrow(PersonAPIView):
    """Out of the profile, into one conversation."""

    @extend_schema(
        operation_id="profile_fact_narrow",
        request=None,
        responses={200: KeptHereOut, 409: Problem, **PROBLEMS},
    )
    def post(self, request: Request, pk: UUID) -> Response:
        """Let it hold only where it was said; 409 for a fact that was written by hand."""
        try:
            override = revision.narrow(_current(self, request, pk))
        except NowhereToStay as reason:
            raise Taken(str(reason)) from None
        where = {
            "slot": override.slot,
            "value": override.value,
            "conversation": override.conversation_id,
        }
        return Response(where)


class Restore(PersonAPIView):
    """Bringing back what was taken back or ended."""

    @extend_schema(
        operation_id="profile_fact_restore",
        request=None,
        responses={200: FactOut, 409: Problem, **PROBLEMS},
    )
    def post(self, request: Request, pk: UUID) -> Response:
        """Bring it back; 409 when something else holds its slot by now."""
        ended = _facts(self, request).filter(status__in=revision.RETURNING)
        try:
            revision.bring_back(get_object_or_404(ended, pk=pk))
        except SlotTaken as taken:
            raise _refusal(taken) from None
        return Response(_as_json(self, request, pk))


class Closed(PersonAPIView):
    """The kinds of facts that are never noted."""

    @extend_schema(
        operation_id="profile_blocked_list",
        responses={200: ClosedOut(many=True), **USUAL},
    )
    def get(self, request: Request) -> Response:
        """List the kinds that are closed."""
        rows = BlockedSlot.objects.filter(user=self.person(request)).order_by("slot")
        return Response([_closed(row) for row in rows])

    @extend_schema(
        operation_id="profile_blocked_add",
        request=ClosedIn,
        responses={201: ClosedOut, **ON_INPUT},
    )
    def post(self, request: Request) -> Response:
        """Close a kind; what is noted of it is taken back. Twice is once."""
        told = valid(ClosedIn, request.data)
        return Response(
            _closed(blocked_slots.block_slot(self.person(request).pk, told["slot"])), status=201
        )


class OneClosed(PersonAPIView):
    """One kind that is closed."""

    @extend_schema(
        operation_id="profile_blocked_remove", responses={204: None, 401: Problem, 404: Problem}
    )
    def delete(self, request: Request, slot: str) -> Response:
        """Let it be noted again; nothing comes back by itself."""
        user_id = self.person(request).pk
        if slot not in blocked_slots.slots_of(user_id):
            raise Http404
        blocked_slots.unblock(user_id, slot)
        return Response(status=204)


def _facts(view: PersonAPIView, request: Request) -> FactQuerySet:
    return ProfileFact.objects.for_user(view.person(request).pk).with_evidence()


def _current(view: PersonAPIView, request: Request, pk: UUID) -> ProfileFact:
    return get_object_or_404(_facts(view, request).current(), pk=pk)


def _as_json(view: PersonAPIView, request: Request, pk: UUID) -> dict[str, object]:
    return present.api(_facts(view, request).get(pk=pk))


def _refuse_end_before_beginning(fact: ProfileFact, told: dict[str, Any]) -> None:
    """What was noted today may be over today. Raises ValidationError for a day before that."""
    over, begun = told["over_since"], told.get("since") or localdate(fact.valid_from)
    if over and over < begun:
        raise ValidationError({"over_since": [OVER_BEFORE_IT_BEGAN]})


def _refusal(taken: SlotTaken) -> APIException:
    """A value that may not be kept is to be mended; a slot that is taken is a matter of state."""
    if isinstance(taken, revision.UnfitValue):
        return ValidationError({"value": [ErrorDetail(str(taken), taken.code or "unfit")]})
    return Taken(str(taken), taken.code or None)


def _closed(row: BlockedSlot) -> dict[str, object]:
    return {"slot": row.slot, "label": row.kind.label, "closed_at": row.blocked_at}


def _facts_at(facts: FactQuerySet, asked: str) -> FactQuerySet:
    if not asked:
        return facts.current()
    try:
        return facts.as_of(as_of.moment(asked, now()))
    except as_of.UnfitDay as unfit:
        raise ValidationError({"as_of": [str(unfit)]}) from None
