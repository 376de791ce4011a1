"""The model for background work: waiting users come first, and a failing model is left alone.

All processes share the state in the database: which answers are being written, and since when the
model has failed.
"""

from datetime import datetime, timedelta
from typing import TypeVar

import structlog
from django.utils.timezone import now
from pydantic import BaseModel

from accounts import work
from accounts.database.connections import release_connection
from conversations import llm
from conversations.llm import ChatMessage, GaveWay, ModelFailure, adapting
from conversations.llm.connection import current
from conversations.models import ModelHealth

log = structlog.get_logger(__name__)
Schema = TypeVar("Schema", bound=BaseModel)

# The kind of job that writes an answer for a waiting user.
_ANSWER = "answer"
# Seconds until background work that gave way tries again.
ROOM_AFTER = 5.0
# First and longest pause in seconds after a failure; doubled with each further failure.
FIRST_PAUSE, LONGEST_PAUSE = 30.0, 3_600.0


class ModelUnavailable(work.PutOff):
    """Raised where the model has failed lately and is not asked for a while."""


def ask(messages: list[ChatMessage], *, schema: type[Schema]) -> Schema:
    """Return the answer like llm.ask, but only while no user waits for one and the model is
    healthy. Raises work.PutOff otherwise, and ModelFailure. Call it outside of transactions.
    """
    _wait_until_well()
    if _somebody_waits():
        raise work.PutOff(ROOM_AFTER)
    try:
        answer = llm.ask(messages, schema=schema, give_way=_somebody_waits)
    except GaveWay:
        log.info("background.gave_way")
        raise work.PutOff(ROOM_AFTER) from None
    except ModelFailure as failure:
        if not failure.of_the_request:
            _note_failure(failure.wait)
        raise
    ModelHealth.objects.filter(pk=_key()).delete()
    return answer


def rests_until() -> datetime | None:
    """Return until when the background model is left alone because it failed; None if it is not."""
    resting = ModelHealth.objects.filter(pk=_key(), resumes_at__gt=now())
    return resting.values_list("resumes_at", flat=True).first()


def _somebody_waits() -> bool:
    waits = work.is_being_done(_ANSWER)
    release_connection()
    return waits


def _wait_until_well() -> None:
    health = ModelHealth.objects.filter(pk=_key(), resumes_at__gt=now()).first()
    if health is not None:
        raise ModelUnavailable((health.resumes_at - now()).total_seconds() + 1.0)


def _note_failure(wait: float) -> None:
    health, _ = ModelHealth.objects.get_or_create(pk=_key(), defaults={"resumes_at": now()})
    health.failures += 1
    pause = min(max(wait, FIRST_PAUSE * 2.0 ** (health.failures - 1)), LONGEST_PAUSE)
    health.resumes_at = now() + timedelta(seconds=pause)
    health.save()
    log.warning("background.model_unwell", failures=health.failures, pause_s=pause)


def _key() -> str:
    """Return the key of the background model in the health table."""
    return adapting.key_of(current().background)
