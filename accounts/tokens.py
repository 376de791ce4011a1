"""API tokens: knox's, hashed at rest, several a person, each revocable."""

from typing import Any

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from knox.auth import TokenAuthentication as KnoxTokenAuthentication
from rest_framework.authentication import get_authorization_header
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request


class TokenAuthentication(KnoxTokenAuthentication):  # type: ignore[misc]
    """Knox, with either of the two words that clients put before a token.

    `Authorization: Token …` is the documented form; `Bearer …` is what most client libraries send.
    """

    def authenticate(self, request: Request) -> Any:
        """Return (user, token), or None when no token was sent. Raises AuthenticationFailed."""
        word, _, rest = get_authorization_header(request).partition(b" ")
        if not rest.isascii():
            raise AuthenticationFailed("A token has no such letters.")
        if word.lower() == b"bearer" and rest:
            request._request.META["HTTP_AUTHORIZATION"] = "Token " + rest.decode("ascii")
            # Django keeps the headers it has read; knox is to read them anew.
            request._request.__dict__.pop("headers", None)
        return super().authenticate(request)


class TokenScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """How the schema describes the token."""

    target_class = "accounts.tokens.TokenAuthentication"
    name = "token"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        """The OpenAPI security scheme object."""
        return {
            "type": "apiKey",
            "in": "header",
            "name": "Authorization",
            "description": "`Token …`, as printed by `manage.py create_token EMAIL`.",
        }
