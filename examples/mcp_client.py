"""Read and propose memories with the official MCP client; needs `pip install mcp`.

THROUGHLINE_URL=http://127.0.0.1:8000 THROUGHLINE_TOKEN=… python examples/mcp_client.py
"""

import asyncio
import os

import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

URL = os.environ.get("THROUGHLINE_URL", "http://127.0.0.1:8000") + "/mcp"
HEADERS = {"Authorization": f"Bearer {os.environ['THROUGHLINE_TOKEN']}"}


async def main() -> None:
    """Propose a memory, and retrieve the context of a question."""
    async with (
        httpx2.AsyncClient(headers=HEADERS, timeout=60) as http,
        Client(streamable_http_client(URL, http_client=http)) as client,
    ):
        print([tool.name for tool in (await client.list_tools()).tools])
        added = await client.call_tool("add_memory", {"content": "Prefers trains to planes"})
        # A refusal is an error result with a message: here from the second run on.
        print(added.content[0].text if added.is_error else added.structured_content["status"])
        question = {"question": "How should I travel to Lyon?"}
        context = await client.call_tool("get_context", question)
        print(context.structured_content["text"])


asyncio.run(main())
