"""The MCP server at `/mcp`, before Django: streamable HTTP with JSON, without sessions."""

from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.http.request import split_domain_port, validate_host
from mcp.server.transport_security import TransportSecuritySettings
from starlette.datastructures import Headers
from starlette.responses import JSONResponse, Response
from starlette.types import Message, Receive, Scope, Send

from accounts.access.sub_users import HEADER
from config.mcp_server import api_calls
from config.mcp_server.server import server

PROBLEM_TYPE = "application/problem+json"
# `_refusal` checks ALLOWED_HOSTS like Django: the package does not support "*.example.org".
_CHECKED_ALREADY = TransportSecuritySettings(enable_dns_rebinding_protection=False)


async def serve(scope: Scope, receive: Receive, send: Send) -> None:
    """Answer a request; unauthorised ones are refused before their body is read."""

    async def send_uncached(message: Message) -> None:
        if message["type"] == "http.response.start":
            message = {**message, "headers": [*message["headers"], (b"cache-control", b"no-store")]}
        await send(message)

    scope = {**scope, "path": "/mcp", "raw_path": b"/mcp", "root_path": ""}
    headers = Headers(scope=scope)
    api_calls.AUTHORIZATION.set(headers.get("authorization", "").encode("latin-1"))
    api_calls.ACT_AS.set(headers.get(HEADER, "").encode("latin-1"))
    refusal = await _unknown_caller() or _refusal(scope, headers)
    if refusal is not None:
        await refusal(scope, receive, send_uncached)
        return
    # Without sessions, each request has its own manager, in whichever process and event loop it
    # is answered.
    app = server.streamable_http_app(
        streamable_http_path="/mcp",
        json_response=True,
        stateless_http=True,
        max_request_body_size=settings.DATA_UPLOAD_MAX_MEMORY_SIZE,
        transport_security=_CHECKED_ALREADY,
    )
    async with app.router.lifespan_context(app):
        await app(scope, receive, send_uncached)


async def _unknown_caller() -> Response | None:
    """Return the API's refusal of the caller's token; None if it gives access to memories."""
    asked = await api_calls.send("OPTIONS", "memories")
    if asked.is_success:
        return None
    kept = {name: asked.headers[name] for name in ("Retry-After",) if name in asked.headers}
    if asked.status_code == 401:
        kept["WWW-Authenticate"] = "Bearer"
    return Response(asked.content, asked.status_code, kept, asked.headers.get("Content-Type"))


def _refusal(scope: Scope, headers: Headers) -> Response | None:
    host, origin = headers.get("host", ""), headers.get("origin")
    if not validate_host(split_domain_port(host)[0], settings.ALLOWED_HOSTS):
        return _problem(421, "Wrong host", "This server doesn’t serve this host.")
    if origin is not None and urlsplit(origin).netloc.lower() != host.lower():
        return _problem(403, "Wrong origin", "Pages on other sites can’t call this address.")
    if scope["method"] != "POST":
        sentence = "There are no sessions here. Send each message in a POST request."
        return _problem(405, "Method not allowed", sentence, {"Allow": "POST"})
    return None


def _problem(
    status: int, title: str, detail: str, headers: dict[str, str] | None = None
) -> Response:
    body: dict[str, Any] = {"status": status, "title": title, "detail": detail}
    return JSONResponse(body, status, headers, PROBLEM_TYPE)
