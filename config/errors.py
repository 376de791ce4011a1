"""Error responses, for people and API clients."""

import sys
from copy import deepcopy
from http import HTTPStatus
from typing import Any

import psycopg
import structlog
from django.conf import settings
from django.core.exceptions import RequestDataTooBig
from django.db import DataError
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.deprecation import MiddlewareMixin
from django.views.defaults import bad_request as default_bad_request
from django.views.defaults import page_not_found
from django.views.defaults import server_error as default_server_error
from rest_framework import exceptions, status
from rest_framework.response import Response
from rest_framework.views import exception_handler as drf_handler

from accounts.access.api import PROBLEM_TYPE, RETRY_LATER, with_request_id
from accounts.support.refusals import Refused
from accounts.work import DATABASE_AWAY
from config.mem0_api import MEM0_PREFIXES, is_mem0
from config.processes import disk
from conversations.web.openai_api import errors as openai_errors
from memory.core.persistence_gate import PersistenceReason

log = structlog.get_logger(__name__)

AWAY = (
    "I can’t reach my notebook right now. What you wrote is still here, so try again in a moment."
)
FULL = (
    "My disk is full, so I couldn’t save this. What you wrote is still here; try again once "
    "whoever runs this site has freed some space."
)
NOTHING_HERE = "You don’t have anything at this address."
RETRY = {"Retry-After": "5"}


def problem(status_code: int, title: str, detail: str, **more: Any) -> dict[str, Any]:
    """Return a problem document (RFC 9457): title says what happened, detail what to do."""
    return {"status": status_code, "title": title, "detail": detail, **more}


def _is_api(request: HttpRequest) -> bool:
    """Return whether an API client reads the response."""
    return request.path.startswith(("/api/", openai_errors.PREFIX, *MEM0_PREFIXES))


def _answer(
    request: HttpRequest, body: dict[str, Any], headers: dict[str, str] | None = None
) -> JsonResponse:
    """Return a problem as JSON, in the format of this path's clients."""
    if is_mem0(request.path):
        return JsonResponse(with_request_id(body), status=body["status"], headers=headers)
    if request.path.startswith(openai_errors.PREFIX):
        document = openai_errors.from_problem(body)
        return JsonResponse(document, status=body["status"], headers=headers)
    body = with_request_id(body)
    return JsonResponse(body, status=body["status"], content_type=PROBLEM_TYPE, headers=headers)


AWAY_PROBLEM = problem(
    503, "The database can’t be reached", "Nothing was saved. Send it again in a moment."
)
FULL_PROBLEM = problem(
    503,
    "The disk is full",
    "Nothing was saved. Send it again once the people who run this site have freed some space.",
)


def disk_is_full(error: BaseException) -> bool:
    """Return whether a full disk caused a database error, by its code or a look at the disk."""
    said = isinstance(error.__cause__, psycopg.errors.DiskFull)
    return said or (settings.EMBEDDED and disk.is_full(settings.DATA_DIR))


UNKEEPABLE = (
    "This contains a character, number or date that I can’t save, so nothing was changed."
    " Remove it and try again; what you wrote is still here."
)
_UNKEEPABLE_PROBLEM = problem(
    400,
    "Something in the request can’t be saved",
    "It contains a character such as NUL, or a number or date out of range. Nothing was saved."
    " Remove it and send it again.",
)
_REASONS = frozenset(reason.code for reason in PersistenceReason)


def api_exception_handler(error: Exception, context: dict[str, Any]) -> Response | None:
    """Return the problem document for an expected error; None for others."""
    response = _as_problem(error, context)
    if response is not None:
        response.data = with_request_id(response.data)
        if response.status_code == HTTPStatus.TOO_MANY_REQUESTS:
            response.headers.setdefault("Retry-After", RETRY_LATER)
    return response


def _as_problem(error: Exception, context: dict[str, Any]) -> Response | None:
    if isinstance(error, DATABASE_AWAY):
        body = FULL_PROBLEM if disk_is_full(error) else AWAY_PROBLEM
        return Response(body, status=503, content_type=PROBLEM_TYPE, headers=RETRY)
    if isinstance(error, RecursionError):
        error = exceptions.ParseError("The data is nested too deeply.")
    if isinstance(error, DataError):
        _log_unkeepable(error)
        return Response(_UNKEEPABLE_PROBLEM, status=400, content_type=PROBLEM_TYPE)
    if isinstance(error, Refused):
        if not error.field:
            body = problem(error.status, error.title, str(error))
            return Response(body, status=error.status, content_type=PROBLEM_TYPE)
        error = exceptions.ValidationError({error.field: [str(error)]})
    response = drf_handler(error, context)
    if response is None:
        return None
    document = _describe(error, response)
    if reason := _reason(getattr(error, "detail", None)):
        document["reason"] = reason
    response.data = _writable(document)
    response.content_type = PROBLEM_TYPE
    return response


def _reason(detail: Any) -> str:
    """Return the code of the gate that refused something, '' for other errors."""
    if isinstance(detail, dict | list):
        parts = detail.values() if isinstance(detail, dict) else detail
        return next(filter(None, map(_reason, parts)), "")
    code = str(getattr(detail, "code", ""))
    return code if code in _REASONS else ""


def _describe(error: Exception, response: Response) -> dict[str, Any]:
    code = response.status_code
    if isinstance(error, exceptions.ValidationError):
        return problem(
            code,
            "Something in the request is wrong",
            _first_sentence(response.data),
            errors=_by_field(response.data),
        )
    if isinstance(error, exceptions.ParseError):
        detail = "The body is not valid JSON. " + str(error.detail).removeprefix(
            "JSON parse error - "
        )
        return problem(code, "The body can’t be read", detail)
    if code == status.HTTP_401_UNAUTHORIZED:
        return problem(
            code,
            "Not signed in",
            "Send a header 'Authorization: Token …' with a token that has not expired; "
            "`manage.py create_token EMAIL` prints a new one.",
        )
    if code == status.HTTP_404_NOT_FOUND:
        return problem(code, "Not found", NOTHING_HERE)
    detail = getattr(error, "detail", "")
    return problem(code, response.reason_phrase, str(detail))


def _by_field(errors: Any) -> dict[str, Any]:
    return errors if isinstance(errors, dict) else {"non_field_errors": errors}


def _writable(document: Any) -> Any:
    """Return a document with lone surrogates replaced, which cannot be encoded."""
    if isinstance(document, dict):
        return {_writable(key): _writable(inner) for key, inner in document.items()}
    if isinstance(document, list):
        return [_writable(inner) for inner in document]
    return document.encode(errors="replace").decode() if isinstance(document, str) else document


def _first_sentence(errors: Any) -> str:
    """Return the first message in DRF's nested errors, with the name of its field."""
    if isinstance(errors, dict) and errors:
        field, inner = next(iter(errors.items()))
        sentence = _first_sentence(inner)
        return sentence if field == "non_field_errors" else f"{field}: {sentence}"
    if isinstance(errors, list) and errors:
        return _first_sentence(errors[0])
    return str(errors)


_PROBLEM_RESPONSE = {
    "content": {PROBLEM_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}},
    "description": "",
}


def describe_problems(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """Add error responses and their media type to the OpenAPI description. A missing token, an
    unknown parameter and too many requests are errors of every operation.
    """
    ours = (rest for path, rest in result["paths"].items() if not path.startswith("/v1/"))
    for operations in ours:
        for operation in operations.values():
            responses = operation["responses"]
            # `Accept` chooses the media type; undescribed parameters are refused.
            operation["parameters"] = [
                each for each in operation.get("parameters", []) if each["name"] != "format"
            ]
            if "requestBody" in operation:
                _require_body(operation["requestBody"], result["components"]["schemas"])
            for code in ("400", "401", "429"):
                responses.setdefault(code, deepcopy(_PROBLEM_RESPONSE))
            for code, response in responses.items():
                if int(code) >= HTTPStatus.BAD_REQUEST and "content" in response:
                    shape = next(iter(response["content"].values()))
                    response["content"] = {PROBLEM_TYPE: shape}
    return result


def _require_body(body: dict[str, Any], components: dict[str, Any]) -> None:
    """Mark a request body as required if an empty one is refused."""
    shapes = (content["schema"].get("$ref", "") for content in body["content"].values())
    named = (components.get(shape.rpartition("/")[2], {}) for shape in shapes)
    if any("minProperties" in shape for shape in named):
        body["required"] = True


def untrusted_form(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Return 403 for a form without valid CSRF token, with the entered text for copying."""
    context = {"typed": request.POST.get("content", "")}
    return render(request, "403_csrf.html", context, status=403)


def _log_unkeepable(error: DataError) -> None:
    """Log the error code of the database, whose message may quote the value."""
    state = getattr(error.__cause__, "sqlstate", None)
    log.warning("unkeepable_input", error=type(error).__name__, sqlstate=state)


def unkeepable(request: HttpRequest) -> HttpResponse:
    """Return 400 for a value the database cannot store, with the entered text (no passwords)."""
    if _is_api(request):
        return _answer(request, _UNKEEPABLE_PROBLEM)
    if request.headers.get("HX-Request"):
        return HttpResponse(UNKEEPABLE, status=400)
    typed = [
        value
        for name, values in request.POST.lists()
        for value in values
        if value.strip() and "password" not in name and name != "csrfmiddlewaretoken"
    ]
    return render(None, "400.html", {"sentence": UNKEEPABLE, "typed": typed}, status=400)


class PlainRefusals(MiddlewareMixin):
    """Middleware that adds pages to Django's empty refusals and to errors of the database."""

    def process_request(self, request: HttpRequest) -> HttpResponse | None:
        """Return 415 for a body with a charset other than UTF-8, else None."""
        named = (request.content_params or {}).get("charset", "utf-8")
        request.encoding = "utf-8"
        if named.lower() in ("utf-8", "utf8", "us-ascii"):
            return None
        if _is_api(request):
            return _answer(
                request, problem(415, "The charset is not UTF-8", "Send the body in UTF-8.")
            )
        return render(None, "400.html", status=415)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        """Return 400 if a value of the request fits no column, else None."""
        if not isinstance(error, DataError):
            return None
        _log_unkeepable(error)
        return unkeepable(request)

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        """Return the response; an empty 405 gets a page."""
        if response.status_code == HTTPStatus.METHOD_NOT_ALLOWED and not response.content:
            response.content = render_to_string("405.html")
        return response


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Return 404, as a page or in the format of the API's client."""
    if _is_api(request):
        return _answer(request, problem(404, "Not found", NOTHING_HERE))
    return page_not_found(request, exception)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Return 400 for a request that Django refuses: too large, or with an unknown host."""
    if _is_api(request):
        if isinstance(exception, RequestDataTooBig):
            return _answer(
                request, problem(413, "The request is too large", "Send it in smaller parts.")
            )
        detail = "Check its address and headers."
        return _answer(request, problem(400, "The request can’t be read", detail))
    return default_bad_request(request, exception)


def server_error(request: HttpRequest) -> HttpResponse:
    """Return 500, as a page or JSON; 503 if the database is unavailable."""
    error = sys.exc_info()[1]
    if isinstance(error, DATABASE_AWAY):
        full = disk_is_full(error)
        log.error("database_away", error=type(error).__name__, disk_full=full)
        return database_away(request, full=full)
    if _is_api(request):
        detail = "The error was logged. Try again later."
        return _answer(request, problem(500, "Something went wrong here", detail))
    return default_server_error(request)


def database_away(request: HttpRequest, *, full: bool = False) -> HttpResponse:
    """Return 503: a sentence for htmx, a problem for the API, else a page with the entered text."""
    if _is_api(request):
        return _answer(request, FULL_PROBLEM if full else AWAY_PROBLEM, RETRY)
    sentence = FULL if full else AWAY
    if request.headers.get("HX-Request"):
        return HttpResponse(sentence, status=503, headers=RETRY)
    typed = request.POST.get("content", "")
    # The form keeps its idempotency key, so that submitting it again makes one message.
    fields = [
        (name, value)
        for name, values in request.POST.lists()
        for value in values
        if typed and name != "content"
    ]
    context = {"sentence": sentence, "path": request.path, "typed": typed, "fields": fields}
    response = render(None, "503.html", context, status=503)
    response["Retry-After"] = RETRY["Retry-After"]
    return response
