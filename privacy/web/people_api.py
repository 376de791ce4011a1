"""API for sub-users: users whom other software creates with a service token."""

from typing import Any
from uuid import UUID

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.exceptions import PermissionDenied, ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.access import scopes, sub_users, tokens
from accounts.access.api import PAGING, PersonAPIView, Problem, RequestBody, page_of
from accounts.database.isolation import acting_as
from accounts.models import ApiToken, SubUser, User
from privacy import account_deletion

_REFUSED = {403: Problem, 503: Problem}


class PersonOut(serializers.ModelSerializer[SubUser]):
    """A person whom your software created."""

    id = serializers.UUIDField(source="person_id")
    name = serializers.CharField(source="person.name")

    class Meta:
        model = SubUser
        fields = ("id", "external_id", "name", "created_at")


class PersonIn(RequestBody):
    """A person to create."""

    external_id = serializers.CharField(
        max_length=SubUser.EXTERNAL_ID_LENGTH,
        help_text="Your software’s own id for them, unique among your people.",
    )
    name = serializers.CharField(
        max_length=User._meta.get_field("name").max_length,
        default="",
        allow_blank=True,
        help_text="How the assistant addresses them.",
    )

    def validate_external_id(self, text: str) -> str:
        """Return the id. Raises ValidationError for one that no header can name."""
        try:
            return sub_users.fit_external_id(text)
        except sub_users.CannotCreate as unfit:
            raise ValidationError(str(unfit)) from None


class PersonDeleted(serializers.Serializer[Any]):
    """The receipt of a deletion."""

    deleted = serializers.CharField(
        help_text="What was deleted, in words; empty if there was nothing."
    )
    left = serializers.DictField(
        child=serializers.IntegerField(),
        help_text="Number of rows that still name the person, by table; empty if there are none.",
    )


class PeopleView(PersonAPIView):
    """An operation of a service on its people, in the name of the token's owner."""

    for_scoped_tokens = True

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Raise PermissionDenied unless the token has the scope “people” and acts for its owner."""
        super().initial(request, *args, **kwargs)
        if not isinstance(request.auth, ApiToken):
            raise PermissionDenied("Use a token with the scope “people”.")
        if not scopes.opens(request.auth.scopes, scopes.PEOPLE):
            raise PermissionDenied(tokens.lacking(scopes.PEOPLE))
        if self.person(request).is_sub_user:
            raise PermissionDenied(
                f"Leave {sub_users.HEADER} out. People you created can’t have people of their own."
            )


class People(PeopleView):
    """The people of a service."""

    # The deletion opens its own transactions.
    one_block = False

    @extend_schema(
        operation_id="people_list",
        responses={200: page_of(PersonOut), **_REFUSED},
        parameters=[
            OpenApiParameter("external_id", str, description="Only the person with this id."),
            *PAGING,
        ],
    )
    def get(self, request: Request) -> Response:
        """List the people whom your software created, newest first."""
        with acting_as(self.person(request)):
            rows = sub_users.of(self.person(request))
            if named := request.query_params.get("external_id"):
                rows = rows.filter(external_id=named)
            return self.page(request, rows, PersonOut)

    @extend_schema(
        operation_id="people_create",
        request=PersonIn,
        responses={200: PersonOut, 201: PersonOut, **_REFUSED},
    )
    def post(self, request: Request) -> Response:
        """Create a person. 200 with the existing one if the external id is already in use."""
        made, is_new = sub_users.create(self.person(request), **self.body(request, PersonIn))
        return Response(PersonOut(made).data, status=201 if is_new else 200)


class OnePerson(PeopleView):
    """One of the people of a service."""

    # The deletion opens its own transactions.
    one_block = False

    @extend_schema(operation_id="people_read", responses={200: PersonOut, 404: Problem, **_REFUSED})
    def get(self, request: Request, pk: UUID) -> Response:
        """Read one of your people."""
        return Response(PersonOut(self._row(request, pk)).data)

    @extend_schema(
        operation_id="people_delete", responses={200: PersonDeleted, 404: Problem, **_REFUSED}
    )
    def delete(self, request: Request, pk: UUID) -> Response:
        """Delete a person at once, with everything stored about them. This cannot be undone."""
        receipt = account_deletion.delete(self._row(request, pk).person)
        return Response({"deleted": receipt.gone, "left": receipt.left})

    def _row(self, request: Request, pk: UUID) -> SubUser:
        creator = self.person(request)
        with acting_as(creator):
            return get_object_or_404(sub_users.of(creator), person=pk)
