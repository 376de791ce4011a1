"""Returning pooled connections before long waits."""

from collections.abc import Awaitable, Callable
from typing import Any

import environ
import psycopg
from asgiref.sync import iscoroutinefunction, sync_to_async
from django.conf import settings
from django.db import connection
from django.db.utils import ConnectionHandler
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.decorators import sync_and_async_middleware

Respond = Callable[[HttpRequest], HttpResponseBase]
RespondLater = Callable[[HttpRequest], Awaitable[HttpResponseBase]]


def release_connection() -> None:
    """Return this thread's connection to the pool, unless it is in a transaction."""
    if not connection.in_atomic_block:
        connection.close()


def listen(channel: str) -> "psycopg.Connection[Any]":
    """Open a connection of its own that hears a channel: past a pooler, which would give its
    session to others. Raises psycopg.Error.
    """
    server = psycopg.connect(**_login(), autocommit=True)
    try:
        server.execute(f'listen "{channel}"')
    except psycopg.Error:
        server.close()
        raise
    return server


def _login() -> dict[str, Any]:
    database = connection
    if settings.DATABASE_LISTEN_URL:
        direct = {"default": environ.Env.db_url_config(settings.DATABASE_LISTEN_URL)}
        database = ConnectionHandler(direct)["default"]
    parameters = database.get_connection_params()
    names = {"host", "port", "dbname", "user", "password", "sslmode"} & parameters.keys()
    return {name: parameters[name] for name in names}


@sync_and_async_middleware
def release_before_streaming(respond: Respond | RespondLater) -> Respond | RespondLater:
    """Middleware that returns the request's connection to the pool before a body is streamed.

    Django only does so at the end of the stream, so a few streams could occupy the whole pool. It
    has to come before all middleware that queries the database.
    """
    if iscoroutinefunction(respond):

        async def answer_later(request: HttpRequest) -> HttpResponseBase:
            response: HttpResponseBase = await respond(request)
            if response.streaming:
                await sync_to_async(release_connection)()
            return response

        return answer_later

    def answer(request: HttpRequest) -> HttpResponseBase:
        response: HttpResponseBase = respond(request)  # type: ignore[assignment]
        if response.streaming:
            release_connection()
        return response

    return answer
