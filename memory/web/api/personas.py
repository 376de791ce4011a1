"""What one works as, for other software."""

from typing import Any

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.access.api import PersonAPIView, Problem, RequestBody, problem_response
from memory.lessons import contribution
from memory.web.api.common import ON_A_ROW, ON_INPUT, PROBLEMS, USUAL, valid
from personas import membership
from personas.membership import TooManyProposals
from personas.models import DESCRIPTION_LENGTH, NAME_LENGTH, PersonaProposal, UserPersona


class PersonaOut(serializers.Serializer[Any]):
    """A kind of professional."""

    handle = serializers.CharField()
    industry = serializers.CharField()
    role = serializers.CharField()
    title = serializers.CharField()
    description = serializers.CharField()
    typical_kpis = serializers.ListField(child=serializers.CharField())
    quintessential_queries = serializers.ListField(child=serializers.CharField())


class MembershipOut(serializers.Serializer[Any]):
    """That you work as this, or may."""

    persona = serializers.CharField(source="persona.handle")
    standing = serializers.CharField(help_text="guessed: nobody is a member without a yes.")
    confidence = serializers.FloatField()
    discovered_at = serializers.DateTimeField()
    last_confirmed = serializers.DateTimeField(allow_null=True)


class ConfirmIn(RequestBody):
    """Whether general lessons go both ways from now on."""

    share = serializers.BooleanField(
        help_text="false: yes, but share nothing. That holds for all your roles."
    )


class ProposalIn(RequestBody):
    """A role that is missing."""

    industry = serializers.CharField(max_length=NAME_LENGTH)
    role = serializers.CharField(max_length=NAME_LENGTH)
    description = serializers.CharField(
        max_length=DESCRIPTION_LENGTH, required=False, allow_blank=True, default=""
    )


class PersonaProposalOut(serializers.Serializer[Any]):
    """A role that you proposed, and what staff said."""

    id = serializers.UUIDField()
    industry = serializers.CharField()
    role = serializers.CharField()
    description = serializers.CharField()
    standing = serializers.CharField()
    answer = serializers.CharField()


class Personas(PersonAPIView):
    """The personas that there are."""

    @extend_schema(
        operation_id="personas_list",
        responses={200: PersonaOut(many=True), **USUAL},
    )
    def get(self, request: Request) -> Response:
        """List them."""
        return Response(PersonaOut(membership.personas(), many=True).data)


class Mine(PersonAPIView):
    """What one works as."""

    @extend_schema(
        operation_id="personas_mine",
        responses={200: MembershipOut(many=True), **USUAL},
    )
    def get(self, request: Request) -> Response:
        """List your roles, and those that you have not been asked about yet."""
        rows = UserPersona.known(self.person(request).pk).select_related("persona")
        return Response(MembershipOut(rows, many=True).data)


class Confirm(PersonAPIView):
    """A yes."""

    @extend_schema(
        operation_id="personas_confirm",
        request=ConfirmIn,
        responses={200: MembershipOut, **PROBLEMS},
    )
    def post(self, request: Request, handle: str) -> Response:
        """Say that you work as this. With `share`, lessons of others in the role reach you, and
        general ones from your work reach them once three people support the same.
        """
        given, user = valid(ConfirmIn, request.data), self.person(request)
        persona = get_object_or_404(membership.personas(), handle=handle)
        user_persona = membership.confirm(user.pk, persona)
        choose = contribution.opt_in if given["share"] else contribution.opt_out
        choose(user.pk)
        return Response(MembershipOut(user_persona).data)


class Decline(PersonAPIView):
    """A no."""

    @extend_schema(
        operation_id="personas_decline",
        request=None,
        responses={204: None, 409: Problem, **ON_A_ROW},
    )
    def post(self, request: Request, handle: str) -> Response:
        """Say that you do not work as this; you are not asked again. Members leave instead."""
        user = self.person(request)
        persona = get_object_or_404(membership.personas(), handle=handle)
        if UserPersona.confirmed(user.pk).filter(persona=persona).exists():
            detail = "Leave the role instead, which withdraws your support too."
            return problem_response(409, "You said that you work as this", detail)
        membership.decline(user.pk, persona)
        return Response(status=204)


class Leave(PersonAPIView):
    """No longer."""

    @extend_schema(
        operation_id="personas_leave",
        request=None,
        responses={204: None, **ON_A_ROW},
    )
    def post(self, request: Request, handle: str) -> Response:
        """Say that you no longer work as this; what you support of its lessons is withdrawn."""
        mine = UserPersona.objects.filter(user_id=self.person(request).pk, persona__handle=handle)
        member = mine.filter(standing=UserPersona.Standing.CONFIRMED).select_related("persona")
        persona = get_object_or_404(member)
        contribution.leave(persona.user_id, persona.persona)
        return Response(status=204)


class Proposals(PersonAPIView):
    """Roles that are missing."""

    @extend_schema(
        operation_id="personas_proposals",
        responses={200: PersonaProposalOut(many=True), **USUAL},
    )
    def get(self, request: Request) -> Response:
        """List those that you proposed, the newest first."""
        rows = PersonaProposal.objects.filter(user_id=self.person(request).pk)
        return Response(PersonaProposalOut(rows.order_by("-proposed_at"), many=True).data)

    @extend_schema(
        operation_id="personas_propose",
        request=ProposalIn,
        responses={201: PersonaProposalOut, **ON_INPUT},
    )
    def post(self, request: Request) -> Response:
        """Ask staff for one."""
        given = valid(ProposalIn, request.data)
        try:
            made = membership.propose(self.person(request).pk, **given)
        except TooManyProposals as reason:
            raise ValidationError({"role": [str(reason)]}) from None
        return Response(PersonaProposalOut(made).data, status=201)
