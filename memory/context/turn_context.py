"""The context of a turn in one SQL statement: facts, overrides, the conversation so far."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cache
from operator import itemgetter
from typing import Any, NamedTuple
from uuid import UUID

from django.db import connection
from django.db.models import Model

from memory.core.scope import Scope
from memory.core.statements import (
    AnyModel,
    Row,
    SendStatement,
    array_literal,
    fetch_rows,
    model_instance,
)
from memory.language.message_provenance import TextStanding, load_standing_spans
from memory.models import Override, Passage, ProfileFact


class Turn(NamedTuple):
    """A message of a conversation as plain values, without a model instance."""

    message_id: UUID
    number: int
    role: str
    author: str
    said_at: datetime
    text: str
    # JSON of pasted parts etc., see memory.language.message_provenance.load_standing_spans.
    stored: str = "[[], []]"

    @property
    def own_text(self) -> str:
        """The message without pasted parts."""
        text = self.text
        for start, end, standing in sorted(load_standing_spans(text, self.stored), reverse=True):
            if standing == TextStanding.PASTED:
                text = f"{text[:start]}\n{text[end:]}"
        return text.strip()


@dataclass(frozen=True)
class TurnContext:
    """Facts by trust, including challengers; overrides; the conversation so far."""

    facts: list[ProfileFact]
    overrides: list[Override]
    talk: "ConversationHistory"


@dataclass(frozen=True)
class ConversationHistory:
    """A conversation up to a message: a summary of its beginning, then the messages after it.

    `summed_up_to` is the number of the last message in the summary, 0 for none; `thread` has the
    messages after it, without those that the user excluded.
    """

    summary: str = ""
    summed_up_to: int = 0
    thread: tuple[Turn, ...] = ()


def read(scope: Scope, newest: int) -> TurnContext:
    """Return the context of a message: facts, overrides, and the conversation before it.

    At most the `newest` messages after the summary are read. Without a conversation there are no
    overrides, without a message no history. All parts are index scans of the user's own rows. Must
    run in the user's transaction.
    """
    return _as_turn_context(scope, fetch_rows(_everything(), _values(scope, newest)))


def read_later(scope: Scope, newest: int, send: SendStatement) -> Callable[[], TurnContext]:
    """Send the query of `read`; return a function for the result."""
    rows = send(_everything(), _values(scope, newest))
    return lambda: _as_turn_context(scope, rows())


def _values(scope: Scope, newest: int) -> dict[str, Any]:
    return {
        "user": scope.user_id,
        "conversation": scope.conversation_id,
        "message": scope.message_id,
        "newest": newest,
    }


def _as_turn_context(scope: Scope, rows: Iterable[Row]) -> TurnContext:
    parts: tuple[list[Row], ...] = ([], [], [], [])
    for row in rows:
        parts[row[0]].append(row)
    fact, override, turn = (itemgetter(*places) for places in _union_columns().places)
    return TurnContext(
        facts=_of_person(ProfileFact, scope.user_id, map(fact, parts[0])),
        overrides=_of_person(Override, scope.user_id, map(override, parts[1])),
        talk=_talk(map(turn, (*parts[2], *parts[3]))),
    )


def read_talk(scope: Scope, newest: int) -> ConversationHistory:
    """Return only the conversation, for callers that use no memory."""
    values = {"user": scope.user_id, "message": scope.message_id, "newest": newest}
    return _talk(fetch_rows(_only_the_talk(), values))


def _talk(rows: Iterable[Row]) -> ConversationHistory:
    summary = ConversationHistory()
    thread = []
    for turn in map(Turn._make, rows):
        if turn.role == _SUMMARY:
            summary = ConversationHistory(turn.text, turn.number)
        else:
            thread.append(turn)
    return replace(summary, thread=tuple(thread))


def facts(user_id: UUID, slots: Sequence[str]) -> list[ProfileFact]:
    """Return the current facts of some slots, most trusted first."""
    rows = fetch_rows(_some_facts(), {"user": user_id, "slots": array_literal(slots)})
    return _of_person(ProfileFact, user_id, rows)


# --- SQL -----------------------------------------------------------------------------------------

# Columns that answers do not need, and the user, who is known.
_LEFT_OUT = {
    "user",
    "value_key",
    "source",
    "origin",
    "valid_from",
    "valid_to",
    "from_precision",
    "to_precision",
    "replaces",
    "embedding",
    "embedding_model",
    "uses",
    "last_used_at",
    "created_at",
    "updated_at",
}
# Characters of a message that are read as history, even if a model wrote more.
_LONGEST_TURN = 20_000
# The role of the row with the summary; no message has it.
_SUMMARY = "summary"
_TURN = {
    "id": "uuid",
    "number": "integer",
    "role": "varchar",
    "author": "varchar",
    "said_at": "timestamptz",
    "content": "text",
    "stored": "text",
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
    """Return the SQL for facts, overrides, messages and summary as one UNION."""
    lanes = _union_columns()
    return f"""
    (select 0 as part, {lanes.selected(0, "f")}
     from {ProfileFact._meta.db_table} f
     where user_id = %(user)s and status in ('current', 'challenger')
     order by trust desc, last_verified desc)
    union all
    (select 1, {lanes.selected(1, "o")}
     from {Override._meta.db_table} o
     where user_id = %(user)s and conversation_id = %(conversation)s)
    union all
    (select 2, {lanes.selected(2, "t")} from ({_thread()}) t)
    union all
    (select 3, {lanes.selected(2, "s")} from ({_select_summary()}) s)
    """  # noqa: S608 - names of columns only


@dataclass(frozen=True)
class _UnionColumns:
    """The columns of a UNION of facts, overrides and messages.

    Kinds of rows share columns of the same type and have null in the others, because even an empty
    column takes time to read. `kinds` has the column names of each kind, `places` their positions;
    column 0 is the kind.
    """

    types: list[str]
    kinds: tuple[list[str], ...]
    places: tuple[list[int], ...]

    def selected(self, kind: int, table: str) -> str:
        """Return the SQL that selects a row of this kind from `table`."""
        there = dict(zip(self.places[kind], self.kinds[kind], strict=True))
        return ", ".join(
            f"{table}.{there[position]}::{type_}" if position in there else f"null::{type_}"
            for position, type_ in enumerate(self.types, start=1)
        )


@cache
def _union_columns() -> _UnionColumns:
    types: list[str] = []
    kinds = (_columns(ProfileFact), _columns(Override), _TURN)
    places: tuple[list[int], ...] = tuple([] for _ in kinds)
    for columns, taken in zip(kinds, places, strict=True):
        for column in columns.values():
            # Short texts and long ones share columns.
            type_ = "text" if column.startswith("varchar") else column
            free = (n for n, t in enumerate(types, start=1) if t == type_ and n not in taken)
            position = next(free, len(types) + 1)
            if position > len(types):
                types.append(type_)
            taken.append(position)
    return _UnionColumns(types, tuple(list(columns) for columns in kinds), places)


@cache
def _only_the_talk() -> str:
    return f"({_thread()}) union all ({_select_summary()})"


def _thread() -> str:
    """Return the SQL of the messages after the summary and before this one, by number."""
    said_in, talk = _tables()
    return f"""
    select {_listed(_TURN, "m")}
    from {said_in} this
    -- 'offset 0' keeps these look-ups by place and not a reading of all the person said.
    cross join lateral (
        select compacted_up_to from {talk} where id = this.conversation_id offset 0) c
    cross join lateral (
        select id, number, role, author, said_at, state, left(content, {_LONGEST_TURN}) as content,
               jsonb_build_array(stretches, pasted)::text as stored from {said_in}
        where user_id = %(user)s and conversation_id = this.conversation_id
          and number between greatest(
              this.number - %(newest)s,
              case when c.compacted_up_to < this.number then c.compacted_up_to + 1 else 1 end
          ) and this.number - 1 offset 0) m
    where this.id = %(message)s and this.user_id = %(user)s and m.state <> 'removed'
    order by m.number
    """  # noqa: S608 - names of columns only


def _select_summary() -> str:
    """Return the SQL of the summary of earlier messages, with the columns of a message."""
    said_in, talk = _tables()
    return f"""
    select null::uuid as id, c.compacted_up_to::integer as number, '{_SUMMARY}'::varchar as role,
           ''::varchar as author, c.started_at as said_at, c.compact_summary as content,
           '[[], []]'::text as stored
    from {said_in} this
    cross join lateral (
        select compacted_up_to, compact_summary, started_at from {talk}
        where id = this.conversation_id offset 0) c
    where this.id = %(message)s and this.user_id = %(user)s
      and c.compacted_up_to between 1 and this.number - 1
    """  # noqa: S608 - names of columns only


def _tables() -> tuple[str, str]:
    """Return the table names of messages and conversations, found through foreign keys."""
    said_in = Passage._meta.get_field("message").related_model
    talk = Passage._meta.get_field("conversation").related_model
    return said_in._meta.db_table, talk._meta.db_table


@cache
def _columns(model: type[Model]) -> dict[str, str]:
    """Return the columns of a model that are read, with their SQL types."""
    return {
        field.attname: str(field.db_type(connection))
        for field in model._meta.concrete_fields
        if field.name not in _LEFT_OUT
    }


def _listed(columns: dict[str, str], table: str) -> str:
    return ", ".join(f"{table}.{column}" for column in columns)


def _of_person(
    model: type[AnyModel], user_id: UUID, rows: Iterable[Sequence[Any]]
) -> list[AnyModel]:
    names = ("user_id", *_columns(model))
    return [model_instance(model, names, (user_id, *values)) for values in rows]
