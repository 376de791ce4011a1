"""The ASGI application that uvicorn and gunicorn serve.

Django answers every request except those to `/mcp`, which the MCP server answers. Neither uses the
lifespan protocol, so the server runs with `--lifespan off`.
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
# Load pages and rules now, so that the first request does not wait for them.
import_module("config.urls")
import_module("config.warming").warm_beside()


async def application(scope: dict[str, Any], receive: Receive, send: Send) -> None:
    """Pass a connection to the MCP server or Django, by its path."""
    if scope["type"] == "http" and scope["path"] in {"/mcp", "/mcp/"}:
        # Imported at the first request, in a thread: it takes a while, and few sites need it.
        mounted = await asyncio.to_thread(import_module, "config.mcp_server.mounted")
        await mounted.serve(scope, receive, send)
        return
    await django_application(scope, receive, send)
