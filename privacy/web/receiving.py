"""Taking a file that other software sends."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.urls import reverse
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.access.api import RequestBody, problem_response
from privacy.models import BroughtFile
from privacy.web.uploads import is_too_long


@dataclass(frozen=True)
class Refusals:
    """What says that a file is none of its kind, that there were too many today, or that none can
    be taken now; `too_large` returns the sentence for one that is.
    """

    invalid: type[ValueError]
    too_many: type[ValueError]
    cannot: type[ValueError]
    too_large: Callable[[], str]


def receive(
    request: Request,
    body: type[RequestBody],
    bring: Callable[[Any], BroughtFile],
    *,
    refusals: Refusals,
    told: type[serializers.Serializer[Any]],
    name: str,
) -> Response:
    """Bring the `file` of a form; the answer tells of it and of its address, which `name` has, or
    why it is not taken. Raises ValidationError for a file that is wrong.
    """
    if is_too_long(int(request.headers.get("Content-Length") or 0)):
        return problem_response(413, "Too large", refusals.too_large())
    given = body(data=request.data)
    given.is_valid(raise_exception=True)
    try:
        row = bring(given.validated_data["file"])
    except refusals.invalid as refused:
        raise serializers.ValidationError({"file": [str(refused)]}) from None
    except refusals.too_many as refused:
        return problem_response(429, "Too many files today", str(refused))
    except refusals.cannot as refused:
        return problem_response(409, "Not now", str(refused))
    location = reverse(name, args=[row.pk])
    return Response(told(row).data, status=201, headers={"Location": location})
