"""How the description of the API tells of tokens and bodies; loaded with the API alone."""

from typing import Any

from drf_spectacular.extensions import OpenApiAuthenticationExtension, OpenApiSerializerExtension


class TokenScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """How the schema describes the token."""

    target_class = "accounts.access.tokens.TokenAuthentication"
    name = "token"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        """The OpenAPI security scheme object."""
        return {
            "type": "apiKey",
            "in": "header",
            "name": "Authorization",
            "description": "`Token …`, with a token created on the account page or with `manage.py "
            "create_token`. With one that has the scope `people`, the header `X-Act-As` names for "
            "whom an operation is done, by external id or id; without it, for the token's owner.",
        }


class BodyScheme(OpenApiSerializerExtension):  # type: ignore[no-untyped-call]
    """How the schema describes the body of a request: no field but those that are named."""

    target_class = "accounts.access.api.RequestBody"
    match_subclasses = True

    def map_serializer(self, auto_schema: Any, direction: Any) -> dict[str, Any]:
        """Return the JSON schema of the body."""
        schema: dict[str, Any] = auto_schema._map_serializer(
            self.target, direction, bypass_extensions=True
        )
        if direction == "request":
            schema["additionalProperties"] = False
            if self.target.partial:
                schema["minProperties"] = 1
        return schema
