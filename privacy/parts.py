"""The parts of an export, each with its tables."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Any, cast
from uuid import UUID

from django.apps import apps

from accounts.database.owned import ExportedModel

AUDIT = "accounts.auditevent"


@dataclass(frozen=True)
class Part:
    """A named group of tables that users choose for an export."""

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
    """Yield the tables of the named parts, in the order of `PARTS`."""
    for part in PARTS.values():
        if part.name in parts:
            for table in part.tables:
                yield part, table


def count(user_id: UUID, table: str) -> int:
    """Return how many rows of a table the user has, within `acting_as(user)`."""
    return model_of(table).owned(user_id).count()


def rows(user_id: UUID, table: str) -> Iterator[dict[str, Any]]:
    """Return the rows of a table as plain dicts, `id` first, in the order of their keys."""
    return model_of(table).exported_rows(user_id)


def fields(table: str) -> tuple[str, ...]:
    """Return the names of the fields of a row, `id` first."""
    model = model_of(table)
    return ("id", *model.exported, *model.also_exported)


def describe(table: str) -> dict[str, str]:
    """Return the type of each field of a table."""
    model = model_of(table)
    types = {field.attname: field.get_internal_type() for field in model._meta.concrete_fields}
    types |= model.also_exported
    return {name: types[name] for name in fields(table)}


def model_of(table: str) -> type[ExportedModel]:
    """Return the model of a table of an export."""
    return cast("type[ExportedModel]", apps.get_model(table))
