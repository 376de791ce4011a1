"""Staff compare answers with and without earlier conversations, in figures."""

from io import StringIO

import pytest
from django.core.management import call_command

from accounts import flags
from accounts.database.isolation import acting_as
from accounts.models import Flag, User
from conversations import rollout
from conversations.models import Message
from tests.people import Talk, tell

pytestmark = pytest.mark.django_db


def figures() -> dict[str, list[str]]:
    out = StringIO()
    call_command("rollout", stdout=out)
    rows = (line for line in out.getvalue().splitlines() if line.startswith(rollout.ROWS))
    return {line[:50].strip(): [line[50:70].strip(), line[70:].strip()] for line in rows}


@pytest.fixture
def people(alice: User) -> dict[bool, list[User]]:
    """Enough people on each side of a flag that is on for half of them."""
    Flag.objects.update_or_create(name=flags.CROSS_THREAD_MEMORY, defaults={"percent": 50})
    sides: dict[bool, list[User]] = {True: [], False: []}
    number = 0
    while min(map(len, sides.values())) < rollout.FEWEST:
        number += 1
        user = User.objects.create_user(f"person{number}@example.org", None)
        side = sides[flags.is_on(flags.CROSS_THREAD_MEMORY, user.pk)]
        if len(side) < rollout.FEWEST:
            side.append(user)
    return sides


def test_answers_are_counted_by_whether_earlier_conversations_are_used(
    people: dict[bool, list[User]],
) -> None:
    for user in [*people[True], *people[False]]:
        tell(user, "I live in Rome")
        Talk(user).say("Where do I live?")
    shown = figures()
    assert shown["people who got an answer"] == ["5", "5"]
    on, off = shown["answers that used memories"]
    assert on.startswith("5 (")
    assert off.startswith("0 (")
    with acting_as(people[False][0]):
        said = Message.objects.get(role="user", content="Where do I live?")
        Message.objects.filter(pk=said.pk).update(corrects=said)
    assert [cell[:2] for cell in figures()["messages that correct an earlier one"]] == ["0 ", "1 "]


def test_a_group_of_few_people_is_not_shown(alice: User) -> None:
    tell(alice, "I live in Rome")
    Talk(alice).say("Where do I live?")
    shown = figures()
    assert shown.pop("people who got an answer") == ["1", "0"]
    assert {cell for cells in shown.values() for cell in cells} == {"-"}
