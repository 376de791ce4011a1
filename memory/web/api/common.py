"""Helpers shared by the endpoints of memory."""

from typing import Any

from rest_framework import serializers

from accounts.access.api import Problem

# How an operation may fail besides its own ways: any of them, one on a row, one that takes a body.
USUAL = {401: Problem, 503: Problem}
ON_A_ROW = {**USUAL, 404: Problem}
ON_INPUT = {**USUAL, 400: Problem}
PROBLEMS = {**ON_A_ROW, **ON_INPUT}


def valid(serializer: type[serializers.Serializer[Any]], data: Any) -> dict[str, Any]:
    """Return the validated data of a request. Raises ValidationError."""
    given = serializer(data=data)
    given.is_valid(raise_exception=True)
    return dict(given.validated_data)
