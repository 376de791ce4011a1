"""What is told as past: it enters the history, and nothing of what holds now changes."""

from collections.abc import Callable

from django.test import Client
from django.utils.timezone import localtime, now

from accounts.database.isolation import acting_as
from accounts.models import User
from conversations.models import Conversation, LearningOutcome, Message
from conversations.web.present.chips import notes_of
from ledger.history import timeline
from ledger.models import Contradiction
from tests.people import Talk, tell, values


def history_of(user: User) -> list[str]:
    today = localtime(now()).date()
    with acting_as(user):
        return [
            strand.sentence(today) for strand in timeline.slot_histories(timeline.read(user.pk))
        ]


def chips(user: User, answer: Message) -> list[str]:
    """What the chips above an answer say."""
    with acting_as(user):
        asked = Message.objects.get(conversation=answer.conversation, number=answer.number - 1)
        return [one.text for one in notes_of(asked)]


def test_what_is_told_as_past_stands_in_the_history_and_answers_for_its_years(
    alice: User, talk: Callable[..., Talk]
) -> None:
    tell(alice, "I work at Google.")
    noted = talk().say("I worked at Post AG from 2009 to 2016.")
    assert any("Post AG, 2009 to 2016" in text for text in chips(alice, noted))
    assert values(alice, "employer") == {"Google"}
    assert history_of(alice) == ["Employer: Post AG, 2009 to 2016; Google since today."]
    assert "Post AG: 2009 to 2016" in talk().say("Where did I work before?").content
    for question in ("Where did I work in 2012?", "What was my job in March 2013?"):
        told = talk().say(question).content
        assert "Post AG: 2009 to 2016" in told
        assert "Google" not in told
    assert "Your employer" not in talk().say("Where did I work in 2019?").content


def test_what_is_held_then_or_now_or_is_asked_about_is_not_put_into_the_past(alice: User) -> None:
    tell(alice, "I work at Google since 2012.")
    tell(alice, "I worked at Post AG from 2009 to 2016.")
    tell(alice, "I work at Amazon.")
    tell(alice, "I worked at Amazon until 2011.")
    tell(alice, "I worked at Google until last year.")
    assert values(alice, "employer", "past") == set()
    with acting_as(alice):
        assert Contradiction.objects.for_user(alice.pk).open().count() == 1


def test_what_is_past_is_not_noted_unasked_nor_from_a_private_conversation(alice: User) -> None:
    with acting_as(alice):
        private = Conversation.objects.create(user=alice, privacy="private")
        asked = Conversation.objects.create(user=alice, privacy="ask")
    tell(alice, "I worked at Post AG from 2009 to 2016.", private)
    tell(alice, "I worked at Post AG from 2009 to 2016.", asked)
    tell(alice, "My neighbour worked at Siemens until 2010.")
    assert history_of(alice) == []


def the_chip(user: User) -> str:
    with acting_as(user):
        return f"/notes/{LearningOutcome.objects.get(fact__isnull=False, fact__value='Post AG').pk}"


def test_what_is_over_is_taken_back_at_its_chip_and_comes_back_as_it_was(
    alice: User, as_alice: Client, talk: Callable[..., Talk]
) -> None:
    there = talk()
    there.say("I worked at Post AG from 2009 to 2016.")
    assert there.conversation is not None
    page = there.conversation.get_absolute_url()
    chip = the_chip(alice)
    assert f"{chip}/undo/" in as_alice.get(page).content.decode()
    as_alice.post(f"{chip}/undo/")
    assert values(alice, "employer", "removed") == {"Post AG"}
    assert history_of(alice) == []
    assert "Post AG" not in talk().say("Where did I work in 2012?").content
    shown = as_alice.get(page).content.decode()
    assert f"{chip}/restore/" in shown
    assert "Bring back: Worked at Post AG" in shown
    as_alice.post(f"{chip}/restore/")
    assert values(alice, "employer") == set()
    assert history_of(alice) == ["Employer: Post AG, 2009 to 2016."]
