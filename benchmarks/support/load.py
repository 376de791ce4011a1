"""Filling the site with people who have talked for years, by a few statements inside the database.

Rows of all people lie interleaved on disk, as they do after years of talking at the same time.
"""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import numpy as np
from django.db import connection, models
from django.db.backends.utils import CursorWrapper

from accounts.database.ids import new_id
from accounts.models import User
from benchmarks.support.sentences import sentences
from config import grants
from conversations.models import Conversation, Message
from memory.language.reading import Reading
from memory.language.text.terms import MEANING_MODEL_NAME, content_words, meaning_vectors, stem_id
from memory.models import Mention, Override, Passage, ProfileFact
from memory.retrieval import passage_index
from memory.slots import SLOTS, value_key

# How many passages a conversation has, and how many different remarks there are.
TURNS = 50
REMARKS = 40_000
# How many of them are read for their marks, which only sort what was found; the others have the
# marks of these. Reading one takes longer than all else that is done with it.
READ = 300
# How many facts everybody has, with a message behind each.
FACTS = 25
# All that was said lies in the two years before the tables were filled.
# The moment of asking, in tests and measurements.
NOW = datetime.now(UTC)
SPAN = "interval '730 days'"


@dataclass(frozen=True)
class Person:
    """Somebody on the site, and how many passages are theirs."""

    user_id: UUID
    passages: int


def fill(counts: Sequence[int], remarks: int = REMARKS, facts: int = FACTS) -> list[Person]:
    """Make a person for each count with so many passages and facts and all that belongs to them.

    Runs as the owner of the tables. Indexes on passages are made after the rows, as a restore does.
    """
    remarks = min(remarks, sum(counts))
    with grants.as_owner() as owner, owner.cursor() as cursor:
        cursor.execute("set session_replication_role = replica")  # the rows are known to fit
        cursor.execute("set maintenance_work_mem = '512MB'")
        cursor.execute("set work_mem = '256MB'")
        people = _people(cursor, counts)
        _remarks(cursor, remarks)
        _talks(cursor, remarks)
        _facts(cursor, facts)
        _mentions(cursor)
    tidy()
    return people


def tidy() -> None:
    """What autovacuum does in time: statistics, and which pages everyone can see.

    Whoever looks at the tables meanwhile keeps pages from being marked, so it is tried again.
    """
    with grants.as_owner() as owner, owner.cursor() as cursor:
        for _ in range(20):
            cursor.execute("vacuum analyze")
            cursor.execute(
                "select bool_and(relallvisible >= relpages) from pg_class"
                " where relkind = 'r' and relnamespace = current_schema()::regnamespace"
            )
            if cursor.fetchone()[0]:
                return
            time.sleep(0.2)


def empty() -> None:
    """Let everybody's rows go."""
    with grants.as_owner() as owner, owner.cursor() as cursor:
        cursor.execute(f"truncate {User._meta.db_table} cascade")


# --- The rows ------------------------------------------------------------------------------------


def _people(cursor: CursorWrapper, counts: Sequence[int]) -> list[Person]:
    users = User.objects.bulk_create(
        [User(email=f"{new_id()}@example.org", password="!") for _ in counts]
    )
    people = [Person(user.pk, count) for user, count in zip(users, counts, strict=True)]
    cursor.execute("create temp table person (id uuid, mark text, passages int)")
    cursor.executemany(
        "insert into person values (%s, %s, %s)",
        [
            (person.user_id, passage_index.mark_of(person.user_id), person.passages)
            for person in people
        ],
    )
    return people


def _remarks(cursor: CursorWrapper, count: int) -> None:
    cursor.execute(
        "create temp table remark (id int primary key, text text, hexes text[], terms bytea,"
        " marks int, embedding halfvec(256))"
    )
    texts = sentences(count)
    meanings = meaning_vectors(texts)
    marks = [int(passage_index.marks_of(Reading(text))) for text in texts[:READ]]
    with cursor.copy("copy remark from stdin") as copy:
        for position, (text, meaning) in enumerate(zip(texts, meanings, strict=True)):
            numbers = [stem_id(word) for word in content_words(text)]
            copy.write_row(
                (
                    position,
                    text,
                    sorted({f"{n & 0xFFFFFFFF:08x}" for n in numbers}),
                    np.array(numbers, "<i4").tobytes(),
                    marks[position % len(marks)],
                    None if meaning is None else "[" + ",".join(f"{x:.5f}" for x in meaning) + "]",
                )
            )


def _talks(cursor: CursorWrapper, remarks: int) -> None:
    """Conversations, then their messages and passages in the order in which they were said."""
    cursor.execute(
        f"create temp table talk as select uuidv7() as id, p.id as user_id, mark, passages, n,"
        f" now() - {SPAN} * (1 - (n * {TURNS})::float8 / greatest(passages, {TURNS})) as began"
        f" from person p, generate_series(0, (passages - 1) / {TURNS}) n"
    )
    _insert(
        cursor,
        Conversation,
        {
            "id": "id",
            "user_id": "user_id",
            "title": "'A talk'",
            "started_at": "began",
            "last_at": "began",
            "last_number": f"least({TURNS}, passages - n * {TURNS})",
        },
        "from talk",
    )
    _said(cursor, remarks)


def _said(cursor: CursorWrapper, remarks: int) -> None:
    cursor.execute(
        f"create temp table said as select uuidv7() as id, t.id as talk, user_id, mark, number,"
        f" n * {TURNS} + number as place, began + number * interval '1 minute' as at,"
        f" (hashint4extended(number, hashtextextended(t.id::text, 7)) & 1073741823) % {remarks}"
        f" as remark from talk t, generate_series(1, least({TURNS}, passages - n * {TURNS})) number"
        " order by at"
    )
    cursor.execute("create index on said (talk)")
    of_passages = _without_indexes(cursor, Passage)
    _insert(
        cursor,
        Message,
        {
            "id": "s.id",
            "user_id": "user_id",
            "conversation_id": "talk",
            "number": "number",
            "role": "case when mod(number, 2) = 1 then 'user' else 'assistant' end",
            "content": "r.text",
            "said_at": "at",
            "learned_at": "at",
            # Read when it was learned from: nothing in it is anybody else's.
            "stretches": "'[]'::jsonb",
        },
        "from said s join remark r on r.id = s.remark order by at",
    )
    _insert(
        cursor,
        Passage,
        {
            "id": "uuidv7()",
            "user_id": "user_id",
            "conversation_id": "talk",
            "message_id": "s.id",
            "number": "number",
            "place": "place",
            "by_user": "mod(number, 2) = 1",
            "said_at": "at",
            "text": "r.text",
            "marks": "r.marks",
            "terms": "r.terms",
            "words": "array_to_tsvector(array(select mark || x from unnest(hexes) x))",
            "embedding": "r.embedding",
            "embedding_model": f"'{MEANING_MODEL_NAME}'",
        },
        "from said s join remark r on r.id = s.remark order by at",
    )
    for definition in of_passages:
        cursor.execute(definition)


def _facts(cursor: CursorWrapper, count: int) -> None:
    """Every slot once, then more of those that hold many."""
    open_slots = [slot for slot in SLOTS.values() if not slot.sensitive]
    many = [slot for slot in open_slots if slot.many]
    chosen = [*open_slots, *(many * count)][:count]
    cursor.execute("create temp table fact (n int, slot text, many bool, value text, key text)")
    cursor.executemany(
        "insert into fact values (%s, %s, %s, %s, %s)",
        [
            (n, slot.key, slot.many, f"value {n}", value_key(slot.key, f"value {n}"))
            for n, slot in enumerate(chosen)
        ],
    )
    _insert(
        cursor,
        ProfileFact,
        {
            "id": "uuidv7()",
            "user_id": "p.id",
            "slot": "slot",
            "many": "many",
            "value": "value",
            "value_key": "key",
            "status": "'current'",
            "trust": "0.9",
            "confidence": "0.95",
            "source": "'user'",
            "last_verified": "now()",
            "valid_from": "now()",
            "created_at": "now()",
            "updated_at": "now()",
        },
        "from person p, fact",
    )


def _mentions(cursor: CursorWrapper) -> None:
    """The first message of a talk says every fact; some talks have values of their own."""
    _insert(
        cursor,
        Mention,
        {
            "id": "uuidv7()",
            "user_id": "f.user_id",
            "fact_id": "f.id",
            "conversation_id": "t.id",
            "message_id": "s.id",
            "said_at": "s.at",
            "start": "0",
            '"end"': "5",
        },
        "from memory_profilefact f join talk t on t.user_id = f.user_id and t.n = 0"
        " join said s on s.talk = t.id and s.number = 1",
    )
    _insert(
        cursor,
        Override,
        {
            "id": "uuidv7()",
            "user_id": "user_id",
            "conversation_id": "talk.id",
            "slot": "slot",
            "value": "'as said here'",
            "created_at": "now()",
        },
        "from talk, unnest(array['preferred_name', 'location', 'diet', 'pronouns']) slot",
    )


def _insert(
    cursor: CursorWrapper, model: type[models.Model], values: Mapping[str, str], rest: str
) -> None:
    """Insert what `rest` selects; a column not named holds what the model would put there."""
    named = {column.strip('"') for column in values}
    defaults = {
        f'"{field.column}"': field.get_db_prep_save(field.get_default(), connection)
        for field in _stored(model)
        if field.column not in named and not field.null
    }
    columns = ", ".join([*values, *defaults])
    chosen = ", ".join([*values.values(), *(["%s"] * len(defaults))])
    cursor.execute(
        f"insert into {model._meta.db_table} ({columns}) select {chosen} {rest}",
        list(defaults.values()),
    )


def _stored(model: type[models.Model]) -> list[Any]:
    return [field for field in model._meta.concrete_fields if not field.generated]


def _without_indexes(cursor: CursorWrapper, model: type[models.Model]) -> list[str]:
    """Drop a table's plain indexes; returns the statements that make them again."""
    cursor.execute(
        "select indexrelid::regclass::text, pg_get_indexdef(indexrelid) from pg_index i"
        " where indrelid = %s::regclass"
        " and not exists (select from pg_constraint c where c.conindid = i.indexrelid)",
        [model._meta.db_table],
    )
    definitions = cursor.fetchall()
    for name, _ in definitions:
        cursor.execute(f"drop index {name}")
    return [definition for _, definition in definitions]
