"""What every turn needs first, in one statement: facts, what holds here only, the talk so far."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any, NamedTuple
from uuid import UUID

from django.db import connection
from django.db.models import Model

from memory.models import Override, Passage, ProfileFact
from memory.scope import Scope
from memory.statements import AnyModel, Row, instance, listed, rows


class Turn(NamedTuple):
    """A message of the talk so far, as plain values."""

    message_id: UUID
    number: int
    role: str
    author: str
    said_at: datetime
    text: str


@dataclass(frozen=True)
class AtHand:
    """Facts best believed first, challengers among them; overrides; the talk in reading order."""

    facts: list[ProfileFact]
    overrides: list[Override]
    thread: tuple[Turn, ...]


def read(scope: Scope, newest: int) -> AtHand:
    """All of it for one person, and the `newest` messages of the conversation before this one.

    Three index ranges, all of the person's own rows; numbers have no gap, so the talk is a range
    too. Without a conversation there are no overrides, without a message no talk. Call it in the
    person's open block.
    """
    found = rows(
        _everything(),
        {
            "user": scope.user_id,
            "conversation": scope.conversation_id,
            "message": scope.message_id,
            "newest": newest,
        },
    )
    parts: tuple[list[Row], ...] = ([], [], [])
    for row in found:
        parts[row[0]].append(row)
    of_facts = 1 + len(_columns(ProfileFact))
    of_overrides = of_facts + len(_columns(Override))
    return AtHand(
        facts=_of_person(ProfileFact, scope.user_id, (row[1:of_facts] for row in parts[0])),
        overrides=_of_person(
            Override, scope.user_id, (row[of_facts:of_overrides] for row in parts[1])
        ),
        thread=tuple(Turn._make(row[of_overrides:]) for row in parts[2]),
    )


def facts(user_id: UUID, slots: Sequence[str]) -> list[ProfileFact]:
    """The current facts of some slots, best believed first: one look-up each."""
    found = rows(_some_facts(), {"user": user_id, "slots": listed(slots)})
    return _of_person(ProfileFact, user_id, found)


# --- The statements ------------------------------------------------------------------------------

# What no answer asks for; and whose it is, because that is known.
_LEFT_OUT = {
    "user",
    "value_key",
    "source",
    "origin",
    "valid_from",
    "valid_to",
    "replaces",
    "embedding",
    "embedding_model",
    "uses",
    "last_used_at",
    "created_at",
    "updated_at",
}
_TURN = {
    "id": "uuid",
    "number": "integer",
    "role": "varchar",
    "author": "varchar",
    "said_at": "timestamptz",
    "content": "text",
}


@cache
def _some_facts() -> str:
    table = ProfileFact._meta.db_table
    return f"""
    select {_listed(_columns(ProfileFact), "f")} from {table} f
    where user_id = %(user)s and status = 'current' and slot = any(%(slots)s::text[])
    order by trust desc, last_verified desc
    """  # noqa: S608 - names of columns only


@cache
def _everything() -> str:
    """Three kinds of rows below each other; each is empty where the others have their columns."""
    facts, overrides = _columns(ProfileFact), _columns(Override)
    # Memory knows the table of messages by its own reference to it.
    said_in = Passage._meta.get_field("message").related_model._meta.db_table
    return f"""
    (select 0 as part, {_listed(facts, "f")}, {_nothing(overrides)}, {_nothing(_TURN)}
     from {ProfileFact._meta.db_table} f
     where user_id = %(user)s and status in ('current', 'challenger')
     order by trust desc, last_verified desc)
    union all
    (select 1, {_nothing(facts)}, {_listed(overrides, "o")}, {_nothing(_TURN)}
     from {Override._meta.db_table} o
     where user_id = %(user)s and conversation_id = %(conversation)s)
    union all
    (select 2, {_nothing(facts)}, {_nothing(overrides)}, {_listed(_TURN, "m")}
     from {said_in} this
     -- 'offset 0' keeps this a look-up by place and not a reading of all the person said.
     cross join lateral (
         select * from {said_in}
         where user_id = %(user)s and conversation_id = this.conversation_id
           and number between this.number - %(newest)s and this.number - 1 offset 0) m
     where this.id = %(message)s and this.user_id = %(user)s
     order by m.number)
    """  # noqa: S608 - names of columns only


@cache
def _columns(model: type[Model]) -> dict[str, str]:
    """The columns of a model that are read, with their types."""
    return {
        field.attname: str(field.db_type(connection))
        for field in model._meta.concrete_fields
        if field.name not in _LEFT_OUT
    }


def _listed(columns: dict[str, str], table: str) -> str:
    return ", ".join(f"{table}.{column}" for column in columns)


def _nothing(columns: dict[str, str]) -> str:
    return ", ".join(f"null::{kind}" for kind in columns.values())


def _of_person(
    model: type[AnyModel], user_id: UUID, found: Iterable[Sequence[Any]]
) -> list[AnyModel]:
    names = ("user_id", *_columns(model))
    return [instance(model, names, (user_id, *values)) for values in found]
