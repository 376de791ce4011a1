"""Who belongs to which persona: guessed, asked about, confirmed, left. Every change is logged."""

from uuid import UUID

from django.db.models import QuerySet
from django.utils.timezone import now

from accounts import audit
from accounts.audit import Action, By
from accounts.support.process_cache import read_every
from personas.models import Persona, PersonaProposal, UserPersona

Standing, Origin = UserPersona.Standing, UserPersona.Origin
# How many proposals of one person wait for staff at most.
MOST_PROPOSALS = 5


class TooManyProposals(ValueError):
    """Somebody proposed more personas than staff can be asked about at once."""


def personas() -> QuerySet[Persona]:
    """Those that somebody may belong to."""
    return Persona.objects.filter(retired=False)


@read_every(seconds=60)
def recognisable() -> list[Persona]:
    """Return the personas that somebody is recognised by, as read in the last minute."""
    return list(personas())


def of(user_id: UUID) -> list[UserPersona]:
    """What this person works as for sure, the surest first, with the personas."""
    return list(UserPersona.confirmed(user_id))


def guesses(user_id: UUID) -> list[UserPersona]:
    """What they may work as and have not been asked about, or have not answered."""
    rows = UserPersona.objects.filter(user_id=user_id, standing=Standing.GUESSED)
    return list(rows.filter(persona__retired=False).select_related("persona"))


def guess(user_id: UUID, persona: Persona, confidence: float, origin: str) -> UserPersona | None:
    """They may work as this, 0..1; None where they have answered that before.

    In their open block. A guess makes nobody a member: they are asked.
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
    """They do work as this: from now on they are a member. Twice is once, and confirms it anew."""
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
    """They do not work as this, and are not asked again. Who is a member leaves instead."""
    guess(user_id, persona, 0.0, Origin.OWNER)
    rows = UserPersona.objects.filter(user_id=user_id, persona=persona)
    if rows.filter(standing=Standing.GUESSED).update(standing=Standing.DECLINED):
        audit.record(user_id, Action.DECLINED, subject=persona.pk, before=str(persona))


def leave(user_id: UUID, persona: Persona) -> bool:
    """They no longer work as this. False where they were no member.

    What they support of its lessons is theirs to withdraw: see `memory.lessons.contribution`.
    """
    rows = UserPersona.objects.filter(user_id=user_id, persona=persona)
    left = rows.filter(standing=Standing.CONFIRMED).update(standing=Standing.LEFT)
    if left:
        audit.record(user_id, Action.LEFT, subject=persona.pk, before=str(persona))
    return bool(left)


def propose(user_id: UUID, industry: str, role: str, description: str = "") -> PersonaProposal:
    """Ask staff for a persona that is missing. Raises TooManyProposals."""
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
