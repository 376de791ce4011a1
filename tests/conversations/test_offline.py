"""The assistant without a model: true, dated, sourced answers, or a plain word that it has none."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest

from accounts.database.isolation import acting_as
from accounts.models import User
from conversations.models import Conversation, Message
from conversations.notebook.answer_builder import day_in_full
from conversations.privacy import choose
from conversations.tools import consent
from conversations.tools.steps import Step, outcome
from memory.language.dates import planned_days
from memory.models import ProfileFact
from tests.people import Talk, tell

Talks = Callable[..., Talk]
# A Monday.
MAY = datetime(2023, 5, 8, 13, tzinfo=UTC)
VIEWING = "The viewing is on Saturday 20 May at 11."
IN_LINZ = "The viewing in Linz is on Saturday 20 May."


def told(user: User, title: str, text: str, at: datetime) -> Message:
    """A message of an earlier conversation with a name."""
    with acting_as(user):
        talk = Conversation.objects.create(user=user, title=title, started_at=at, last_at=at)
    return tell(user, text, talk, said_at=at)


def test_who_asks_for_a_time_is_told_what_was_told_then_in_its_order(
    alice: User, talk: Talks
) -> None:
    for days, text in ((2, "I bought a kayak. Lovely."), (0, "Hello! I began with judo.")):
        told(alice, "Spring", text, MAY + timedelta(days=days))
    told(alice, "Later", "I fixed the bike.", MAY + timedelta(days=90))
    for question in ("What did I do in May 2023?", "What happened between April and June 2023?"):
        answer = talk().say(question).content
        assert answer.index("I began with judo") < answer.index("I bought a kayak")
        assert "bike" not in answer
        assert day_in_full(MAY) in answer
    assert answer.startswith("Between April and June 2023, as far as I know:")


def test_a_confidence_is_told_to_whom_asks_for_it_and_beside_nothing_else(talk: Talks) -> None:
    here = talk()
    here.say("Between us, I owe my cousin Imran 600 euros for the gearbox of the van.")
    here.say("The van goes to the garage on Leeds Road for its brakes on Friday.")
    assert "600 euros" in here.say("How much do I owe my cousin Imran?").content
    assert "600 euros" not in here.say("Write a note to the garage about the van.").content
    assert "600 euros" not in here.say("What colour is the van?").content
    here.say("Between us, the brakes of the van failed on the motorway.")
    assert "motorway" not in here.say("Write a note about the motorway and the brakes.").content


def test_a_private_conversation_is_not_summed_up_elsewhere(alice: User, talk: Talks) -> None:
    message = told(alice, "Secret", "I bought a canoe for Anna, a surprise.", MAY)
    with acting_as(alice):
        choose(message.conversation, Conversation.Privacy.PRIVATE)
    for question in ("Sum up our last conversation", "What did we talk about in May 2023?"):
        assert "canoe" not in talk().say(question).content


@pytest.mark.parametrize(
    "question",
    [
        "When did I climb Everest?",
        "Which operas have I heard?",
        "Why is my bread so dry?",
        "What is the capital of Peru?",
    ],
)
def test_what_nobody_spoke_of_is_answered_with_no_quote(
    alice: User, talk: Talks, question: str
) -> None:
    told(alice, "A boat", "I bought a red canoe. It leaks already.", MAY)
    answer = talk().say(question)
    assert answer.content.startswith(("I don’t know that yet", "I need a language model for that"))
    assert answer.recalled == []


@pytest.mark.parametrize(
    ("said", "reply"),
    [("Hello", "Hello. What should I call you?"), ("Orla Brennan", "Good to meet you, Orla")],
)
def test_a_new_person_is_asked_for_a_name_and_may_say_it_alone(
    alice: User, talk: Talks, said: str, reply: str
) -> None:
    User.objects.update(name="")
    assert talk().say(said).content.startswith(reply)


def test_what_was_just_said_is_taken_out_by_nobody_without_a_yes(alice: User, talk: Talks) -> None:
    here = talk()
    here.say("I live in Seattle")
    answer = here.say("Forget what I just said")
    assert "Should I delete your last message" in answer.content
    assert "Seattle" not in answer.content  # it would stay here when the message is gone
    (step,) = answer.steps
    assert (step["tool"], step["state"]) == ("forget_message", "asked")
    assert step["found"] == "message 1 would be deleted: “I live in Seattle” and “Lives in Seattle”"
    with acting_as(alice):
        assert ProfileFact.objects.current().get(slot="location").value == "Seattle"
        mark = Step.from_kept(step).mark
        assert consent.decide(answer, 0, mark, yes=True).state == "done"
        answer.refresh_from_db()
        assert "Seattle" not in str(answer.steps)
        kept = Step.from_kept(answer.steps[0])
        assert (kept.state, outcome(kept)) == ("done", "message 1 deleted")
        assert not ProfileFact.objects.filter(slot="location").exists()
        said = Message.objects.filter(conversation=answer.conversation).order_by("number")
        removed = Message.State.REMOVED
        assert [one.state == removed for one in said] == [True, True, False, False]


def test_a_typed_yes_takes_it_out_and_a_typed_no_leaves_it(alice: User, talk: Talks) -> None:
    here = talk()
    here.say("I live in Seattle")
    here.say("Forget what I just said")
    assert here.say("No.").content == "OK, I haven’t changed anything."
    with acting_as(alice):
        assert ProfileFact.objects.filter(slot="location").exists()
    here.say("I like olives")
    here.say("Forget what I just said")
    assert here.say("Yes, please").content == "Done: message 7 deleted."
    with acting_as(alice):
        assert not ProfileFact.objects.filter(slot="likes").exists()
        assert ProfileFact.objects.filter(slot="location").exists()
    assert "deleted" not in here.say("yes").content


@pytest.mark.parametrize(
    ("sentence", "days"),
    [
        ("I went there yesterday", "7 May 2023"),
        ("We met last week", "the week of 1 to 7 May 2023"),
        ("We fly next Tuesday", "16 May 2023"),
        ("I'm meeting Jonas on Friday", "12 May 2023"),
        ("We moved on 5 June", "5 June 2022"),
        ("The viewing is on Saturday 20 May at 11.", "20 May 2023"),
        ("The viewing was moved from Saturday 20 May to Monday 22 May", "22 May 2023"),
        ("I was at the dentist on Tuesday the 2nd", "2 May 2023"),
        ("The boys are coming from the 21st to the 29th.", "21 to 29 May 2023"),
        ("We are in Rome from 28 December to 3 January", "28 December 2023 to 3 January 2024"),
    ],
)
def test_the_days_are_reckoned_from_when_it_was_said(sentence: str, days: str) -> None:
    found = planned_days.read_sentence_dates(sentence, MAY)
    assert found is not None
    assert found.in_words == days


@pytest.mark.parametrize(
    ("first", "later", "answer"),
    [
        (VIEWING, "The viewing has been moved to Monday 22 May at 16:30.", "22 May"),
        (VIEWING, "No, sorry, the viewing is on Monday 22 May.", "22 May"),
        (VIEWING, "The viewing was called off.", "The viewing was called off."),
        (IN_LINZ, "The viewing in Graz has been moved to Monday 22 May.", "20 May"),
    ],
)
def test_an_appointment_is_told_by_the_last_that_was_said_of_it(
    alice: User, talk: Talks, first: str, later: str, answer: str
) -> None:
    tell(alice, first, said_at=MAY)
    tell(alice, later, said_at=MAY + timedelta(days=1))
    what = first.removeprefix("The ").partition(" is on")[0]
    assert answer in talk().say(f"When is the {what}?").content.splitlines()[1]
