"""How often something came up counts what was told, even where it begins like a question."""

from collections.abc import Callable
from datetime import UTC, datetime

from tests.people import Talk

Talks = Callable[..., Talk]
FIRST = datetime(2026, 11, 14, 10, tzinfo=UTC)
