"""Without a model: a reminder that is needed no more closes its plan, or the plans are listed."""

from collections.abc import Callable

import pytest
from django.utils.timezone import localtime, now

from accounts.database.isolation import acting_as
from accounts.models import User
from conversations.tools.plans import AHEAD, plans_between
from conversations.tools.tool import ToolContext
from tests.people import Talk

pytestmark = pytest.mark.django_db

_MILK, _BEN = "Remind me to buy milk tomorrow", "Remind me to call Ben tomorrow"


def _planned(user: User) -> set[str]:
    today = localtime(now()).date()
    with acting_as(user):
        plans = plans_between(ToolContext(user.pk, now()), today, today + AHEAD)
    return {plan.text for plan in plans}


@pytest.mark.parametrize(
    ("told", "order", "left"),
    [
        ([_MILK], "Cancel that reminder", set()),
        ([_MILK], "I don't need that reminder any more", set()),
        ([_MILK, _BEN], "Cancel that reminder", {_MILK}),
        ([_MILK, _BEN, "The sun is shining today."], "Cancel that reminder", {_MILK, _BEN}),
        (["I have choir every Tuesday"], "Cancel that reminder", {"I have choir every Tuesday"}),
        ([_MILK], "I live in Berlin", {_MILK}),
    ],
)
def test_a_reminder_that_is_not_needed_closes_the_plan_that_is_meant(
    alice: User, talk: Callable[..., Talk], told: list[str], order: str, left: set[str]
) -> None:
    here = talk()
    for text in told:
        here.say(text)
    answer = here.say(order)
    assert _planned(alice) == left
    assert ("/coming-up/" in answer.content) is (order != "I live in Berlin")
