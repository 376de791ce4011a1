"""Retrieving candidate passages and the messages around them in one SQL statement.

A candidate shares a word with the question (or a related word), has a near embedding, or lies in
the time asked about. Each way reads at most a fixed number of the user's rows, so the cost does not
grow with other users' data.
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

# The number of passages by each way; with the messages around them a few hundred in all.
BY_WORDS, BY_MEANING, BY_TIME = 140, 70, 40
# The number of passages read for one word; a more common word says little. Its total is estimated
# from the places that these passages span, as they come roughly in the order of writing: if their
# middle half spans a tenth of all places, there are about five times as many. Long questions share
# MOST_IN_ALL.
MOST_A_WORD, MOST_IN_ALL = 100, 1_400
# The number of passages read for one time span, the latest first: a year may have very many.
MOST_A_SPAN = 200
# The number of words of a question that are looked up, and of related words for each.
MOST_WORDS = 16
STAND_INS = 3
# A question with more words than this does not need related words.
WORDS_ENOUGH = 5
# The number of newest passages whose distance is computed first; it limits the sorting of the
# others.
MEASURED_FIRST = 1_500
# The weight of a related word compared to the word itself in choosing candidates.
STAND_IN_WORTH = 0.4

# The returned binary format, in network byte order: passages, and runs of passages.
_PASSAGE = np.dtype(
    [
        # `bits`: number of words (15 bits), marks (16), whether the user said it (1).
        ("number", ">i4"),
        ("bits", ">u4"),
        ("said_at", ">i8"),
        ("nearness", ">f4"),
    ]
)
# The same with the similarity by endpoint vectors, NaN for a passage without one.
_PASSAGE_BOTH = np.dtype([*_PASSAGE.descr, ("nearer", ">f4")])
_RUN = np.dtype([("conversation", "V16"), ("passages", ">i8")])
# PostgreSQL counts microseconds since 2000; columns have seconds since 1970.
_MICROSECONDS, _FROM_1970_TO_2000 = 1e6, 946_684_800.0


@dataclass(frozen=True)
class PassageFilter:
    """Filters of a passage search.

    `conversations`: only in these; `elsewhere`: not in these. `by_person`: True for messages of the
    user or a named speaker of an imported dialogue, False for the assistant's. `phrases` are
    PostgreSQL regular expressions that must all match.
    """

    conversations: Sequence[UUID] | None = None
    elsewhere: Sequence[UUID] = ()
    since: datetime | None = None
    until: datetime | None = None
    by_person: bool | None = None
    phrases: Sequence[str] = ()

    def conditions(self, *, of_place_and_time: bool = False) -> str:
        """Return SQL conditions on `p`; `of_place_and_time` leaves out speaker and text."""
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
        """Return the parameters of the SQL conditions."""
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
    """A candidate search: word numbers with related words, an embedding, time spans.

    `vector` is the question's vector from an embedding endpoint, if there is one.
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
    """Candidates with the messages around them, and how common the question's words are.

    `conversation_ids` has 16 bytes per row; `holding` gives for each word number the estimated
    number of passages (of `total`) with the word; `by_endpoint`: similarities are by endpoint
    vectors.
    """

    rows: Columns
    conversation_ids: npt.NDArray[np.void]
    holding: Mapping[int, int]
    total: int
    by_endpoint: bool = False


def find(query: CandidateQuery, send: SendStatement) -> Callable[[], CandidateSet]:
    """Send the candidate query and return a function that fetches the result.

    Must run in the user's transaction.
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

# The text depends only on the kinds of filters, so that it is planned once.
#
# With any filter, the messages around a candidate are read too, because they are its context. The
# search by meaning ignores who said a message and its text, as reading these columns would read
# every row; so callers filter the candidates once more.
#
# The condition for a word is repeated three times for the planner: it assumes that any word occurs
# in 1/200 of all passages of all users, and would read all rows of the user instead of using the
# index; with 1/200 cubed it uses the index.
#
# Casts make PostgreSQL parse a value once; "bit" in quotes is a bit string of any length.
#
# The messages around all candidates of a conversation are joined to runs, so that each is read
# once, with one index look-up per run. The result is packed: a run as its conversation and its
# number of passages, a passage as a few bytes per column.
#
# The nearest passages by meaning are at most as far as the farthest of the nearest of the newest.
# So the distances of the newest are computed first; of the rest only passages within that distance
# are sorted.
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
    """Return the SQL conditions for the search by words, and for those by meaning or time."""
    if only is ANYTHING:
        return "", ""
    near = only.conditions(of_place_and_time=True)
    # A phrase is found by its words; searching it by meaning would read all texts.
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
    """Return one bit per dimension as text, like binary_quantize in PostgreSQL."""
    return np.where(vector > 0, b"1", b"0").tobytes().decode()


def _look_ups(query: CandidateQuery) -> Iterator[tuple[int, str, int]]:
    """Yield the look-ups, one per word and one for its related words: (index, tsquery, limit).

    Lexemes are letters and digits only, so queries need no quoting.
    """
    numbers = query.numbers[:MOST_WORDS]
    most = min(MOST_A_WORD, MOST_IN_ALL // max(1, len(numbers)))
    for position, number in enumerate(numbers):
        yield position, lexeme_of(query.user_id, number), most
        kin = [lexeme_of(query.user_id, other) for other in query.stand_ins[position][:STAND_INS]]
        if kin and len(query.numbers) <= WORDS_ENOUGH:
            yield position + MOST_WORDS, " | ".join(kin), most // 2
