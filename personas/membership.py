"""Membership of users in personas: guessed, confirmed, declined, left. Every change is logged."""

from uuid import UUID

from django.db.models import QuerySet
from django.utils.timezone import now

from accounts import audit
from accounts.audit import Action, By
from accounts.support.process_cache import read_every
from personas.models import Persona, PersonaProposal, UserPersona

Standing, Origin = UserPersona.Standing, UserPersona.Origin
# Maximum number of waiting proposals of one user.
MOST_PROPOSALS = 5


class TooManyProposals(ValueError):
    """Raised when a user already has the maximum number of waiting proposals."""


def personas() -> QuerySet[Persona]:
    """Return the personas that users may belong to."""
    return Persona.objects.filter(retired=False)


@read_every(seconds=60)
def recognisable() -> list[Persona]:
    """Return the personas that can be recognised from messages, cached for a minute."""
    return list(personas())


def of(user_id: UUID) -> list[UserPersona]:
    """Return the user's confirmed personas, most certain first."""
    return list(UserPersona.confirmed(user_id))


def guesses(user_id: UUID) -> list[UserPersona]:
    """Return the user's possible personas that they have not accepted or declined."""
    rows = UserPersona.objects.filter(user_id=user_id, standing=Standing.GUESSED)
    return list(rows.filter(persona__retired=False).select_related("persona"))


def guess(user_id: UUID, persona: Persona, confidence: float, origin: str) -> UserPersona | None:
    """Save a possible persona with its confidence, 0..1; None if the user has answered it before.

    Call it within `acting_as(user)`. A guess is not a membership: the user is asked.
    """
    user_persona, new = UserPersona.objects.get_or_create(
        user_id=user_id,
        persona=persona,
        defaults={"confidence": confidence, "origin": origin, "discovered_at": now()},
    )
    if user_persona.standing != Standing.GUESSED:
        return None
    if not new and confidence > user_persona.confidence:
        user_persona.confidence = confidence
        user_persona.save(update_fields=["confidence"])
    return user_persona


def confirm(
    user_id: UUID, persona: Persona, *, confidence: float = 1.0, origin: str = Origin.OWNER
) -> UserPersona:
    """Make the user a member of a persona. Safe to repeat; a repetition renews the confirmation."""
    user_persona, _ = UserPersona.objects.get_or_create(
        user_id=user_id,
        persona=persona,
        defaults={"origin": origin, "discovered_at": now()},
    )
    joins = user_persona.standing != Standing.CONFIRMED
    user_persona.standing, user_persona.confidence, user_persona.last_confirmed = (
        Standing.CONFIRMED,
        confidence,
        now(),
    )
    user_persona.save()
    if joins:
        by = By.OWNER if origin == Origin.OWNER else By.TALK
        audit.record(user_id, Action.JOINED, by=by, subject=persona.pk, after=str(persona))
    return user_persona


def decline(user_id: UUID, persona: Persona) -> None:
    """Decline a persona, so that the user is not asked again. A member leaves it."""
    guess(user_id, persona, 0.0, Origin.OWNER)
    rows = UserPersona.objects.filter(user_id=user_id, persona=persona)
    if rows.filter(standing=Standing.GUESSED).update(standing=Standing.DECLINED):
        audit.record(user_id, Action.DECLINED, subject=persona.pk, before=str(persona))


def leave(user_id: UUID, persona: Persona) -> bool:
    """End a membership. False if the user is not a member.

    Withdrawing support of its lessons is separate: see `memory.lessons.contribution`.
    """
    rows = UserPersona.objects.filter(user_id=user_id, persona=persona)
    left = rows.filter(standing=Standing.CONFIRMED).update(standing=Standing.LEFT)
    if left:
        audit.record(user_id, Action.LEFT, subject=persona.pk, before=str(persona))
    return bool(left)


def propose(user_id: UUID, industry: str, role: str, description: str = "") -> PersonaProposal:
    """Propose a missing persona to staff. Raises TooManyProposals."""
    waiting = PersonaProposal.objects.filter(
        user_id=user_id, standing=PersonaProposal.Standing.OPEN
    )
    if same := waiting.filter(industry__iexact=industry, role__iexact=role).first():
        return same
    if waiting.count() >= MOST_PROPOSALS:
        raise TooManyProposals(
            f"Staff already have {MOST_PROPOSALS} proposals from you. Wait for their answer."
        )
    return PersonaProposal.objects.create(
        user_id=user_id, industry=industry, role=role, description=description
    )
