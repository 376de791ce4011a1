"""A change of name, job or city is never silent, and what is not about the person asks nothing."""

import pytest

from accounts.isolation import acting_as
from accounts.models import User
from ledger.models import Contradiction
from memory.models import Memory, ProfileFact
from tests.ledger.phrasings import HELD, PHRASINGS, Phrasing
from tests.people import tell

pytestmark = pytest.mark.django_db


def current(user: User) -> dict[str, str]:
    with acting_as(user):
        rows = ProfileFact.objects.for_user(user.pk).current().filter(many=False)
        return dict(rows.values_list("slot", "value"))


def asked_about(user: User) -> set[str]:
    """The slots with an open entry or a waiting proposal."""
    with acting_as(user):
        entries = Contradiction.objects.for_user(user.pk).open().values_list("slot", flat=True)
        waiting = Memory.objects.for_user(user.pk).filter(status="waiting").exclude(slot="")
        return {*entries, *waiting.values_list("slot", flat=True)}


@pytest.mark.parametrize("phrasing", PHRASINGS, ids=lambda phrasing: phrasing.text)
def test_a_change_is_asked_about_and_nothing_else_is(alice: User, phrasing: Phrasing) -> None:
    for text in HELD:
        tell(alice, text)
    before = current(alice)
    assert before == {
        "name": "Nick Adler",
        "employer": "Microsoft",
        "job_title": "software engineer",
        "location": "Rome",
    }
    tell(alice, phrasing.text)
    assert current(alice) == before, "nothing changes silently"
    asked = asked_about(alice)
    assert phrasing.asks <= asked, "a change that nobody was asked about"
    assert asked <= phrasing.asks, "a question about something that is no change"
