"""Passage vectors by an embedding endpoint: made in batches, used when a user's are complete.

All are centred: the mean of a model's vectors is subtracted, because it would make any two texts
look similar (docs/decisions/0066).
"""

import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any
from uuid import UUID

import numpy as np
from django.db.models import Exists, Max, OuterRef, QuerySet

from accounts.database.isolation import acting_as
from accounts.support.process_cache import read_every
from memory.language.safety import secrets
from memory.language.text.terms import Float32Array
from memory.models import EmbeddingModel, Passage, PassageVector, VectorProgress
from memory.retrieval import embedding_endpoint as endpoint
from memory.retrieval.embedding_endpoint import EndpointAway, Side

# The number of messages per request; if none of _SOME or more is accepted, the endpoint is at
# fault.
BATCH, _SOME = 64, 8
_NEUTRAL = Path(__file__).with_name("neutral_texts.toml")

# Returns the messages of a user that may be sent to the endpoint.
Sendable = Callable[[UUID], QuerySet[Any]]


@dataclass(frozen=True)
class QueryVector:
    """A question's centred vector, and the id of its model."""

    model_id: int
    vector: Float32Array


# --- Questions -----------------------------------------------------------------------------------


def query_vector(text: str) -> QueryVector | None:
    """Return the vector of a question, cached in this process.

    None without an endpoint, if it is unavailable, or if its model has no vectors yet.
    """
    model = _model() if endpoint.endpoint_is_configured() else None
    if model is None or model.name != endpoint.model_name():
        return None
    try:
        return QueryVector(model.pk, _vector_of(model.pk, secrets.mask_secrets(text)))
    except EndpointAway:
        return None


@lru_cache(maxsize=64)
def _vector_of(model_id: int, text: str) -> Float32Array:
    """Return the vector of a question. Raises EndpointAway, so that failures are not cached."""
    model = _model()
    vector = endpoint.embed_question(text)
    if model is None or model.pk != model_id or vector is None:
        raise EndpointAway
    return _centred(vector, model, Side.QUERY)


@read_every(seconds=30)
def _model() -> EmbeddingModel | None:
    return EmbeddingModel.objects.filter(name=endpoint.model_name()).first()


# SQL parts for `passage_candidates`, if the question has an endpoint vector: the nearest passages,
# and the similarity of each. They return nothing until a user's vectors are complete, except for
# the twenty newest passages.
BY_VECTOR = """complete as materialized (
    select count(*) > 0 as yes from memory_vectorprogress, newest
    where user_id = %(user)s and model_id = %(model)s::int and total - complete_to <= 20
), by_vector as (
    select near.conversation_id, near.number
    from (select message_id from memory_passagevector
          where user_id = %(user)s and model_id = %(model)s::int and (select yes from complete)
          order by signs::"bit" <~> %(vector_signs)s::"bit" limit {by_meaning_most}) v
    cross join lateral (
        select conversation_id, number from memory_passage p
        where message_id = v.message_id and user_id = %(user)s {only} offset 0) near
), """
NEARER = """, coalesce((
                  select -(v.vector <#> %(vector)s::halfvec) from memory_passagevector v
                  where v.message_id = p.message_id and v.model_id = %(model)s::int
                    and v.user_id = %(user)s and (select yes from complete)), 'NaN') as nearer"""


# --- Making vectors ------------------------------------------------------------------------------


def prepare_model() -> EmbeddingModel:
    """Return the current model; for a new one its means are computed. Raises EndpointAway."""
    known = EmbeddingModel.objects.filter(name=endpoint.model_name()).first()
    if known is not None:
        return known
    neutral = tomllib.loads(_NEUTRAL.read_text(encoding="utf-8"))
    queries = endpoint.embed(neutral["queries"], Side.QUERY).mean(axis=0)
    passages = endpoint.embed(neutral["passages"], Side.PASSAGE).mean(axis=0)
    made, _ = EmbeddingModel.objects.get_or_create(
        name=endpoint.model_name(),
        defaults={
            "dimensions": len(passages),
            "query_mean": queries.astype("<f4").tobytes(),
            "passage_mean": passages.astype("<f4").tobytes(),
        },
    )
    _model.cache_clear()
    return made


def backfilled_to(model: EmbeddingModel, user_id: UUID) -> None:
    """Save up to which user, by id, earlier messages are queued for embedding."""
    EmbeddingModel.objects.filter(pk=model.pk).update(backfilled_to=user_id)


def embed_some(user_id: UUID, model: EmbeddingModel, sendable: Sendable) -> int:
    """Make vectors for the newest messages of a user without one; return the number handled.

    If none is left, marks the vectors complete and deletes those of other models. No transaction is
    open while waiting for the endpoint. Raises EndpointAway.
    """
    with acting_as(user_id):
        rows = list(_missing(user_id, model, sendable).order_by("-place")[:BATCH])
        if not rows:
            _complete(user_id, model)
            return 0
    vectors = _each([row.text for row in rows])
    if len(rows) >= _SOME and not vectors.any():
        raise EndpointAway("no text is taken")
    with acting_as(user_id):
        # Messages deleted or changed in the meantime get no vector of the old text.
        locked = Passage.objects.filter(user_id=user_id, pk__in=[row.pk for row in rows])
        texts = dict(locked.select_for_update().values_list("pk", "text"))
        made = [
            PassageVector(
                user_id=user_id,
                message_id=row.message_id,
                model=model,
                vector=_centred(vector, model, Side.PASSAGE).tolist(),
            )
            for row, vector in zip(rows, vectors, strict=True)
            if texts.get(row.pk) == row.text
        ]
        PassageVector.objects.bulk_create(made, ignore_conflicts=True)
    return len(rows)


def _missing(user_id: UUID, model: EmbeddingModel, sendable: Sendable) -> QuerySet[Passage]:
    there = PassageVector.objects.filter(
        user_id=user_id, message_id=OuterRef("message_id"), model=model
    )
    rows = Passage.objects.filter(user_id=user_id, message__in=sendable(user_id).values("pk"))
    return rows.exclude(Exists(there)).only("pk", "message_id", "text")


def _complete(user_id: UUID, model: EmbeddingModel) -> None:
    newest = Passage.objects.filter(user_id=user_id).aggregate(newest=Max("place"))["newest"]
    VectorProgress.objects.update_or_create(
        user_id=user_id, model=model, defaults={"complete_to": newest or 0}
    )
    for table in (PassageVector, VectorProgress):
        table.objects.filter(user_id=user_id).exclude(model=model).delete()


def _each(texts: list[str]) -> Float32Array:
    """Return a vector for each text, zeros for refused texts. Raises EndpointAway."""
    try:
        return endpoint.embed(texts, Side.PASSAGE)
    except endpoint.TextsRefused:
        if len(texts) == 1:
            return np.zeros((1, 1), np.float32)
    half = len(texts) // 2
    parts = [_each(texts[:half]), _each(texts[half:])]
    width = max(part.shape[1] for part in parts)
    return np.concatenate([np.resize(part, (len(part), width)) for part in parts])


def _centred(vector: Float32Array, model: EmbeddingModel, side: Side) -> Float32Array:
    """Return the centred unit vector. Raises EndpointAway if the number of dimensions is wrong."""
    if not vector.any():
        return np.zeros(model.dimensions, np.float32)
    if len(vector) != model.dimensions:
        raise EndpointAway("vectors of another length")
    mean = model.query_mean if side is Side.QUERY else model.passage_mean
    return endpoint.unit(vector - np.frombuffer(bytes(mean), "<f4"))


# --- Progress ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class VectorCounts:
    """The number of a user's messages with and without a vector, and whether vectors are used."""

    made: int
    missing: int
    complete: bool


def count_vectors(user_id: UUID, model: EmbeddingModel, sendable: Sendable) -> VectorCounts:
    """Return the counts of a user's vectors by a model."""
    with acting_as(user_id):
        return VectorCounts(
            PassageVector.objects.filter(user_id=user_id, model=model).count(),
            _missing(user_id, model, sendable).count(),
            VectorProgress.objects.filter(user_id=user_id, model=model).exists(),
        )
