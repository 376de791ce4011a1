"""Compressing JSON that is rarely read."""

import json
import zlib
from typing import Any

# Strings that small entries share; without a dictionary they hardly shrink. A changed dictionary
# gets a new number, because packed entries need the dictionary of their number.
_DICTIONARIES = {
    1: b'{"name": "relation": "traits": ["mentioned": "last_mentioned": "20 "note": null, "code": '
    b'"seen": "strength": 0. "last_seen": "text": null, "outcome": "worked", "failed", "route": '
    b'"model", "notebook", "strategy": "signals": ["confidence": 0. "turn": "at": "202 T00:00Z", '
    b'"gate": "before": "after": "active", "open", "reason": "day": "2026-11-, "turns": "topics": '
    b'["decisions": ["summary": "threads": ["subject": "since": "until": "rank": "goal": "state": '
    b'"next_step": "commitment": "review_on": "allowed": true, false, "active": "about": "day": "'
}
NEWEST = 1


def pack(data: Any) -> bytes:
    """Compress JSON: one byte for the dictionary's number, then a raw deflate stream (RFC 1951)."""
    text = json.dumps(data, ensure_ascii=False, separators=(", ", ": ")).encode()
    compress = zlib.compressobj(9, wbits=-15, zdict=_DICTIONARIES[NEWEST])
    return bytes([NEWEST]) + compress.compress(text) + compress.flush()


def unpack_json(packed: bytes) -> Any:
    """Return the data that was packed. Raises zlib.error or KeyError for invalid bytes."""
    decompress = zlib.decompressobj(wbits=-15, zdict=_DICTIONARIES[packed[0]])
    return json.loads(decompress.decompress(packed[1:]) + decompress.flush())
