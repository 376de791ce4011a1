"""Importing from other assistants, for other software: sent, looked at, accepted, undone."""

from functools import partial
from typing import Any
from uuid import UUID

from django.http import Http404
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.access.api import PersonAPIView, Problem, RequestBody, problem_response
from ledger.web.api.proposals import (
    AllAnsweredOut,
    ProposalOut,
    all_answered,
    refusals,
    shown_proposal,
)
from privacy.importing import deciding, requests
from privacy.importing.deciding import NotOffered
from privacy.importing.requests import CannotImport, TooManyImports
from privacy.importing.shapes import NotAnImport
from privacy.models import Import
from privacy.restoring import opening
from privacy.web.receiving import Refusals, receive

_REFUSALS = Refusals(NotAnImport, TooManyImports, CannotImport, opening.larger_than_taken)


class ImportIn(RequestBody):
    """The file, as a field of a form."""

    file = serializers.FileField(
        help_text="An export of ChatGPT or Claude, JSON of Gemini, mem0, Letta, Open WebUI or"
        " LibreChat, or lines"
        " `[YYYY-MM-DD] - fact`."
    )


class ImportOut(serializers.Serializer[Any]):
    """A file that was brought: what is in it, how far it is, what came of it."""

    id = serializers.UUIDField()
    state = serializers.ChoiceField(choices=Import.State.choices)
    brought_from = serializers.ChoiceField(choices=Import.Source.choices, source="source")
    conversations = serializers.IntegerField(help_text="New ones, as the other numbers are.")
    messages = serializers.IntegerField()
    memories = serializers.IntegerField()
    known = serializers.IntegerField(help_text="Conversations and memories that are here already.")
    skipped = serializers.DictField(
        child=serializers.IntegerField(), help_text="How many stay behind, by the reason."
    )
    first_at = serializers.DateTimeField(allow_null=True)
    last_at = serializers.DateTimeField(allow_null=True)
    size = serializers.IntegerField(help_text="Bytes.")
    done = serializers.IntegerField(help_text="So far, of what the state is about.")
    total = serializers.IntegerField()
    continued = serializers.IntegerField(
        help_text="Conversations that stayed when it was undone, because they went on here."
    )
    failure = serializers.CharField(help_text="What is wrong, and what to do.")
    asked_at = serializers.DateTimeField()
    ended_at = serializers.DateTimeField(allow_null=True)


class Imports(PersonAPIView):
    """The files that a person brought."""

    parser_classes = (MultiPartParser,)

    @extend_schema(operation_id="imports_list", responses={200: ImportOut(many=True), 401: Problem})
    def get(self, request: Request) -> Response:
        """List them, the newest first."""
        rows = Import.objects.filter(user=self.person(request)).order_by("-asked_at")
        return Response(ImportOut(rows, many=True).data)

    @extend_schema(
        operation_id="imports_create",
        request={"multipart/form-data": ImportIn},
        responses={
            201: ImportOut,
            400: Problem,
            401: Problem,
            409: Problem,
            413: Problem,
            429: Problem,
        },
    )
    def post(self, request: Request) -> Response:
        """Send a file and see what is in it. Nothing is imported before it is accepted."""
        return receive(
            request,
            ImportIn,
            partial(requests.bring, self.person(request)),
            refusals=_REFUSALS,
            told=ImportOut,
            name="api:import",
        )


class OneImport(PersonAPIView):
    """One file that was brought."""

    @extend_schema(
        operation_id="imports_read", responses={200: ImportOut, 401: Problem, 404: Problem}
    )
    def get(self, request: Request, pk: UUID) -> Response:
        """What is in it, and how far it is."""
        rows = Import.objects.filter(user=self.person(request))
        return Response(ImportOut(get_object_or_404(rows, pk=pk)).data)

    @extend_schema(operation_id="imports_cancel", responses={204: None, 401: Problem, 404: Problem})
    def delete(self, request: Request, pk: UUID) -> Response:
        """Leave it, before or while it is imported: nothing stays of it. 404 where it is over."""
        if not requests.cancel(self.person(request), pk):
            raise Http404
        return Response(status=204)


class Accept(PersonAPIView):
    """The yes to a file."""

    @extend_schema(
        operation_id="imports_accept",
        request=None,
        responses={202: ImportOut, 401: Problem, 404: Problem, 409: Problem},
    )
    def post(self, request: Request, pk: UUID) -> Response:
        """Have it imported: ask for its state until it is `ready` or `failed`. 404 where it does
        not wait for a yes.
        """
        try:
            accepted = requests.accept(self.person(request), pk)
        except CannotImport as refused:
            return problem_response(409, "Not now", str(refused))
        if accepted is None:
            raise Http404
        return Response(ImportOut(accepted).data, status=202)


class OfferedValueOut(serializers.Serializer[Any]):
    """A value that waits, and how often it was said."""

    proposal = ProposalOut()
    messages = serializers.IntegerField(help_text="So many messages say it.")
    first_at = serializers.DateTimeField()
    last_at = serializers.DateTimeField()


class OfferedSlotOut(serializers.Serializer[Any]):
    """A kind of fact with all values that an import has of it."""

    slot = serializers.CharField()
    title = serializers.CharField()
    several = serializers.BooleanField(help_text="Several values may hold at once.")
    has_past = serializers.BooleanField(help_text="Earlier values can be kept.")
    values = OfferedValueOut(many=True)


class DecisionsOut(serializers.Serializer[Any]):
    """What of an import waits for a decision."""

    waiting = serializers.IntegerField(help_text="All that waits, memories among them.")
    slots = OfferedSlotOut(many=True)


class DecideIn(RequestBody):
    """One decision about a kind of fact."""

    slot = serializers.CharField()
    chosen = serializers.ListField(
        child=serializers.UUIDField(),
        help_text="The proposals whose values hold; none, or one where only one can hold.",
    )
    others = serializers.ChoiceField(
        choices=["past", "decline"],
        default="decline",
        help_text="What becomes of the others: earlier values where there can be any, or nothing.",
    )


class Decisions(PersonAPIView):
    """Deciding about what an import says about its owner."""

    @extend_schema(
        operation_id="imports_decisions",
        responses={200: DecisionsOut, 401: Problem, 404: Problem},
    )
    def get(self, request: Request, pk: UUID) -> Response:
        """What waits, by kinds of facts. Memories are among the proposals."""
        row = get_object_or_404(Import.objects.filter(user=self.person(request)), pk=pk)
        slots = [
            {
                "slot": one.slot.key,
                "title": one.slot.label,
                "several": one.slot.many,
                "has_past": one.has_past,
                "values": [
                    {
                        "proposal": shown_proposal(value.memory),
                        "messages": len(value.said),
                        "first_at": value.first_at,
                        "last_at": value.last_at,
                    }
                    for value in one.values
                ],
            }
            for one in deciding.slots_of(row)
        ]
        told = {"waiting": deciding.waiting_of(row).count(), "slots": slots}
        return Response(DecisionsOut(told).data)

    @extend_schema(
        operation_id="imports_decide",
        request=DecideIn,
        responses={200: AllAnsweredOut, 400: Problem, 401: Problem, 404: Problem, 409: Problem},
    )
    def post(self, request: Request, pk: UUID) -> Response:
        """Decide about all values of one kind of fact. 409 where they do not wait any more, or
        the profile may not have one: then all go on waiting.
        """
        row = get_object_or_404(Import.objects.filter(user=self.person(request)), pk=pk)
        given = DecideIn(data=request.data)
        given.is_valid(raise_exception=True)
        told = given.validated_data
        past = told["others"] == "past"
        try:
            with refusals():
                done = deciding.decide(row, told["slot"], told["chosen"], keep_past=past)
        except NotOffered as refused:
            return problem_response(409, "Not now", str(refused))
        return Response(all_answered(done))

    @extend_schema(
        operation_id="imports_decline_all",
        responses={200: AllAnsweredOut, 401: Problem, 404: Problem},
    )
    def delete(self, request: Request, pk: UUID) -> Response:
        """Decline all that waits, some hundreds at once: send it again until the count is 0."""
        row = get_object_or_404(Import.objects.filter(user=self.person(request)), pk=pk)
        return Response(all_answered(deciding.decline_all(row)))


class Undo(PersonAPIView):
    """Taking an import out again."""

    @extend_schema(
        operation_id="imports_undo",
        request=None,
        responses={202: ImportOut, 401: Problem, 404: Problem},
    )
    def post(self, request: Request, pk: UUID) -> Response:
        """Have its conversations and memories taken out, with what was learned only from them: ask
        for its state until it is `undone`. 404 where there is nothing to undo.
        """
        person = self.person(request)
        if not requests.undo(person, pk):
            raise Http404
        return Response(ImportOut(Import.objects.get(user=person, pk=pk)).data, status=202)
