"""Servers that do not know tools: found out once, by their refusal, and then asked without."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.conf import settings

from conversations.llm.connection import OPENAI_ITSELF
from conversations.llm.failures import status_situation

if TYPE_CHECKING:
    import openai

# (address, model) of those that refused, for as long as this process lives.
_plain: set[tuple[str, str]] = set()


def takes_tools() -> bool:
    """Whether the model may be offered tools: yes, until it has refused them."""
    return _server() not in _plain


def keep_plain() -> None:
    """From now on the model is asked for words only."""
    _plain.add(_server())


def refuses(error: openai.APIStatusError) -> bool:
    """Whether a refused request may pass without tools and without the wish for a count.

    Most servers say 400 to what they do not know; some say 404, 500 or 501, and name the tools.
    """
    if status_situation(error) in ("too long", "quota"):
        return False
    if error.status_code in (400, 422):
        return True
    return error.status_code in (404, 500, 501) and "tool" in str(error.message).lower()


def _server() -> tuple[str, str]:
    return settings.OPENAI_BASE_URL or OPENAI_ITSELF, settings.CHAT_MODEL
