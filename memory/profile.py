"""Taking note: a candidate value becomes a fact, agrees with one, or stands against one.

Nothing here ever overwrites. A different value for a slot that holds one comes back as Conflict,
with both values kept; only `memory.revision`, called by the ledger or by the person's own hand,
may end a fact.
"""

from dataclasses import dataclass
from uuid import UUID

from django.conf import settings

from accounts import audit
from accounts.audit import By, Deed
from memory import dedup, embeddings, spans, trust
from memory.extraction import Candidate
from memory.locks import hold_slot
from memory.models import VALUE_LENGTH, Mention, Override, ProfileFact, key_of
from memory.scope import Scope
from memory.slots import SLOTS, alike_to, drift, narrower, opposites, same_value


@dataclass(frozen=True)
class Stored:
    """A new fact."""

    fact: ProfileFact


@dataclass(frozen=True)
class Reinforced:
    """The person said again what was known."""

    fact: ProfileFact


@dataclass(frozen=True)
class Conflict:
    """Two values that cannot both hold. Both are kept; `existing` stays current."""

    existing: ProfileFact
    challenger: ProfileFact


Outcome = Stored | Reinforced | Conflict


def propose(scope: Scope, candidate: Candidate) -> Outcome:
    """Offer a value to the profile. Must run inside the person's block.

    Safe to repeat for the same message: its mention is kept once, and only a new mention raises
    trust.
    """
    _hold(scope.user_id, candidate.slot)
    known = _find_same(scope, candidate)
    if known is not None:
        return _agree(scope, candidate, known)
    existing = against(scope.user_id, candidate)
    status = ProfileFact.Status.CHALLENGER if existing else ProfileFact.Status.CURRENT
    fact = _write(scope, candidate, status)
    if existing:
        return _challenge(scope, existing, fact)
    spans.begin_after_the_last(fact)
    _log(scope, fact)
    return Stored(fact)


def _hold(user_id: UUID, slot: str) -> None:
    """One writer at a time, for a slot and for those that can contradict it."""
    for each in sorted({slot, *opposites(slot)}):
        hold_slot(user_id, each)


def be_told(fact: ProfileFact) -> None:
    """Its owner was asked and said yes: believe it as far as a value can be believed."""
    trust.move(fact, settings.MEMORY["manual_trust"], trust.Cause.CONFIRMED)


def against(user_id: UUID, candidate: Candidate) -> ProfileFact | None:
    """The current fact that cannot hold beside the candidate.

    A slot with one value holds no second one; of the others only likes and dislikes of the same
    thing contradict each other.
    """
    current = ProfileFact.objects.for_user(user_id).current()
    if not SLOTS[candidate.slot].many:
        return current.filter(slot=candidate.slot).first()
    contrary = current.filter(slot__in=opposites(candidate.slot))
    return next((f for f in contrary if same_value(f.slot, f.value, candidate.value)), None)


def _challenge(scope: Scope, existing: ProfileFact, challenger: ProfileFact) -> Conflict:
    """What is held is believed a little less, the farther away the other value is."""
    trust.drift(existing, distance(existing, challenger), scope.message_id)
    return Conflict(existing, challenger)


def distance(existing: ProfileFact, challenger: ProfileFact) -> float:
    """How far apart two facts are, 0..1; liking and disliking the same could not be farther."""
    if existing.slot != challenger.slot:
        return 1.0
    return drift(existing.slot, existing.value, challenger.value)


def said_of(user_id: UUID, candidate: Candidate) -> ProfileFact | None:
    """The current fact that tells the same as the candidate, in its slot or in one like it."""
    slots = alike_to(candidate.slot)
    current = ProfileFact.objects.for_user(user_id).current().filter(slot__in=slots)
    return next(
        (
            fact
            for fact in current
            if _agrees(fact, candidate)
            or dedup.tells_the_same(fact.slot, fact.value, candidate.value)
        ),
        None,
    )


def override(scope: Scope, candidate: Candidate) -> Override:
    """Let a value hold in this conversation only; of one value, a later word takes its place."""
    if scope.conversation_id is None:
        raise ValueError("An override needs the conversation in which it holds.")
    hold_slot(scope.user_id, candidate.slot)
    here = Override.objects.filter(
        user_id=scope.user_id, conversation_id=scope.conversation_id, slot=candidate.slot
    )
    held = here.filter(value=candidate.value).first()
    if held is not None:
        return held
    if not SLOTS[candidate.slot].many:
        here.delete()
    return Override.objects.create(
        user_id=scope.user_id,
        conversation_id=scope.conversation_id,
        slot=candidate.slot,
        value=candidate.value,
        message_id=scope.message_id,
    )


def _find_same(scope: Scope, candidate: Candidate) -> ProfileFact | None:
    """The current value that says the same, or else a challenger that does.

    In this order, because sameness is no chain: 'Portland' agrees with a held 'Portland, Oregon'
    and with a rival 'Portland, Maine'.
    """
    live = ProfileFact.objects.for_user(scope.user_id).filter(
        slot=candidate.slot,
        status__in=[ProfileFact.Status.CURRENT, ProfileFact.Status.CHALLENGER],
    )
    alike = [fact for fact in live if _agrees(fact, candidate)]
    current = ProfileFact.Status.CURRENT
    return min(alike, key=lambda fact: fact.status != current, default=None)


def _agrees(fact: ProfileFact, candidate: Candidate) -> bool:
    """The same value, or a wider name for it: who lives in Moscow does live in Russia."""
    return same_value(candidate.slot, fact.value, candidate.value) or (
        not fact.many and narrower(candidate.slot, fact.value, candidate.value)
    )


def _agree(scope: Scope, candidate: Candidate, fact: ProfileFact) -> Outcome:
    new = _mention(scope, candidate, fact)
    if new:
        fact.last_verified = max(fact.last_verified, scope.said_at)
        fact.save(update_fields=["last_verified", "updated_at"])
        trust.agree(fact, scope.message_id)
    if fact.status == ProfileFact.Status.CHALLENGER:
        existing = against(scope.user_id, candidate)
        if existing is not None:
            return _challenge(scope, existing, fact) if new else Conflict(existing, fact)
    return Reinforced(fact)


def _write(scope: Scope, candidate: Candidate, status: ProfileFact.Status) -> ProfileFact:
    slot = SLOTS[candidate.slot]
    vector = embeddings.embed(f"{slot.label}: {candidate.value}")
    fact = ProfileFact.objects.create(
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
    )
    _mention(scope, candidate, fact)
    return fact


def _log(scope: Scope, fact: ProfileFact) -> None:
    audit.record(
        scope.user_id,
        Deed.NOTED,
        by=By.TALK,
        subject=fact.pk,
        slot=fact.slot,
        conversation=scope.conversation_id,
        message=scope.message_id,
        after=fact.value,
    )


def _mention(scope: Scope, candidate: Candidate, fact: ProfileFact) -> bool:
    """Keep this message as evidence; False when it already was."""
    if scope.message_id is None or scope.conversation_id is None:
        return False
    _, new = Mention.objects.get_or_create(
        fact=fact,
        message_id=scope.message_id,
        defaults={
            "user_id": scope.user_id,
            "conversation_id": scope.conversation_id,
            "said_at": scope.said_at,
            "start": candidate.start,
            "end": candidate.end,
        },
    )
    return new
