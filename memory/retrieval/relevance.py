"""Relevance of facts, memories and quotes to a question: `R = s·ρ·w`.

`s` combines words and meaning; `ρ` decays with age by category down to a floor, so that old facts
are still found; `w` is the belief.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from functools import cached_property, lru_cache
from typing import Any
from uuid import UUID

import numpy as np
from django.conf import settings

from memory.core.scope import Scope
from memory.core.scoring import Score, belief, recency_factor
from memory.core.statements import SendStatement, send_alone
from memory.language.dates import asked_times, time_expressions
from memory.language.dates.time_expressions import TimeSpan
from memory.language.message_provenance import TextStanding
from memory.language.origin import Origin
from memory.language.safety import claims
from memory.language.text import terms
from memory.models import ProfileFact
from memory.retrieval.passage_search import Hit
from memory.retrieval.ranking import Factor

# The summary of the conversation itself is left out, as it repeats the conversation.
_NOTES = """
select id, category, priority, content, original, said_at, happened_on,
       source_conversation_id, source_message_id, trust, confidence, terms,
       coalesce(-(embedding <#> %(meaning)s::text::halfvec), 0), origin, claim,
       coalesce((select coalesce(nullif(former.original, ''), former.content)
                 from memory_memory former
                 where former.superseded_by_id = memory_memory.id and former.status = 'superseded'
                 order by former.said_at desc limit 1), ''), kind = 'working'
from memory_memory
where user_id = %(user)s and status = 'active'
  and (kind <> 'working' or source_conversation_id = %(conversation)s)
  and (category <> 'summary' or source_conversation_id is distinct from %(conversation)s)
"""
# The shares of words and of meaning in `s`.
WORDS, MEANING = 0.6, 0.4
# The cosine similarity from which on meaning counts fully.
NEAREST = 0.7
# The share of a question's words that must occur in unchecked or pasted text.
ASKED_FROM = 0.25
# THEN: how much a matching time raises the score of memories that fit the rest of the question.
# ELSEWHEN: the factor for all others if the question asks only for a time.
THEN, ELSEWHEN = 0.6, 0.5
_DAY = 86_400.0


@dataclass(frozen=True)
class Question:
    """A parsed question: word numbers with related words, its embedding and its times."""

    words: tuple[str, ...]
    numbers: tuple[int, ...]
    stand_ins: tuple[dict[int, float], ...]
    meaning: terms.Float32Array | None
    asked_at: datetime
    spans: tuple[TimeSpan, ...] = ()

    @cached_property
    def of_time(self) -> frozenset[int]:
        """The numbers of the words that name times."""
        words = {word for span in self.spans for word in terms.split_words(span.words)}
        return frozenset(terms.stem_id(word) for word in words)

    @cached_property
    def only_time(self) -> bool:
        """Whether the question asks for nothing but a time."""
        pairs = zip(self.words, self.numbers, strict=True)
        return bool(self.spans) and all(
            number in self.of_time or word in time_expressions.WHATEVER for word, number in pairs
        )

    def means(self, said_at: datetime, happened_on: date | None = None) -> bool:
        """Return whether something was said, or happened, in a time that the question names."""
        days = {said_at.astimezone(self.asked_at.tzinfo).date(), happened_on or date.max}
        return any(span.first <= day <= span.last for span in self.spans for day in days)


@dataclass(frozen=True)
class ScoredFact:
    """A fact with its relevance to a question."""

    fact: ProfileFact
    score: Score

    @cached_property
    def claims(self) -> bool:
        """Whether the value is an unchecked claim; cached."""
        carries = self.fact.slot in claims.CLAIM_CARRYING_SLOTS
        return carries and claims.find_claim(self.fact.value) is not None


@dataclass(frozen=True)
class ScoredNote:
    """An active memory with its relevance to a question."""

    id: UUID
    category: str
    priority: int
    content: str
    original: str
    said_at: datetime
    happened_on: date | None
    conversation_id: UUID | None
    message_id: UUID | None
    score: Score
    origin: str = Origin.TYPED
    # The kind of unchecked claim (memory.language.safety.claims); '' for none.
    claim: str = ""
    # The text of the latest memory that this one replaced; '' for none.
    replaces: str = ""
    # Whether it applies to this conversation only.
    here_only: bool = False

    @property
    def standing(self) -> TextStanding:
        """The standing of the text in a prompt: the user's own, pasted, or an unchecked claim."""
        if self.origin == Origin.PASTED:
            return TextStanding.PASTED
        return TextStanding.CLAIM if self.claim else TextStanding.OWN


@dataclass(frozen=True)
class ScoredQuote:
    """A passage of an earlier message with its relevance and the reasons of the search."""

    hit: Hit
    score: Score

    @property
    def reasons(self) -> tuple[Factor, ...]:
        """The factors of the search score, see memory.retrieval.ranking."""
        return self.hit.factors


def read_question(question: str, asked_at: datetime) -> Question:
    """Return a parsed question, to be used for all comparisons."""
    words = tuple(dict.fromkeys(terms.content_words(question)))
    return Question(
        words=words,
        numbers=tuple(terms.stem_id(word) for word in words),
        stand_ins=tuple(dict(terms.find_related_stems(word)) for word in words),
        meaning=terms.meaning_vectors([question])[0],
        asked_at=asked_at,
        spans=tuple(asked_times.find_asked_times(question, asked_at)),
    )


def score_facts(
    facts: Iterable[ProfileFact], question: Question, asked: Sequence[str]
) -> list[ScoredFact]:
    """Return facts with scores; a fact whose slot is in `asked` gets similarity 1."""
    made = []
    for fact in facts:
        fits = 1.0 if fact.slot in asked else _cover(_stem_ids_of(fact), question)
        made.append(ScoredFact(fact, _score(fits, "profile", fact.last_verified, question, fact)))
    return made


def _stem_ids_of(fact: ProfileFact) -> set[int]:
    """Return the stem ids of the words in a fact's slot name and value."""
    value = (terms.stem_id(word) for word in terms.content_words(fact.value))
    return {*_of_noun(fact.kind.noun), *value}


@lru_cache(maxsize=500)
def _of_noun(noun: str) -> tuple[int, ...]:
    """Return the stem ids of a slot's name, cached."""
    return tuple(terms.stem_id(word) for word in terms.content_words(noun))


def score_notes(scope: Scope, question: Question) -> list[ScoredNote]:
    """Return the active memories that a conversation may use, with scores; one query."""
    return score_notes_later(scope, question, send_alone)()


def score_notes_later(
    scope: Scope, question: Question, send: SendStatement
) -> Callable[[], list[ScoredNote]]:
    """Send the query of `score_notes`; return a function that fetches and scores."""
    values = {
        "user": scope.user_id,
        "conversation": scope.conversation_id,
        "meaning": None if question.meaning is None else terms.as_text(question.meaning),
    }
    later = send(_NOTES, values)
    return lambda: [_note(row, question) for row in later()]


def score_quotes(hits: Sequence[Hit], question: Question) -> list[ScoredQuote]:
    """Return hits of a search with similarities relative to the best one."""
    best = max((hit.score for hit in hits), default=0.0)
    trusts = settings.MEMORY["trust_by_origin"]
    made = []
    for hit in hits:
        fits = max(0.0, hit.score / best) if best > 0 else 0.0
        words = trusts[_origin_of(hit)]
        then = question.means(hit.said_at)
        faded = 1.0 if then else _recency("passage", hit.said_at, question)
        made.append(ScoredQuote(hit, Score(fits, faded, belief(words, 1.0, _alpha()))))
    return made


def _origin_of(hit: Hit) -> Origin:
    if not (hit.by_user or hit.speaker):
        return Origin.ASSISTANT
    # An unchecked claim is trusted no more than pasted text.
    own = hit.standing in (TextStanding.OWN, TextStanding.EDITED)
    return Origin.TYPED if own else Origin.PASTED


def _note(row: tuple[Any, ...], question: Question) -> ScoredNote:
    shown = list(row[:9])
    trust, confidence, numbers, nearness, *rest = row[9:]
    stems = set(np.frombuffer(bytes(numbers), "<i4").tolist())
    near = max(0.0, min(1.0, nearness / NEAREST))
    then = question.means(shown[5], shown[6])
    fits = WORDS * _cover(stems | question.of_time if then else stems, question) + MEANING * near
    if then:
        # For a question about a time, age since then does not count.
        bears = 1.0 if question.only_time else max(near, _cover(stems, question))
        fits, faded = fits + (1.0 - fits) * THEN * bears, 1.0
    else:
        fits *= ELSEWHEN if question.only_time else 1.0
        faded = _recency(category=shown[1], at=shown[5], question=question)
    score = Score(fits, faded, belief(trust, confidence, _alpha()))
    return ScoredNote(*shown, score, *rest)  # type: ignore[call-arg]


def relevance_of(sentence: str, question: Question) -> float:
    """Return the share of a question's words that a sentence contains, 0..1."""
    return _cover({terms.stem_id(word) for word in terms.content_words(sentence)}, question)


def fit_of_texts(texts: Sequence[str], question: Question) -> list[float]:
    """Return the similarity of each text by words and meaning, 0..1, as for memories."""
    vectors = terms.meaning_vectors(texts) if texts else []
    near = [
        0.0 if vector is None or question.meaning is None else float(question.meaning @ vector)
        for vector in vectors
    ]
    return [
        WORDS * relevance_of(text, question) + MEANING * max(0.0, min(1.0, nearness / NEAREST))
        for text, nearness in zip(texts, near, strict=True)
    ]


def means_alike(texts: Sequence[str], question: Question, near: float) -> set[str]:
    """Return the texts whose cosine similarity to a question is at least `near`."""
    if question.meaning is None or not texts:
        return set()
    vectors = terms.meaning_vectors(texts)
    return {
        text
        for text, vector in zip(texts, vectors, strict=True)
        if vector is not None and float(question.meaning @ vector) >= near
    }


def asks_for(question: Question, text: str) -> bool:
    """Return whether a text has enough of a question's own words; related words do not count."""
    pairs = zip(question.words, question.numbers, strict=True)
    asked = {number for word, number in pairs if word not in time_expressions.WHATEVER}
    stems = {terms.stem_id(word) for word in terms.content_words(text)}
    return bool(asked) and len(asked & stems) >= ASKED_FROM * len(asked)


def _cover(stems: set[int], question: Question) -> float:
    """Return the share of the question's words among some stems; related words count less."""
    if not question.numbers:
        return 0.0
    covered = 0.0
    for number, stand_ins in zip(question.numbers, question.stand_ins, strict=True):
        if number in stems:
            covered += 1.0
        else:
            covered += max((stand_ins[n] for n in stems if n in stand_ins), default=0.0)
    return covered / len(question.numbers)


def _score(
    fits: float, category: str, at: datetime, question: Question, fact: ProfileFact
) -> Score:
    w = belief(fact.trust, fact.confidence, _alpha())
    return Score(fits, _recency(category, at, question), w)


def _recency(category: str, at: datetime, question: Question) -> float:
    days = (question.asked_at - at).total_seconds() / _DAY
    half_life = settings.MEMORY["half_life_days"][category]
    return recency_factor(days, half_life, settings.MEMORY["recency_floor"])


def _alpha() -> float:
    return float(settings.MEMORY["alpha"])
