"""Asking users who mention a persona's work, or leaving it, whether they belong to the persona."""

from uuid import UUID

from django.conf import settings

from conversations.models import LearningOutcome, Message
from memory.language.reading import Reading
from memory.lessons.discovery import is_near_persona, matching_personas
from memory.lessons.own_work import read_own_work
from memory.models import ProfileFact
from personas import membership
from personas.models import Persona, UserPersona

Kind = LearningOutcome.Kind
# Known facts about the user's work, matched together with the message.
_WORK_SLOTS = ("job_title", "employer", "industry")


def ask_about_role(message: Message, reading: Reading) -> list[LearningOutcome]:
    """Return the question about a persona that a message suggests, at most one; in the user's
    transaction (`acting_as`). Without a mention of the user's own work nothing is looked up.
    """
    work = read_own_work(reading)
    return _ask_whether_they_work(message, work.now) or _whether_they_left(message, work.over)


def question(user_id: UUID, message: Message, kind: Kind, persona: Persona) -> LearningOutcome:
    """Return the unsaved outcome that asks about a persona."""
    return LearningOutcome(user_id=user_id, message=message, kind=kind, slot=persona.handle)


def _near(text: str) -> list[Persona]:
    if not text:
        return []
    return [persona for persona in membership.recognisable() if is_near_persona(persona, text)]


def _ask_whether_they_work(message: Message, now: str) -> list[LearningOutcome]:
    personas = _near(now)
    if not personas:
        return []
    facts = ProfileFact.objects.for_user(message.user_id).current().filter(slot__in=_WORK_SLOTS)
    known = ". ".join(facts.values_list("value", flat=True))
    # A part may have been said before: "I work in tobacco", and now "I do consumer insights".
    for match in matching_personas(personas, f"{now}. {known}"):
        if match.confidence < settings.COHORT["ask_from"]:
            continue
        before = UserPersona.objects.filter(user_id=message.user_id, persona=match.persona)
        if before.exists() or not membership.personas().filter(pk=match.persona.pk).exists():
            continue
        membership.guess(message.user_id, match.persona, match.confidence, UserPersona.Origin.SAID)
        return [question(message.user_id, message, Kind.ROLE, match.persona)]
    return []


def _whether_they_left(message: Message, over: str) -> list[LearningOutcome]:
    """Return the question whether the user has left a persona; [] if nothing suggests it."""
    personas = _near(over)
    if not personas:
        return []
    for link in UserPersona.confirmed(message.user_id).filter(persona__in=personas):
        before = LearningOutcome.objects.filter(
            user_id=message.user_id, kind=Kind.LEFT_ROLE, slot=link.persona.handle
        )
        if not before.filter(message__said_at__gt=link.last_confirmed).exists():
            return [question(message.user_id, message, Kind.LEFT_ROLE, link.persona)]
    return []
