"""Demo people who work, and what others in their roles learned: general words, past the guard."""

from accounts.database.isolation import acting_as
from accounts.models import User
from memory.lessons import LessonSource, contribute_lesson
from personas import membership, seeding
from personas.models import Persona

# Who has a role, by address.
ROLES = {
    "sarah@chickfilb.com": "qsr_real_estate",
    "daniel.insights@goldtobacco.com": "tobacco_consumer_insights",
}
# Colleagues elsewhere, who never sign in: their support makes a lesson visible.
_OTHERS = ("site.team@northfork.example", "expansion@ridgeway.example", "stores@coldbrook.example")
# Each lesson with how many of the others support it, and whether its own person does.
_LESSONS: dict[str, list[tuple[str, int, bool]]] = {
    "qsr_real_estate": [
        ("Check for cannibalization before ranking candidate sites.", 3, True),
        ("Show drive-time trade areas rather than simple rings.", 3, False),
        ("Put two candidate sites side by side in one table.", 3, True),
        ("Show lunch and dinner visits separately, not just a daily total.", 3, False),
        ("State whether a number counts visits or passing cars.", 3, False),
        ("Ask about parking before judging the busiest site.", 0, True),
    ],
    "tobacco_consumer_insights": [
        ("Split results by adult age groups before showing a total.", 3, True),
        ("Check for a change in tax or regulation when a chart shows a drop.", 3, False),
        ("Lead with three findings and one open question.", 1, True),
    ],
}


def join(user: User) -> None:
    """Give one of the demo people their role, and the role lessons. Twice is once."""
    seeding.seed()
    handle = ROLES[user.email]
    persona = Persona.objects.filter(handle=handle, retired=False).first()
    if persona is None:
        return
    others = [_other(email) for email in _OTHERS]
    for member in (user, *others):
        with acting_as(member):
            membership.confirm(member.pk, persona)
    for text, supporters, own in _LESSONS[handle]:
        for member in [*others[:supporters], *([user] if own else [])]:
            with acting_as(member):
                contribute_lesson(member, persona, text, source=LessonSource.OWNER)


def _other(email: str) -> User:
    user = User.objects.filter(email=email).first()
    return user or User.objects.create_user(email, is_demo=True, is_active=False)
