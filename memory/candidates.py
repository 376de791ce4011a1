"""Which passages are worth a closer look, and the turns around them: one statement, one row back.

Three ways lead to a candidate: it shares a word with the question (or has a word that can stand in
for one), its vector is near, or it was said in the time that is asked about. Every way reads at
most a fixed number of the person's own rows, so the cost does not grow with anybody else's.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

import numpy as np
import numpy.typing as npt
from django.conf import settings
from django.db import connection

from memory.lexicon import Floats
from memory.passages import lexeme
from memory.ranking import REACH_AFTER, REACH_BEFORE, Columns

# How many passages each way brings; a few hundred together with the turns around them.
BY_WORDS, BY_MEANING, BY_TIME = 140, 70, 40
# How many passages are read for one word. A word in more of them tells little, and how many there
# are is reckoned from how far these reach: they come about in the order in which they were written,
# so if the middle half of them spans a tenth of all places, there are about five times as many.
MOST_A_WORD, MOST_STAND_INS = 200, 100
# How many passages are read for one span of time, the latest in it: a year may hold very many.
MOST_A_SPAN = 500
# How many words of a long question are looked up, and how many stand-ins for each.
MOST_WORDS = 16
STAND_INS = 5
# A question with more words than this finds its candidates by them alone.
WORDS_ENOUGH = 8
# What a stand-in is worth beside the word itself when candidates are chosen.
STAND_IN_WORTH = 0.4

# One passage as it comes back, in the byte order of the network.
_ROW = np.dtype(
    [
        ("conversation", "S16"),
        ("number", ">i4"),
        ("message", "V16"),
        ("said_at", ">f8"),
        ("by_user", ">i2"),
        ("marks", ">i2"),
        ("length", ">i4"),
        ("nearness", ">f4"),
    ]
)


@dataclass(frozen=True)
class Wanted:
    """What is looked for: word numbers, for each its stand-ins, a vector, spans of time."""

    user_id: UUID
    numbers: Sequence[int]
    stand_ins: Sequence[Sequence[int]]
    meaning: Floats | None
    spans: Sequence[tuple[datetime, datetime]]
    but: UUID | None = None
    conversation: UUID | None = None


@dataclass(frozen=True)
class Found:
    """Candidates with the turns around them, and how common the words are.

    `holding` says for each of the wanted numbers in about how many of `total` passages it occurs,
    None for those beyond the MOST_WORDS that were looked up.
    """

    rows: Columns
    message_ids: npt.NDArray[np.void]
    holding: list[int | None]
    total: int


def find(wanted: Wanted) -> Found:
    """Read the candidates, in the person's open block."""
    statement, parameters = _statement(wanted)
    with connection.cursor() as cursor:
        cursor.execute(statement, parameters)
        packed, terms, speakers, words, counts, total = cursor.fetchone()
    rows, message_ids = _columns(packed or b"", terms or b"", speakers or [])
    held = dict(zip(words or (), counts or (), strict=True))
    return Found(
        rows=rows,
        message_ids=message_ids,
        holding=[
            int(held.get(place, 0)) if place < MOST_WORDS else None
            for place in range(len(wanted.numbers))
        ],
        total=max(int(total), 1),
    )


def _columns(
    packed: bytes, terms: bytes, speakers: list[str]
) -> tuple[Columns, npt.NDArray[np.void]]:
    rows = np.frombuffer(packed, _ROW)
    conversation = rows["conversation"]
    new = np.ones(len(rows), np.int64)
    new[1:] = conversation[1:] != conversation[:-1]
    columns = Columns(
        conversation=np.cumsum(new),
        number=rows["number"].astype(np.int64),
        by_user=rows["by_user"] > 0,
        speakers=speakers,
        said_at=rows["said_at"].astype(np.float64),
        marks=rows["marks"].astype(np.int64),
        nearness=rows["nearness"].astype(np.float32),
        lengths=rows["length"].astype(np.int64),
        terms=np.frombuffer(terms, "<i4").astype(np.int32, copy=False),
    )
    return columns, rows["message"]


# --- The statement -------------------------------------------------------------------------------

# One word's passages. It is asked for twice, which changes nothing but the planner's guess: for one
# word nobody has in common it supposes half a hundredth of the whole site, and would then read all
# rows of a person with many to narrow that down; for two it supposes a handful, as it is.
_BY_WORD = """
    (select {place} as asked, conversation_id, number, place from memory_passage p
     where user_id = %(user)s and words @@ '({query}) & ({query})'::tsquery {only} limit {most})"""
_NO_WORD = """
    (select 0 as asked, conversation_id, number, place from memory_passage where false)"""

_STATEMENT = """
with question as materialized (
    select %(meaning)s::halfvec({dimensions}) as meaning,
           binary_quantize(%(meaning)s::halfvec({dimensions}))::bit({dimensions}) as signs
), newest as materialized (
    select coalesce((select place from memory_passage p where user_id = %(user)s
                     order by place desc limit 1), 0) as total
), hits as materialized ({by_words}
), counted as (
    select asked, count(*) as read,
           percentile_disc(0.75) within group (order by place)
           - percentile_disc(0.25) within group (order by place) as middle
    from hits group by asked
), held as materialized (
    select asked, passages, ln(1 + total::float8 / passages)
                            * case when asked < {kin} then 1 else {worth} end as worth
    from newest, lateral (
        select asked, case when read < case when asked < {kin} then {most} else {most_kin} end
                           then read else greatest(read, read * total / (2 * middle + 1))
                      end as passages
        from counted) estimated
), by_words as (
    select conversation_id, number from hits join held using (asked)
    group by conversation_id, number order by sum(worth) desc limit {by_words_most}
), by_meaning as (
    select conversation_id, number from memory_passage p
    where user_id = %(user)s and (select meaning from question) is not null {only}
    order by signs <~> (select signs from question) limit {by_meaning_most}
), by_time as (
    select t.conversation_id, t.number
    from unnest(%(from)s::timestamptz[], %(until)s::timestamptz[]) as span(first, after)
    cross join lateral (
        select conversation_id, number from (
            select conversation_id, number, signs from memory_passage p
            where user_id = %(user)s and said_at >= span.first and said_at < span.after {only}
            order by said_at desc limit {most_a_span}) latest
        order by signs <~> (select signs from question) limit {by_time_most}) t
), chosen as (
    select * from by_words union select * from by_meaning union select * from by_time
), known as (
    select distinct on (n.conversation_id, n.number) n.conversation_id, n.number, n.message_id,
           n.said_at, n.by_user, n.marks, n.speaker, n.terms,
           coalesce(-(n.embedding <#> (select meaning from question)), 0) as nearness
    from chosen c
    -- 'offset 0' keeps this a look-up for each: the planner would rather read the whole table.
    cross join lateral (
        select p.* from memory_passage p
        where p.user_id = %(user)s and p.conversation_id = c.conversation_id
          and p.number between c.number - {before} and c.number + {after} {but} offset 0) n
    order by n.conversation_id, n.number
)
select string_agg(
           uuid_send(conversation_id) || int4send(number) || uuid_send(message_id)
           || float8send(date_part('epoch', said_at)) || int2send(by_user::int::int2)
           || int2send(marks) || int4send(octet_length(terms) / 4)
           || float4send(nearness::float4), '' order by conversation_id, number),
       string_agg(terms, '' order by conversation_id, number),
       array_agg(speaker order by conversation_id, number),
       (select array_agg(asked order by asked) from held),
       (select array_agg(passages order by asked) from held),
       (select total from newest)
from known
"""


def _statement(wanted: Wanted) -> tuple[str, dict[str, Any]]:
    only = "" if wanted.conversation is None else "and p.conversation_id = %(conversation)s"
    # Left out at the end only: no index that finds candidates knows the message.
    but = "" if wanted.but is None else "and p.message_id <> %(but)s"
    statement = _STATEMENT.format(
        by_words=_by_words(wanted, only),
        dimensions=settings.EMBEDDING_DIMENSIONS,
        only=only,
        but=but,
        most=MOST_A_WORD,
        most_kin=MOST_STAND_INS,
        kin=MOST_WORDS,
        worth=STAND_IN_WORTH,
        by_words_most=BY_WORDS,
        by_meaning_most=BY_MEANING,
        by_time_most=BY_TIME,
        most_a_span=MOST_A_SPAN,
        before=REACH_BEFORE,
        after=REACH_AFTER,
    )
    return statement, {
        "user": wanted.user_id,
        "meaning": None if wanted.meaning is None else _as_text(wanted.meaning),
        "from": [first for first, _ in wanted.spans],
        "until": [after for _, after in wanted.spans],
        "but": wanted.but,
        "conversation": wanted.conversation,
    }


def _as_text(vector: Floats) -> str:
    """As the database reads a vector; four digits are all that half precision holds."""
    return "[" + ",".join(f"{x:.4f}" for x in vector.tolist()) + "]"


def _by_words(wanted: Wanted, only: str) -> str:
    """One branch a word and one for all its stand-ins; lexemes are letters and digits only."""
    branches = []
    for place, number in enumerate(wanted.numbers[:MOST_WORDS]):
        branches.append((place, lexeme(wanted.user_id, number), MOST_A_WORD))
        kin = [lexeme(wanted.user_id, other) for other in wanted.stand_ins[place][:STAND_INS]]
        if kin and len(wanted.numbers) <= WORDS_ENOUGH:
            branches.append((place + MOST_WORDS, " | ".join(kin), MOST_STAND_INS))
    read = [
        _BY_WORD.format(place=place, query=query, only=only, most=most)
        for place, query, most in branches
    ]
    return " union all ".join(read) or _NO_WORD
