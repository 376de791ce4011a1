"""Assigning personas to demo users, and adding the lessons of these personas."""

from accounts.database.isolation import acting_as
from accounts.models import User
from conversations.demo.talks import DemoPerson
from memory.lessons.contribution import LessonSource, contribute_lesson
from personas import membership, seeding
from personas.models import Persona


def join(user: User, person: DemoPerson) -> None:
    """Give a demo user their persona, and the persona its lessons. Idempotent."""
    seeding.seed()
    persona = Persona.objects.filter(handle=person.role, retired=False).first()
    if persona is None:
        return
    emails = {email for lesson in person.lessons for email in lesson.supporters}
    members = {email: _member(email) for email in sorted(emails | {user.email})}
    for member in members.values():
        with acting_as(member):
            membership.confirm(member.pk, persona)
    for lesson in person.lessons:
        for email in lesson.supporters:
            with acting_as(members[email]):
                contribute_lesson(members[email], persona, lesson.text, source=LessonSource.OWNER)


def _member(email: str) -> User:
    """Return the user of this address; created, if missing, as a colleague who never signs in."""
    user = User.objects.filter(email=email).first()
    return user or User.objects.create_user(email, is_demo=True, is_active=False)
