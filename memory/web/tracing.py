"""Middleware that gives each request a trace id."""

from collections.abc import Callable
from typing import Any

from asgiref.sync import iscoroutinefunction
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.decorators import sync_and_async_middleware

from memory.core import tracing
from memory.core.tracing import OperationDoor


@sync_and_async_middleware
def trace_requests(get_response: Callable[[HttpRequest], Any]) -> Callable[[HttpRequest], Any]:
    """Return middleware that traces a request's operations on memory, as API or page."""
    if iscoroutinefunction(get_response):

        async def answer_later(request: HttpRequest) -> HttpResponseBase:
            with tracing.tracing(_door(request)):
                response: HttpResponseBase = await get_response(request)
                return response

        return answer_later

    def answer(request: HttpRequest) -> HttpResponseBase:
        with tracing.tracing(_door(request)):
            response: HttpResponseBase = get_response(request)
            return response

    return answer


def _door(request: HttpRequest) -> OperationDoor:
    of_api = request.path_info.startswith(("/api/", "/v1/", "/v2/", "/v3/"))
    return OperationDoor.API if of_api else OperationDoor.PAGE
