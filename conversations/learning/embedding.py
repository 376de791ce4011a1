"""Embeddings of messages from an embedding endpoint: which messages are sent, and when."""

from typing import Any
from uuid import UUID

from django.db.models import QuerySet

from accounts import work
from accounts.database.isolation import acting_as
from accounts.models import User
from conversations.models import Message
from memory.retrieval.embedding_endpoint import EndpointAway, endpoint_is_configured
from memory.retrieval.passage_vectors import backfilled_to, embed_some, prepare_model

KIND = "embed"
# Delay in seconds, so that a question and its answer are mostly embedded together.
_DELAY = 20.0
# Number of requests for one user before other users are served.
_AT_ONCE = 4
# Seconds until the job is tried again when the endpoint cannot be reached.
_RETRY_SECONDS = 60.0


def due(user_id: UUID) -> work.DueWork | None:
    """Return the embedding job to queue after a user's message; None without an endpoint."""
    return work.DueWork(KIND, user_id, _DELAY) if endpoint_is_configured() else None


def sendable(user_id: UUID) -> QuerySet[Any]:
    """Return the messages that may be sent to the endpoint: those quotable in other conversations.

    Excludes private conversations, sensitive messages and answers that may repeat these, and
    messages that were not learned from yet.
    """
    return Message.objects.quotable_elsewhere(user_id)


def embed_for(claim: work.Claim) -> None:
    """Worker entry point: embed the messages of one user that have no embedding, in batches. Raises
    PutOff where more are left, or the endpoint cannot be reached.
    """
    wants = User.objects.filter(pk=claim.user_id, memory_on=True)
    try:
        with work.keeping(claim):
            model = prepare_model() if endpoint_is_configured() and wants.exists() else None
            for _ in range(_AT_ONCE):
                # A batch may take half a minute, in which the user may turn memory off.
                if model is None or not wants.exists():
                    break
                if not embed_some(claim.user_id, model, sendable):
                    break
            else:
                raise work.PutOff(0)
    except EndpointAway as error:
        raise work.PutOff(_RETRY_SECONDS) from error
    with acting_as(claim.user_id):
        work.finish(claim)


def enqueue_backfill(most: int = 500) -> int:
    """Queue embedding jobs for up to `most` users whose messages have no embedding of the current
    model; return how many. Repeated calls reach every user once per model.
    """
    if not endpoint_is_configured():
        return 0
    try:
        model = prepare_model()
    except EndpointAway:
        return 0
    rest = User.objects.filter(is_active=True).order_by("pk")
    if model.backfilled_to is not None:
        rest = rest.filter(pk__gt=model.backfilled_to)
    people = list(rest[:most])
    for user in people:
        with acting_as(user):
            work.enqueue(user, KIND, user.pk)
    if people:
        backfilled_to(model, people[-1].pk)
    return len(people)
