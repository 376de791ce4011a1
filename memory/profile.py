"""Taking note: a candidate value becomes a fact, agrees with one, or stands against one.

Nothing here ever overwrites. A different value for a slot that holds one comes back as Conflict,
with both values kept; only `memory.revision`, called by the ledger or by the person's own hand,
may end a fact.
"""

from dataclasses import dataclass
from uuid import UUID

from memory import dedup, embeddings, trust
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
    existing = _against(scope, candidate)
    status = ProfileFact.Status.CHALLENGER if existing else ProfileFact.Status.CURRENT
    fact = _write(scope, candidate, status)
    return _challenge(scope, existing, fact) if existing else Stored(fact)


def _hold(user_id: UUID, slot: str) -> None:
    """One writer at a time, for a slot and for those that can contradict it."""
    for each in sorted({slot, *opposites(slot)}):
        hold_slot(user_id, each)


def _against(scope: Scope, candidate: Candidate) -> ProfileFact | None:
    """The current fact that cannot hold beside the candidate.

    A slot with one value holds no second one; of the others only likes and dislikes of the same
    thing contradict each other.
    """
    current = ProfileFact.objects.for_user(scope.user_id).current()
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


def holds(user_id: UUID, candidate: Candidate) -> bool:
    """Whether the profile says so already, or holds another value for a slot that takes one.

    What is only supposed never argues with what is known.
    """
    slots = alike_to(candidate.slot)
    current = ProfileFact.objects.for_user(user_id).current().filter(slot__in=slots)
    return any(
        not fact.many or dedup.tells_the_same(fact.slot, fact.value, candidate.value)
        for fact in current
    )


def override(scope: Scope, candidate: Candidate) -> Override:
    """Let a value hold in this conversation only; a later word in the same conversation wins."""
    if scope.conversation_id is None:
        raise ValueError("An override needs the conversation in which it holds.")
    kept, _ = Override.objects.update_or_create(
        user_id=scope.user_id,
        conversation_id=scope.conversation_id,
        slot=candidate.slot,
        defaults={"value": candidate.value, "message_id": scope.message_id},
    )
    return kept


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
        existing = _against(scope, candidate)
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
