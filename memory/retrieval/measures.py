"""Ranking measures of passages: pure functions over numpy columns.

A message is understood from its context, so measures include the messages around it; each is
computed for all candidates at once.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import IntFlag
from functools import cached_property

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]

# BM25's usual constants, https://dl.acm.org/doi/10.1561/1500000019
_K1, _B = 1.2, 0.75
# Weights of the words in messages around a passage, by distance: positive before it, negative after
# it.
_NEARBY_WORDS = {1: 0.6, 2: 0.4, -1: 0.4, -2: 0.2}
_NEARBY_COVER = {1: 0.8, 2: 0.6, 3: 0.4, -1: 0.6, -2: 0.4}
# Above this number of content words a message is long. It borrows less meaning from the message
# before it, lends less to its neighbours, and covers a word of the question more easily by chance.
_LONG = 20
_CHANCE = 0.25
_BEFORE_MEANS = 0.5
# Smaller differences in meaning are not scaled to the whole range: with a new user's few messages
# the smallest difference would decide otherwise.
_DIFFERENT = 0.5
# The least weight of a message in the asked time, if it matches nothing else in the question.
_SAID_THEN = 0.3
# Days after which the bonus of a new passage has fallen to 1/e. A question that continues a topic
# gets the whole bonus, any other question the share _OF_ANY_TIME.
_FADES_IN_DAYS = 30.0
_OF_ANY_TIME = 1 / 6
_DAY = 86_400.0
_LAST_BITS = 0xFFFF
# How many messages before and after a passage are needed for the windows above.
REACH_BEFORE, REACH_AFTER = 3, 2


class PassageMarks(IntFlag):
    """Flags of a passage, set when it is indexed."""

    ASKS = 1
    TELLS_WHEN = 2
    STANDING = 4
    OF_SPEAKER = 8
    MATTERS = 32


# The two marks of a passage that says something about its speaker; each counts half.
_TELLING = (PassageMarks.OF_SPEAKER, PassageMarks.MATTERS)


@dataclass(frozen=True)
class Columns:
    """Candidates and the messages around them, sorted by conversation and number; one row each.

    `conversation` has equal numbers for equal conversations; `said_at` is in seconds since 1970;
    `nearness` is the cosine of question and passage, -1..1; `lengths` are the numbers of content
    words; `terms` are the numbers of these words, concatenated row by row.
    """

    conversation: Ints
    number: Ints
    by_user: Bools
    speakers: Sequence[str]
    said_at: npt.NDArray[np.float64]
    marks: Ints
    nearness: Floats
    lengths: Ints
    terms: npt.NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.number)

    @cached_property
    def brevity(self) -> Floats:
        """1 for each normal message, proportionally less for a long one."""
        short: Floats = np.minimum(1.0, _LONG / np.maximum(self.lengths, 1)).astype(np.float32)
        return short

    @cached_property
    def conversations(self) -> tuple[Ints, Ints]:
        """The first row and the number of rows of each conversation."""
        begins = np.flatnonzero(np.diff(self.conversation, prepend=-1)).astype(np.int64)
        return begins, np.diff(begins, append=len(self))


@dataclass(frozen=True)
class AskedTime:
    """A time span in a question, in seconds since 1970.

    `strength` is higher for narrower spans; `words` are indexes into `RankingQuestion.numbers`.
    """

    first: float
    after: float
    strength: float
    words: Sequence[int] = ()


@dataclass(frozen=True)
class RankingQuestion:
    """A parsed question. `rarity` and `related` have one entry for each of `numbers`.

    `goes_on`: the question continues a topic, see `ongoing_topic`. `only_time`: it asks for
    everything in its `times`.
    """

    numbers: Sequence[int]
    rarity: Floats
    related: Sequence[Sequence[tuple[int, float]]]
    names: frozenset[str] = frozenset()
    about_asker: bool = False
    asks_when: bool = False
    asks_several: bool = False
    goes_on: bool = False
    times: Sequence[AskedTime] = ()
    only_time: bool = False
    asked_at: float = 0.0


def rarity(holding: npt.ArrayLike, total: int) -> Floats:
    """Return the BM25 idf of words that occur in `holding` of `total` passages; never negative."""
    holding_counts = np.minimum(np.asarray(holding, np.float32), total)
    weights: Floats = np.log1p((total - holding_counts + 0.5) / (holding_counts + 0.5)).astype(
        np.float32
    )
    return weights


def on_one_scale(near: Floats, nearer: Floats) -> Floats:
    """Return `nearer`, with NaN replaced by values of `near` scaled to its range."""
    known = ~np.isnan(nearer)
    width = max(float(near[known].std()), 1e-6)
    stretched = (near - near[known].mean()) * (nearer[known].std() / width) + nearer[known].mean()
    joined: Floats = np.where(known, nearer, stretched).astype(np.float32)
    return joined


class Surroundings:
    """Access to the values of neighbouring messages in a conversation.

    Rows are sorted, so a message `step` numbers away is `step` rows away if none is missing.
    """

    def __init__(self, rows: Columns) -> None:
        steps = {abs(turns) for turns in (*_NEARBY_COVER, *_NEARBY_WORDS)}
        # As floats, because numpy converts booleans at each multiplication.
        self._joined = {
            step: (
                (rows.conversation[step:] == rows.conversation[:-step])
                & (rows.number[step:] == rows.number[:-step] + step)
            ).astype(np.float32)
            for step in steps
        }

    def shifted(self, values: Floats, turns: int) -> Floats:
        """Return for every row the value `turns` messages before it (after, if negative), or 0."""
        step, moved = abs(turns), np.zeros_like(values)
        there, here = (
            (moved[step:], values[:-step]) if turns > 0 else (moved[:-step], values[step:])
        )
        joined = self._joined[step]
        np.multiply(here, joined if values.ndim == 1 else joined[:, None], out=there)
        return moved


def matches(rows: Columns, measures: RankingQuestion) -> tuple[Floats, Floats]:
    """Return two arrays (passages × words): occurrences of each word, and weights of stand-ins."""
    shape = (len(rows), len(measures.numbers))
    exact, kindred = np.zeros(shape, np.float32), np.zeros(shape, np.float32)
    if not measures.numbers or not len(rows.terms):
        return exact, kindred
    known, table = _lookup(measures)
    # Few words match, so comparing the lowest bits excludes most of the others.
    likely = np.zeros(_LAST_BITS + 1, np.bool_)
    likely[known & _LAST_BITS] = True
    hits = np.flatnonzero(likely.take(rows.terms & _LAST_BITS))
    place = np.minimum(np.searchsorted(known, rows.terms[hits]), len(known) - 1)
    same = known[place] == rows.terms[hits]
    row_of = np.searchsorted(np.cumsum(rows.lengths), hits[same], side="right")
    counts = table[place[same]]
    hit, column = np.nonzero(counts)
    # One-dimensional, because numpy is several times as fast then.
    cell, counted = row_of[hit] * shape[1] + column, counts[hit, column]
    whole = counted == 1
    np.add.at(exact.reshape(-1), cell[whole], np.float32(1))
    np.maximum.at(kindred.reshape(-1), cell[~whole], counted[~whole])
    return exact, kindred


def _lookup(measures: RankingQuestion) -> tuple[npt.NDArray[np.int32], Floats]:
    """Return word numbers, sorted, and their weights as an array (numbers × question words)."""
    counts: dict[int, dict[int, float]] = {}
    for column, (own, kin) in enumerate(zip(measures.numbers, measures.related, strict=True)):
        for other, weight in kin:
            counts.setdefault(other, {})[column] = weight
        counts.setdefault(own, {})[column] = 1.0
    known = np.array(sorted(counts), np.int32)
    table = np.zeros((len(known), len(measures.numbers)), np.float32)
    for line, word in enumerate(known):
        for column, weight in counts[int(word)].items():
            table[line, column] = weight
    return known, table


def bm25_in_context(
    exact: Floats, rows: Columns, measures: RankingQuestion, around: Surroundings
) -> Floats:
    """Return the BM25F score: the messages around a passage are fields with lower weights."""
    lengths = rows.lengths.astype(np.float32)
    lends = rows.brevity
    lent, lent_lengths = exact * lends[:, None], lengths * lends
    counts = exact.copy()
    for turns, weight in _NEARBY_WORDS.items():
        counts += np.float32(weight) * around.shifted(lent, turns)
        lengths += np.float32(weight) * around.shifted(lent_lengths, turns)
    return _bm25(counts, lengths, measures.rarity)


def bm25_of_conversation(exact: Floats, rows: Columns, measures: RankingQuestion) -> Floats:
    """Return, for each passage, the BM25 score of its whole conversation.

    Nearly all passages with a word of the question are candidates, so the candidates of a
    conversation are summed.
    """
    begins, sizes = rows.conversations
    counts = np.add.reduceat(exact, begins)
    return np.repeat(_bm25(counts, sizes.astype(np.float32), measures.rarity), sizes)


def _bm25(counts: Floats, lengths: Floats, rarities: Floats) -> Floats:
    average = np.float32(max(float(lengths.mean()), 1e-6))
    norm = (_K1 * (1 - _B + _B * lengths / average)).astype(np.float32)
    saturated = (counts * (_K1 + 1) / (counts + norm[:, None])).astype(np.float32)
    scored: Floats = saturated @ rarities
    return scored


def cover(known: Floats, rows: Columns, measures: RankingQuestion, around: Surroundings) -> Floats:
    """Return how much of the question is covered around each passage: each word counts once."""
    own = known.astype(np.float32) * (rows.brevity**_CHANCE)[:, None]
    best = own.copy()
    for turns, weight in _NEARBY_COVER.items():
        np.maximum(best, np.float32(weight) * around.shifted(own, turns), out=best)
    covered: Floats = best @ measures.rarity
    return covered


def meaning(rows: Columns, around: Surroundings) -> Floats:
    """Return the embedding similarity; a short message borrows from a short one before it."""
    brevity = rows.brevity
    before = around.shifted(rows.nearness * brevity, 1)
    similarity: Floats = rows.nearness + np.float32(_BEFORE_MEANS) * brevity * before
    return similarity


def best_of_conversation(values: Floats, rows: Columns) -> Floats:
    """Return for every passage the greatest value in its conversation."""
    begins, lengths = rows.conversations
    best: Floats = np.repeat(np.maximum.reduceat(values, begins), lengths)
    return best


def better_in_conversation(scores: Floats, rows: Columns) -> Floats:
    """Return for every passage the number of better passages in its conversation."""
    begins, lengths = rows.conversations
    better = np.empty(len(rows), np.float32)
    best_first = np.lexsort((-scores, rows.conversation))
    better[best_first] = np.arange(len(rows)) - np.repeat(begins, lengths)
    return better


def by_the_one_named(rows: Columns, measures: RankingQuestion) -> Floats:
    """Return 1 for messages of the one speaker whom the question names; 0 if it names several."""
    if len(measures.names) != 1:
        return np.zeros(len(rows), np.float32)
    return np.fromiter((s in measures.names for s in rows.speakers), np.float32, len(rows))


def date(rows: Columns, measures: RankingQuestion, exact: Floats) -> Floats:
    """Return the strength of the best matching time span; within three days of a day counts 0.8."""
    best = np.zeros(len(rows), np.float32)
    for span in measures.times:
        fits = (rows.said_at >= span.first) & (rows.said_at < span.after)
        if len(span.words) > 1:
            fits |= (exact[:, list(span.words)] > 0).all(axis=1)
        np.maximum(best, np.float32(span.strength) * fits, out=best)
        if span.after - span.first <= _DAY:
            near = (rows.said_at >= span.first - 3 * _DAY) & (rows.said_at < span.after + 3 * _DAY)
            np.maximum(best, np.float32(span.strength * 0.8) * near, out=best)
    return best


def tells_of_a_time(rows: Columns, to_asker: bool) -> Floats:
    """Return 0 for messages that do not fit a question about a time, else 1.

    In chats these are messages that only ask and, if the asker is meant, the assistant's.
    """
    in_chat = np.fromiter((not speaker for speaker in rows.speakers), np.bool_, len(rows))
    tells = marked(rows, PassageMarks.MATTERS) > 0
    only_asks = (marked(rows, PassageMarks.ASKS) > 0) & ~tells
    return (~(in_chat & (only_asks | (to_asker & ~rows.by_user)))).astype(np.float32)


def relevance_of_then(
    exact: Floats, kindred: Floats, rows: Columns, measures: RankingQuestion, around: Surroundings
) -> Floats:
    """Return how well messages in a time span fit the rest of the question, _SAID_THEN to 1."""
    of_time = {position for span in measures.times for position in span.words}
    rest = [position not in of_time for position in range(len(measures.numbers))]
    if measures.only_time or not any(rest):
        return np.ones(len(rows), np.float32)
    others = replace(measures, rarity=measures.rarity * np.array(rest, np.float32))
    covered = cover(np.maximum(exact > 0, kindred), rows, others, around)
    share = np.minimum(covered / np.float32(max(float(others.rarity.sum()), 1e-6)), 1)
    bears: Floats = np.float32(_SAID_THEN) + np.float32(1 - _SAID_THEN) * share
    return bears


def recent(rows: Columns, measures: RankingQuestion) -> Floats:
    """Return how recent each passage is, 0..1; less if the question does not continue a topic."""
    days = np.maximum(measures.asked_at - rows.said_at, 0) / _DAY
    fresh = np.exp(-days / _FADES_IN_DAYS).astype(np.float32)
    return fresh if measures.goes_on else fresh * np.float32(_OF_ANY_TIME)


def personal(rows: Columns) -> Floats:
    """Return how much a passage says about its speaker, 0..1; less for long passages."""
    marks = np.mean([marked(rows, mark) for mark in _TELLING], axis=0, dtype=np.float32)
    return marks * rows.brevity


def marked(rows: Columns, mark: PassageMarks) -> Floats:
    """Return 1 for each passage with one of these marks, else 0."""
    return ((rows.marks & int(mark)) > 0).astype(np.float32)


def scaled(values: Floats) -> Floats:
    """Return the values divided by the greatest one."""
    most = float(values.max(initial=0.0))
    return values / np.float32(most) if most > 0 else np.zeros_like(values)


def between(values: Floats, different: float = _DIFFERENT) -> Floats:
    """Return the values scaled to 0..1; ranges below `different` are not stretched."""
    low = float(values.min())
    width = max(float(values.max()) - low, different)
    placed: Floats = (values - np.float32(low)) / np.float32(width)
    return placed
