"""Adapting requests to a model's server: learned from its refusals, shared by all processes.

A refusal changes one parameter at a time. What was learned stands in the database for a day, under
the address and the model, where staff see it; nothing of what a person said is kept.
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

# How long a parameter that was refused is not sent, and how long it is taken as proven that a
# server takes what it took, in seconds: until then a refusal without a name is about its request.
_KEPT_FOR, _PROVEN_FOR = timedelta(days=1), 600.0
# The names under which a server may speak of a parameter.
_NAMES = {
    "stream_options": ("stream_options", "include_usage"),
    "max_tokens": ("max_tokens", "max_completion_tokens"),
    "response_format": ("response_format", "json_schema", "json_object"),
    "tools": ("tools", "tool", "tool_choice", "functions"),
    "stream": ("stream",),
}
# With these a server says that it cannot take what the request holds; with the others it may, and
# then names it.
_REFUSING, _PERHAPS_REFUSING = (400, 422), (404, 500, 501)
# Failures that are no fault of one request: staff can mend them.
_FAULTS = frozenset({"key", "quota", "address", "not accepted"})
_CODE = re.compile(r"[\w.-]{1,60}")
_proven: dict[tuple[str, frozenset[tuple[str, str]]], float] = {}


def takes_tools() -> bool:
    """Return whether the model may be offered tools: unless its server refused them lately."""
    return _known(key_of(current().chat_model)).get("tools") != ""


def key_of(model: str) -> str:
    """Return a hash of model and address; an address may hold secrets."""
    return hashlib.sha256(f"{address()} {model}".encode()).hexdigest()


class Negotiation:
    """The negotiation of one request towards a form that its server accepts.

    Used in the thread that waits for the answer; what was learned is read and written there.
    """

    def __init__(self, request: Request) -> None:
        self._key = key_of(request.model)
        own = {"max_tokens": "max_completion_tokens"} if address() == OPENAI_ITSELF else {}
        self.request = replace(request, forms=own | _known(self._key))
        # By parameter: the refusal, and what is sent instead.
        self._learned: dict[str, tuple[openai.APIStatusError, str]] = {}
        self._guessed = ""

    def refused(self, error: openai.APIStatusError) -> None:
        """Change the parameter that was refused; raises the error where none was. What a client of
        the API wished goes first, for this request alone.
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
            # That one did not help: it may have been innocent.
            self._learned.pop(self._guessed, None)
        self._guessed = parameter if guessed else self._guessed
        self._learned[parameter] = error, instead

    def accepted(self) -> None:
        """Keep what was learned on the way: the server has taken the request as it is now."""
        for parameter, (error, instead) in self._learned.items():
            _keep(self._key, self.request.model, parameter, instead, error)
        self._learned.clear()
        _proven[self._proof()] = time.monotonic() + _PROVEN_FOR

    def _proof(self) -> tuple[str, frozenset[tuple[str, str]]]:
        return self._key, frozenset(self.request.sent().items())

    def _parameter_of(self, error: openai.APIStatusError) -> tuple[str, bool]:
        """Return the parameter that may be refused, '' for none, and whether that is a guess."""
        sent = list(self.request.sent())
        if any(message["role"] == "tool" for message in self.request.messages):
            # What came of calls cannot be read without them.
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
    """Return the names that a refusal gives in fields of their own: `param`, or FastAPI's `loc`."""
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


# --- What is kept --------------------------------------------------------------------------------


def current_refusals() -> list[ModelRefusal]:
    """Return current refusals: parameters that are not sent now and requests refused lately, newest
    first.
    """
    return list(ModelRefusal.objects.filter(expires_at__gt=now()))


def forget() -> None:
    """Delete everything that was learned about servers."""
    ModelRefusal.objects.all().delete()
    forget_proofs()


def forget_proofs() -> None:
    """Clear the memory of this process, as after a restart."""
    _proven.clear()


def _known(key: str) -> dict[str, str]:
    """Return the form of each refused parameter; empty while the database is away."""
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
    """Log that the refusal was not shared: an answer does not wait for a database that is away."""
    log.warning("model.refusals_not_shared", error=type(error).__name__)
