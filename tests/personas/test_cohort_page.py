"""The pages of a role: what its owner reads and does there, and nobody else."""

import re

import pytest
from django.test import Client

from accounts.database.isolation import acting_as, acting_as_cohort
from accounts.models import User
from memory.blocks import private_blocks
from memory.models import Lesson, LessonReport, LessonSupport
from personas import membership
from personas.models import Persona, PersonaProposal, UserPersona
from tests.personas.conftest import LESSON, Contribute, Join

PAGE = "/notebook/cohort/"


@pytest.fixture
def ann(join: Join) -> User:
    return join("ann@one.example")


@pytest.fixture
def as_ann(ann: User) -> Client:
    client = Client()
    client.force_login(ann)
    return client


@pytest.fixture
def visible(join: Join, contribute: Contribute) -> Lesson:
    """A lesson that three others support."""
    for email in ("ben@one.example", "cleo@two.example", "dan@three.example"):
        lesson = contribute(join(email)).lesson
    assert lesson is not None
    return lesson


def page(client: Client, url: str = PAGE) -> str:
    response = client.get(url)
    assert response.status_code == 200
    return re.sub(r"\s+", " ", response.content.decode())


def standing(user: User, persona: Persona) -> str:
    with acting_as(user):
        return UserPersona.objects.get(persona=persona).standing


# --- Lessons -------------------------------------------------------------------------------------


def test_a_lesson_shows_how_many_support_it_and_nobody_who_does(
    as_ann: Client, visible: Lesson
) -> None:
    shown = page(as_ann)
    assert LESSON in shown
    assert "3 people" in shown
    assert "confirmed this week" in shown
    assert not re.search(r"ben|cleo|dan@|three\.example", shown)


def test_agreeing_counts_and_withdrawing_counts_back(
    as_ann: Client, ann: User, visible: Lesson
) -> None:
    as_ann.post(f"{PAGE}lessons/{visible.pk}/agree/")
    assert "4 people, you among them" in page(as_ann)
    as_ann.post(f"{PAGE}lessons/{visible.pk}/withdraw/")
    assert "3 people" in page(as_ann)
    assert as_ann.post(f"{PAGE}lessons/{visible.pk}/withdraw/").status_code == 404


def test_a_lesson_of_ones_own_waits_and_says_how_many_support_it_to_nobody(
    as_ann: Client, join: Join, contribute: Contribute
) -> None:
    contribute(join("ben@two.example"))
    response = as_ann.post(PAGE + "write/", {"text": LESSON}, follow=True)
    shown = response.content.decode()
    assert "Waiting for more support" in shown
    assert "2 people" not in shown


def test_what_the_guard_refuses_stays_in_the_field_and_says_what_to_do(
    as_ann: Client, ann: User
) -> None:
    text = "Ask Sarah Miller of Chick-fil-A for the list first."
    response = as_ann.post(PAGE + "write/", {"text": text})
    assert response.status_code == 422
    shown = response.content.decode()
    assert text in shown
    assert "may be a name" in shown
    with acting_as_cohort():
        assert not Lesson.objects.exists()


def test_a_lesson_that_one_cannot_read_can_be_neither_agreed_with_nor_reported(
    as_ann: Client, join: Join, contribute: Contribute
) -> None:
    hidden = contribute(join("ben@two.example")).lesson
    assert hidden is not None
    for url in (
        f"{PAGE}lessons/{hidden.pk}/agree/",
        f"{PAGE}lessons/{hidden.pk}/report/",
    ):
        assert as_ann.post(url, {"kind": "wrong"}).status_code == 404


def test_a_report_goes_to_staff_once_and_their_answer_comes_back(
    as_ann: Client, ann: User, visible: Lesson
) -> None:
    url = f"{PAGE}lessons/{visible.pk}/report/"
    assert as_ann.post(url, {}).status_code == 422
    for _ in range(2):
        as_ann.post(url, {"kind": "personal", "words": "That is my shop."})
    with acting_as_cohort():
        (report,) = LessonReport.objects.all()
        report.standing, report.answer = "kept", "It is general."
        report.save()
    assert "It is general." in page(as_ann)


# --- Sharing -------------------------------------------------------------------------------------


def test_opting_out_says_what_went_and_leaves_the_page_to_read(
    as_ann: Client, ann: User, visible: Lesson
) -> None:
    as_ann.post(f"{PAGE}lessons/{visible.pk}/agree/")
    shown = as_ann.post(PAGE + "sharing/", {"on": "0"}, follow=True).content.decode()
    assert "You no longer support 1 lesson" in shown
    assert "your answers don’t use these lessons" in shown
    assert LESSON in shown
    refused = as_ann.post(f"{PAGE}lessons/{visible.pk}/agree/", follow=True)
    assert "You turned off sharing lessons" in refused.content.decode()
    with acting_as(ann):
        assert not LessonSupport.objects.exists()


def test_the_shared_page_is_for_members_alone(
    as_ann: Client, as_alice: Client, visible: Lesson
) -> None:
    url = PAGE + "shared/qsr_real_estate/"
    assert LESSON in page(as_ann, url)
    assert as_alice.get(url).status_code == 404


# --- Roles ---------------------------------------------------------------------------------------


def test_who_has_no_role_sees_nothing_of_roles_until_they_look(
    as_alice: Client, qsr: Persona
) -> None:
    shown = page(as_alice, "/notebook/profile/")
    assert "Cohort" not in shown
    assert "Your role" in shown
    assert "You haven’t joined a role" in page(as_alice)
    assert str(qsr) in page(as_alice, PAGE + "roles/")


@pytest.mark.parametrize(
    ("answer", "becomes", "shares"),
    [("share", "confirmed", True), ("quiet", "confirmed", False), ("no", "declined", True)],
)
def test_a_guess_is_asked_about_and_answered(
    as_alice: Client, alice: User, qsr: Persona, answer: str, becomes: str, *, shares: bool
) -> None:
    with acting_as(alice):
        membership.guess(alice.pk, qsr, 0.6, "said")
    assert "Is this your role?" in page(as_alice)
    as_alice.post(f"{PAGE}roles/{qsr.handle}/", {"answer": answer})
    assert standing(alice, qsr) == becomes
    shown = page(as_alice)
    assert ("your answers don’t use these lessons" in shown) == (not shares)
    joined_and_shares = shares and becomes == "confirmed"
    assert ("Share it" in shown) == joined_and_shares
    assert ("Turn sharing off" in shown) == joined_and_shares


def test_leaving_a_role_withdraws_what_was_supported_in_it(
    as_ann: Client, ann: User, qsr: Persona, visible: Lesson
) -> None:
    as_ann.post(f"{PAGE}lessons/{visible.pk}/agree/")
    shown = as_ann.post(f"{PAGE}roles/{qsr.handle}/", {"answer": "leave"}, follow=True)
    assert "You no longer support 1 lesson" in shown.content.decode()
    assert standing(ann, qsr) == "left"


def test_a_missing_role_is_proposed_and_what_staff_say_is_read(
    as_alice: Client, alice: User
) -> None:
    url = PAGE + "roles/propose/"
    assert as_alice.post(url, {"industry": "Bakery"}).status_code == 422
    as_alice.post(url, {"industry": "Bakery", "role": "Purchasing"})
    with acting_as_cohort():
        PersonaProposal.objects.update(standing="declined", answer="Too small a role.")
    assert "Too small a role." in page(as_alice, PAGE + "roles/")
    assert as_alice.post(PAGE + "roles/no_such/", {"answer": "share"}).status_code == 404


# --- Blocks --------------------------------------------------------------------------------------


def test_a_block_is_written_over_the_version_that_was_read(as_ann: Client, ann: User) -> None:
    assert "not written yet" in page(as_ann, PAGE + "blocks/")
    as_ann.post(PAGE + "blocks/human/", {"content": "Likes tables.", "version": "0"})
    lost = as_ann.post(PAGE + "blocks/human/", {"content": "Likes maps.", "version": "0"})
    assert lost.status_code == 409
    assert "Likes maps." in lost.content.decode()
    assert "Likes tables." in lost.content.decode()
    as_ann.post(PAGE + "blocks/human/", {"content": "Likes maps.", "version": "1"})
    with acting_as(ann):
        assert private_blocks.read_block(ann, "human").content == "Likes maps."
        assert [one.content for one in private_blocks.history(ann.pk, "human")] == [
            "Likes maps.",
            "Likes tables.",
        ]


@pytest.mark.parametrize(
    ("label", "content", "status"),
    [("human", "x" * 3001, 422), ("agent_persona", "Be rude.", 422), ("nothing", "x", 404)],
)
def test_a_block_that_cannot_be_written_says_why_and_keeps_what_was_typed(
    as_ann: Client, label: str, content: str, status: int
) -> None:
    response = as_ann.post(f"{PAGE}blocks/{label}/", {"content": content, "version": "0"})
    assert response.status_code == status


def test_the_block_about_work_waits_for_a_role(as_alice: Client) -> None:
    url = PAGE + "blocks/user_persona_profile/"
    response = as_alice.post(url, {"content": "Ranks sites.", "version": "0"})
    assert response.status_code == 422
    assert "Choose your role first" in response.content.decode()


def test_nobody_who_is_not_signed_in_reads_any_of_it(client: Client) -> None:
    for url in (PAGE, PAGE + "roles/", PAGE + "blocks/"):
        assert client.get(url).status_code == 302


def test_staff_read_nobodys_pages(mira: User, visible: Lesson) -> None:
    client = Client()
    client.force_login(mira)
    assert LESSON not in page(client)
