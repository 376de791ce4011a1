"""The namespaces that people registered for themselves, beside those of the registry.

Their entries have a schema too: a part of JSON schema that can be judged quickly and written in few
tokens. In the person's open block.
"""

import json
import re
from datetime import date, timedelta
from enum import StrEnum
from functools import lru_cache
from typing import Annotated, Any, Literal
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, create_model, model_validator

from accounts.models import User
from memory.models import NamespaceConsent, NamespaceEntry, RegisteredNamespace
from memory.namespaces import consent, hot_tier
from memory.namespaces.registry import NAMESPACES, OWN_GROUP, Namespace, UnknownNamespace
from memory.namespaces.schemas import Code, Entry, Moment, Name, Phrase, RegisteredEntry

MOST_REGISTERED, MOST_ENTRIES, MOST_FIELDS = 20, 500, 20
_LONGEST_TEXT, _LARGEST = 2_000, 10**9
_PREFIX = f"{OWN_GROUP}."
NAME_PATTERN = rf"{OWN_GROUP}\.[a-z][a-z0-9_]{{0,35}}"


class TooManyNamespaces(ValueError):
    """There are as many as one person may register."""


class NameTaken(ValueError):
    """There is another namespace of this name."""


class FieldDefinition(BaseModel):
    """One field of an entry, in JSON schema."""

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
        texts = (self.format, self.enum, self.max_length)
        numbers = (self.minimum, self.maximum)
        if self.type != "string" and any(one is not None for one in texts):
            raise ValueError("format, enum and maxLength are only for strings.")
        if self.type != "integer" and any(one is not None for one in numbers):
            raise ValueError("minimum and maximum are only for integers.")
        if self.type != "array" and self.items is not None:
            raise ValueError("items is only for arrays.")
        return self

    def annotation(self, name: str) -> Any:
        """Return the type of the field, as entries of the product's own namespaces have it."""
        if self.type == "array":
            return Annotated[list[Name], Field(max_length=12), Phrase]
        if self.type == "boolean":
            return bool
        if self.type == "integer":
            least = -_LARGEST if self.minimum is None else self.minimum
            most = _LARGEST if self.maximum is None else self.maximum
            return Annotated[int, Field(ge=least, le=most)]
        if self.enum:
            return StrEnum(name, {f"is_{code}": code for code in self.enum})
        if self.format:
            return date if self.format == "date" else Moment
        longest = self.max_length or 500
        bounds = StringConstraints(strip_whitespace=True, min_length=1, max_length=longest)
        return Annotated[str, bounds, Phrase]


class EntryDefinition(BaseModel):
    """The schema of an entry: an object with named fields."""

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


def register(
    user: User,
    name: str,
    purpose: str,
    schema: dict[str, Any],
    *,
    most: int,
    rolling: bool,
    keep_days: int | None,
) -> tuple[Namespace, bool]:
    """Register a namespace; the same again changes nothing. Returns it, and whether it is new.

    Raises ValueError for the name, pydantic's ValidationError, TooManyNamespaces and NameTaken.
    """
    if not is_registered_name(name):
        raise ValueError(f"{name[:40]!r} isn’t a valid name for your own namespace.")
    EntryDefinition.model_validate(schema)
    # Two that are registered at once are registered one after the other.
    User.objects.select_for_update(no_key=True).get(pk=user.pk)
    told = {
        "purpose": purpose,
        "schema": schema,
        "most": most,
        "rolling": rolling,
        "keep_days": keep_days,
    }
    rows = RegisteredNamespace.objects.filter(user=user)
    there = rows.filter(name=name).first()
    if there is not None:
        if any(getattr(there, field) != value for field, value in told.items()):
            raise NameTaken(
                f"You already have a different namespace called {name}. Delete it first."
            )
        return _namespace(there), False
    if rows.count() >= MOST_REGISTERED:
        raise TooManyNamespaces(
            f"You’ve reached the limit of {MOST_REGISTERED} namespaces. Delete one you no longer "
            "need."
        )
    return _namespace(RegisteredNamespace.objects.create(user=user, name=name, **told)), True


def unregister(user: User, namespace: Namespace) -> None:
    """Delete a registered namespace with its entries in every tier."""
    consent.lock_and_ask(user.pk, namespace)
    hot_tier.forget(user.pk, namespace)
    for model in (NamespaceEntry, NamespaceConsent):
        model._default_manager.filter(user_id=user.pk, namespace=namespace.name).delete()
    RegisteredNamespace.objects.filter(user=user, name=namespace.name).delete()


def namespaces_of(user_id: UUID) -> dict[str, Namespace]:
    """Return every namespace that a person has, the product's own first."""
    rows = RegisteredNamespace.objects.filter(user_id=user_id).order_by("name")
    return NAMESPACES | {row.name: _namespace(row) for row in rows}


def namespace_of(user_id: UUID, name: str) -> Namespace:
    """Return a person's namespace of this name. Raises UnknownNamespace, with those there are."""
    if name in NAMESPACES:
        return NAMESPACES[name]
    known = namespaces_of(user_id)
    if name not in known:
        raise UnknownNamespace(f"There is no namespace {name!r}. Choose from: {', '.join(known)}.")
    return known[name]


def is_registered_name(name: str) -> bool:
    """Return whether a namespace that a person registers may have this name."""
    return re.fullmatch(NAME_PATTERN, name) is not None


def _namespace(row: RegisteredNamespace) -> Namespace:
    return Namespace(
        row.name,
        row.purpose,
        _entry_model(row.name, json.dumps(row.schema)),
        most=row.most,
        rolling=row.rolling,
        keep=None if row.keep_days is None else timedelta(days=row.keep_days),
    )


@lru_cache(maxsize=256)
def _entry_model(name: str, schema: str) -> type[Entry]:
    definition = EntryDefinition.model_validate_json(schema)
    fields: dict[str, Any] = {}
    for field, told in definition.properties.items():
        annotation = told.annotation(field)
        if field in definition.required:
            fields[field] = (annotation, ...)
        elif told.type == "array":
            fields[field] = (annotation, [])
        else:
            fields[field] = (annotation | None, None)
    title = name.removeprefix(_PREFIX)
    return create_model(title, __base__=RegisteredEntry, __module__=__name__, **fields)
