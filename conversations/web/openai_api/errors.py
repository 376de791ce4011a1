"""Errors in the format of OpenAI's API."""

from collections.abc import Mapping
from typing import Any

from rest_framework import status
from rest_framework.exceptions import APIException

PREFIX = "/v1/"
# Status -> (type, code) of errors without a code of their own.
_KINDS = {
    status.HTTP_401_UNAUTHORIZED: ("invalid_request_error", "invalid_api_key"),
    status.HTTP_403_FORBIDDEN: ("permission_error", "insufficient_permissions"),
    status.HTTP_404_NOT_FOUND: ("invalid_request_error", "not_found"),
    status.HTTP_405_METHOD_NOT_ALLOWED: ("invalid_request_error", "method_not_allowed"),
    status.HTTP_413_REQUEST_ENTITY_TOO_LARGE: ("invalid_request_error", "request_too_large"),
    status.HTTP_429_TOO_MANY_REQUESTS: ("rate_limit_error", "rate_limit_exceeded"),
    status.HTTP_503_SERVICE_UNAVAILABLE: ("server_error", "service_unavailable"),
}


class RefusedRequest(APIException):
    """A request that cannot be answered: status 400, with the parameter at fault."""

    status_code: int = status.HTTP_400_BAD_REQUEST

    def __init__(self, message: str, param: str | None = None, code: str = "invalid_value") -> None:
        super().__init__(message, code)
        self.param, self.code = param, code

    @property
    def body(self) -> dict[str, Any]:
        """The body of the response."""
        return error(self.status_code, str(self.detail), self.param, self.code)


class NoSuchModel(RefusedRequest):
    """404 for a model that is not listed."""

    status_code = status.HTTP_404_NOT_FOUND

    def __init__(self, name: str, known: list[str]) -> None:
        sentence = f"There is no model called {name[:80]!r} here. Use one of: {', '.join(known)}."
        super().__init__(sentence, "model", "model_not_found")


class NoSuchConversation(RefusedRequest):
    """404 for a conversation that does not exist or is not the user's."""

    status_code = status.HTTP_404_NOT_FOUND

    def __init__(self) -> None:
        sentence = "You don’t have a conversation with this id. Leave it out to start a new one."
        super().__init__(sentence, "metadata.conversation", "conversation_not_found")


class AnswerFailed(RefusedRequest):
    """503 for an answer without text, because the language model failed."""

    status_code = status.HTTP_503_SERVICE_UNAVAILABLE

    def __init__(self, message: str) -> None:
        super().__init__(message, None, "model_unavailable")


def error(
    status_code: int, message: str, param: str | None = None, code: str | None = None
) -> dict[str, Any]:
    """Return the body of an error; type and code default to those of the status."""
    usual = "server_error" if status_code >= status.HTTP_500_INTERNAL_SERVER_ERROR else ""
    kind, usual_code = _KINDS.get(
        status_code, (usual or "invalid_request_error", usual or "invalid_value")
    )
    details = {"message": message, "type": kind, "param": param, "code": code or usual_code}
    return {"error": details}


def from_problem(problem: Mapping[str, Any], refused: Exception | None = None) -> dict[str, Any]:
    """Return a problem document of the REST API in OpenAI's format."""
    if isinstance(refused, RefusedRequest):
        return refused.body
    message = f"{problem['title']}. {problem['detail']}"
    if problem["status"] == status.HTTP_401_UNAUTHORIZED:
        message = "The API key must be a Throughline token that has not expired."
    param = next(iter(problem.get("errors") or {}), None)
    return error(problem["status"], message, param)
