"""Looking up what was said: words, phrases, meaning, days, who said it, and what stays hidden."""

from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest

from accounts.database.isolation import acting_as
from accounts.models import User
from conversations import privacy
from conversations.models import Conversation, Message
from conversations.search import message_search, snippets
from conversations.search.message_search import Role, SearchQuery, SearchResults
from conversations.search.snippets import SearchTerms
from memory import manager
from memory.core import switch
from tests.memory.test_retrieval import talked as talked_unread
from tests.people import Talk, tell, the_fact

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)


def find(user: User, text: str = "", count: int = 20, **narrowed: Any) -> SearchResults:
    with acting_as(user):
        return message_search.find(user.pk, SearchQuery(text, **narrowed), count, at=NOW)


def texts(found: SearchResults) -> list[str]:
    return [one.message.content for one in found.results if one.message is not None]


def said_in(user: User, text: str, **narrowed: Any) -> list[str]:
    return texts(find(user, text, **narrowed))


def marked(found: SearchResults) -> list[str]:
    """What is marked in the best result."""
    return [piece.text for piece in found.results[0].snippet.pieces if piece.found]


def talked(user: User, *texts: str, **changes: Any) -> list[Message]:
    """A conversation that was read, turn by turn, and can be found."""
    messages = talked_unread(user, *texts, **changes)
    with acting_as(user):
        Message.objects.filter(conversation=messages[0].conversation).update(learned_at=NOW)
    return messages


@pytest.fixture
def a_year(alice: User) -> User:
    """A few things that Alice said, by month, and what was answered."""
    talked(
        alice,
        "My sister moved to Porto with her dog",
        "Porto is on the sea; has she found a flat?",
        "She has a flat near the river",
        at=datetime(2026, 5, 8, 9, tzinfo=UTC),
    )
    talked(
        alice,
        "The cities I like best are Lyon and Zürich",
        "Both lie on rivers",
        at=datetime(2026, 8, 2, 9, tzinfo=UTC),
    )
    talked(
        alice,
        "I bought tickets for the opera",
        "Which opera will you see?",
        "I practise the guitar every day, it keeps me sane",
        at=NOW - timedelta(days=14),
    )
    return alice


# --- Words and meaning ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("porto", "My sister moved to Porto with her dog"),
        ("city", "The cities I like best are Lyon and Zürich"),
        ("musical instrument", "I practise the guitar every day, it keeps me sane"),
    ],
)
def test_what_was_said_is_found_by_words_and_by_meaning(
    a_year: User, text: str, first: str
) -> None:
    assert said_in(a_year, text)[0] == first


@pytest.mark.parametrize("text", ["photosynthesis", '"moved to Lisbon"', "%", '"((("'])
def test_what_nobody_said_is_not_found(a_year: User, text: str) -> None:
    assert find(a_year, text).total == 0


# --- Exact phrases -------------------------------------------------------------------------------


def test_a_phrase_in_quotes_must_really_be_there(alice: User) -> None:
    talked(alice, "The green tea was cold", "", "Tea, green or black, I like", "", "Greenteas")
    assert len(said_in(alice, "green tea")) == 2
    for quoted in ('"green tea"', "“Green  Tea”", '"green tea" cold', "«green tea»"):
        assert said_in(alice, quoted) == ["The green tea was cold"]


# --- Time ----------------------------------------------------------------------------------------


def test_words_for_a_time_narrow_to_it_and_it_is_told(a_year: User) -> None:
    found = find(a_year, "what did I say about rivers last May")
    assert texts(found) == ["She has a flat near the river"]
    assert found.narrowed == message_search.DayRange(
        "last May", date(2026, 5, 1), date(2026, 5, 31)
    )
    assert said_in(a_year, "opera two weeks ago") == ["I bought tickets for the opera"]
    assert said_in(a_year, "opera last May") == []
    assert said_in(a_year, "opera last May", any_time=True) == ["I bought tickets for the opera"]


def test_days_narrow_and_both_count(a_year: User) -> None:
    day = date(2026, 8, 2)
    assert len(said_in(a_year, "", since=day, until=day)) == 1
    assert said_in(a_year, "cities", since=day, until=day)
    assert said_in(a_year, "cities", since=day + timedelta(days=1)) == []
    assert said_in(a_year, "cities", until=day - timedelta(days=1)) == []
    assert said_in(a_year, "cities", since=date.min, until=date.max)


# --- Who, where, what about ----------------------------------------------------------------------


def test_it_is_what_the_person_said_unless_asked_otherwise(a_year: User) -> None:
    answered = "Which opera will you see?"
    assert said_in(a_year, "opera") == ["I bought tickets for the opera"]
    assert said_in(a_year, "opera", role=Role.ASSISTANT) == [answered]
    assert set(said_in(a_year, "opera", role=Role.BOTH)) == {
        "I bought tickets for the opera",
        answered,
    }


def test_an_answer_is_not_found_before_its_question_was_read(a_year: User) -> None:
    with acting_as(a_year):
        Message.objects.filter(content__contains="tickets").update(learned_at=None)
    assert said_in(a_year, "opera", role=Role.ASSISTANT) == []


def test_a_title_is_found_by_its_words(a_year: User) -> None:
    with acting_as(a_year):
        Conversation.objects.filter(last_number=2).update(title="Rivers of <b>Europe</b>")
    found = find(a_year, "river", title_only=True)
    assert [one.conversation.title for one in found.results] == ["Rivers of <b>Europe</b>"]
    assert found.results[0].url == found.results[0].conversation.get_absolute_url()
    assert [one.conversation for one in find(a_year, "river").titles] == [
        found.results[0].conversation
    ]
    assert find(a_year, "flat", title_only=True).total == 0


# --- What stays hidden ---------------------------------------------------------------------------


def test_nobody_finds_the_words_of_another(a_year: User, bob: User) -> None:
    talked(bob, "I also like Porto")
    assert said_in(bob, "Porto", role=Role.BOTH) == ["I also like Porto"]
    with acting_as(a_year):
        theirs = Conversation.objects.first()
    assert theirs is not None
    assert find(bob, "Porto", within=theirs.pk).total == 0
    for sought in (
        SearchQuery("Porto"),
        SearchQuery("Porto", plain=True),
        SearchQuery("", since=date.min),
    ):
        with acting_as(bob):
            assert message_search.find(a_year.pk, sought, at=NOW).total == 0


@pytest.mark.parametrize("plain", [False, True])
def test_what_is_confidential_is_found_by_its_owner_and_marked(alice: User, plain: bool) -> None:
    here = tell(alice, "I have diabetes and a blue kayak")
    with acting_as(alice):
        here.refresh_from_db()
    assert here.confidential
    (result,) = find(alice, "kayak", plain=plain).results
    assert result.message == here
    assert result.only_here
    (inside,) = find(alice, "kayak", plain=plain, within=here.conversation_id).results
    assert inside.message == here
    assert not inside.only_here


def test_what_is_forgotten_is_found_where_it_was_said(alice: User) -> None:
    here = tell(alice, "I am a vegetarian and I play the cello")
    with acting_as(alice):
        manager.retract(the_fact(alice, "diet"))
    (result,) = find(alice, "vegetarian").results
    assert (result.message, result.only_here) == (here, True)


@pytest.mark.parametrize("plain", [False, True])
def test_a_private_conversation_is_found_from_inside_alone(a_year: User, plain: bool) -> None:
    with acting_as(a_year):
        first = Conversation.objects.order_by("last_at").first()
        assert first is not None
        Conversation.objects.filter(pk=first.pk).update(title="Porto and dogs")
        first.refresh_from_db()
        privacy.choose(first, Conversation.Privacy.PRIVATE)
    found = find(a_year, "Porto", plain=plain, role=Role.BOTH)
    assert (found.total, found.titles) == (0, [])
    assert find(a_year, "Porto", title_only=True).total == 0
    assert find(a_year, "", since=date(2026, 5, 1), until=date(2026, 5, 31)).total == 0
    assert said_in(a_year, "Porto", plain=plain, within=first.pk) == [
        "My sister moved to Porto with her dog"
    ]


def test_an_answer_after_a_confided_word_stays_with_it(alice: User) -> None:
    made = talked(alice, "A secret about a kayak", "Your kayak is safe with me", "Well then")
    with acting_as(alice):
        Message.objects.filter(pk=made[0].pk).update(confidential=True)
    assert find(alice, "kayak", role=Role.ASSISTANT).total == 0
    assert find(alice, "kayak", role=Role.ASSISTANT, plain=True).total == 0
    inside = find(alice, "kayak", role=Role.ASSISTANT, within=made[0].conversation_id)
    assert texts(inside) == ["Your kayak is safe with me"]


@pytest.mark.parametrize("plain", [False, True])
def test_what_was_taken_out_is_never_found(a_year: User, plain: bool) -> None:
    with acting_as(a_year):
        Message.objects.filter(content__contains="Porto").update(state=Message.State.REMOVED)
    assert find(a_year, "Porto", plain=plain, role=Role.BOTH).total == 0


# --- Memory off ----------------------------------------------------------------------------------


def test_with_memory_off_plain_words_are_found_the_latest_first(a_year: User) -> None:
    with acting_as(a_year):
        switch.switch_memory(a_year, on=False)
    tell(a_year, "Porto has three cities' worth of hills")
    found = find(a_year, "porto")
    assert found.plain
    assert texts(found) == [
        "Porto has three cities' worth of hills",
        "My sister moved to Porto with her dog",
    ]
    assert set(said_in(a_year, "city")) == {
        "Porto has three cities' worth of hills",
        "The cities I like best are Lyon and Zürich",
    }
    assert said_in(a_year, "porto hill") == ["Porto has three cities' worth of hills"]
    assert said_in(a_year, "musical instrument") == []
    assert said_in(a_year, "we") == []
    assert len(said_in(a_year, "it")) == 1


def test_what_was_said_with_memory_off_is_read_for_what_is_private_before_it_is_shown(
    alice: User,
) -> None:
    with acting_as(alice):
        switch.switch_memory(alice, on=False)
    secret = tell(alice, "My password for the kayak club is hunter2")
    tell(alice, "I have diabetes and a kayak")
    tell(alice, "The kayak is blue")
    masked = "My password for the kayak club is …"
    assert said_in(alice, "kayak", within=secret.conversation_id) == [secret.content]
    for on in (False, True):
        with acting_as(alice):
            switch.switch_memory(alice, on=on)
        results = find(alice, "kayak", plain=True).results
        shown = {result.snippet.text: result.only_here for result in results}
        assert shown == {
            masked: True,
            "I have diabetes and a kayak": True,
            "The kayak is blue": False,
        }


# --- Snippets ------------------------------------------------------------------------------------


def test_a_long_message_is_cut_to_where_the_words_stand() -> None:
    text = "Nothing much. " * 100 + "Then the kayak and the paddle sank. " + "And so on. " * 100
    made = snippets.snippet(text, SearchTerms.of(["paddle", "kayak"]))
    assert "kayak and the paddle sank" in made.text
    assert made.text.startswith("… ")
    assert made.text.endswith(" …")
    assert [made.text[a:b] for a, b in made.marks] == ["kayak", "paddle"]
    assert len(made.text) <= snippets.MOST + 4


def test_what_was_confided_while_memory_was_off_is_told_in_no_other_conversation(
    alice: User, talk: Callable[..., Talk]
) -> None:
    with acting_as(alice):
        switch.switch_memory(alice, on=False)
    talk().say("I have chlamydia and my password is Zebra77Quartz!")
    with acting_as(alice):
        switch.switch_memory(alice, on=True)
    there = talk()
    for asked in ("What was the first thing I told you?", "List my conversations."):
        answer = there.say(asked).content
        assert "Zebra77Quartz" not in answer
        assert "chlamydia" not in answer
