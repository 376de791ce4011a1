"""The ASGI application that uvicorn and gunicorn serve.

Django answers every request but those to `/mcp`, which the MCP server answers. Django has no
lifespan, and the MCP server needs none, so the server runs with `--lifespan off`.
"""

import asyncio
import os
from collections.abc import Awaitable, Callable, Mapping
from importlib import import_module
from typing import Any

from django.core.asgi import get_asgi_application
from django.core.exceptions import ImproperlyConfigured

Receive = Callable[[], Awaitable[Mapping[str, Any]]]
Send = Callable[[Mapping[str, Any]], Awaitable[None]]

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

django_application = get_asgi_application()
import_module("config.processes.starting").refuse(ImproperlyConfigured)
# What the first request would wait for: every page, and, beside, every rule.
import_module("config.urls")
import_module("config.warming").warm_beside()


async def application(scope: dict[str, Any], receive: Receive, send: Send) -> None:
    """Hand a connection to whoever answers for its path."""
    if scope["type"] == "http" and scope["path"] in {"/mcp", "/mcp/"}:
        # Imported at the first request, in a thread: it takes a while, and few sites need it.
        mounted = await asyncio.to_thread(import_module, "config.mcp_server.mounted")
        await mounted.serve(scope, receive, send)
        return
    await django_application(scope, receive, send)
