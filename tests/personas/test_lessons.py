"""A lesson is everybody's once enough people of more than one organisation support it."""

import pytest
from django.utils.timezone import now

from accounts.database.isolation import acting_as, acting_as_cohort
from accounts.models import User
from memory.lessons import cohort as cohorts
from memory.lessons import contribution, staff_decisions
from memory.lessons.contribution import NotShared
from memory.models import ExperienceDay, Lesson, LessonSupport, LessonTally
from personas.models import Persona
from tests.personas.conftest import LESSON, Contribute, Join


def received(user: User) -> list[str]:
    with acting_as(user):
        return [lesson.text for lesson in cohorts.lessons_for(user.pk)]


def seen(user: User) -> int:
    with acting_as(user):
        return Lesson.objects.count()


def counts(lesson: str = LESSON) -> tuple[int, int]:
    with acting_as_cohort():
        held = Lesson.objects.get(text=lesson)
        return held.supporters, held.organisations


def test_what_one_learned_reaches_the_others_once_three_of_two_organisations_support_it(
    cohort: list[User], join: Join, contribute: Contribute
) -> None:
    newcomer = join("dora@three.example")
    for user in cohort:
        assert received(newcomer) == []
        assert seen(newcomer) == 0
        assert contribute(user).verdict.accepted
    assert received(newcomer) == [LESSON]
    assert counts() == (3, 2)


def test_colleagues_of_one_organisation_share_its_secrets_so_they_alone_are_not_enough(
    join: Join, contribute: Contribute
) -> None:
    for name in ("ann", "ben", "cleo", "dan"):
        contribute(join(f"{name}@one.example"))
    assert received(join("dora@three.example")) == []


def test_nobody_but_its_supporters_reads_a_lesson_early_whatever_the_query(
    join: Join, contribute: Contribute
) -> None:
    ann, ben = join("ann@one.example"), join("ben@one.example")
    lesson = contribute(ann).lesson
    assert lesson is not None
    with acting_as(ben):
        assert not Lesson.objects.filter(pk=lesson.pk).exists()
        assert Lesson.objects.update(approved_at=now()) == 0
        assert LessonSupport.objects.count() == LessonTally.objects.count() == 0


def test_a_member_of_another_persona_gets_nothing_of_it(
    cohort: list[User], join: Join, contribute: Contribute, personas: dict[str, Persona]
) -> None:
    for user in cohort:
        contribute(user)
    assert received(join("eve@five.example", personas["cpg_retail_media"])) == []


def test_support_that_is_withdrawn_is_gone_from_counts_and_from_what_others_get(
    cohort: list[User], join: Join, contribute: Contribute
) -> None:
    newcomer = join("dora@three.example")
    lessons = [contribute(user).lesson for user in cohort]
    assert lessons[0] is not None
    with acting_as(cohort[0]):
        assert contribution.withdraw(cohort[0].pk, lessons[0].pk)
        assert not contribution.withdraw(cohort[0].pk, lessons[0].pk)
    assert received(newcomer) == []
    assert counts() == (2, 2)


def test_who_opts_out_gets_nothing_and_supports_nothing_from_that_moment(
    cohort: list[User], contribute: Contribute
) -> None:
    ann = cohort[0]
    for user in cohort:
        contribute(user)
    with acting_as(ann):
        assert contribution.opt_out(ann.pk) == 1
    assert [received(user) for user in cohort] == [[], [], []]
    with pytest.raises(NotShared, match="turned off sharing"):
        contribute(ann)
    with acting_as(ann):
        contribution.opt_in(ann.pk)
    assert received(ann) == []
    contribute(ann)
    assert received(ann) == [LESSON]


def test_an_account_that_goes_takes_its_support_along(
    cohort: list[User], contribute: Contribute
) -> None:
    for user in cohort:
        contribute(user)
    with acting_as(cohort[2]):
        cohort[2].delete()
    assert counts() == (2, 1)


def test_a_refusal_is_counted_by_its_reason_and_leaves_no_word_behind(
    qsr: Persona, join: Join, contribute: Contribute
) -> None:
    ann = join("ann@one.example")
    for _ in range(2):
        assert not contribute(ann, "Ask Sarah Miller for the list.").verdict.accepted
    day = ExperienceDay.objects.get(key=qsr.handle)
    assert sum(day.refusals.values()) == 2
    with acting_as_cohort():
        assert Lesson.objects.count() == 0


def test_who_says_again_what_staff_took_out_is_told_so_and_supports_nothing(
    cohort: list[User], contribute: Contribute
) -> None:
    made = contribute(cohort[0]).lesson
    assert made is not None
    staff_decisions.retire(made.pk, "It hints at one chain.")
    with pytest.raises(NotShared, match="Staff removed this lesson"):
        contribute(cohort[1])
    with acting_as_cohort():
        assert list(LessonSupport.objects.values_list("user", flat=True)) == [cohort[0].pk]
