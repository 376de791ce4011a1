"""Namespaces that users register themselves, with a schema in a subset of JSON schema.

Functions must run in the user's transaction.
"""

import json
import re
from datetime import timedelta
from functools import lru_cache
from typing import Annotated, Any, Literal
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field, model_validator

from accounts.models import User
from memory.models import RegisteredNamespace
from memory.namespaces.registry import (
    NAMESPACES,
    OWN_GROUP,
    TYPES,
    Code,
    Entry,
    FieldType,
    Namespace,
    Style,
    UnknownNamespace,
    entry_model,
    text_type,
)

MOST_REGISTERED, MOST_ENTRIES, MOST_FIELDS = 20, 500, 20
NAME_PATTERN = rf"{OWN_GROUP}\.[a-z][a-z0-9_]{{0,35}}"
_LONGEST_TEXT, _LARGEST = 2_000, 10**9


class TooManyNamespaces(ValueError):
    """The user has registered the largest number of namespaces allowed."""


class NameTaken(ValueError):
    """The user has another namespace with this name."""


class FieldDefinition(BaseModel):
    """The JSON schema of one field of an entry."""

    model_config = ConfigDict(extra="forbid")

    type: Literal["string", "integer", "boolean", "array"] = "string"
    format: Literal["date", "date-time"] | None = None
    enum: Annotated[list[Code], Field(min_length=1, max_length=30)] | None = None
    max_length: int | None = Field(default=None, alias="maxLength", ge=1, le=_LONGEST_TEXT)
    minimum: int | None = Field(default=None, ge=-_LARGEST, le=_LARGEST)
    maximum: int | None = Field(default=None, ge=-_LARGEST, le=_LARGEST)
    items: dict[Literal["type"], Literal["string"]] | None = None

    @model_validator(mode="after")
    def _fits_its_type(self) -> "FieldDefinition":
        limits = {
            "string": ("format, enum and maxLength are", (self.format, self.enum, self.max_length)),
            "integer": ("minimum and maximum are", (self.minimum, self.maximum)),
            "array": ("items is", (self.items,)),
        }
        for kind, (names, values) in limits.items():
            if self.type != kind and any(value is not None for value in values):
                raise ValueError(f"{names} only for {kind}s.")
        return self

    @property
    def field_type(self) -> FieldType:
        """The field's type, as used for the built-in namespaces."""
        if self.type == "array":
            return TYPES["names"]
        if self.type == "boolean":
            return TYPES["flag"]
        if self.type == "integer":
            least = -_LARGEST if self.minimum is None else self.minimum
            most = _LARGEST if self.maximum is None else self.maximum
            return FieldType(Annotated[int, Field(ge=least, le=most)])
        if self.enum:
            return FieldType(Literal[tuple(self.enum)], Style.CODE)
        if self.format:
            return TYPES["date" if self.format == "date" else "moment"]
        return FieldType(text_type(self.max_length or 500), Style.PHRASE)


class EntryDefinition(BaseModel):
    """The JSON schema of an entry: an object with named fields."""

    model_config = ConfigDict(extra="forbid")

    type: Literal["object"] = "object"
    properties: Annotated[dict[Code, FieldDefinition], Field(min_length=1, max_length=MOST_FIELDS)]
    required: list[str] = []

    @model_validator(mode="after")
    def _names_its_fields(self) -> "EntryDefinition":
        if taken := [name for name in self.properties if hasattr(Entry, name)]:
            raise ValueError(f"A field can’t be called {taken[0]}. Choose another name.")
        if unknown := [name for name in self.required if name not in self.properties]:
            raise ValueError(f"{unknown[0][:40]} is required, but isn’t one of the properties.")
        return self


def register_namespace(
    user: User, name: str, purpose: str, schema: dict[str, Any], **limits: Any
) -> tuple[Namespace, bool]:
    """Register a namespace for a user; return it, and whether it is new. Idempotent.

    `limits` are most, rolling and keep_days. Raises ValueError for the name, pydantic's
    ValidationError, TooManyNamespaces and NameTaken.
    """
    if not is_registered_name(name):
        raise ValueError(f"{name[:40]!r} isn’t a valid name for your own namespace.")
    EntryDefinition.model_validate(schema)
    # Locks the user, so that concurrent calls run one after the other.
    User.objects.select_for_update(no_key=True).get(pk=user.pk)
    values = {"purpose": purpose, "schema": schema, **limits}
    rows = RegisteredNamespace.objects.filter(user=user)
    there = rows.filter(name=name).first()
    if there is not None:
        if any(getattr(there, key) != value for key, value in values.items()):
            raise NameTaken(
                f"You already have a different namespace called {name}. Delete it first."
            )
        return _registered(there), False
    if rows.count() >= MOST_REGISTERED:
        raise TooManyNamespaces(
            f"You’ve reached the limit of {MOST_REGISTERED} namespaces. Delete one you no longer "
            "need."
        )
    return _registered(RegisteredNamespace.objects.create(user=user, name=name, **values)), True


def is_registered_name(name: str) -> bool:
    """Return whether a user may register a namespace with this name."""
    return re.fullmatch(NAME_PATTERN, name) is not None


def _registered(row: RegisteredNamespace) -> Namespace:
    schema, fields = registered_schema(row.name, json.dumps(row.schema))
    return Namespace(
        row.name,
        row.purpose,
        schema,
        fields,
        most=row.most,
        rolling=row.rolling,
        keep=timedelta(days=row.keep_days) if row.keep_days else None,
        title=row.name.partition(".")[2],
    )


@lru_cache(maxsize=256)
def registered_schema(name: str, schema: str) -> tuple[type[Entry], dict[str, FieldType]]:
    """Return the pydantic model of an entry from its JSON schema, and the types of its fields."""
    definition = EntryDefinition.model_validate_json(schema)
    fields = {key: field.field_type for key, field in definition.properties.items()}
    return entry_model(name, fields, definition.required), fields


def namespaces_of(user_id: UUID) -> dict[str, Namespace]:
    """Return all namespaces of a user by name, the built-in ones first."""
    rows = RegisteredNamespace.objects.filter(user_id=user_id).order_by("name")
    return NAMESPACES | {row.name: _registered(row) for row in rows}


def namespace_of(user_id: UUID, name: str) -> Namespace:
    """Return a user's namespace by name. Raises UnknownNamespace, whose message lists the names."""
    if name in NAMESPACES:
        return NAMESPACES[name]
    known = namespaces_of(user_id)
    if name not in known:
        raise UnknownNamespace(f"There is no namespace {name!r}. Choose from: {', '.join(known)}.")
    return known[name]
