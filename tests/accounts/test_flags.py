"""Features that are on for a share of the people, who stay on their side of it."""

from uuid import UUID, uuid4

import pytest

from accounts.flags import CROSS_THREAD_MEMORY, is_on
from accounts.models import Flag, User
from tests.people import Talk, tell


def let_in(percent: int) -> None:
    Flag.objects.update_or_create(name=CROSS_THREAD_MEMORY, defaults={"percent": percent})


@pytest.mark.django_db
def test_a_larger_share_only_adds_people_and_is_about_as_large_as_it_says() -> None:
    people = [uuid4() for _ in range(3000)]
    before: set[UUID] = set()
    for percent in (0, 10, 50, 100):
        let_in(percent)
        inside = {one for one in people if is_on(CROSS_THREAD_MEMORY, one)}
        assert before <= inside
        assert abs(len(inside) / len(people) - percent / 100) < 0.04
        before = inside


def test_who_is_not_let_in_is_answered_from_the_conversation_alone_and_told_why(
    alice: User,
) -> None:
    tell(alice, "I live in Rome")
    assert "Rome" in Talk(alice).say("Where do I live?").content
    let_in(0)
    told = Talk(alice).say("Where do I live?").content
    assert "Rome" not in told
    assert "can’t answer from earlier conversations in your account yet" in told
    assert "Memory is off" not in told
    let_in(100)
    assert "Rome" in Talk(alice).say("Where do I live?").content
