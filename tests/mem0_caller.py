"""Calls mem0's own client as it is told to, a line of JSON each; run by a Python that has it.

Arguments: the address, the token, and `sync` or `async`. A line holds a method, its arguments and
its named arguments; the answer is its result, or the name of its error with what it says.
"""

import asyncio
import inspect
import json
import logging
import os
import sys
import tempfile

# The package writes to a folder and sends statistics unless it is told otherwise.
os.environ |= {"MEM0_TELEMETRY": "False", "MEM0_DIR": tempfile.mkdtemp()}
from mem0 import AsyncMemoryClient, MemoryClient

logging.disable()


async def main(host: str, token: str, kind: str) -> None:
    """Answer every line."""
    try:
        client = {"sync": MemoryClient, "async": AsyncMemoryClient}[kind](token, host)
    except ValueError as error:
        print(json.dumps({"error": "ValueError", "says": str(error)}), flush=True)
        return
    print(json.dumps({"result": client.user_email}), flush=True)
    for line in sys.stdin:
        method, args, named = json.loads(line)
        try:
            result = getattr(client, method)(*args, **named)
            result = await result if inspect.isawaitable(result) else result
            told = {"result": result}
        except Exception as error:
            told = {"error": type(error).__name__, "says": str(error)}
        print(json.dumps(told), flush=True)


asyncio.run(main(*sys.argv[1:]))
