"""Requests to this site's own REST API in the same process, with the caller's token."""

from collections.abc import Mapping
from contextvars import ContextVar
from typing import Any, cast

import httpx2
from django.conf import settings
from mcp.server.mcpserver.exceptions import MCPServerError, ToolError

from accounts.access.sub_users import HEADER
from config.asgi import django_application

# The Authorization header of the current MCP request, or the token given to stdio.
AUTHORIZATION: ContextVar[bytes] = ContextVar("authorization", default=b"")
# The X-Act-As header of the current MCP request.
ACT_AS: ContextVar[bytes] = ContextVar("act_as", default=b"")


async def send(
    method: str,
    path: str,
    *,
    query: Mapping[str, Any] | None = None,
    body: Mapping[str, Any] | None = None,
) -> httpx2.Response:
    """Return the API's response. None values in query and body are omitted."""
    # The request stays in the process, so it counts as TLS: no redirect to https.
    headers = {
        b"Accept-Encoding": b"identity",
        b"User-Agent": b"throughline-mcp",
        b"X-Forwarded-Proto": b"https",
    }
    if authorization := AUTHORIZATION.get():
        headers[b"Authorization"] = authorization
    if act_as := ACT_AS.get():
        headers[HEADER.encode()] = act_as
    host = next(iter(settings.ALLOWED_HOSTS), "localhost").lstrip(".")
    transport = httpx2.ASGITransport(cast("Any", django_application), raise_app_exceptions=False)
    async with httpx2.AsyncClient(
        transport=transport, base_url=f"https://{host}/api/v1/", headers=headers, trust_env=False
    ) as client:
        return await client.request(
            method, path, params=_given(query), json=_given(body), timeout=None
        )


async def call(
    method: str, path: str, *, failure: type[MCPServerError] = ToolError, **sent: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the response's JSON object. Raises `failure` with its problem document."""
    response = await send(method, path, **sent)
    if response.is_success:
        return cast("dict[str, Any]", response.json()) if response.content else {}
    raise failure(problem_in_words(response))


def problem_in_words(response: httpx2.Response) -> str:
    """Return the problem document of a response in words."""
    try:
        problem = response.json()
        return f"{problem['title']}: {problem['detail']}"
    except (ValueError, KeyError, TypeError):
        return f"Throughline answered with status {response.status_code}."


def _given(fields: Mapping[str, Any] | None) -> dict[str, Any] | None:
    if fields is None:
        return None
    return {name: value for name, value in fields.items() if value is not None}
