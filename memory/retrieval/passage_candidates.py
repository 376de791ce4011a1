"""Retrieving candidate passages and the turns around them: one statement, one row.

A candidate shares a word with the question (or has one that can stand in for it), has a near
vector, or lies in the time asked about. Each way reads at most a fixed number of the user's own
rows, so the cost does not grow with the data of others.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cache
from typing import Any
from uuid import UUID

import numpy as np
import numpy.typing as npt

from memory.core.statements import Row, SendStatement, array_literal
from memory.language.text import EMBEDDING_DIMENSIONS, terms
from memory.language.text.terms import Float32Array
from memory.retrieval.measures import REACH_AFTER, REACH_BEFORE, Columns, on_one_scale
from memory.retrieval.passage_index import lexeme_of
from memory.retrieval.passage_vectors import BY_VECTOR, NEARER, QueryVector

# How many passages each way brings; a few hundred together with the turns around them.
BY_WORDS, BY_MEANING, BY_TIME = 140, 70, 40
# How many passages are read for one word. A word in more of them tells little, and how many there
# are is reckoned from how far these reach: they come about in the order in which they were written,
# so if the middle half of them spans a tenth of all places, there are about five times as many.
# The words of a long question share what is read for all of them.
MOST_A_WORD, MOST_IN_ALL = 100, 1_400
# How many passages are read for one span of time, the latest in it: a year may hold very many.
MOST_A_SPAN = 200
# How many words of a long question are looked up, and how many stand-ins for each.
MOST_WORDS = 16
STAND_INS = 3
# A question with more words than this finds its candidates by them alone.
WORDS_ENOUGH = 5
# How many of the newest passages are measured first; what they show spares the others a place in
# the sorting.
MEASURED_FIRST = 1_500
# What a stand-in is worth beside the word itself when candidates are chosen.
STAND_IN_WORTH = 0.4

# What comes back, in the byte order of the network: passages, and runs of them.
_PASSAGE = np.dtype(
    [
        # How many words (15 bits), the marks (16), whether it is its owner's.
        ("number", ">i4"),
        ("bits", ">u4"),
        ("said_at", ">i8"),
        ("nearness", ">f4"),
    ]
)
# The same with the nearness by an endpoint's vectors, NaN for a passage without one.
_PASSAGE_BOTH = np.dtype([*_PASSAGE.descr, ("nearer", ">f4")])
_RUN = np.dtype([("conversation", "V16"), ("passages", ">i8")])
# The database counts microseconds from 2000 on, everybody else seconds from 1970 on.
_MICROSECONDS, _FROM_1970_TO_2000 = 1e6, 946_684_800.0


@dataclass(frozen=True)
class PassageFilter:
    """Filters of a passage search.

    `conversations` and `elsewhere`: in one of these, in none of those. `by_person`: True for what
    the user said, or somebody who has a name in an imported dialogue; False for the rest. `phrases`
    are regular expressions of the database; a text has to match all of them.
    """

    conversations: Sequence[UUID] | None = None
    elsewhere: Sequence[UUID] = ()
    since: datetime | None = None
    until: datetime | None = None
    by_person: bool | None = None
    phrases: Sequence[str] = ()

    def conditions(self, *, of_place_and_time: bool = False) -> str:
        """Return the end of a `where` about `p`; without optional conditions for some searches."""
        chosen = [
            (self.conversations is not None, "p.conversation_id = any(%(among)s::text::uuid[])"),
            (self.elsewhere, "p.conversation_id <> all(%(elsewhere)s::text::uuid[])"),
            (self.since, "p.said_at >= %(since)s::timestamptz"),
            (self.until, "p.said_at < %(until_then)s::timestamptz"),
        ]
        if not of_place_and_time:
            chosen += [
                (self.by_person is True, "(p.by_user or p.speaker <> '')"),
                (self.by_person is False, "not p.by_user and p.speaker = ''"),
                (self.phrases, "p.text ~* all(%(phrases)s::text[])"),
            ]
        return " ".join(f"and {condition}" for wished, condition in chosen if wished)

    def values(self) -> dict[str, Any]:
        """Return the parameters of its conditions."""
        return {
            "among": array_literal(self.conversations or ()),
            "elsewhere": array_literal(self.elsewhere),
            "since": self.since,
            "until_then": self.until,
            "phrases": list(self.phrases),
        }


ANYTHING = PassageFilter()


@dataclass(frozen=True)
class CandidateQuery:
    """A candidate search: word numbers with their stand-ins, a vector, time spans.

    `vector` is the question's by an embedding endpoint, where there is one.
    """

    user_id: UUID
    numbers: Sequence[int]
    stand_ins: Sequence[Sequence[int]]
    meaning: Float32Array | None
    spans: Sequence[tuple[datetime, datetime]]
    but: UUID | None = None
    conversation: UUID | None = None
    only: PassageFilter = ANYTHING
    vector: QueryVector | None = None


@dataclass(frozen=True)
class CandidateSet:
    """Candidates with the turns around them, and how common the words are.

    `conversation_ids` are 16 bytes a row; `holding` says for each number that was looked up in
    about how many of `total` passages it occurs; `by_endpoint` whether their nearness is that of an
    endpoint's vectors.
    """

    rows: Columns
    conversation_ids: npt.NDArray[np.void]
    holding: Mapping[int, int]
    total: int
    by_endpoint: bool = False


def find(query: CandidateQuery, send: SendStatement) -> Callable[[], CandidateSet]:
    """Send the candidate query, in the user's open block; return a function that
    fetches the rows.
    """
    narrowed, only = query.conversation is not None, _conditions(query.only)
    by_vector = query.vector is not None
    text = _text(narrowed=narrowed, only=only, by_vector=by_vector)
    later = send(text, _parameters(query))
    return lambda: _as_candidates(query, later())


def _as_candidates(query: CandidateQuery, rows: list[Row]) -> CandidateSet:
    ((runs, packed, numbers, speakers, words, counts, total),) = rows
    shape = _PASSAGE if query.vector is None else _PASSAGE_BOTH
    blobs = (runs or b"", packed or b"", numbers or b"", speakers or "")
    columns, conversation_ids = _columns(*blobs, shape)
    by_endpoint = False
    if query.vector is not None and packed:
        nearer = np.frombuffer(packed, shape)["nearer"].astype(np.float32)
        by_endpoint = not np.isnan(nearer).all()
        if by_endpoint:
            columns = replace(columns, nearness=on_one_scale(columns.nearness, nearer))
    count_by_position = dict(zip(words or (), counts or (), strict=True))
    return CandidateSet(
        rows=columns,
        conversation_ids=conversation_ids,
        holding={
            number: int(count_by_position.get(position, 0))
            for position, number in enumerate(query.numbers[:MOST_WORDS])
        },
        total=max(int(total), 1),
        by_endpoint=by_endpoint,
    )


def _columns(
    runs: bytes, packed: bytes, numbers: bytes, speakers: str, shape: np.dtype[np.void] = _PASSAGE
) -> tuple[Columns, npt.NDArray[np.void]]:
    run, row = np.frombuffer(runs, _RUN), np.frombuffer(packed, shape)
    conversation, bits = run["conversation"], row["bits"].astype(np.int64)
    new = np.ones(len(run), np.int64)
    new[1:] = conversation[1:] != conversation[:-1]
    columns = Columns(
        conversation=np.repeat(np.cumsum(new), run["passages"]),
        number=row["number"].astype(np.int64),
        by_user=(bits & 1).astype(np.bool_),
        speakers=speakers.split("\n") if packed else [],
        said_at=row["said_at"] / _MICROSECONDS + _FROM_1970_TO_2000,
        marks=bits >> 1 & 0xFFFF,
        nearness=row["nearness"].astype(np.float32),
        lengths=bits >> 17,
        terms=np.frombuffer(numbers, "<i4").astype(np.int32, copy=False),
    )
    return columns, np.repeat(conversation, run["passages"])


NOTHING = CandidateSet(*_columns(b"", b"", b"", ""), holding={}, total=1)

# --- The statement -------------------------------------------------------------------------------

# Its text never changes but for what it is narrowed to, so that it is planned once.
#
# Narrowed or not, the turns around a candidate are read: a passage is understood from them. Its
# meaning is looked for in all that was said there and then, by whomever: reading who said it, or
# its text, would read every row. So whoever narrows looks once more at what was found.
#
# A word is asked for three times, which changes nothing but the planner's guess: it supposes that
# any word stands in a two-hundredth of all passages, of everybody, and would read all rows of the
# person to narrow that down; of a two-hundredth cubed it simply looks them up.
#
# Types are named so that a value is read once: "bit" in quotes is one of any length.
#
# The turns around all candidates of a conversation are joined to runs, so that each is read once,
# by one look-up a run, in the order in which the index has them. What comes back is packed: a run
# is its conversation and how many passages it has, a passage a few bytes of each column.
#
# The nearest by meaning are among those not farther than the farthest of the nearest of some. So
# the newest are measured first; of the rest, only what is as near need be sorted.
_STATEMENT = """
with newest as materialized (
    select coalesce((select place from memory_passage p where user_id = %(user)s
                     order by place desc limit 1), 0) as total
), hits as materialized (
    select word.asked, word.most, p.*
    from unnest(%(asked)s::text::int[], %(words)s::text::tsquery[], %(most)s::text::int[])
         as word(asked, query, most)
    cross join lateral (
        select count(*) as read, array_agg(conversation_id) as conversations,
               array_agg(number) as numbers,
               percentile_disc(array[0.25, 0.75]) within group (order by place) as quarters
        from (select conversation_id, number, place from memory_passage p
              where user_id = %(user)s {only_words}
                and words @@ word.query and words @@ word.query and words @@ word.query
              limit word.most) p) p
), held as materialized (
    select asked, conversations, numbers, passages,
           ln(1 + total::float8 / passages)
           * case when asked < {kin} then 1 else {worth} end as worth
    from newest, lateral (
        select asked, conversations, numbers,
               case when read < most then read
                    else greatest(read, read * total / (2 * (quarters[2] - quarters[1]) + 1))
                    end as passages
        from hits where read > 0) estimated
), by_words as (
    select conversation_id, number
    from held, unnest(conversations, numbers) as hit(conversation_id, number)
    group by conversation_id, number order by sum(worth) desc limit {by_words_most}
), near_enough as materialized (
    select case when count(distance) < {by_meaning_most} then {dimensions} else max(distance) end
           as distance
    from (select signs <~> %(signs)s::"bit" as distance from (
              select signs from memory_passage p
              where user_id = %(user)s {only} order by place desc limit {measured_first}) newest
          order by distance limit {by_meaning_most}) nearest
), by_meaning as (
    select conversation_id, number from memory_passage p
    where user_id = %(user)s {only}
      and signs <~> %(signs)s::"bit" <= (select distance from near_enough)
    order by signs <~> %(signs)s::"bit" limit {by_meaning_most}
), {by_vector}by_time as (
    select t.conversation_id, t.number
    from unnest(%(from)s::text::timestamptz[], %(until)s::text::timestamptz[]) as span(first, after)
    cross join lateral (
        select conversation_id, number from (
            select conversation_id, number, signs from memory_passage p
            where user_id = %(user)s and said_at >= span.first and said_at < span.after
              {only}
            order by said_at desc limit {most_a_span}) latest
        order by signs <~> %(signs)s::"bit" limit {by_time_most}) t
), runs as (
    select conversation_id, lower(turns) as first, upper(turns) - 1 as last
    from (select conversation_id,
                 unnest(range_agg(int4range(number - {before}, number + {after}, '[]'))) as turns
          from (select * from by_words union all select * from by_meaning
                union all select * from by_time{or_by_vector}) chosen
          group by conversation_id) joined
), known as (
    select run.conversation_id, run.first, p.*
    from runs run
    cross join lateral (
        select count(*) as passages,
               string_agg(int8send((number::bigint << 32) | (octet_length(terms) / 4 << 17)
                                   | (marks::int << 1) | by_user::int)
                          || timestamptz_send(said_at) || float4send(nearness::float4){and_nearer},
                          '' order by number) as packed,
               string_agg(terms, '' order by number) as terms,
               string_agg(translate(speaker, chr(10), ' '), chr(10) order by number) as speakers
        from (select p.*, coalesce(-(embedding <#> %(meaning)s::halfvec), 0) as nearness{nearer}
              from memory_passage p
              where p.user_id = %(user)s and p.conversation_id = run.conversation_id
                and p.number between run.first and run.last
                and p.message_id is distinct from %(but)s::uuid) p) p
    where passages > 0
)
select string_agg(uuid_send(conversation_id) || int8send(passages), ''
                  order by conversation_id, first),
       string_agg(packed, '' order by conversation_id, first),
       string_agg(terms, '' order by conversation_id, first),
       string_agg(speakers, chr(10) order by conversation_id, first),
       (select array_agg(asked order by asked) from held),
       (select array_agg(passages order by asked) from held),
       (select total from newest)
from known
"""


def _conditions(only: PassageFilter) -> tuple[str, str]:
    """Return the conditions for the searches by words, and for those by meaning or time."""
    if only is ANYTHING:
        return "", ""
    near = only.conditions(of_place_and_time=True)
    # A phrase is found by its words; looking for it by meaning would read every text there is.
    return only.conditions(), f"{near} and false" if only.phrases else near


@cache
def _text(*, narrowed: bool, only: tuple[str, str] = ("", ""), by_vector: bool = False) -> str:
    here = "and p.conversation_id = %(conversation)s" if narrowed else ""
    near = BY_VECTOR.format(by_meaning_most=BY_MEANING, only=f"{here} {only[1]}")
    return _STATEMENT.format(
        by_vector=near if by_vector else "",
        or_by_vector=" union all select * from by_vector" if by_vector else "",
        and_nearer=" || float4send(nearer::float4)" if by_vector else "",
        nearer=NEARER if by_vector else "",
        only_words=f"{here} {only[0]}",
        only=f"{here} {only[1]}",
        dimensions=EMBEDDING_DIMENSIONS,
        kin=MOST_WORDS,
        worth=STAND_IN_WORTH,
        by_words_most=BY_WORDS,
        by_meaning_most=BY_MEANING,
        by_time_most=BY_TIME,
        measured_first=MEASURED_FIRST,
        most_a_span=MOST_A_SPAN,
        before=REACH_BEFORE,
        after=REACH_AFTER,
    )


def _parameters(wanted: CandidateQuery) -> dict[str, Any]:
    looked_up = list(_look_ups(wanted))
    parameters = {
        "user": wanted.user_id,
        "asked": array_literal(asked for asked, _, _ in looked_up),
        "words": array_literal(f'"{query}"' for _, query, _ in looked_up),
        "most": array_literal(most for _, _, most in looked_up),
        "meaning": None if wanted.meaning is None else terms.as_text(wanted.meaning),
        "signs": None if wanted.meaning is None else _signs(wanted.meaning),
        "from": array_literal(f'"{first.isoformat()}"' for first, _ in wanted.spans),
        "until": array_literal(f'"{after.isoformat()}"' for _, after in wanted.spans),
        "but": wanted.but,
    }
    if wanted.vector is not None:
        vector = wanted.vector.vector
        parameters |= {
            "model": wanted.vector.model_id,
            "vector": terms.as_text(vector),
            "vector_signs": _signs(vector),
        }
    if wanted.conversation is not None:
        parameters["conversation"] = wanted.conversation
    if wanted.only is not ANYTHING:
        parameters |= wanted.only.values()
    return parameters


def _signs(vector: Float32Array) -> str:
    """Return one bit per number, as the database derives them from a stored vector."""
    return np.where(vector > 0, b"1", b"0").tobytes().decode()


def _look_ups(query: CandidateQuery) -> Iterator[tuple[int, str, int]]:
    """Yield the look-ups, one per word and one for all its stand-ins: (which, query, limit).

    Lexemes are letters and digits only, so nothing in a query needs a quote.
    """
    numbers = query.numbers[:MOST_WORDS]
    most = min(MOST_A_WORD, MOST_IN_ALL // max(1, len(numbers)))
    for position, number in enumerate(numbers):
        yield position, lexeme_of(query.user_id, number), most
        kin = [lexeme_of(query.user_id, other) for other in query.stand_ins[position][:STAND_INS]]
        if kin and len(query.numbers) <= WORDS_ENOUGH:
            yield position + MOST_WORDS, " | ".join(kin), most // 2
