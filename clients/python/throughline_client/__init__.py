"""A typed client of Throughline's API: `Throughline`, and `AsyncThroughline` for asyncio."""

from throughline_client._async import AsyncThroughline
from throughline_client._sync import Throughline
from throughline_client.errors import ThroughlineError

__all__ = ["AsyncThroughline", "Throughline", "ThroughlineError"]
