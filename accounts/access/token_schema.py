"""OpenAPI descriptions of tokens and request bodies, loaded only with the API."""

from typing import Any

from drf_spectacular.extensions import OpenApiAuthenticationExtension, OpenApiSerializerExtension
from rest_framework import serializers

from accounts.access.api import TextField

# A text that is not only white space.
_SAYS_SOMETHING = r"\S"


class TokenScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """The OpenAPI description of the token."""

    target_class = "accounts.access.tokens.TokenAuthentication"
    name = "token"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        """Return the OpenAPI security scheme object."""
        return {
            "type": "apiKey",
            "in": "header",
            "name": "Authorization",
            "description": (
                "`Token …`, with a token from the account page or from `manage.py create_token`. "
                "A token with the scope `people` can act for someone else: name them in the "
                "header `X-Act-As`, by external id or id. Without the header, it acts for its "
                "owner."
            ),
        }


class BodyScheme(OpenApiSerializerExtension):  # type: ignore[no-untyped-call]
    """The OpenAPI description of a request body: additional properties are not allowed."""

    target_class = "accounts.access.api.RequestBody"
    match_subclasses = True

    def map_serializer(self, auto_schema: Any, direction: Any) -> dict[str, Any]:
        """Return the JSON schema of the body."""
        schema: dict[str, Any] = auto_schema._map_serializer(
            self.target, direction, bypass_extensions=True
        )
        if direction == "request":
            self._describe_request(schema)
        return schema

    def _describe_request(self, schema: dict[str, Any]) -> None:
        fields = {name: field for name, field in self.target.fields.items() if not field.read_only}
        schema["additionalProperties"] = False
        for name, field in fields.items():
            schema["properties"][name] |= _limits(field)
        needed = sum(field.required for field in fields.values()) if self.target.partial else 0
        if least := max(needed, self.target.least_fields):
            schema["minProperties"] = least


def _limits(field: Any) -> dict[str, Any]:
    """Return the limits that a field checks itself, which drf-spectacular does not find."""
    if isinstance(field, serializers.ListSerializer | serializers.ListField):
        return {} if field.allow_empty else {"minItems": 1}
    if isinstance(field, TextField):
        return {"minLength": 1, "pattern": _SAYS_SOMETHING} | _most(field)
    texts = isinstance(field, serializers.CharField) and not isinstance(
        field, serializers.RegexField | serializers.EmailField | serializers.URLField
    )
    if texts and field.trim_whitespace and not field.allow_blank:
        return {"pattern": _SAYS_SOMETHING}
    return {}


def _most(field: TextField) -> dict[str, int]:
    return {"maxLength": field.most_characters} if field.most_characters else {}
