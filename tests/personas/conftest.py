"""A cohort: people of one persona, of three organisations."""

from collections.abc import Callable

import pytest

from accounts.database.isolation import acting_as
from accounts.models import User
from memory.lessons import contribution
from memory.lessons.contribution import ContributionResult, LessonSource
from personas import membership, seeding
from personas.models import Persona
from tests.conversations.conftest import serve

__all__ = ["serve"]
LESSON = "Compare candidate sites in one table before ranking them."

Join = Callable[..., User]
Contribute = Callable[..., ContributionResult]


@pytest.fixture
def personas(db: None) -> dict[str, Persona]:
    """The four that every installation has."""
    seeding.seed()
    return {persona.handle: persona for persona in Persona.objects.all()}


@pytest.fixture
def qsr(personas: dict[str, Persona]) -> Persona:
    return personas["qsr_real_estate"]


@pytest.fixture
def join(qsr: Persona) -> Join:
    """A member of a persona; the address says of which organisation."""

    def joined(email: str, persona: Persona = qsr) -> User:
        user = User.objects.create_user(email)
        with acting_as(user):
            membership.confirm(user.pk, persona)
        return user

    return joined


@pytest.fixture
def cohort(join: Join) -> list[User]:
    """Three members of two organisations."""
    return [join("ann@one.example"), join("ben@one.example"), join("cleo@two.example")]


@pytest.fixture
def contribute(qsr: Persona) -> Contribute:
    """Contribute a lesson by hand."""

    def contributed(user: User, text: str = LESSON, persona: Persona = qsr) -> ContributionResult:
        with acting_as(user):
            return contribution.contribute_lesson(user, persona, text, source=LessonSource.OWNER)

    return contributed
