"""Helpers shared by the endpoints of memory."""

from collections.abc import Callable, Sequence
from typing import Any

from django.db.models import QuerySet
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.access.api import Pages, PersonAPIView, Problem

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


def paged(
    view: PersonAPIView,
    request: Request,
    rows: "QuerySet[Any] | Sequence[Any]",
    show: Callable[[list[Any]], Any],
) -> Response:
    """Return the page that a request asks for, with its items as `show` returns them.

    Raises ValidationError.
    """
    pages = Pages()
    page = pages.paginate_queryset(rows, request, view=view) or []
    return pages.get_paginated_response(show(page))
