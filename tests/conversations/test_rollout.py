"""Staff compare answers with and without earlier conversations, in figures."""

from io import StringIO

import pytest
from django.core.management import call_command

from accounts.models import User
from conversations import rollout
from tests.people import Talk, tell

pytestmark = pytest.mark.django_db


def figures() -> dict[str, list[str]]:
    out = StringIO()
    call_command("rollout", stdout=out)
    rows = (line for line in out.getvalue().splitlines() if line.startswith(rollout.ROWS))
    return {line[:50].strip(): [line[50:70].strip(), line[70:].strip()] for line in rows}


def test_a_group_of_few_people_is_not_shown(alice: User) -> None:
    tell(alice, "I live in Rome")
    Talk(alice).say("Where do I live?")
    shown = figures()
    assert shown.pop("people who got an answer") == ["1", "0"]
    assert {cell for cells in shown.values() for cell in cells} == {"-"}
