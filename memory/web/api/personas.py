"""API for professional personas and their members."""

from typing import Any

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.access.api import (
    ON_A_ROW,
    ON_INPUT,
    PAGING,
    PROBLEMS,
    PersonAPIView,
    Problem,
    RequestBody,
    page_of,
    problem_response,
)
from memory.lessons import contribution
from personas import membership
from personas.membership import TooManyProposals
from personas.models import DESCRIPTION_LENGTH, NAME_LENGTH, PersonaProposal, UserPersona


class PersonaOut(serializers.Serializer[Any]):
    """A professional persona: a role in an industry."""

    handle = serializers.CharField()
    industry = serializers.CharField()
    role = serializers.CharField()
    title = serializers.CharField()
    description = serializers.CharField()
    typical_kpis = serializers.ListField(child=serializers.CharField())
    quintessential_queries = serializers.ListField(child=serializers.CharField())


class MembershipOut(serializers.Serializer[Any]):
    """Your membership of a persona, confirmed or guessed."""

    persona = serializers.CharField(source="persona.handle")
    standing = serializers.CharField(
        help_text="confirmed: you are a member. guessed: you may be one, but have not confirmed it."
    )
    confidence = serializers.FloatField(help_text="How certain the membership is, 0 to 1.")
    discovered_at = serializers.DateTimeField()
    last_confirmed = serializers.DateTimeField(allow_null=True)


class ConfirmIn(RequestBody):
    """Whether to share lessons from now on."""

    share = serializers.BooleanField(
        help_text="Whether to share general lessons with others in your roles and receive theirs. "
        "Applies to all your roles."
    )


class ProposalIn(RequestBody):
    """A persona that is missing."""

    industry = serializers.CharField(max_length=NAME_LENGTH)
    role = serializers.CharField(max_length=NAME_LENGTH)
    description = serializers.CharField(
        max_length=DESCRIPTION_LENGTH, required=False, allow_blank=True, default=""
    )


class PersonaProposalOut(serializers.Serializer[Any]):
    """A persona that you proposed, with the answer from staff."""

    id = serializers.UUIDField()
    industry = serializers.CharField()
    role = serializers.CharField()
    description = serializers.CharField()
    standing = serializers.CharField()
    answer = serializers.CharField()


class Personas(PersonAPIView):
    """Endpoint of all personas."""

    @extend_schema(
        operation_id="personas_list",
        responses={200: page_of(PersonaOut), **ON_INPUT},
        parameters=PAGING,
    )
    def get(self, request: Request) -> Response:
        """List all personas."""
        rows = membership.personas().order_by("title", "pk")
        return self.page(request, rows, PersonaOut)


class Mine(PersonAPIView):
    """Endpoint of the personas of a user."""

    @extend_schema(
        operation_id="personas_mine",
        responses={200: page_of(MembershipOut), **ON_INPUT},
        parameters=PAGING,
    )
    def get(self, request: Request) -> Response:
        """List your personas, including guessed ones that you have not answered."""
        rows = UserPersona.known(self.person(request).pk).select_related("persona").order_by("pk")
        return self.page(request, rows, MembershipOut)


class Confirm(PersonAPIView):
    """Endpoint that confirms a persona."""

    @extend_schema(
        operation_id="personas_confirm",
        request=ConfirmIn,
        responses={200: MembershipOut, **PROBLEMS},
    )
    def post(self, request: Request, handle: str) -> Response:
        """Confirm that you work in this role. With `share`, you receive lessons from others in
        the role, and they receive general lessons from your work once three people support the same
        lesson.
        """
        data, user = self.body(request, ConfirmIn), self.person(request)
        persona = get_object_or_404(membership.personas(), handle=handle)
        user_persona = membership.confirm(user.pk, persona)
        choose = contribution.opt_in if data["share"] else contribution.opt_out
        choose(user.pk)
        return Response(MembershipOut(user_persona).data)


class Decline(PersonAPIView):
    """Endpoint that declines a persona."""

    @extend_schema(
        operation_id="personas_decline",
        request=None,
        responses={204: None, 409: Problem, **ON_A_ROW},
    )
    def post(self, request: Request, handle: str) -> Response:
        """Decline a persona, so that you are not asked about it again. Members get a 409: leave it
        instead.
        """
        user = self.person(request)
        persona = get_object_or_404(membership.personas(), handle=handle)
        if UserPersona.confirmed(user.pk).filter(persona=persona).exists():
            detail = "Leave the persona instead. That also withdraws your support for its lessons."
            return problem_response(409, "You are a member of this persona", detail)
        membership.decline(user.pk, persona)
        return Response(status=204)


class Leave(PersonAPIView):
    """Endpoint that leaves a persona."""

    @extend_schema(
        operation_id="personas_leave",
        request=None,
        responses={204: None, **ON_A_ROW},
    )
    def post(self, request: Request, handle: str) -> Response:
        """Leave a persona. Your support for its lessons is withdrawn."""
        mine = UserPersona.objects.filter(user_id=self.person(request).pk, persona__handle=handle)
        member = mine.filter(standing=UserPersona.Standing.CONFIRMED).select_related("persona")
        persona = get_object_or_404(member)
        contribution.leave(persona.user_id, persona.persona)
        return Response(status=204)


class Proposals(PersonAPIView):
    """Endpoint of a user's proposals for personas: list and propose."""

    @extend_schema(
        operation_id="personas_proposals",
        responses={200: page_of(PersonaProposalOut), **ON_INPUT},
        parameters=PAGING,
    )
    def get(self, request: Request) -> Response:
        """List the personas that you proposed, newest first."""
        rows = PersonaProposal.objects.filter(user_id=self.person(request).pk)
        rows = rows.order_by("-proposed_at", "-pk")
        return self.page(request, rows, PersonaProposalOut)

    @extend_schema(
        operation_id="personas_propose",
        request=ProposalIn,
        responses={201: PersonaProposalOut, **ON_INPUT},
    )
    def post(self, request: Request) -> Response:
        """Propose a persona to staff."""
        data = self.body(request, ProposalIn)
        try:
            made = membership.propose(self.person(request).pk, **data)
        except TooManyProposals as reason:
            raise ValidationError({"role": [str(reason)]}) from None
        return Response(PersonaProposalOut(made).data, status=201)
