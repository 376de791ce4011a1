"""An application that tells from where it was asked, as the server before it says."""

import json
from typing import Any


async def application(scope: dict[str, Any], receive: Any, send: Any) -> None:
    """Answer with the visitor's address and the scheme."""
    said = json.dumps([scope["client"][0], scope["scheme"]]).encode()
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": said})
