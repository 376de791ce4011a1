"""Without a model: an open question is settled by a later yes or no, and named once."""

from collections.abc import Callable

import pytest

from accounts.database.isolation import acting_as
from accounts.models import User
from memory.models import Memory, ProfileFact
from tests.fakes.model_server import Serve, normal
from tests.people import Talk

pytestmark = pytest.mark.django_db

Talks = Callable[..., Talk]
_MEANWHILE = "The sun is shining today."


def _held(user: User) -> set[str]:
    with acting_as(user):
        facts = {fact.value for fact in ProfileFact.objects.current()}
        return facts | {note.content for note in Memory.objects.active()}


@pytest.mark.parametrize("between", [0, 2])
@pytest.mark.parametrize(("word", "held"), [("Yes", set()), ("no", {"jazz"})])
def test_a_yes_or_no_settles_what_was_asked_some_messages_ago(
    alice: User, talk: Talks, word: str, held: set[str], between: int
) -> None:
    here = talk()
    for text in ("I like jazz", "Forget that I like jazz", *[_MEANWHILE] * between, word):
        here.say(text)
    assert _held(alice) == held


@pytest.mark.parametrize("between", ["no", "Where do I live?", "I live in Berlin."])
def test_it_settles_nothing_once_something_else_was_asked_or_answered(
    alice: User, talk: Talks, between: str
) -> None:
    here = talk()
    for text in ("I live in Rome.", "I like jazz", "Forget that I like jazz", between, "yes"):
        here.say(text)
    asked_since = between != "Where do I live?"
    assert ("jazz" in _held(alice)) is asked_since


@pytest.mark.parametrize("between", [0, 2])
def test_only_a_yes_right_after_the_offer_is_consent_to_what_is_private(
    alice: User, talk: Talks, between: int
) -> None:
    here = talk()
    for text in ("I have asthma", *[_MEANWHILE] * between, "Yes"):
        here.say(text)
    assert _held(alice) == ({"asthma"} if between == 0 else set())


def test_it_is_left_to_a_model_that_has_answered_since(
    alice: User, talk: Talks, serve: Serve
) -> None:
    serve(normal("I can look that up."))
    here = talk()
    for text in ("I like jazz.", "Forget that I like jazz", _MEANWHILE, "yes"):
        here.say(text)
    assert _held(alice) == {"jazz"}
