"""Base classes and helpers shared by every endpoint of the API."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from http import HTTPStatus
from typing import Any

from django.contrib.auth import get_user
from django.contrib.sessions.backends.db import SessionStore
from django.db.models import QuerySet
from django.http import HttpRequest, QueryDict
from drf_spectacular.utils import OpenApiParameter, inline_serializer
from rest_framework import serializers
from rest_framework.exceptions import APIException, PermissionDenied, ValidationError
from rest_framework.pagination import LimitOffsetPagination
from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView
from structlog.contextvars import get_contextvars

from accounts.access import scopes, sub_users, tokens
from accounts.access.readable import refuse_unreadable
from accounts.database.isolation import acting_as
from accounts.models import ApiToken, User

PROBLEM_TYPE = "application/problem+json"
# Seconds after which a request beyond a daily limit may be repeated.
RETRY_LATER = "3600"
TOO_MANY = HTTPStatus.TOO_MANY_REQUESTS
# Maximum digits of limit and offset: no list is longer.
_DIGITS = 15
_SWITCH = ("true", "false")


class Pages(LimitOffsetPagination):
    """Pagination with `?limit=` and `?offset=`; the response has count, next, previous and results.

    A value that is not a whole number is a 400, so that a typing error does not return the first
    page.
    """

    default_limit = 200
    max_limit = 1000

    def get_limit(self, request: Request) -> int:
        """Return the page size. Raises ValidationError."""
        return min(_whole_number(request, "limit", self.default_limit, least=1), self.max_limit)

    def get_offset(self, request: Request) -> int:
        """Return the number of items to skip. Raises ValidationError."""
        return _whole_number(request, "offset", 0, least=0)


# The parameters of every paginated operation.
PAGING = [
    OpenApiParameter(
        "limit",
        {"type": "integer", "minimum": 1, "default": Pages.default_limit},
        description=f"Maximum number of items to return; values above {Pages.max_limit} are "
        f"treated as {Pages.max_limit}.",
    ),
    OpenApiParameter(
        "offset",
        {"type": "integer", "minimum": 0, "default": 0},
        description="Number of items to skip.",
    ),
]


def _whole_number(request: Request, name: str, default: int, *, least: int) -> int:
    given = request.query_params.get(name)
    if given is None:
        return default
    number = int(given[:_DIGITS]) if given.isdecimal() else -1
    if number < least:
        raise ValidationError({name: [f"Use a whole number, {least} or more."]})
    return number


_JSON_TYPES: tuple[tuple[set[type[serializers.Field[Any, Any, Any, Any]]], type, str], ...] = (
    ({serializers.BooleanField}, bool, "Send true or false."),
    ({serializers.CharField}, str, "Send text in quotes."),
    ({serializers.IntegerField}, int, "Send a whole number, without quotes."),
)


class RequestBody(serializers.Serializer[Any]):
    """A request body that refuses unknown field names, so that a misspelt field is not silently
    ignored.
    """

    # How many unknown names an error lists.
    MOST_TOLD = 10
    # Minimum number of fields, if none is required by itself.
    least_fields = 0

    def to_internal_value(self, data: Any) -> Any:
        """Return the values by field name. Raises ValidationError for unknown fields, naming the
        known ones.
        """
        if isinstance(data, Mapping):
            known = [name for name, field in self.fields.items() if not field.read_only]
            unknown = [name for name in data if name not in known]
            sentence = f"There is no field with this name. Use one of: {', '.join(known)}."
            if unknown:
                raise ValidationError({name: [sentence] for name in unknown[: self.MOST_TOLD]})
            if not isinstance(data, QueryDict):
                if len(data) < self.least_fields:
                    sentence = f"Send at least one of: {', '.join(known)}."
                    raise ValidationError({"non_field_errors": [sentence]})
                self._refuse_other_types(data)
        return super().to_internal_value(data)

    def _refuse_other_types(self, data: Mapping[str, Any]) -> None:
        """Refuse values of another JSON type than the field's: 0 for false, 5 for "5"."""
        wrong = {
            name: [sentence]
            for name, value in data.items()
            for kinds, of_json, sentence in _JSON_TYPES
            for field, given in _parts(self.fields[name], value)
            if given is not None and type(field) in kinds and type(given) is not of_json
        }
        if wrong:
            raise ValidationError(wrong)


def _parts(field: Any, value: Any) -> Iterable[tuple[Any, Any]]:
    """Return a value with its field; for a list, each of its items with theirs."""
    if isinstance(field, serializers.ListField) and isinstance(value, list):
        return ((field.child, item) for item in value)
    return ((field, value),)


class Problem(serializers.Serializer[Any]):
    """A problem document (RFC 9457): the shape of every error."""

    status = serializers.IntegerField()
    title = serializers.CharField(help_text="What went wrong, in a few words.")
    detail = serializers.CharField(help_text="What to do about it, in a sentence.")
    errors = serializers.DictField(  # type: ignore[assignment]
        required=False, help_text="Error messages for invalid fields, by field name."
    )
    request_id = serializers.CharField(
        required=False,
        help_text="Id of the request, as given in the X-Request-ID header and in the logs.",
    )
    reason = serializers.CharField(
        required=False,
        help_text="Code for why something was not saved, such as memory_off.",
    )


class ScoreField(serializers.FloatField):
    """A number from 0 to 1, shown with at most four decimals."""

    def to_representation(self, value: Any) -> Any:
        """Return the number, rounded."""
        return round(float(value), 4)


# Common errors: of any operation, of one on a row, of one with a body.
USUAL = {401: Problem, 503: Problem}
ON_A_ROW = {**USUAL, 404: Problem}
ON_INPUT = {**USUAL, 400: Problem}
PROBLEMS = {**ON_A_ROW, **ON_INPUT}


def valid(serializer: type[serializers.Serializer[Any]], data: Any) -> dict[str, Any]:
    """Return the validated data of a request. Raises ValidationError."""
    given = serializer(data=data)
    given.is_valid(raise_exception=True)
    return dict(given.validated_data)


def page_of(item: type[serializers.Serializer[Any]]) -> serializers.Serializer[Any]:
    """Return the serializer that describes a page of such items in the schema."""
    return inline_serializer(
        f"PageOf{item.__name__}",
        {
            "count": serializers.IntegerField(),
            "next": serializers.URLField(allow_null=True),
            "previous": serializers.URLField(allow_null=True),
            "results": item(many=True),
        },
    )


def problem_response(status: int, title: str, detail: str, **more: Any) -> Response:
    """Return an error response as a problem document, with further fields in `more`."""
    body = with_request_id({"status": status, "title": title, "detail": detail, **more})
    headers = {"Retry-After": RETRY_LATER} if status == TOO_MANY else None
    return Response(body, status=status, content_type=PROBLEM_TYPE, headers=headers)


def with_request_id(problem: dict[str, Any]) -> dict[str, Any]:
    """Return the problem document with the request id found in the logs."""
    request_id = get_contextvars().get("request_id")
    return {**problem, "request_id": request_id} if request_id else problem


# An ETag as the schema describes it.
ETAG = {"type": "string", "pattern": '^"[0-9]{1,9}"$'}


def named_version(request: Request) -> int | None:
    """Return the version in If-Match, an ETag of this API like "3"; None if the header is missing.

    Raises ValidationError for other ETags.
    """
    named = request.headers.get("If-Match")
    if named is None:
        return None
    match = re.fullmatch(r'"([0-9]{1,9})"', named.strip())
    if match is None:
        raise ValidationError({"If-Match": ['This is not a valid ETag. Use one such as "3".']})
    return int(match[1])


class NoLonger(APIException):
    """The request conflicts with a change made since the caller last read."""

    status_code = 409


class PersonAPIView(APIView):
    """An operation for one signed-in user, run within `acting_as(user)`.

    The user comes from the token, never from a parameter. Operations with several transactions set
    `one_block = False` and open their own.
    """

    one_block = True
    # Whether tokens limited to namespaces of memory are allowed.
    for_scoped_tokens = False
    # Whether POST requests change nothing, so that read-only tokens may send them.
    post_reads = False

    def person(self, request: Request) -> User:
        """Return the user that the request acts for."""
        assert isinstance(request.user, User)
        return request.user

    def page(
        self, request: Request, rows: Any, serializer: type[serializers.BaseSerializer[Any]]
    ) -> Response:
        """Return the requested page of the rows."""
        return paged(self, request, rows, lambda page: serializer(page, many=True).data)

    def body(self, request: Request, serializer: type[RequestBody]) -> dict[str, Any]:
        """Return the validated fields of the body. Raises ValidationError."""
        return valid(serializer, request.data)

    def namespaces(self, request: Request) -> list[str]:
        """Return the namespaces that the request's token is limited to; empty for no limit or no
        token.
        """
        return scopes.namespaces_in(self._scopes(request))

    def _scopes(self, request: Request) -> list[str]:
        return request.auth.scopes if isinstance(request.auth, ApiToken) else []

    def still_comes_in(self, request: Request) -> Callable[[], bool]:
        """Return a function that checks, later in a stream, whether the request's token or session
        is still valid.
        """
        person, token = self.person(request), request.auth
        if isinstance(token, ApiToken):
            return lambda: tokens.still_opens(token, person)
        key = request._request.session.session_key
        return lambda: _signed_in_by(key) == person

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Check authentication, scopes and parameters; run the handler within `acting_as(user)`."""
        super().initial(request, *args, **kwargs)
        self._check_scopes(request)
        refuse_unreadable({**dict(request.query_params.lists()), **kwargs})
        handler = getattr(self, (request.method or "").lower(), None)
        if handler is not None and request.query_params:
            self._refuse_unfit_parameters(request, handler)
        if not self.one_block or handler is None:
            return

        def in_own_block(request: Request, *args: Any, **kwargs: Any) -> Response:
            with acting_as(self.person(request)):
                return handler(request, *args, **kwargs)  # type: ignore[no-any-return]

        setattr(self, (request.method or "").lower(), in_own_block)

    def scope_needed(self, request: Request) -> str:
        """Return the scope that this request needs, to read or to write; '' for none."""
        if request.method == "OPTIONS":
            return ""
        reads = request.method in SAFE_METHODS or (self.post_reads and request.method == "POST")
        return scopes.READ if reads else scopes.WRITE

    def _check_scopes(self, request: Request) -> None:
        """Raise PermissionDenied if the token does not have the scope of this operation."""
        if sub_users.HEADER in request.headers and not isinstance(request.auth, ApiToken):
            raise PermissionDenied(f"Send {sub_users.HEADER} with a token, not with a session.")
        needed = self.scope_needed(request)
        if needed and not scopes.opens(self._scopes(request), needed):
            raise PermissionDenied(tokens.lacking(needed))
        if self.namespaces(request) and not self.for_scoped_tokens:
            raise PermissionDenied(
                "This token is limited to some memory namespaces. To do this, create one without "
                "that limit."
            )

    def _refuse_unfit_parameters(self, request: Request, handler: Callable[..., Any]) -> None:
        """Raise ValidationError for parameters that would be ignored: undescribed ones, repeated
        ones, and values outside the described ones.
        """
        known = _described_parameters(self, handler)
        problems = _problems(request.query_params, known)
        if problems:
            raise ValidationError(dict(problems[: RequestBody.MOST_TOLD]))


def _described_parameters(view: Any, handler: Callable[..., Any]) -> dict[str, tuple[str, ...]]:
    """Return the query parameters of an operation by name, each with its possible values; empty for
    a parameter without a fixed list.
    """
    schema = getattr(handler, "kwargs", {}).get("schema")
    if schema is None:
        return {}
    auto = schema()
    auto.view = view
    known: dict[str, tuple[str, ...]] = {}
    for parameter in auto.get_override_parameters():
        if not isinstance(parameter, OpenApiParameter):
            known |= {name: _values_of(field) for name, field in parameter().fields.items()}
        elif parameter.location == OpenApiParameter.QUERY:
            values = _SWITCH if parameter.type is bool else map(str, parameter.enum or ())
            known[parameter.name] = tuple(values)
    return known


def _problems(
    given: QueryDict, known: Mapping[str, tuple[str, ...]]
) -> list[tuple[str, list[str]]]:
    """Return the invalid parameters of a request with their error messages."""
    sentences = ((name, _problem(name, given.getlist(name), known)) for name in given)
    return [(name, [sentence]) for name, sentence in sentences if sentence]


def _problem(name: str, sent: list[str], known: Mapping[str, tuple[str, ...]]) -> str:
    if name not in known:
        there = (
            f"Use one of: {', '.join(known)}." if known else "This operation takes no parameters."
        )
        return f"There is no parameter with this name. {there}"
    if len(sent) > 1:
        return "Send this parameter once."
    values = known[name]
    fits = sent[0].lower() in values if values == _SWITCH else sent[0] in values
    return f"Use one of: {', '.join(values)}." if values and not fits else ""


def _values_of(field: serializers.Field[Any, Any, Any, Any]) -> tuple[str, ...]:
    if isinstance(field, serializers.BooleanField):
        return _SWITCH
    choices = field.choices if isinstance(field, serializers.ChoiceField) else ()
    return tuple(map(str, choices))


def _signed_in_by(session_key: str | None) -> object:
    """Return the session's user now; anonymous after signing out or a password change."""
    asking = HttpRequest()
    asking.session = SessionStore(session_key)
    return get_user(asking)


class TextField(serializers.CharField):
    """A text field whose characters are checked by its own rule, with messages that say what to do.

    `most_characters` is the rule's limit for the API description; 0 for none.
    """

    def __init__(self, *, most_characters: int = 0, **kwargs: Any) -> None:
        self.most_characters = most_characters
        super().__init__(trim_whitespace=False, allow_blank=True, **kwargs)
        self.validators = []

    def to_internal_value(self, data: Any) -> str:
        """Return the string. Raises ValidationError for other types, which DRF would convert."""
        if not isinstance(data, str):
            raise ValidationError("This must be a JSON string.")
        return data


def paged(
    view: PersonAPIView,
    request: Request,
    rows: "QuerySet[Any] | Sequence[Any]",
    show: Callable[[list[Any]], Any],
) -> Response:
    """Return the requested page, with items converted by `show`. Raises ValidationError."""
    pages = Pages()
    page = pages.paginate_queryset(rows, request, view=view) or []
    return pages.get_paginated_response(show(page))
