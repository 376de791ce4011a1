"""The parts of a copy, each with its tables; together they are all that a person takes away."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.apps import apps
from django.db.models import Model

from accounts.database.owned import OwnedModel
from accounts.models import AuditEvent
from privacy.models import RestoredLine

# How many rows come at a time.
_PIECE = 500
AUDIT = "accounts.auditevent"
# The log is of no room's making: its lines name a person by pseudonym.
_AUDIT_FIELDS = ("id", *(name for name in RestoredLine.exported if name != "copied_at"))


@dataclass(frozen=True)
class Part:
    """Some tables under one name, as a person chooses them."""

    name: str
    label: str
    tables: tuple[str, ...]


PARTS = {
    part.name: part
    for part in (
        Part("profile", "Profile", ("memory.profilefact", "memory.mention", "memory.override")),
        Part(
            "memories",
            "Memories",
            (
                "memory.memory",
                "memory.merge",
                "memory.mergedmemory",
                "memory.trustchange",
                "memory.quality",
                "memory.memoryblock",
                "memory.blockversion",
                "memory.namespaceentry",
            ),
        ),
        Part(
            "conversations",
            "Conversations",
            (
                "conversations.conversation",
                "conversations.message",
                "conversations.learningoutcome",
                "conversations.planmark",
                "conversations.topic",
                "conversations.conversationtopic",
            ),
        ),
        Part(
            "contradictions",
            "Conflicts",
            ("ledger.contradiction", "ledger.resolution", "ledger.decision"),
        ),
        Part(
            "sharing",
            "Sharing and roles",
            (
                "memory.profileshare",
                "memory.sharedfact",
                "personas.userpersona",
                "personas.personaproposal",
                "memory.lessonsupport",
                "memory.lessonreport",
            ),
        ),
        Part(
            "settings",
            "Choices and consents",
            (
                "accounts.privacysettings",
                "memory.blockedslot",
                "memory.registerednamespace",
                "memory.namespaceconsent",
                "webhooks.webhookendpoint",
            ),
        ),
        Part(
            "history",
            "History",
            (AUDIT, "ledger.erasure", "privacy.restoredline", "privacy.legacyrow"),
        ),
    )
}


def tables(parts: Collection[str]) -> Iterator[tuple[Part, str]]:
    """The tables of the named parts, in the order of `PARTS`."""
    for part in PARTS.values():
        if part.name in parts:
            for table in part.tables:
                yield part, table


def count(user_id: UUID, table: str) -> int:
    """How many rows of a table are a person's, in their open block."""
    if table == AUDIT:
        return AuditEvent.objects.for_user(user_id).count()
    return model_of(table)._default_manager.filter(user_id=user_id).count()


def rows(user_id: UUID, table: str) -> Iterator[dict[str, Any]]:
    """The rows of a table as plain dicts, `id` first, in the order of their keys; in pieces."""
    if table == AUDIT:
        lines = AuditEvent.objects.for_user(user_id).order_by("pk")
        yield from lines.values(*_AUDIT_FIELDS).iterator(_PIECE)
        return
    model = model_of(table)
    assert issubclass(model, OwnedModel)
    yield from model.exported_rows(user_id)


def fields(table: str) -> tuple[str, ...]:
    """The names of the fields of a row, `id` first."""
    if table == AUDIT:
        return _AUDIT_FIELDS
    model = model_of(table)
    assert issubclass(model, OwnedModel)
    return ("id", *model.exported, *model.also_exported)


def describe(table: str) -> dict[str, str]:
    """What each field of a table holds, in the words of JSON schema and of the model."""
    model = model_of(table)
    types = {field.attname: field.get_internal_type() for field in model._meta.concrete_fields}
    types |= getattr(model, "also_exported", {})
    return {name: types[name] for name in fields(table)}


def model_of(table: str) -> type[Model]:
    """The model behind a table of a copy."""
    return apps.get_model(table)
