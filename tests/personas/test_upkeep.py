"""Every day old lessons fade, and the counts stay right."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db.models import Count
from django.utils.timezone import now

from accounts.database.isolation import acting_as, acting_as_cohort
from accounts.models import User
from memory.lessons import contribution, upkeep
from memory.models import Lesson, LessonSupport, LessonTally
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


@pytest.fixture
def twins(cohort: list[User], contribute: Contribute) -> tuple[Lesson, Lesson]:
    """Two lessons that say nearly the same: one with three supporters, one of whom has both."""
    for user in cohort:
        lesson = contribute(user).lesson
    other = contribute(cohort[2], ALIKE).lesson
    assert lesson is not None
    assert other is not None
    return lesson, other


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


def test_the_round_moves_nobody_to_words_that_they_did_not_read(
    twins: tuple[Lesson, Lesson], join: Join
) -> None:
    support(join("eve@five.example"), twins[1])
    upkeep.look_after(now())
    with acting_as_cohort():
        counts = [Lesson.objects.get(pk=lesson.pk).supporters for lesson in twins]
    assert counts == [3, 2]
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


@pytest.mark.django_db(transaction=True)
def test_twenty_at_once_leave_the_counts_right_and_no_error(
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
        counts = [Lesson.objects.get(pk=lesson.pk).supporters for lesson in twins]
    assert counts == [3 + len(people) // 2, 1 + len(people) // 2]
