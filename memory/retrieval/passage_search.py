"""Searching messages: the passages relevant to a question, best first, with reasons.

Two steps: candidates from the database (`passage_candidates`), then a precise score in Python
(`memory.retrieval.ranking`). No language model is needed.
"""

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from uuid import UUID

import numpy as np

from memory.core.statements import SendStatement, array_literal, fetch_rows, send_alone
from memory.language.dates import asked_times, time_expressions
from memory.language.dates.time_expressions import TimeSpan
from memory.language.message_provenance import TextStanding
from memory.language.text import terms
from memory.retrieval import measures, ongoing_topic, passage_candidates, ranking
from memory.retrieval.measures import AskedTime, Bools, Floats, Ints, RankingQuestion
from memory.retrieval.passage_candidates import ANYTHING, PassageFilter
from memory.retrieval.passage_vectors import QueryVector, query_vector
from memory.retrieval.ranking import Factor

# A name inside a question is searched by its letters only, as its embedding means nothing.
_NAME = re.compile(r"(?<!^)(?<![.?!] )\b[A-Z][a-z]+")
# The share of known words from which on a question is in a language of the built-in vectors.
_MOSTLY_KNOWN = 0.75
# The user asks about themselves ...
_OF_ASKER = re.compile(r"\b(?:i|i'm|i've|i'd|i'll|my|me|mine|we|our|us)\b")
# ... unless they ask about the assistant's answers.
_OF_ANSWERS = re.compile(
    r"\b(?:did you (?:say|suggest|recommend|tell|give|advise|propose|mention)"
    r"|you (?:said|suggested|recommended|told|gave|advised|proposed|mentioned)"
    r"|your (?:suggestion|recommendation|advice|answer)s?)\b"
)

# The user asks for several things: plural nouns, "both", or "have ever". The answers are in many
# conversations, and the best one must not take all places.
_SEVERAL = re.compile(
    r"\bhow many\b|\bboth\b|\b(?:what|which|who|where) (?:are|were)\b"
    r"|\b(?:what|which|who|where|how)\b[^?]{0,60}?\b(?:has|have|'ve)\b"
    r"|\b(?:what|which)(?: (?!(?:is|do|does|did|had|was|will|would|can|could|should|might|may)\b)"
    r"[\w+/'-]+){0,3}? (?!(?:does|its|always|news|\w*(?:as|is|ss|us))\b)[a-z+/-]+s\b(?!')"
)


@dataclass(frozen=True)
class Hit:
    """A message relevant to a question; scores are comparable within one search only."""

    message_id: UUID
    conversation_id: UUID
    number: int
    speaker: str
    by_user: bool
    said_at: datetime
    text: str
    score: float
    factors: tuple[Factor, ...]
    # The standing of `text` if it is only a part of the message.
    standing: TextStanding = TextStanding.OWN
    # For example "replaced by: Lives in Hull", if a later message changed what the text says.
    outdated: str = ""


# The first fields of a Hit in order, and the key of a passage: conversation and number.
PassageRow = tuple[UUID, UUID, int, str, bool, datetime, str]
PassageKey = tuple[UUID, int]


@dataclass(frozen=True)
class _Question:
    """A parsed question: its content words, each stem once, embedding, time spans."""

    words: list[str]
    numbers: list[int]
    meaning: terms.Float32Array | None
    spans: list[TimeSpan]
    text: str
    asked_at: datetime
    vector: QueryVector | None = None

    @property
    def is_empty(self) -> bool:
        """Whether the question has neither words nor times to search for."""
        return not (self.numbers or self.spans)


def search_passages(
    user_id: UUID,
    question: str,
    *,
    k: int,
    asked_at: datetime,
    but: UUID | None = None,
    conversation: UUID | None = None,
    only: PassageFilter = ANYTHING,
    in_private: bool = False,
) -> list[Hit]:
    """Return the `k` passages of a user most relevant to a question, best first.

    `asked_at` (with a time zone) is the reference for 'yesterday'; `but` is a message to leave out,
    usually the question itself; `conversation` and `only` limit the search. A question `in_private`
    is sent to no embedding endpoint. Must run in the user's transaction; two queries. An empty
    question returns [].
    """
    if k <= 0:
        return []
    ranked = rank_passages_later(
        user_id,
        question,
        send_alone,
        asked_at=asked_at,
        but=but,
        conversation=conversation,
        only=only,
        in_private=in_private,
    )()
    best = ranked.best if only is not ANYTHING else ranked.best[:k]
    rows = _passage_rows(user_id, ranked.keys(best), k, only) if len(best) else {}
    # Some of the best may be neighbours that the filter excludes.
    return ranked.hits(best, rows)


@dataclass(frozen=True)
class RankedPassages:
    """Ranked candidates without texts; `best` are row numbers in `found` by score."""

    found: passage_candidates.CandidateSet
    strengths: Mapping[str, Floats]
    scores: Floats
    best: Ints
    weights: Mapping[str, float] = field(default_factory=lambda: ranking.WEIGHTS)

    def by_somebody(self, row: int) -> bool:
        """Return whether the user or a named speaker of an imported dialogue said a row."""
        return bool(self.found.rows.by_user[row] or self.found.rows.speakers[row])

    def any_of(self, factors: Iterable[str]) -> Bools:
        """Return for every row whether any of these factors is positive."""
        counts: Bools = np.any([self.strengths[name] > 0 for name in factors], axis=0)
        return counts

    def keys(self, rows: Iterable[int]) -> list[PassageKey]:
        """Return the keys (conversation and number) of rows, for reading their texts."""
        ids, numbers = self.found.conversation_ids, self.found.rows.number
        return [(UUID(bytes=ids[row].tobytes()), int(numbers[row])) for row in rows]

    def hits(self, rows: Sequence[int] | Ints, said: Mapping[PassageKey, PassageRow]) -> list[Hit]:
        """Return rows as hits with their reasons, without rows that `said` lacks."""
        keyed = zip(rows, self.keys(rows), strict=True)
        there = [(row, said[key]) for row, key in keyed if key in said]
        if not there:
            return []
        rows_there = np.array([row for row, _ in there], np.int64)
        reasons = ranking.explain(self.strengths, rows_there, self.weights)
        return [
            Hit(*values, score=float(self.scores[row]), factors=factors)
            for (row, values), factors in zip(there, reasons, strict=True)
        ]


def rank_passages_later(
    user_id: UUID,
    question: str,
    send: SendStatement,
    *,
    asked_at: datetime,
    but: UUID | None = None,
    conversation: UUID | None = None,
    only: PassageFilter = ANYTHING,
    in_private: bool = False,
) -> Callable[[], RankedPassages]:
    """Send the first query of `search_passages`; return a function that fetches and ranks."""
    asked = _parse_question(question, asked_at)
    if asked.is_empty:
        return lambda: _ranked(asked, passage_candidates.NOTHING)
    if not in_private:
        asked = replace(asked, vector=query_vector(_without_names(question)))
    candidates = passage_candidates.find(
        _candidate_query(user_id, asked, but, conversation, only), send
    )
    return lambda: _ranked(asked, candidates())


def _ranked(question: _Question, candidates: passage_candidates.CandidateSet) -> RankedPassages:
    weights = ranking.ENDPOINT_WEIGHTS if candidates.by_endpoint else ranking.WEIGHTS
    asked = _question_measures(question, candidates)
    strengths = ranking.factors(candidates.rows, asked, weights)
    scores = ranking.total(strengths, weights)
    # Ties in the order of time, so that equal questions give equal results.
    return RankedPassages(
        candidates, strengths, scores, np.lexsort((candidates.rows.said_at, -scores)), weights
    )


def _candidate_query(
    user_id: UUID,
    question: _Question,
    but: UUID | None,
    conversation: UUID | None,
    only: PassageFilter = ANYTHING,
) -> passage_candidates.CandidateQuery:
    # Words that name a time are not searched: messages of June need not contain "June".
    of_time = {number for span in question.spans for number in _numbers(span)}
    words = [
        word for word, n in zip(question.words, question.numbers, strict=True) if n not in of_time
    ]
    return passage_candidates.CandidateQuery(
        user_id=user_id,
        numbers=[terms.stem_id(word) for word in words],
        stand_ins=[[number for number, _ in terms.find_related_stems(word)] for word in words],
        meaning=question.meaning,
        spans=[span.bounds(question.asked_at) for span in question.spans],
        but=but,
        conversation=conversation,
        only=only,
        vector=question.vector,
    )


def prefetch_question_vector(question: str) -> None:
    """Request the embedding of a question before the transaction that needs it, and cache it.

    Does nothing without an embedding endpoint.
    """
    query_vector(_without_names(question))


def _without_names(question: str) -> str:
    """Return the question without names, whose embeddings do not help.

    Unchanged in languages that the built-in vectors do not know, where any noun may be capitalised.
    """
    small = [word for word in question.split() if word.islower()]
    known = sum(terms.is_ordinary_word(word.strip(",.?!;:")) for word in small)
    if known < _MOSTLY_KNOWN * len(small):
        return question
    return " ".join(_NAME.sub(" ", question).split()) or question


def _parse_question(question: str, asked_at: datetime) -> _Question:
    words: dict[int, str] = {}
    for word in terms.content_words(question):
        words.setdefault(terms.stem_id(word), word)
    names = {name.lower() for name in _NAME.findall(question)}
    common = [word for word in words.values() if word not in names] or list(words.values())
    return _Question(
        words=list(words.values()),
        numbers=list(words),
        meaning=terms.meaning_vectors([" ".join(common)])[0] if common else None,
        spans=asked_times.find_asked_times(question, asked_at),
        text=question,
        asked_at=asked_at,
    )


def _question_measures(
    question: _Question, candidates: passage_candidates.CandidateSet
) -> RankingQuestion:
    """Return the question for ranking, with the named speaker and the rarity of words."""
    speakers = {
        terms.stem_id(word): speaker
        for speaker in set(candidates.rows.speakers)
        for word in terms.split_words(speaker)
    }
    kept = [position for position, n in enumerate(question.numbers) if n not in speakers]
    numbers = [question.numbers[position] for position in kept]
    lower = question.text.lower().replace("’", "'")
    return RankingQuestion(
        numbers=numbers,
        rarity=measures.rarity(
            [_holding(candidates, number) for number in numbers], candidates.total
        ),
        related=[terms.find_related_stems(question.words[position]) for position in kept],
        names=frozenset(speakers[n] for n in question.numbers if n in speakers),
        about_asker=bool(_OF_ASKER.search(lower)) and not _OF_ANSWERS.search(lower),
        asks_when=asked_times.asks_when(question.text),
        asks_several=bool(_SEVERAL.search(lower)),
        goes_on=ongoing_topic.goes_on(lower),
        only_time=bool(question.spans) and _only_time(question, speakers.keys()),
        times=[_time(span, question.asked_at, numbers) for span in question.spans],
        asked_at=question.asked_at.timestamp(),
    )


def _holding(candidates: passage_candidates.CandidateSet, number: int) -> float:
    """Return the number of passages with a word, estimated from the candidates if unknown."""
    counted = candidates.holding.get(number)
    if counted is not None:
        return counted
    there = np.count_nonzero(candidates.rows.terms == number)
    return min(1.0, there / max(len(candidates.rows), 1)) * candidates.total


def _time(span: TimeSpan, asked_at: datetime, numbers: list[int]) -> AskedTime:
    first, after = span.bounds(asked_at)
    said_on = _numbers(span)
    return AskedTime(
        first=first.timestamp(),
        after=after.timestamp(),
        strength=span.width.value,
        words=[position for position, number in enumerate(numbers) if number in said_on],
    )


def _only_time(question: _Question, speakers: Collection[int]) -> bool:
    """Return whether the question asks for nothing but a time: "What did I do last May?"."""
    of_time = {number for span in question.spans for number in _numbers(span)}
    return all(
        number in of_time or number in speakers or word in time_expressions.WHATEVER
        for word, number in zip(question.words, question.numbers, strict=True)
    )


def _numbers(span: TimeSpan) -> set[int]:
    """Return the numbers of the words of a time expression."""
    return {terms.stem_id(word) for word in terms.split_words(span.words)}


_SAID = """
select p.message_id, p.conversation_id, p.number, p.speaker, p.by_user, p.said_at, p.text
from unnest(%(conversations)s::text::uuid[], %(numbers)s::text::int[])
     as wanted(conversation, number)
cross join lateral (
    select * from memory_passage
    where user_id = %(user)s and conversation_id = wanted.conversation
      and number = wanted.number offset 0) p
"""
# For a filtered search all candidates are passed in order; reading stops after the last wanted one.
_SAID_OF = """
select p.message_id, p.conversation_id, p.number, p.speaker, p.by_user, p.said_at, p.text
from unnest(%(conversations)s::text::uuid[], %(numbers)s::text::int[])
     with ordinality as wanted(conversation, number, place)
cross join lateral (
    select * from memory_passage p
    where user_id = %(user)s and conversation_id = wanted.conversation
      and number = wanted.number {only} offset 0) p
order by wanted.place limit %(most)s
"""


def _passage_rows(
    user_id: UUID, keys: Sequence[PassageKey], most: int, only: PassageFilter
) -> dict[PassageKey, PassageRow]:
    """Return passages as tuples by key: model instances would take longer than the query."""
    wanted = {
        "user": user_id,
        "conversations": array_literal(conversation for conversation, _ in keys),
        "numbers": array_literal(number for _, number in keys),
    }
    statement = _SAID
    if only is not ANYTHING:
        statement = _SAID_OF.format(only=only.conditions())
        wanted |= {"most": most, **only.values()}
    return {row[1:3]: row for row in fetch_rows(statement, wanted)}
