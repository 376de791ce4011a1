"""Signatures of Standard Webhooks: who receives an event knows that it came from here, and when."""

import base64
import hashlib
import hmac
import secrets
from datetime import datetime

_PREFIX = "whsec_"
_BYTES = 32


def make_secret() -> str:
    """Return a new secret, 'whsec_' and 32 random bytes in base64."""
    return _PREFIX + base64.b64encode(secrets.token_bytes(_BYTES)).decode()


def headers(secret: str, message_id: str, at: datetime, body: bytes) -> dict[str, str]:
    """Return the headers that sign a body: its id, the moment of sending and the signature."""
    seconds = str(int(at.timestamp()))
    key = base64.b64decode(secret.removeprefix(_PREFIX))
    signed = b".".join((message_id.encode(), seconds.encode(), body))
    signature = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    return {
        "webhook-id": message_id,
        "webhook-timestamp": seconds,
        "webhook-signature": f"v1,{signature}",
    }
