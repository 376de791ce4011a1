"""A new fact with all that belongs to it, in one statement: evidence, what it shakes, the log.

Whoever reads a message waits for this, and each statement more is a way to the database and back.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from django.conf import settings
from django.utils.timezone import now

from accounts.audit import Action, By
from accounts.ids import new_id
from memory.core import scoring
from memory.core.known_facts import COLUMNS
from memory.core.scope import Scope
from memory.core.statements import listed, rows
from memory.language.extraction import Candidate
from memory.language.text import embeddings, terms
from memory.models import VALUE_LENGTH, ProfileFact, TrustChange, key_of
from memory.slots import SLOTS

Status = ProfileFact.Status


@dataclass(frozen=True)
class StatementExtension:
    """What a room above adds to the statement: further parts of its `with`, and their values.

    They may read `fact` (id), which is empty when nothing was written, and `shaken` (id), the fact
    that the new one stands against, which is empty when there is none.
    """

    parts: str = ""
    values: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Challenge:
    """What a new value stands against: the fact that is held, and how far away it is (0..1)."""

    existing: ProfileFact
    drift: float
    rider: StatementExtension


class SeenTooLittle(RuntimeError):
    """The slot holds another live value by now than the ones that were looked at."""


def write(
    scope: Scope,
    candidate: Candidate,
    seen: list[ProfileFact],
    slots: frozenset[str],
    challenge: Challenge | None = None,
) -> ProfileFact:
    """Write it down as current, or as a challenger; what it stands against is believed less then.

    Nothing is written, and SeenTooLittle raised, when `slots` hold a live fact that is not among
    those `seen`.
    """
    fact = made(scope, candidate, Status.CHALLENGER if challenge else Status.CURRENT)
    existing = challenge.existing if challenge else None
    before = after = 0.0
    if challenge:
        before = challenge.existing.trust
        after = scoring.after_drift(before, settings.MEMORY["drift_step"], challenge.drift)
    rider = challenge.rider if challenge else StatementExtension()
    values = {
        **{name: getattr(fact, name) for name in COLUMNS},
        **_evidence(scope, candidate),
        "embedding": fact.embedding and terms.as_text(np.asarray(fact.embedding)),
        "slots": listed(slots),
        "seen": listed(one.pk for one in seen),
        "existing": existing.pk if existing else None,
        "before": before,
        "after": after,
        "trust_change": new_id(),
        "audit": new_id(),
        "noted": existing is None,
        **rider.values,
    }
    ((written,),) = rows(_WRITE.format(rider=rider.parts), values)
    if not written:
        raise SeenTooLittle
    if existing is not None:
        existing.trust = after
    return fact


def mention(scope: Scope, candidate: Candidate, fact: ProfileFact) -> bool:
    """Keep this message as evidence; False when it already was."""
    if scope.message_id is None or scope.conversation_id is None:
        return False
    values = {
        "id": new_id(),
        "user": scope.user_id,
        "fact": fact.pk,
        "conversation": scope.conversation_id,
        "message": scope.message_id,
        "said_at": scope.said_at,
        "start": candidate.start,
        "end": candidate.end,
    }
    return bool(rows(_MENTION, values))


def made(scope: Scope, candidate: Candidate, status: ProfileFact.Status) -> ProfileFact:
    """The row of a value that was said, not written down yet."""
    slot, frozen_now = SLOTS[candidate.slot], now()
    vector = embeddings.embed(f"{slot.label}: {candidate.value}")
    fact = ProfileFact(
        user_id=scope.user_id,
        slot=slot.key,
        many=slot.many,
        value=candidate.value[:VALUE_LENGTH],
        value_key=key_of(slot.key, candidate.value),
        status=status,
        trust=candidate.trust,
        confidence=candidate.confidence,
        source=ProfileFact.Source.USER,
        source_conversation_id=scope.conversation_id,
        source_message_id=scope.message_id,
        last_verified=scope.said_at,
        valid_from=scope.said_at,
        embedding=vector,
        embedding_model=embeddings.MODEL_NAME if vector else "",
        created_at=frozen_now,
        updated_at=frozen_now,
    )
    fact._state.adding = False
    return fact


def _evidence(scope: Scope, candidate: Candidate) -> dict[str, Any]:
    in_a_message = scope.message_id is not None and scope.conversation_id is not None
    return {
        "mention": new_id() if in_a_message else None,
        "said_at": scope.said_at,
        "start": candidate.start,
        "end": candidate.end,
    }


# --- The statements ------------------------------------------------------------------------------

_MENTION = """
insert into memory_mention
    (id, user_id, fact_id, conversation_id, message_id, said_at, start, "end")
values (%(id)s, %(user)s, %(fact)s, %(conversation)s, %(message)s, %(said_at)s, %(start)s, %(end)s)
on conflict do nothing returning id
"""
_WRITE = f"""
with fact as (
    insert into memory_profilefact ({", ".join(COLUMNS)}, embedding)
    select {", ".join(f"%({name})s" for name in COLUMNS)}, %(embedding)s::text::halfvec
    where not exists (
        select 1 from memory_profilefact
        where user_id = %(user_id)s and status in ('current', 'challenger')
          and slot = any(%(slots)s::text[]) and id <> all(%(seen)s::text::uuid[]))
    returning id
), mention as (
    insert into memory_mention
        (id, user_id, fact_id, conversation_id, message_id, said_at, start, "end")
    select %(mention)s, %(user_id)s, id, %(source_conversation_id)s, %(source_message_id)s,
           %(said_at)s, %(start)s, %(end)s
    from fact where %(mention)s::uuid is not null
), shaken as (
    update memory_profilefact set trust = %(after)s, updated_at = %(created_at)s
    where id = %(existing)s and user_id = %(user_id)s and exists (select 1 from fact)
    returning id
), moved as (
    insert into memory_trustchange
        (id, user_id, fact_id, memory_id, before, after, cause, message_id, at)
    select %(trust_change)s, %(user_id)s, id, null, %(before)s, %(after)s,
           '{TrustChange.Cause.DRIFT}', %(source_message_id)s, %(created_at)s
    from shaken where abs(%(before)s::float8 - %(after)s::float8) > 1e-9
), logged as (
    insert into accounts_auditevent
        (id, user_id, at, by, deed, subject, slot, conversation, message, before, after, why)
    select %(audit)s, %(user_id)s, %(created_at)s, '{By.TALK}', '{Action.NOTED}', id, %(slot)s,
           %(source_conversation_id)s, %(source_message_id)s, '', %(value)s, ''
    from fact where %(noted)s::bool
){{rider}}
select count(*) from fact
"""  # noqa: S608 - names of columns only
