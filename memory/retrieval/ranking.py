"""Ranking passages for a question: a weighted sum of factors, each of which can be shown.

The weights were tuned on public development dialogues; `docs/retrieval.md` has the effect of each
factor.
"""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from memory.retrieval import measures
from memory.retrieval.measures import Columns, Floats, Ints, PassageMarks, RankingQuestion

# Smaller differences between the best passages of conversations are not scaled up.
_ALIKE = 0.2
# With this many better passages in its conversation, a passage adds nothing to a list.
_ENOUGH = 10


class Factor(NamedTuple):
    """A reason for a score: its name, strength (normally 0..1) and weight."""

    name: str
    strength: float
    weight: float

    @property
    def adds(self) -> float:
        """The contribution to the score."""
        return self.strength * self.weight


# Weights of all factors; FACTOR_WORDS explains each to users.
WEIGHTS: Mapping[str, float] = {
    "words": 0.2,
    "cover": 1.0,
    "conversation": 0.3,
    "meaning": 1.1,
    "talk": 0.4,
    "speaker": 0.75,
    "standing": 0.1,
    "tells_when": 0.3,
    "date": 1.0,
    "elsewhen": -2.0,
    "personal": 0.15,
    "answers": 0.1,
    "asks": -0.05,
    "recent": 0.6,
    "repeats": -1.0,
}
# Endpoint vectors represent meaning better than the built-in ones.
ENDPOINT_WEIGHTS: Mapping[str, float] = {**WEIGHTS, "meaning": 1.6, "talk": 0.2}
FACTOR_WORDS = {
    "words": "shares words with the question, especially rare ones",
    "cover": "covers the question, alone or with the messages around it",
    "conversation": "the whole conversation is about it",
    "meaning": "has a similar meaning",
    "talk": "something with a similar meaning was said in the same conversation",
    "speaker": "said by the person the question is about",
    "standing": "says how the speaker wants things done",
    "tells_when": "the question asks when, and this gives a time",
    "date": "said at the time the question is about",
    "elsewhen": "the question is only about a time, and this was said at another",
    "personal": "says something about the speaker",
    "answers": "answers the question before it",
    "asks": "is a question itself",
    "recent": "was said recently",
    "repeats": "the question asks for several things, and this conversation has better matches",
}


def factors(
    rows: Columns, asked: RankingQuestion, weights: Mapping[str, float] = WEIGHTS
) -> dict[str, Floats]:
    """Return the strength of every factor for every row, by the names of WEIGHTS."""
    if not len(rows):
        return {name: np.zeros(0, np.float32) for name in WEIGHTS}
    around = measures.Surroundings(rows)
    exact, kindred = measures.matches(rows, asked)
    to_asker = asked.about_asker and not asked.names
    date = measures.date(rows, asked, exact)
    if asked.only_time:
        date *= measures.tells_of_a_time(rows, to_asker)
    if date.any():
        date *= measures.relevance_of_then(exact, kindred, rows, asked, around)
    # Messages of June count as containing the words "in June".
    exact[:, [position for span in asked.times for position in span.words]] += (date > 0)[:, None]
    asks = measures.marked(rows, PassageMarks.ASKS)
    spoken_of = np.maximum(exact > 0, kindred)
    meaning = measures.between(measures.meaning(rows, around))
    named = measures.by_the_one_named(rows, asked)
    strengths = {
        "words": measures.scaled(measures.bm25_in_context(exact, rows, asked, around)),
        "cover": measures.scaled(measures.cover(spoken_of, rows, asked, around)),
        "conversation": measures.scaled(measures.bm25_of_conversation(exact, rows, asked)),
        "meaning": meaning,
        "talk": measures.between(measures.best_of_conversation(meaning, rows), _ALIKE),
        "speaker": rows.by_user.astype(np.float32) if to_asker and not asked.goes_on else named,
        "standing": measures.marked(rows, PassageMarks.STANDING)
        * rows.by_user
        * np.float32(to_asker),
        "tells_when": measures.marked(rows, PassageMarks.TELLS_WHEN) * np.float32(asked.asks_when),
        "date": date,
        "elsewhen": (date == 0) * np.float32(asked.only_time),
        "personal": measures.personal(rows),
        "answers": around.shifted(asks, 1) * (1 - asks),
        "asks": asks,
        "recent": measures.recent(rows, asked),
    }
    strengths["repeats"] = (
        np.minimum(measures.better_in_conversation(total(strengths, weights), rows) / _ENOUGH, 1)
        if asked.asks_several
        else np.zeros(len(rows), np.float32)
    )
    return strengths


def total(strengths: Mapping[str, Floats], weights: Mapping[str, float] = WEIGHTS) -> Floats:
    """Return the score of every row, the weighted sum; comparable within one question."""
    parts = [np.float32(weights[name]) * strength for name, strength in strengths.items()]
    score: Floats = np.sum(parts, axis=0, dtype=np.float32)
    return score


def explain(
    strengths: Mapping[str, Floats], rows: Ints, weights: Mapping[str, float] = WEIGHTS
) -> list[tuple[Factor, ...]]:
    """Return the non-zero factors of these rows, largest contribution first."""
    names, weigh = list(strengths), [weights[name] for name in strengths]
    table = np.stack([strength[rows] for strength in strengths.values()], axis=1)
    orders = np.argsort(-np.abs(table * np.array(weigh)), axis=1, kind="stable")
    return [
        tuple(Factor(names[at], row[at], weigh[at]) for at in order if row[at])
        for row, order in zip(table.tolist(), orders.tolist(), strict=True)
    ]
