"""Adapting requests to a model's server: learned from its refusals, shared by all processes.

Each refusal changes one parameter. The refusals are stored for a day, by address and model, and
shown to staff; no user data is stored.
"""

from __future__ import annotations

import hashlib
import json
import re
import time
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import structlog
from django.utils.timezone import now

from accounts.database.connections import release_connection
from accounts.support.best_effort import best_effort
from conversations.llm.connection import OPENAI_ITSELF, address, current, is_replaced
from conversations.llm.failures import status_situation
from conversations.llm.request import FORMS, Request
from conversations.models import ModelRefusal

if TYPE_CHECKING:
    import openai

log = structlog.get_logger(__name__)

# How long a refused parameter is not sent; and for how many seconds a form that was accepted counts
# as supported, so that a refusal without a parameter name is due to its request.
_KEPT_FOR, _PROVEN_FOR = timedelta(days=1), 600.0
# The names that servers use for a parameter in error messages.
_NAMES = {
    "stream_options": ("stream_options", "include_usage"),
    "max_tokens": ("max_tokens", "max_completion_tokens"),
    "response_format": ("response_format", "json_schema", "json_object"),
    "tools": ("tools", "tool", "tool_choice", "functions"),
    "stream": ("stream",),
}
# Status codes that refuse the content of a request; and those that may do so if the error names a
# parameter.
_REFUSING, _PERHAPS_REFUSING = (400, 422), (404, 500, 501)
# Failures that are not due to one request and that staff can fix.
_FAULTS = frozenset({"key", "quota", "address", "not accepted"})
_CODE = re.compile(r"[\w.-]{1,60}")
_proven: dict[tuple[str, frozenset[tuple[str, str]]], float] = {}


def takes_tools() -> bool:
    """Return whether tools may be offered to the model: False if its server refused them lately."""
    return _known(key_of(current().chat_model)).get("tools") != ""


def key_of(model: str) -> str:
    """Return the storage key of the server and a model: a hash, as an address may hold secrets."""
    return hashlib.sha256(f"{address()} {model}".encode()).hexdigest()


class Negotiation:
    """Changes one request, refusal by refusal, to a form that the model's server accepts. Must be
    used in the thread that waits for the answer: it reads and writes the database there.
    """

    def __init__(self, request: Request) -> None:
        self._key = key_of(request.model)
        own = {"max_tokens": "max_completion_tokens"} if address() == OPENAI_ITSELF else {}
        self.request = replace(request, forms=own | _known(self._key))
        # By parameter: the refusal, and the form that is sent instead.
        self._learned: dict[str, tuple[openai.APIStatusError, str]] = {}
        self._guessed = ""

    def refused(self, error: openai.APIStatusError) -> None:
        """Change the request after a refusal; raises `error` if no parameter was refused.
        Parameters of an API client are dropped first, for this request only.
        """
        if self.request.wished and error.status_code in _REFUSING:
            self.request = replace(self.request, wished={})
            return
        parameter, guessed = self._parameter_of(error)
        if not parameter:
            if status_situation(error) in _FAULTS:
                _keep(self._key, self.request.model, "", "", error)
            raise error
        forms = FORMS[parameter]
        instead = forms[forms.index(self.request.form_of(parameter)) + 1]
        self.request = self.request.with_form(parameter, instead)
        if guessed and self._guessed and self._guessed != parameter:
            # Dropping the parameter guessed before did not help, so its refusal is not stored.
            self._learned.pop(self._guessed, None)
        self._guessed = parameter if guessed else self._guessed
        self._learned[parameter] = error, instead

    def accepted(self) -> None:
        """Store the refusals that led to this accepted form of the request."""
        for parameter, (error, instead) in self._learned.items():
            _keep(self._key, self.request.model, parameter, instead, error)
        self._learned.clear()
        _proven[self._proof()] = time.monotonic() + _PROVEN_FOR

    def _proof(self) -> tuple[str, frozenset[tuple[str, str]]]:
        return self._key, frozenset(self.request.sent().items())

    def _parameter_of(self, error: openai.APIStatusError) -> tuple[str, bool]:
        """Return the parameter that may be refused ('' for none), and whether that is a guess."""
        sent = list(self.request.sent())
        if any(message["role"] == "tool" for message in self.request.messages):
            # The model cannot read results of calls without the tools.
            sent = [parameter for parameter in sent if parameter != "tools"]
        certain = error.status_code in _REFUSING
        if not (certain or error.status_code in _PERHAPS_REFUSING):
            return "", False
        if status_situation(error) in ("too long", "quota", "filtered"):
            return "", False
        if fields := _fields(error.body):
            return _first_named(sent, fields), False
        if _proven.get(self._proof(), 0.0) > time.monotonic():
            return "", False
        if named := _first_named(sent, re.findall(r"\w+", _text(error))):
            return (named, False) if certain or named != "stream" else ("", False)
        return (next(iter(sent), ""), True) if certain else ("", False)


def _first_named(sent: list[str], names: list[str]) -> str:
    for name in names:
        for parameter in sent:
            if name in _NAMES[parameter]:
                return parameter
    return ""


def _fields(body: Any) -> list[str]:
    """Return the names that a refusal gives in fields of its own: `param`, or FastAPI's `loc`."""
    if not isinstance(body, dict):
        return []
    details = body.get("detail")
    places = (
        [detail.get("loc") for detail in details if isinstance(detail, dict)]
        if isinstance(details, list)
        else []
    )
    names = [str(part) for place in places if isinstance(place, list) for part in place]
    param = body.get("param")
    if isinstance(param, str) and param not in ("", "None", "null"):
        names += re.split(r"[.\[]", param)
    return names


def _text(error: openai.APIStatusError) -> str:
    return json.dumps(error.body) if error.body is not None else str(error.message)


# --- Stored refusals -----------------------------------------------------------------------------


def current_refusals() -> list[ModelRefusal]:
    """Return current refusals: parameters that are not sent now and requests refused lately, newest
    first.
    """
    return list(ModelRefusal.objects.filter(expires_at__gt=now()))


def forget() -> None:
    """Delete all stored refusals."""
    ModelRefusal.objects.all().delete()
    forget_proofs()


def forget_proofs() -> None:
    """Clear the in-process memory of accepted forms, as after a restart."""
    _proven.clear()


def _known(key: str) -> dict[str, str]:
    """Return the form to send of each refused parameter; {} while the database is away."""
    rows: list[tuple[str, str]] = []
    with best_effort(_not_shared):
        kept = ModelRefusal.objects.filter(key=key, expires_at__gt=now())
        rows = list(kept.order_by().values_list("parameter", "instead"))
        release_connection()
    return {name: instead for name, instead in rows if instead in FORMS.get(name, ())}


def _keep(key: str, model: str, parameter: str, instead: str, error: openai.APIStatusError) -> None:
    status, code = error.status_code, str(error.code or error.type or "")
    if is_replaced():
        return
    log.warning("model.refused", parameter=parameter, instead=instead, status=status)
    values = {
        "model": model[:200],
        "instead": instead,
        "status": status,
        "code": code if _CODE.fullmatch(code) else "",
        "last_at": now(),
        "expires_at": now() + _KEPT_FOR,
    }
    with best_effort(_not_shared):
        ModelRefusal.objects.update_or_create(
            key=key,
            parameter=parameter,
            defaults=values,
            create_defaults={**values, "since": now()},
        )
        release_connection()


def _not_shared(error: Exception) -> None:
    """Log that a refusal could not be stored; the answer does not wait for the database."""
    log.warning("model.refusals_not_shared", error=type(error).__name__)
