"""API for a user's own tokens."""

from uuid import UUID

from allauth.account.adapter import get_adapter
from django.core.exceptions import ValidationError as Refused
from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.access import token_schema, tokens  # noqa: F401 - the schema looks for it
from accounts.access.api import PAGING, PersonAPIView, Problem, RequestBody, page_of
from accounts.database.isolation import acting_as
from accounts.models import ApiToken, User


class TokenOut(serializers.ModelSerializer[ApiToken]):
    """An API token, without its secret."""

    created_at = serializers.DateTimeField(source="created")
    expires_at = serializers.DateTimeField(
        source="expiry",
        allow_null=True,
        help_text="When the token expires; null if it never does (tokens from early versions).",
    )

    class Meta:
        model = ApiToken
        fields = ("id", "name", "scopes", "created_at", "expires_at", "last_used_at")


class NewToken(TokenOut):
    """A new API token, with its secret."""

    secret = serializers.CharField(
        help_text="The token to send in the Authorization header; shown only in this response."
    )

    class Meta(TokenOut.Meta):
        fields = (*TokenOut.Meta.fields, "secret")  # type: ignore[assignment]


class TokenIn(RequestBody):
    """An API token to create."""

    name = serializers.CharField(
        max_length=ApiToken.NAME_LENGTH,
        help_text="What the token is for, such as the name of the app that uses it.",
    )
    days = serializers.IntegerField(
        min_value=1,
        max_value=tokens.MOST_DAYS,
        default=tokens.DAYS,
        help_text="Number of days until the token expires.",
    )
    scopes = serializers.ListField(
        child=serializers.CharField(max_length=40),
        default=list,
        help_text=(
            "What the token can do; empty for full access to your account. `read` limits it to "
            "reading, `write` to changing things, and names of memory namespaces, such as "
            "`shared.people` or `shared.*`, to those. `people` lets it create people and act for "
            "them; no other scope does."
        ),
    )
    password = serializers.CharField(
        trim_whitespace=False,
        help_text=(
            "Your account password; required so that nobody can use a stolen token to create "
            "others."
        ),
    )


class Tokens(PersonAPIView):
    """The API tokens of a person."""

    # A wrong password has to be counted, possibly in the same database, so no
    # surrounding transaction may be rolled back.
    one_block = False

    @extend_schema(
        operation_id="tokens_list",
        responses={200: page_of(TokenOut), 503: Problem},
        parameters=PAGING,
    )
    def get(self, request: Request) -> Response:
        """List tokens that have not expired, newest first."""
        with acting_as(self.person(request)):
            return self.page(request, tokens.of(self.person(request)), TokenOut)

    @extend_schema(
        operation_id="tokens_make",
        request=TokenIn,
        responses={201: NewToken, 503: Problem},
    )
    def post(self, request: Request) -> Response:
        """Create a token. Wrong passwords count towards the same limit as failed sign-ins."""
        person, given = self.person(request), self.body(request, TokenIn)
        _check_password(person, given.pop("password"))
        try:
            token, secret = tokens.make(person, **given)
        except ValueError as wrong:
            raise ValidationError({"scopes": [str(wrong)]}) from None
        return Response(TokenOut(token).data | {"secret": secret}, status=201)


class OneToken(PersonAPIView):
    """One API token."""

    @extend_schema(operation_id="tokens_revoke", responses={204: None, 404: Problem})
    def delete(self, request: Request, pk: UUID) -> Response:
        """Revoke a token at once. It may be the token that sends this request."""
        if not tokens.revoke(self.person(request), pk):
            raise Http404
        return Response(status=204)


def _check_password(person: User, password: str) -> None:
    try:
        known = get_adapter().reauthenticate(person, password)
    except Refused as locked:
        raise ValidationError({"password": locked.messages}) from None
    if not known:
        raise ValidationError({"password": ["That’s not your password."]})
