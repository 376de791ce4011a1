"""Somebody says what they work as: they are asked, once, whether they belong to a persona."""

from django.conf import settings

from conversations.models import LearningOutcome, Message
from memory.language.reading import Reading
from memory.lessons import discovery
from memory.models import ProfileFact
from personas import membership
from personas.models import UserPersona

# What is known of somebody's work is read along with what they say now.
_WORK_SLOTS = ("job_title", "employer", "industry")


def asked(message: Message, said: Reading) -> list[LearningOutcome]:
    """The question that comes of a message, at most one; in the person's open block.

    Without a word about their own work nothing is looked up.
    """
    own = discovery.own_work(said)
    if not own:
        return []
    personas = [one for one in membership.recognisable() if discovery.is_near(one, own)]
    if not personas:
        return []
    facts = ProfileFact.objects.for_user(message.user_id).current().filter(slot__in=_WORK_SLOTS)
    known = ". ".join(facts.values_list("value", flat=True))
    # Half of it may have been said before: "I work in tobacco", and now "I do consumer insights".
    for match in discovery.matches(personas, f"{own}. {known}"):
        if match.confidence < settings.COHORT["ask_from"]:
            continue
        before = UserPersona.objects.filter(user_id=message.user_id, persona=match.persona)
        if before.exists() or not membership.personas().filter(pk=match.persona.pk).exists():
            continue
        membership.guess(message.user_id, match.persona, match.confidence, UserPersona.Origin.SAID)
        return [
            LearningOutcome(
                user_id=message.user_id,
                message=message,
                kind=LearningOutcome.Kind.ROLE,
                slot=match.persona.handle,
            )
        ]
    return []
