"""What somebody pasted is nowhere told as their own words."""

from collections.abc import Callable

import pytest

from accounts.models import User
from tests.people import Talk

pytestmark = pytest.mark.django_db
MAIL = (
    "From: Petra Haas <petra@example.org>\nTo: parents\nSubject: Ballet\n\nDear parents, I am on"
    " sick leave until 7 December. I am pregnant and will leave in January.\nPetra"
)


@pytest.mark.parametrize("question", ["am I on sick leave?", "am I pregnant?"])
def test_a_question_about_oneself_is_not_answered_from_a_pasted_mail(
    alice: User, talk: Callable[..., Talk], question: str
) -> None:
    here = talk()
    here.say(MAIL)
    answer = here.say(question).content
    assert "You said here" not in answer
    assert "you said" not in answer
