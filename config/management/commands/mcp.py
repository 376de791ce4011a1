"""`manage.py mcp`: the MCP server over standard input and output, for local clients."""

import asyncio
import os
from argparse import ArgumentParser
from pathlib import Path
from typing import Any
from urllib.parse import quote

from django.core.management import BaseCommand, CommandError
from django.db import connection


class Command(BaseCommand):
    help = "Serve MCP over stdio, with the token from THROUGHLINE_TOKEN or a file"
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--token-file", type=Path, help="file that contains the API token")
        parser.add_argument("--act-as", default="", help="external id of the person to act for")

    def handle(self, *_args: Any, token_file: Path | None, act_as: str, **_options: Any) -> None:
        token = os.environ.get("THROUGHLINE_TOKEN", "") if token_file is None else _read(token_file)
        if not token:
            raise CommandError("Set THROUGHLINE_TOKEN to an API token, or name a --token-file.")
        # If the database is down, `manage.py` says so on standard error.
        connection.ensure_connection()
        connection.close()
        asyncio.run(_serve(token, act_as))


def _read(file: Path) -> str:
    try:
        return file.read_text().strip()
    except (OSError, UnicodeDecodeError) as error:
        raise CommandError(f"{file} cannot be read: {error}.") from None


async def _serve(token: str, act_as: str) -> None:
    # Imported after the checks, because it takes seconds.
    from config.mcp_server import api_calls
    from config.mcp_server.server import server

    api_calls.AUTHORIZATION.set(f"Bearer {token}".encode())
    api_calls.ACT_AS.set(quote(act_as).encode())
    checked = await api_calls.send("OPTIONS", "memories")
    if not checked.is_success:
        raise CommandError(api_calls.problem_in_words(checked))
    await server.run_stdio_async()
