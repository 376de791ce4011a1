"""Staff's pages: personas, what people miss, lessons that wait, reports, and figures."""

import re
from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.test import Client

from accounts.database.isolation import acting_as, acting_as_cohort
from accounts.models import User
from memory.lessons import cohort as cohorts
from memory.lessons import reports, upkeep
from memory.models import Lesson, LessonReport
from personas.models import Persona
from tests.people import client_for
from tests.personas.conftest import LESSON, Contribute, Join

pytestmark = pytest.mark.django_db
PAGES = [
    "/admin/personas/persona/",
    "/admin/personas/personaproposal/",
    "/admin/memory/lesson/",
    "/admin/memory/lessonreport/",
    "/admin/memory/experienceday/",
]


@pytest.fixture
def as_mira(mira: User) -> Client:
    return client_for(mira)


@pytest.fixture
def lesson(join: Join, contribute: Contribute) -> Lesson:
    """Three colleagues of one organisation support it: others do not read it."""
    for name in ("ann", "ben", "cleo"):
        made = contribute(join(f"{name}@one.example")).lesson
    assert made is not None
    return made


def decide(client: Client, lesson: Lesson, **changes: str) -> Any:
    given = {"text": lesson.text, "reach": f"{lesson.scope}:{lesson.key}", "deed": "", "reason": ""}
    return client.post(f"/admin/memory/lesson/{lesson.pk}/change/", given | changes)


def received(user: User) -> list[str]:
    with acting_as(user):
        return [one.text for one in cohorts.lessons_for(user.pk)]


@pytest.mark.parametrize("path", PAGES)
def test_they_are_for_staff_and_name_nobody(
    lesson: Lesson, as_mira: Client, as_alice: Client, path: str
) -> None:
    page = as_mira.get(path)
    assert page.status_code == 200
    assert not re.findall(r"\w+@one\.example", page.content.decode())
    assert as_alice.get(path)["Location"].startswith("/admin/login/")


def test_a_released_lesson_is_read_at_once_and_the_log_says_by_whom_and_why(
    lesson: Lesson, as_mira: Client, mira: User, join: Join
) -> None:
    dora = join("dora@two.example")
    assert received(dora) == []
    answer = decide(as_mira, lesson, deed="release", reason="General, and right.")
    assert answer.status_code == 302
    assert received(dora) == [LESSON]
    line = LogEntry.objects.get()
    assert (line.user, line.change_message) == (mira, "Released: General, and right.")


def test_a_reworded_lesson_passes_the_guard_or_is_refused_with_its_words_kept(
    lesson: Lesson, as_mira: Client, join: Join
) -> None:
    names = "Compare the sites of Tim Hortons in one table."
    refused = decide(as_mira, lesson, text=names, reason="Shorter.")
    page = refused.content.decode()
    assert (refused.status_code, names in page) == (200, True)
    assert "This may be the name" in page or "This may be a name" in page
    new = "Rank candidate sites in one table."
    decide(as_mira, lesson, text=new, reason="Shorter.", reach="role:Real Estate")
    assert received(join("dora@two.example")) == [new]
    with acting_as_cohort():
        told = Lesson.objects.values_list("text", "supporters", "standing", "scope")
        assert set(told) == {(LESSON, 3, "retired", "persona"), (new, 0, "open", "role")}


@pytest.mark.parametrize(
    ("reach", "handle"),
    [
        ("role:Real Estate", None),
        ("industry:QSR", None),
        ("global:", "tobacco_consumer_insights"),
    ],
)
def test_a_widened_lesson_reaches_its_circle_and_stays_there_after_the_daily_round(
    lesson: Lesson,
    as_mira: Client,
    join: Join,
    personas: dict[str, Persona],
    reach: str,
    handle: str | None,
) -> None:
    assert decide(as_mira, lesson, reach=reach, reason="Of use to more.").status_code == 302
    upkeep.look_after(lesson.first_at)
    other = personas[handle or "qsr_real_estate"]
    assert received(join("eve@five.example", other)) == [LESSON]


def test_no_change_without_a_reason(lesson: Lesson, as_mira: Client) -> None:
    answer = decide(as_mira, lesson, deed="release")
    assert "Say why you’re changing it" in answer.content.decode()
    with acting_as_cohort():
        assert not Lesson.objects.get().visible


def test_who_reported_reads_what_staff_answered_and_a_retired_lesson_goes(
    lesson: Lesson, as_mira: Client, join: Join
) -> None:
    decide(as_mira, lesson, deed="release", reason="Fine.")
    dora = join("dora@two.example")
    with acting_as(dora):
        made = reports.report(dora.pk, lesson, LessonReport.Kind.PERSONAL, "It means my client.")
    listed = as_mira.get("/admin/memory/lessonreport/").content.decode()
    assert "It’s about a particular person" in listed
    assert "dora" not in listed
    path = f"/admin/memory/lessonreport/{made.pk}/change/"
    page = as_mira.get(path).content.decode()
    assert "It means my client." in page
    assert "dora" not in page
    without = as_mira.post(path, {"standing": "retired", "answer": ""})
    assert "Say what you did" in without.content.decode()
    as_mira.post(path, {"standing": "retired", "answer": "You are right, it is gone."})
    assert received(dora) == []
    assert (
        "You are right, it is gone." in client_for(dora).get("/notebook/cohort/").content.decode()
    )


def test_a_retired_persona_is_nobodys_any_more_and_keeps_its_handle(
    lesson: Lesson, qsr: Persona, as_mira: Client, join: Join
) -> None:
    path = f"/admin/personas/persona/{qsr.pk}/change/"
    page = as_mira.get(path).content.decode()
    assert 'name="handle"' not in page
    given = {"title": qsr.title, "description": qsr.description, "retired": "on"}
    assert as_mira.post(path, given).status_code == 302
    dora = join("dora@two.example")
    assert received(dora) == []
    assert as_mira.post(f"/admin/personas/persona/{qsr.pk}/delete/").status_code == 403
