"""API for the facts of the profile, and for blocked kinds of facts."""

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

from accounts.access.api import (
    ON_INPUT,
    PAGING,
    PROBLEMS,
    PersonAPIView,
    Problem,
    RequestBody,
    ScoreField,
    TextField,
    page_of,
    paged,
)
from memory.facts import blocked_slots, revision
from memory.facts.day_precision import OVER_BEFORE_IT_BEGAN, beginning_of_day, not_yet_to_come
from memory.facts.revision import NowhereToStay, SlotTaken
from memory.models import VALUE_LENGTH, BlockedSlot, FactQuerySet, Precision, ProfileFact
from memory.slots import SLOTS
from memory.web import as_of
from memory.web.present.remedies import ReasonField

WRITABLE = [(slot.key, slot.label) for slot in SLOTS.values() if not slot.sensitive]
# Sensitive kinds can be blocked, too.
CLOSABLE = [(slot.key, slot.label) for slot in SLOTS.values()]


class FactOut(serializers.Serializer[Any]):
    """A fact of the profile: a value with a label."""

    id = serializers.UUIDField()
    slot = serializers.CharField(help_text="Kind of fact, such as employer.")
    label = serializers.CharField(source="kind.label")  # type: ignore[assignment]
    value = serializers.CharField()
    many = serializers.BooleanField(  # type: ignore[assignment]
        help_text="Whether the slot can hold several values at once."
    )
    trust = ScoreField(help_text="Current trust, 0 to 1; changes with later messages.")
    confidence = ScoreField(help_text="Certainty when saved, 0 to 1; never changes.")
    source = serializers.ChoiceField(  # type: ignore[assignment]
        choices=ProfileFact.Source.choices
    )
    origin = serializers.CharField(
        help_text="How it was said: typed, pasted, tool, assistant, imported or model."
    )
    disputed = serializers.BooleanField(
        source="is_disputed", help_text="Whether there is an open conflict about it."
    )
    sensitive = serializers.BooleanField(
        source="is_sensitive",
        help_text="Whether it is a private matter that the user explicitly asked to save.",
    )
    last_verified = serializers.DateTimeField()
    valid_from = serializers.DateTimeField()
    valid_to = serializers.DateTimeField(
        allow_null=True, help_text="When it stopped being true; null if it is true now."
    )
    from_precision = serializers.ChoiceField(
        choices=Precision.choices, help_text="How precisely `valid_from` is known."
    )
    to_precision = serializers.ChoiceField(
        choices=Precision.choices, help_text="How precisely `valid_to` is known."
    )
    conversations = serializers.IntegerField(
        source="conversation_count", help_text="Number of conversations that mention it."
    )
    source_conversation = serializers.UUIDField(source="source_conversation_id", allow_null=True)
    source_message = serializers.UUIDField(source="source_message_id", allow_null=True)
    reason = ReasonField("code", help_text="Code for why it is saved, such as by_hand.")
    sentence = ReasonField("in_full", help_text="The reason as a sentence to show to the user.")
    url = serializers.CharField(source="get_absolute_url", help_text="Path to its page.")


class ValueField(TextField):
    """The value of a fact: a text that is not empty and not too long."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(most_characters=VALUE_LENGTH, **kwargs)

    def run_validation(self, data: Any = serializers.empty) -> Any:
        """Return the validated text; an empty text gives the same error as blanks."""
        return super().run_validation(" " if data == "" else data)

    def to_internal_value(self, data: Any) -> str:
        """Return the text without blanks around it. Raises ValidationError."""
        value = super().to_internal_value(data).strip()
        if not value:
            raise ValidationError("Write what I should remember.")
        if len(value) > VALUE_LENGTH:
            raise ValidationError(f"Say it in {VALUE_LENGTH} characters or fewer.")
        return value


class SinceField(serializers.DateField):
    """The first day on which a fact is true; default now."""

    def __init__(self, **kwargs: Any) -> None:
        kwargs.setdefault("help_text", "First day on which it is true, YYYY-MM-DD; default now.")
        super().__init__(
            required=False, default=None, allow_null=True, validators=[not_yet_to_come], **kwargs
        )


class FactEnd(RequestBody):
    """When a fact ends."""

    over_since = SinceField(
        help_text="First day on which it is no longer true, YYYY-MM-DD. The fact stays in "
        "the history as true until then."
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Raise ValidationError for an end that is not after the start."""
        since, over = attrs.get("since"), attrs.get("over_since")
        if since and over and over <= since:
            raise ValidationError({"over_since": [OVER_BEFORE_IT_BEGAN]})
        return attrs


class FactIn(FactEnd):
    """A fact to add: one that is true now, or with `over_since` one that has ended."""

    slot = serializers.ChoiceField(choices=WRITABLE)
    value = ValueField()
    since = SinceField()


class FactChange(FactEnd):
    """Changes to a fact: its value, its beginning or its end; omitted fields keep their value."""

    value = ValueField(required=False)
    since = SinceField()

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Raise ValidationError for a new value together with an end."""
        if attrs.get("over_since") and "value" in attrs:
            raise ValidationError("Send `value` or `over_since`, not both.")
        return super().validate(attrs)


class KeptHereOut(serializers.Serializer[Any]):
    """The only conversation in which the value is now used."""

    slot = serializers.CharField()
    value = serializers.CharField()
    conversation = serializers.UUIDField()


class ClosedOut(serializers.Serializer[Any]):
    """A kind of fact that is never saved."""

    slot = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]
    closed_at = serializers.DateTimeField()


class ClosedIn(RequestBody):
    """A kind of fact that must never be saved."""

    slot = serializers.ChoiceField(choices=CLOSABLE)


class Taken(APIException):
    """The request conflicts with the current state (status 409)."""

    status_code = 409
    default_detail = "This has changed since you read it. Read it again."


class Profile(PersonAPIView):
    """Endpoint of the facts of the profile: list and add."""

    @extend_schema(
        operation_id="profile_read",
        responses={200: page_of(FactOut), **ON_INPUT},
        parameters=[
            OpenApiParameter(
                "as_of",
                {"anyOf": [{"type": "string", "format": each} for each in ("date", "date-time")]},
                description="Return facts that were true at this time, as far as is known "
                "today: a day (2024-03-14, meaning its end) or a date and time "
                "(2024-03-14T09:30:00+01:00). Default now.",
            ),
            *PAGING,
        ],
    )
    def get(self, request: Request) -> Response:
        """List the facts that are true now, or with `as_of` those of an earlier time."""
        held = _facts_at(_facts(self, request), request.query_params.get("as_of"))
        facts = held.order_by("slot", "created_at", "pk")
        return self.page(request, facts, FactOut)

    @extend_schema(
        operation_id="profile_write",
        request=FactIn,
        responses={201: FactOut, 409: Problem, **ON_INPUT},
    )
    def post(self, request: Request) -> Response:
        """Add a fact. 409 if its slot has a value, or had another one at that time.

        With `over_since` the fact is added to the history, and current facts stay as they are.
        """
        data = self.body(request, FactIn)
        since, over = beginning_of_day(data["since"]), beginning_of_day(data["over_since"])
        line = self.person(request).pk, data["slot"], data["value"], since
        try:
            fact = (
                revision.write_past_by_hand(*line, over) if over else revision.write_by_hand(*line)
            )
        except SlotTaken as taken:
            raise _refusal(taken) from None
        return Response(_as_json(self, request, fact.pk), status=201)


class OneFact(PersonAPIView):
    """Endpoint of one fact: read, change and retract."""

    @extend_schema(operation_id="profile_fact_read", responses={200: FactOut, **PROBLEMS})
    def get(self, request: Request, pk: UUID) -> Response:
        """Read a fact that is true now, or that was true until its `valid_to`."""
        holds_or_held = ProfileFact.Status.CURRENT, ProfileFact.Status.PAST
        facts = _facts(self, request).filter(status__in=holds_or_held)
        return Response(FactOut(get_object_or_404(facts, pk=pk)).data)

    @extend_schema(
        operation_id="profile_fact_change",
        request=FactChange,
        responses={200: FactOut, 409: Problem, **PROBLEMS},
    )
    def patch(self, request: Request, pk: UUID) -> Response:
        """Change a fact. A new value makes a fact with a new id; the old one stays in the history.

        Without `value`, this confirms the fact; `since` sets its start. With
        `over_since` the fact ends: it stays in the history and can be restored.
        """
        fact = _current(self, request, pk)
        data = self.body(request, FactChange)
        _refuse_end_before_beginning(fact, data)
        since, over = beginning_of_day(data["since"]), beginning_of_day(data["over_since"])
        try:
            if since or not over:
                fact = revision.rewrite(fact, data.get("value", fact.value), since)
        except SlotTaken as taken:
            raise _refusal(taken) from None
        if over:
            revision.close(fact, over)
        return Response(_as_json(self, request, fact.pk))

    @extend_schema(
        operation_id="profile_fact_end", request=FactEnd, responses={204: None, **PROBLEMS}
    )
    def delete(self, request: Request, pk: UUID) -> Response:
        """Retract a fact, or end it with `over_since`. Both can be undone with `restore`."""
        fact = _current(self, request, pk)
        data = self.body(request, FactEnd)
        _refuse_end_before_beginning(fact, data)
        over = beginning_of_day(data["over_since"])
        if over is None:
            revision.retract(fact)
        else:
            revision.close(fact, over)
        return Response(status=204)


class Confirm(PersonAPIView):
    """Endpoint that confirms a fact."""

    @extend_schema(
        operation_id="profile_fact_confirm", request=None, responses={200: FactOut, **PROBLEMS}
    )
    def post(self, request: Request, pk: UUID) -> Response:
        """Confirm that a fact is still true."""
        revision.confirm(_current(self, request, pk))
        return Response(FactOut(_current(self, request, pk)).data)


class Narrow(PersonAPIView):
    """Endpoint that limits a fact to one conversation."""

    @extend_schema(
        operation_id="profile_fact_narrow",
        request=None,
        responses={200: KeptHereOut, 409: Problem, **PROBLEMS},
    )
    def post(self, request: Request, pk: UUID) -> Response:
        """Limit a fact to the conversation in which it was said; 409 if it was added by hand."""
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
    """Endpoint that restores a retracted or ended fact."""

    @extend_schema(
        operation_id="profile_fact_restore",
        request=None,
        responses={200: FactOut, 409: Problem, **PROBLEMS},
    )
    def post(self, request: Request, pk: UUID) -> Response:
        """Restore a fact that was retracted or ended. 409 if its slot now has another value."""
        ended = _facts(self, request).filter(status__in=revision.RETURNING)
        try:
            revision.restore(get_object_or_404(ended, pk=pk))
        except SlotTaken as taken:
            raise _refusal(taken) from None
        return Response(_as_json(self, request, pk))


class Closed(PersonAPIView):
    """Endpoint of the blocked kinds of facts: list and block."""

    @extend_schema(
        operation_id="profile_blocked_list",
        responses={200: page_of(ClosedOut), **ON_INPUT},
        parameters=PAGING,
    )
    def get(self, request: Request) -> Response:
        """List the kinds of facts that are never saved."""
        rows = BlockedSlot.objects.filter(user=self.person(request)).order_by("slot")
        return paged(self, request, rows, lambda page: [_closed(row) for row in page])

    @extend_schema(
        operation_id="profile_blocked_add",
        request=ClosedIn,
        responses={201: ClosedOut, **ON_INPUT},
    )
    def post(self, request: Request) -> Response:
        """Never save this kind of fact, and retract existing ones. Repeating changes nothing."""
        data = self.body(request, ClosedIn)
        return Response(
            _closed(blocked_slots.block_slot(self.person(request).pk, data["slot"])), status=201
        )


class OneClosed(PersonAPIView):
    """Endpoint that unblocks a kind of fact."""

    @extend_schema(
        operation_id="profile_blocked_remove", responses={204: None, 401: Problem, 404: Problem}
    )
    def delete(self, request: Request, slot: str) -> Response:
        """Allow this kind of fact to be saved again. Retracted facts stay retracted."""
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
    return FactOut(_facts(view, request).get(pk=pk)).data


def _refuse_end_before_beginning(fact: ProfileFact, data: dict[str, Any]) -> None:
    """Raise ValidationError for an end before the start; both may be on the same day."""
    over, begun = data["over_since"], data.get("since") or localdate(fact.valid_from)
    if over and over < begun:
        raise ValidationError({"over_since": [OVER_BEFORE_IT_BEGAN]})


def _refusal(taken: SlotTaken) -> APIException:
    """Return a 422 for a value that may never be saved, a 409 for a slot that is taken."""
    if isinstance(taken, revision.UnfitValue):
        return ValidationError({"value": [ErrorDetail(str(taken), taken.code or "unfit")]})
    return Taken(str(taken), taken.code or None)


def _closed(row: BlockedSlot) -> dict[str, object]:
    return {"slot": row.slot, "label": row.kind.label, "closed_at": row.blocked_at}


def _facts_at(facts: FactQuerySet, asked: str | None) -> FactQuerySet:
    if asked is None:
        return facts.current()
    try:
        return facts.as_of(as_of.moment(asked, now()))
    except as_of.UnfitDay as unfit:
        raise ValidationError({"as_of": [str(unfit)]}) from None
