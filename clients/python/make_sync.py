"""Write `_sync.py`, the client without asyncio, from `_async.py`."""

import re
from pathlib import Path

PACKAGE = Path(__file__).parent / "throughline_client"
REPLACED = {
    r"\basync (def|with|for)\b": r"\1",
    r"\bawait ": "",
    r"\bAsync(Throughline|Client|Iterator)\b": r"\1",
    r"\bAsyncBaseTransport\b": "BaseTransport",
    r"\b__a(enter|exit)__": r"__\1__",
    r"\ba(close|read)\(": r"\1(",
    r'"""The client for asyncio\..*"""': '"""The client without asyncio, made from `_async.py`."""',
}


def synchronous(text: str) -> str:
    """Return the code of the asynchronous client without asyncio."""
    for pattern, replacement in REPLACED.items():
        text = re.sub(pattern, replacement, text)
    return text


if __name__ == "__main__":
    code = synchronous((PACKAGE / "_async.py").read_text())
    (PACKAGE / "_sync.py").write_text(code)
