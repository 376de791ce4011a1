"""Every day old lessons fade, those that say the same become one, and the counts stay right."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db.models import Count
from django.utils.timezone import now

from accounts import work
from accounts.database.isolation import acting_as, acting_as_cohort, acting_as_worker
from accounts.models import User, Work
from memory.lessons import contribution, upkeep
from memory.models import Lesson, LessonSupport, LessonTally
from personas.models import Persona
from tests.people import together
from tests.personas.conftest import LESSON, Contribute, Join

ALIKE = "Compare the candidate sites in one table before ranking them."


def change(**values: Any) -> None:
    with acting_as_cohort():
        Lesson.objects.update(**values)


def standings() -> dict[str, str]:
    with acting_as_cohort():
        return dict(Lesson.objects.values_list("text", "standing"))


@pytest.mark.parametrize(
    ("days", "approved", "standing"),
    [
        (364, False, "open"),
        (366, False, "faded"),
        (366, True, "open"),
        (731, True, "faded"),
    ],
)
def test_what_nobody_confirmed_for_long_fades_and_what_staff_approved_later(
    cohort: list[User], contribute: Contribute, days: int, *, approved: bool, standing: str
) -> None:
    contribute(cohort[0])
    then = now() - timedelta(days=days)
    change(confirmed_at=then, approved_at=then if approved else None)
    upkeep.look_after(now())
    assert standings() == {LESSON: standing}


def test_a_faded_lesson_comes_back_with_the_next_who_supports_it(
    cohort: list[User], contribute: Contribute
) -> None:
    contribute(cohort[0])
    change(confirmed_at=now() - timedelta(days=400))
    upkeep.look_after(now())
    contribute(cohort[1])
    assert standings() == {LESSON: "open"}


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (LESSON, ALIKE, True),
        ("Show the summary first.", "Never show the summary first.", False),
        ("Show the summary first.", "Show the summary last.", False),
        ("Check parking before visits.", "Check parking after visits.", False),
        ("Show visits before rings.", "Show rings before visits.", False),
        ("Lead with three findings.", "Lead with five findings.", False),
    ],
)
def test_what_turns_the_meaning_keeps_two_lessons_apart(
    one: str, other: str, *, same: bool
) -> None:
    assert upkeep.say_the_same(one, other) is same


@pytest.fixture
def twins(cohort: list[User], qsr: Persona) -> tuple[Lesson, Lesson]:
    """Two lessons that say the same: one with three supporters, one of whom supports both."""
    with acting_as_cohort():
        made = [
            Lesson.objects.create(
                id=f"00000000-0000-4000-8000-00000000000{number}",
                key=qsr.handle,
                text=text,
                embedding=[1.0, *[0.0] * (Lesson._meta.get_field("embedding").dimensions - 1)],
                needs_people=3,
                needs_organisations=2,
            )
            for number, text in enumerate((LESSON, ALIKE))
        ]
    for lesson, users in zip(made, (cohort, cohort[2:]), strict=True):
        for user in users:
            support(user, lesson)
    return made[0], made[1]


def support(user: User, lesson: Lesson) -> None:
    with acting_as(user):
        contribution._support(user, lesson.pk, lesson.text, contribution.LessonSource.OWNER, None)


def withdraw(user: User, lesson: Lesson) -> None:
    with acting_as(user):
        contribution.withdraw(user.pk, lesson.pk)


def counted_right() -> None:
    """The counts of every lesson are those of its rows."""
    with acting_as_cohort():
        for lesson in Lesson.objects.annotate(
            people=Count("supports__user", distinct=True),
            firms=Count("supports__organisation", distinct=True),
        ):
            assert (lesson.supporters, lesson.organisations) == (lesson.people, lesson.firms)
        tallied = LessonTally.objects.filter(people__gt=0).values_list("people", flat=True)
        assert sum(tallied) == LessonSupport.objects.count()


def test_of_two_that_say_the_same_the_better_supported_stays_and_nobody_counts_twice(
    twins: tuple[Lesson, Lesson], join: Join
) -> None:
    support(join("eve@five.example"), twins[1])
    assert upkeep.look_after(now()).merged == 1
    with acting_as_cohort():
        kept, other = (Lesson.objects.get(pk=lesson.pk) for lesson in twins)
    assert (kept.supporters, kept.organisations, kept.standing) == (4, 3, "open")
    assert (other.supporters, other.standing, other.merged_into_id) == (0, "merged", kept.pk)
    assert upkeep.look_after(now()).merged == 0
    counted_right()


def test_who_supports_a_merged_lesson_supports_the_one_that_stayed(
    twins: tuple[Lesson, Lesson], join: Join
) -> None:
    upkeep.look_after(now())
    support(join("eve@five.example"), twins[1])
    with acting_as_cohort():
        assert Lesson.objects.get(pk=twins[0].pk).supporters == 4
    counted_right()


def test_what_nobody_supports_is_deleted_after_a_week(
    cohort: list[User], contribute: Contribute
) -> None:
    lesson = contribute(cohort[0]).lesson
    assert lesson is not None
    withdraw(cohort[0], lesson)
    assert upkeep.look_after(now() + timedelta(days=6)).removed == 0
    assert upkeep.look_after(now() + timedelta(days=8)).removed == 1
    assert standings() == {}


@pytest.mark.parametrize(("approved", "standing"), [(False, "retired"), (True, "open")])
def test_what_the_guard_refuses_by_now_is_retired_unless_staff_approved_it(
    cohort: list[User], contribute: Contribute, *, approved: bool, standing: str
) -> None:
    for user in cohort:
        contribute(user)
    named = "Ask Katarzyna Wojcik before ranking candidate sites."
    change(text=named, approved_at=now() if approved else None)
    assert upkeep.look_after(now()).refused == int(not approved)
    assert standings() == {named: standing}


def test_a_round_writes_down_the_next_one_a_day_later(personas: dict[str, Persona]) -> None:
    work.enqueue_for_site(upkeep.LESSONS_UPKEEP, delay=-1)
    assert work.do_waiting_work() == 1
    with acting_as_worker():
        waiting = Work.objects.get(kind=upkeep.LESSONS_UPKEEP)
    assert timedelta(hours=23) < waiting.run_after - now() <= timedelta(days=1)


@pytest.mark.django_db(transaction=True)
def test_twenty_at_once_leave_the_counts_right_one_lesson_and_no_error(
    twins: tuple[Lesson, Lesson], join: Join
) -> None:
    people = [join(f"person{number}@firm{number % 4}.example") for number in range(16)]

    def busy(user: User, number: int) -> Callable[[], None]:
        def deed() -> None:
            for turn in range(5):
                lesson = twins[(number + turn) % 2]
                support(user, lesson)
                if turn % 2:
                    withdraw(user, lesson)
            support(user, twins[number % 2])

        return deed

    def rounds() -> None:
        for _ in range(5):
            upkeep.look_after(now())

    deeds = [busy(user, number) for number, user in enumerate(people)]
    results = together(*deeds, rounds, rounds, rounds, rounds)
    assert [result for result in results if result is not None] == []
    upkeep.look_after(now())
    upkeep.look_after(now())
    counted_right()
    with acting_as_cohort():
        assert Lesson.objects.filter(standing="open").count() == 1
        assert Lesson.objects.get(standing="open").supporters == 3 + len(people)
