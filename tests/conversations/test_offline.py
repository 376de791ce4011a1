"""The assistant without a model: true, dated, sourced answers, or a plain word that it has none."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
from django.utils.timezone import localdate, now

from accounts.database.isolation import acting_as
from accounts.models import User
from conversations.models import Conversation, Message
from conversations.notebook.answer_builder import day_in_full
from conversations.privacy import choose
from conversations.tools import consent
from conversations.tools.steps import Step, outcome
from ledger.conflicts.resolution import Answer as SettledBy
from ledger.conflicts.resolution import resolve
from memory.language.dates import planned_days
from memory.models import Memory, ProfileFact
from tests.people import Talk, dispute, tell

Talks = Callable[..., Talk]
MAY = datetime(2023, 5, 8, 13, tzinfo=UTC)


def told(user: User, title: str, text: str, at: datetime) -> Message:
    """A message of an earlier conversation with a name."""
    with acting_as(user):
        talk = Conversation.objects.create(user=user, title=title, started_at=at, last_at=at)
    return tell(user, text, talk, said_at=at)


@pytest.fixture
def past(alice: User) -> list[Message]:
    """Three conversations of two springs."""
    return [
        told(alice, "Lisbon plans", "I went to Lisbon with my sister Anna yesterday.", MAY),
        told(alice, "A boat", "I bought a red canoe. It leaks already.", MAY + timedelta(days=40)),
        told(alice, "Lisbon again", "I dream of Lisbon every night.", MAY + timedelta(days=400)),
    ]


# --- What there was in a time --------------------------------------------------------------------


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


def test_of_a_time_in_which_nothing_was_told_nothing_is_known(alice: User, talk: Talks) -> None:
    told(alice, "Spring", "I bought a kayak.", MAY)
    here = talk()
    here.say("What did I do last week?")
    # Nor is the question itself, asked a moment ago, an answer.
    assert "I don’t know that yet." in here.say("What did I do this week?").content


def test_what_was_said_in_confidence_is_not_told_of_its_time(alice: User, talk: Talks) -> None:
    secret = told(alice, "Spring", "I bought a kayak.", MAY)
    with acting_as(alice):
        Message.objects.filter(pk=secret.pk).update(confidential=True)
        ProfileFact.objects.for_user(alice.pk).delete()
        Memory.objects.for_user(alice.pk).delete()
    assert "kayak" not in talk().say("What did I do in May 2023?").content


# --- How often, when last, when first ------------------------------------------------------------


def test_a_confidence_is_told_to_whom_asks_for_it_and_beside_nothing_else(talk: Talks) -> None:
    here = talk()
    here.say("Between us, I owe my cousin Imran 600 euros for the gearbox of the van.")
    here.say("The van goes to the garage on Leeds Road for its brakes on Friday.")
    assert "600 euros" in here.say("How much do I owe my cousin Imran?").content
    assert "600 euros" not in here.say("Write a note to the garage about the van.").content
    assert "600 euros" not in here.say("What colour is the van?").content
    here.say("Between us, the brakes of the van failed on the motorway.")
    assert "motorway" not in here.say("Write a note about the motorway and the brakes.").content


def test_what_was_said_about_something_is_quoted_for_that_time_only(
    past: list[Message], talk: Talks
) -> None:
    answer = talk().say("What did I say about Lisbon in May 2023?").content
    assert "sister Anna" in answer
    assert "dream" not in answer


# --- Conversations -------------------------------------------------------------------------------


def test_conversations_about_something_are_told_by_what_was_said_of_it(
    past: list[Message], talk: Talks
) -> None:
    answer = talk().say("List my conversations about Lisbon").content
    assert "sister Anna" in answer
    assert "dream of Lisbon" in answer
    assert "canoe" not in answer


def test_a_private_conversation_is_not_summed_up_elsewhere(alice: User, talk: Talks) -> None:
    message = told(alice, "Secret", "I bought a canoe for Anna, a surprise.", MAY)
    with acting_as(alice):
        choose(message.conversation, Conversation.Privacy.PRIVATE)
    for question in ("Sum up our last conversation", "What did we talk about in May 2023?"):
        assert "canoe" not in talk().say(question).content


# --- Days, people, things ------------------------------------------------------------------------


def test_a_day_that_was_not_named_is_not_made_up(past: list[Message], talk: Talks) -> None:
    answer = talk().say("When did I buy the canoe?").content
    assert "17 June 2023" in answer
    assert not answer.startswith("17 June")


def test_one_thing_that_fits_nothing_else_answers_no_question_for_several(
    alice: User, talk: Talks
) -> None:
    tell(alice, "I saw a horse in the street.")
    answer = talk().say("Which animals frighten me at night?").content
    assert answer.startswith(("I don’t know that yet", "I need a language model for that"))
    assert "horse" not in answer


@pytest.mark.parametrize(
    "question",
    [
        "When did I climb Everest?",
        "Who repaired the roof?",
        "Which operas have I heard?",
        "Why is my bread so dry?",
        "What is the capital of Peru?",
    ],
)
def test_what_nobody_spoke_of_is_answered_with_no_quote(
    past: list[Message], talk: Talks, question: str
) -> None:
    answer = talk().say(question)
    assert answer.content.startswith(("I don’t know that yet", "I need a language model for that"))
    assert answer.recalled == []


# --- What holds, what held -----------------------------------------------------------------------


def test_what_held_before_comes_from_the_timeline(alice: User, talk: Talks) -> None:
    entry = dispute(alice)
    with acting_as(alice):
        resolve(entry, SettledBy("timeline", since=localdate()), by=alice)
        ProfileFact.objects.filter(value="Google").update(valid_from=MAY)
    answer = talk().say("Where did I work before?").content
    assert "Google: 2023 to" in answer
    assert "Microsoft" not in answer


def test_nothing_held_before_is_said_plainly(talk: Talks) -> None:
    talk().say("I work at Google")
    assert "I don’t know that yet." in talk().say("Where did I work before?").content


def test_since_when_something_holds_comes_from_the_timeline(alice: User, talk: Talks) -> None:
    tell(alice, "I live in Seattle", said_at=MAY)
    answer = talk().say("Since when do I live here?").content
    assert answer.startswith("Seattle: since 8 May 2023.")


# --- Greeting, what is open, forgetting ----------------------------------------------------------


def test_a_returning_person_is_greeted_with_what_is_open_and_the_last_talk(
    alice: User, talk: Talks
) -> None:
    told(alice, "A boat", "My name is Alice and I bought a canoe.", MAY)
    dispute(alice)
    answer = talk().say("Hello").content
    assert "Hello, Alice." in answer
    assert "One conflict is waiting for you" in answer
    assert "We last talked today" in answer


@pytest.mark.parametrize(("days", "when"), [(0, "today"), (1, "yesterday")])
def test_a_recent_talk_is_named_by_its_relative_day(
    alice: User, talk: Talks, days: int, when: str
) -> None:
    earlier = told(alice, "Am I on time?", "Am I on time?", now() - timedelta(days=days))
    answer = talk().say("Hello").content
    address = earlier.conversation.get_absolute_url()
    assert f"We last talked {when}: [“Am I on time?”]({address})." in answer


def test_a_new_person_is_greeted_with_nothing_but_a_question(alice: User, talk: Talks) -> None:
    User.objects.update(name="")
    assert talk().say("Hello").content == "Hello. What should I call you?"


@pytest.mark.parametrize("name", ["Henrike", "Lena", "Orla Brennan", "Priya"])
def test_a_name_alone_answers_the_question_on_arrival(alice: User, talk: Talks, name: str) -> None:
    User.objects.update(name="")
    assert talk().say(name).content.startswith(f"Good to meet you, {name.split(maxsplit=1)[0]}")


def test_what_is_open_is_told_and_nothing_open_too(alice: User, talk: Talks) -> None:
    assert talk().say("What is open?").content.startswith("You’re all caught up")
    dispute(alice)
    assert "One conflict is waiting for you" in talk().say("What is open?").content


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


def test_dropping_a_matter_is_no_wish_to_forget(talk: Talks) -> None:
    here = talk()
    here.say("I live in Seattle")
    assert here.say("Forget it, let's move on").content == "All right."


# --- Days that a sentence names ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sentence", "days"),
    [
        ("I went there yesterday", "7 May 2023"),
        ("We met last week", "the week of 1 to 7 May 2023"),
        ("I start next month", "June 2023"),
        ("We fly next Tuesday", "16 May 2023"),
        ("I painted it last year", "2022"),
        ("The feast is on 3 June 2023", "3 June 2023"),
        ("I'm meeting Jonas on Friday", "12 May 2023"),
        ("We moved on 5 June", "5 June 2022"),
    ],
)
def test_the_days_are_reckoned_from_when_it_was_said(sentence: str, days: str) -> None:
    found = planned_days.read_sentence_dates(sentence, MAY)
    assert found is not None
    assert found.in_words == days


def test_a_few_weeks_ago_is_told_as_about_then() -> None:
    found = planned_days.read_sentence_dates("A few weeks ago we sailed", MAY)
    assert found is not None
    assert not found.exactly


def test_a_sentence_without_a_time_names_no_day() -> None:
    assert planned_days.read_sentence_dates("I like tea", MAY) is None


def test_who_asks_what_is_known_of_them_is_told_all_without_a_search_for_a_word(
    alice: User, talk: Talks
) -> None:
    tell(alice, "My name is Alice.")
    answer = talk().say("What do you know about me?")
    assert "Your name is Alice." in answer.content
    assert answer.steps == []


def test_a_private_matter_that_is_only_told_is_not_looked_up(talk: Talks) -> None:
    answer = talk().say("I'm allergic to penicillin and I carry an EpiPen.")
    assert answer.content.endswith("Should I note it anyway?")
    assert answer.steps == []
