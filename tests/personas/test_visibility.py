"""Whatever people do in whatever order: others read a lesson when three of two organisations bear
it out, or staff released it, and never else.
"""

from contextlib import suppress
from dataclasses import dataclass, field

import pytest
from django.utils.timezone import now
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pytest_django import DjangoDbBlocker

from accounts.database.isolation import acting_as, acting_as_cohort
from accounts.models import User
from memory.lessons import cohort as cohorts
from memory.lessons import contribution
from memory.lessons.contribution import LessonSource, NotShared
from memory.models import Lesson, LessonSupport
from personas import membership
from personas.models import Persona
from tests.once import rolled_back
from tests.people import together
from tests.personas.conftest import LESSON, Join

# Who they are, by the organisation of their address.
ADDRESSES = ["a@one.example", "b@one.example", "c@one.example", "d@two.example", "e@three.example"]
WATCHER = "watcher@four.example"

DEEDS = ("contribute", "withdraw", "opt_out", "opt_in", "leave", "join", "release", "take_back")
deeds = st.tuples(st.sampled_from(("contribute", *DEEDS)), st.sampled_from(ADDRESSES))


@pytest.fixture
def people(join: Join) -> dict[str, User]:
    return {address: join(address) for address in [*ADDRESSES, WATCHER]}


@dataclass
class Expected:
    """Who supports the lesson, and whether staff released it, reckoned without the product."""

    members: set[str] = field(default_factory=lambda: set(ADDRESSES))
    sharing: set[str] = field(default_factory=lambda: set(ADDRESSES))
    supporters: set[str] = field(default_factory=set)
    there: bool = False
    released: bool = False

    def after(self, deed: str, address: str) -> None:
        """What a deed changes."""
        if deed == "contribute" and address in self.members & self.sharing:
            self.supporters.add(address)
            self.there = True
        elif deed in ("withdraw", "opt_out", "leave"):
            self.supporters.discard(address)
        elif deed in ("release", "take_back"):
            self.released = deed == "release" and self.there
        if deed in ("opt_out", "opt_in"):
            (self.sharing.add if deed == "opt_in" else self.sharing.discard)(address)
        if deed in ("leave", "join"):
            (self.members.add if deed == "join" else self.members.discard)(address)

    @property
    def readable(self) -> bool:
        """Whether others may read it."""
        firms = {one.partition("@")[2] for one in self.supporters}
        return self.released or (len(self.supporters) >= 3 and len(firms) >= 2)


@settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(done=st.lists(deeds, min_size=3, max_size=14))
def test_a_lesson_is_read_by_others_only_as_long_as_enough_people_bear_it_out(
    people: dict[str, User],
    qsr: Persona,
    django_db_blocker: DjangoDbBlocker,
    done: list[tuple[str, str]],
) -> None:
    with rolled_back(django_db_blocker):
        expected = Expected()
        for deed, address in done:
            do(deed, people[address], qsr)
            expected.after(deed, address)
            assert read_by(people[WATCHER], qsr) == expected.readable, (deed, address)


def do(deed: str, user: User, qsr: Persona) -> None:
    """Do it through the doors that pages and API use."""
    if deed in ("release", "take_back"):
        with acting_as_cohort():
            Lesson.objects.update(approved_at=now() if deed == "release" else None)
        return
    with acting_as(user):
        match deed:
            case "contribute":
                with suppress(NotShared):
                    contribution.contribute_lesson(user, qsr, LESSON, source=LessonSource.OWNER)
            case "withdraw":
                contribution.withdraw_all(user.pk)
            case "opt_out":
                contribution.opt_out(user.pk)
            case "opt_in":
                contribution.opt_in(user.pk)
            case "leave":
                contribution.leave(user.pk, qsr)
            case "join":
                membership.confirm(user.pk, qsr)


def read_by(user: User, qsr: Persona) -> bool:
    """Whether it reaches them: in what they get, in the block, and in any query of theirs alike."""
    with acting_as(user):
        gets = LESSON in [one.text for one in cohorts.lessons_for(user.pk)]
        in_block = LESSON in cohorts.cohort_block(qsr)
        found = Lesson.objects.filter(text=LESSON).exists()
    assert gets == in_block == found
    return gets


@pytest.mark.django_db(transaction=True)
def test_twenty_who_say_the_same_at_once_make_one_lesson_and_one_line_of_the_block(
    join: Join, qsr: Persona
) -> None:
    people = [join(f"person{number}@firm{number % 5}.example") for number in range(20)]

    def contribute(user: User) -> None:
        with acting_as(user):
            contribution.contribute_lesson(user, qsr, LESSON, source=LessonSource.OWNER)

    results = together(*[lambda user=user: contribute(user) for user in people])
    assert [result for result in results if result is not None] == []
    with acting_as_cohort():
        lesson = Lesson.objects.get()
        assert (lesson.supporters, lesson.organisations) == (20, 5)
        assert LessonSupport.objects.count() == 20
    with acting_as(people[0]):
        assert cohorts.cohort_block(qsr) == f"- {LESSON}"
