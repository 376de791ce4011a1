"""Ranking measures of passages: pure functions over columns of numbers.

A passage is understood from its context, so every measure looks at the turns around it; all are
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
# What the turns around a passage add to its own words: by how many turns before (positive) or
# after (negative) they stand.
_NEARBY_WORDS = {1: 0.6, 2: 0.4, -1: 0.4, -2: 0.2}
_NEARBY_COVER = {1: 0.8, 2: 0.6, 3: 0.4, -1: 0.6, -2: 0.4}
# Above this many telling words a message is long. It stands for itself, so it borrows less meaning
# from the turn before; it speaks of many things, so it lends less to its neighbours, and covers a
# word of the question more easily by chance.
_LONG = 20
_CHANCE = 0.25
_BEFORE_MEANS = 0.5
# Meanings nearer to each other than this are not spread over the whole scale: among a new person's
# first few messages the least difference would otherwise decide.
_DIFFERENT = 0.5
# What it counts to be said in the time asked about, where nothing else that is asked is spoken of.
_SAID_THEN = 0.3
# After this many days a passage is worth a third of a new one's bonus. Whoever goes on with
# something gets the whole of it; any other question may mean whenever.
_FADES_IN_DAYS = 30.0
_OF_ANY_TIME = 1 / 6
_DAY = 86_400.0
_LAST_BITS = 0xFFFF
# How far around the passage turns must be known: the reach of the windows above.
REACH_BEFORE, REACH_AFTER = 3, 2


class PassageMarks(IntFlag):
    """Flags of a passage, set when it is indexed."""

    ASKS = 1
    TELLS_WHEN = 2
    STANDING = 4
    OF_SPEAKER = 8
    MATTERS = 32


# What says that a passage tells something of its speaker, each half of it.
_TELLING = (PassageMarks.OF_SPEAKER, PassageMarks.MATTERS)


@dataclass(frozen=True)
class Columns:
    """Candidates and the turns around them, sorted by conversation and number; one row each.

    `conversation` holds equal numbers for equal conversations; `said_at` is in seconds since 1970;
    `nearness` the cosine of question and passage, -1..1; `lengths` how many telling words each has;
    `terms` the numbers of all those words, one row's after the other's.
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
        """Return 1 for an ordinary turn, less in proportion for a long one."""
        short: Floats = np.minimum(1.0, _LONG / np.maximum(self.lengths, 1)).astype(np.float32)
        return short

    @cached_property
    def conversations(self) -> tuple[Ints, Ints]:
        """Return the first row and the number of rows of each conversation."""
        begins = np.flatnonzero(np.diff(self.conversation, prepend=-1)).astype(np.int64)
        return begins, np.diff(begins, append=len(self))


@dataclass(frozen=True)
class AskedTime:
    """A time span in a question, in seconds since 1970; `words`: places in
    `RankingQuestion.numbers`.
    """

    first: float
    after: float
    strength: float
    words: Sequence[int] = ()


@dataclass(frozen=True)
class RankingQuestion:
    """A parsed question. `rarity` and `related` have one entry for each of `numbers`.

    `goes_on`: it continues an ongoing topic, see `ongoing_topic`. `only_time`: it asks for anything
    in its `times`.
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
    """Return BM25's idf of words that `holding` of `total` passages have; never negative."""
    holding_counts = np.minimum(np.asarray(holding, np.float32), total)
    weights: Floats = np.log1p((total - holding_counts + 0.5) / (holding_counts + 0.5)).astype(
        np.float32
    )
    return weights


def on_one_scale(near: Floats, nearer: Floats) -> Floats:
    """Return `nearer`, filled up where it is NaN by `near` on the same scale."""
    known = ~np.isnan(nearer)
    width = max(float(near[known].std()), 1e-6)
    stretched = (near - near[known].mean()) * (nearer[known].std() / width) + nearer[known].mean()
    joined: Floats = np.where(known, nearer, stretched).astype(np.float32)
    return joined


class Surroundings:
    """The rows that stand a number of turns before or after each row of a conversation.

    Rows are sorted, so of numbers `step` apart with nothing missing between, one is `step` rows on.
    """

    def __init__(self, rows: Columns) -> None:
        steps = {abs(turns) for turns in (*_NEARBY_COVER, *_NEARBY_WORDS)}
        # As numbers: to multiply with truth values numpy converts them anew each time.
        self._joined = {
            step: (
                (rows.conversation[step:] == rows.conversation[:-step])
                & (rows.number[step:] == rows.number[:-step] + step)
            ).astype(np.float32)
            for step in steps
        }

    def shifted(self, values: Floats, turns: int) -> Floats:
        """Return for every row the value of the row `turns` before it (after, if
        negative), or 0.
        """
        step, moved = abs(turns), np.zeros_like(values)
        there, here = (
            (moved[step:], values[:-step]) if turns > 0 else (moved[:-step], values[step:])
        )
        joined = self._joined[step]
        np.multiply(here, joined if values.ndim == 1 else joined[:, None], out=there)
        return moved


def matches(rows: Columns, measures: RankingQuestion) -> tuple[Floats, Floats]:
    """Return two tables (passages by words): how often each word occurs, how near a stand-in."""
    shape = (len(rows), len(measures.numbers))
    exact, kindred = np.zeros(shape, np.float32), np.zeros(shape, np.float32)
    if not measures.numbers or not len(rows.terms):
        return exact, kindred
    known, table = _lookup(measures)
    # Few of many words are known: the last bits tell most of the others apart at once.
    likely = np.zeros(_LAST_BITS + 1, np.bool_)
    likely[known & _LAST_BITS] = True
    hits = np.flatnonzero(likely.take(rows.terms & _LAST_BITS))
    place = np.minimum(np.searchsorted(known, rows.terms[hits]), len(known) - 1)
    same = known[place] == rows.terms[hits]
    row_of = np.searchsorted(np.cumsum(rows.lengths), hits[same], side="right")
    counts = table[place[same]]
    hit, column = np.nonzero(counts)
    # In one dimension, where numpy is several times as fast.
    cell, counted = row_of[hit] * shape[1] + column, counts[hit, column]
    whole = counted == 1
    np.add.at(exact.reshape(-1), cell[whole], np.float32(1))
    np.maximum.at(kindred.reshape(-1), cell[~whole], counted[~whole])
    return exact, kindred


def _lookup(measures: RankingQuestion) -> tuple[npt.NDArray[np.int32], Floats]:
    """Return sorted word numbers, with the weight of each for each word of the question."""
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
    """Return BM25F: the turns around a passage are fields with lower weights."""
    lengths = rows.lengths.astype(np.float32)
    lends = rows.brevity
    lent, lent_lengths = exact * lends[:, None], lengths * lends
    counts = exact.copy()
    for turns, weight in _NEARBY_WORDS.items():
        counts += np.float32(weight) * around.shifted(lent, turns)
        lengths += np.float32(weight) * around.shifted(lent_lengths, turns)
    return _bm25(counts, lengths, measures.rarity)


def bm25_of_conversation(exact: Floats, rows: Columns, measures: RankingQuestion) -> Floats:
    """Return the BM25 score of each passage's whole conversation.

    Every passage with a word of the question is normally among the candidates, so their sum is that
    of the conversation.
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
    """Return the share of the question covered here: each word once, the nearest mention counts."""
    own = known.astype(np.float32) * (rows.brevity**_CHANCE)[:, None]
    best = own.copy()
    for turns, weight in _NEARBY_COVER.items():
        np.maximum(best, np.float32(weight) * around.shifted(own, turns), out=best)
    covered: Floats = best @ measures.rarity
    return covered


def meaning(rows: Columns, around: Surroundings) -> Floats:
    """Return the vector similarity; a short turn borrows from a short one before it."""
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
    """Return for every passage how many of its conversation score better."""
    begins, lengths = rows.conversations
    better = np.empty(len(rows), np.float32)
    best_first = np.lexsort((-scores, rows.conversation))
    better[best_first] = np.arange(len(rows)) - np.repeat(begins, lengths)
    return better


def by_the_one_named(rows: Columns, measures: RankingQuestion) -> Floats:
    """Return 1 for turns of the only speaker whom the question names; two names count as none."""
    if len(measures.names) != 1:
        return np.zeros(len(rows), np.float32)
    return np.fromiter((s in measures.names for s in rows.speakers), np.float32, len(rows))


def date(rows: Columns, measures: RankingQuestion, exact: Floats) -> Floats:
    """Return the strength of the narrowest time span it lies in; three days near a day nearly
    count.
    """
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
    """Return 0 for chat that only asks, or is the assistant's though the user is meant; else 1."""
    in_chat = np.fromiter((not speaker for speaker in rows.speakers), np.bool_, len(rows))
    tells = marked(rows, PassageMarks.MATTERS) > 0
    only_asks = (marked(rows, PassageMarks.ASKS) > 0) & ~tells
    return (~(in_chat & (only_asks | (to_asker & ~rows.by_user)))).astype(np.float32)


def relevance_of_then(
    exact: Floats, kindred: Floats, rows: Columns, measures: RankingQuestion, around: Surroundings
) -> Floats:
    """Return how well messages of a time fit the rest of the question, from _SAID_THEN to 1."""
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
    """Return how new each passage is, fully only if the question continues a topic."""
    days = np.maximum(measures.asked_at - rows.said_at, 0) / _DAY
    fresh = np.exp(-days / _FADES_IN_DAYS).astype(np.float32)
    return fresh if measures.goes_on else fresh * np.float32(_OF_ANY_TIME)


def personal(rows: Columns) -> Floats:
    """Return how much a passage tells about its speaker; long ones are mostly other matter."""
    marks = np.mean([marked(rows, mark) for mark in _TELLING], axis=0, dtype=np.float32)
    return marks * rows.brevity


def marked(rows: Columns, mark: PassageMarks) -> Floats:
    """Return 1 for passages with any of these marks."""
    return ((rows.marks & int(mark)) > 0).astype(np.float32)


def scaled(values: Floats) -> Floats:
    """Return the values as shares of the greatest."""
    most = float(values.max(initial=0.0))
    return values / np.float32(most) if most > 0 else np.zeros_like(values)


def between(values: Floats, different: float = _DIFFERENT) -> Floats:
    """Return the values scaled to 0..1; small differences stay small."""
    low = float(values.min())
    width = max(float(values.max()) - low, different)
    placed: Floats = (values - np.float32(low)) / np.float32(width)
    return placed
