"""The model's context size in tokens, from the settings or reported by its server."""

from __future__ import annotations

import threading
import time
from contextlib import suppress
from typing import Any

import structlog
from django.conf import settings

from accounts.support.best_effort import best_effort
from conversations.llm import failures
from conversations.llm.connection import OPENAI_ITSELF, address, current, from_settings

log = structlog.get_logger(__name__)

# Field names for it on various servers; the served size before the trained one.
_NAMES = ("n_ctx", "max_model_len", "context_length", "context_window", "max_context_length")
# The size in tokens if neither settings nor server give one.
DEFAULT = 16_000
# Seconds until a server that did not respond is asked again.
_RETRY_SECONDS = 60.0
_PATIENCE = 3.0
_lock = threading.Lock()
# (address, model) -> the size (None: not reported), and when to ask again.
_sizes: dict[tuple[str, str], tuple[int | None, float]] = {}


def window() -> int:
    """Return the context size in tokens: from the settings, else from the server, else DEFAULT."""
    if settings.MODEL_CONTEXT > 0:
        return int(settings.MODEL_CONTEXT)
    if address() == OPENAI_ITSELF:
        return DEFAULT
    key = address(), current().chat_model
    with _lock:
        size, until = _sizes.get(key, (None, 0.0))
        if time.monotonic() >= until:
            size, answered = _ask()
            _sizes[key] = size, float("inf") if answered else time.monotonic() + _RETRY_SECONDS
    return size or DEFAULT


def _ask() -> tuple[int | None, bool]:
    """Return the size that the server reports (None: none), and whether the server responded."""
    listed = None
    # Errors are ignored: if the server is broken, the answer will fail with a better message.
    with best_effort(lambda error: log.info("model.context_unknown", error=type(error).__name__)):
        listed = _get("/models")
    if listed is None:
        return None, False
    models = [model for model in listed.get("data") or [] if isinstance(model, dict)]
    candidates = [model for model in models if model.get("id") == current().chat_model] or models[
        :1
    ]
    size = next((size for model in candidates if (size := _size(model))), None)
    if size is None:
        # Only llama.cpp has this endpoint.
        with suppress(*failures.of_the_model()):
            size = _size(_get(address().removesuffix("/v1") + "/props"))
    log.info("model.context", tokens=size)
    return size, True


def _get(path: str) -> dict[str, Any]:
    client = from_settings().with_options(timeout=_PATIENCE, max_retries=0)
    answer = client.get(path, cast_to=object)
    return answer if isinstance(answer, dict) else {}


def _size(description: dict[str, Any]) -> int | None:
    """Return the first known size field in a description or its sections."""
    for name in _NAMES:
        if isinstance(size := description.get(name), int) and size > 0:
            return size
    inner = (
        description.get(name) for name in ("meta", "default_generation_settings", "top_provider")
    )
    return next(
        (size for section in inner if isinstance(section, dict) and (size := _size(section))), None
    )
