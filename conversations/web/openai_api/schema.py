"""Serializers that describe the endpoint's answers in the schema."""

from typing import Any

from rest_framework import serializers

_OBJECT = "object"


class ErrorDetails(serializers.Serializer[Any]):
    """What went wrong."""

    message = serializers.CharField(help_text="What went wrong and what to do, in a sentence.")
    type = serializers.CharField()
    param = serializers.CharField(allow_null=True, help_text="The parameter that caused the error.")
    code = serializers.CharField()


class ErrorOut(serializers.Serializer[Any]):
    """An error in OpenAI's shape."""

    error = ErrorDetails()


class ModelOut(serializers.Serializer[Any]):
    """A model that a request can name."""

    id = serializers.CharField()
    created = serializers.IntegerField()
    owned_by = serializers.CharField()

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        """Return the fields with `object`, which is a Python builtin."""
        return {_OBJECT: serializers.CharField(), **super().get_fields()}


class ModelsOut(serializers.Serializer[Any]):
    """The models that a request can name."""

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        """Return the fields; two have names that serializers use for themselves."""
        return {_OBJECT: serializers.CharField(), "data": ModelOut(many=True)}
