"""Looking up what was said: words, phrases, meaning, days, who said it, and what stays hidden."""

from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accounts.database.isolation import acting_as
from accounts.models import User
from conversations import privacy
from conversations.models import Conversation, ConversationTopic, Message, Topic
from conversations.search import message_search, snippets
from conversations.search.message_search import Role, SearchQuery, SearchResults
from conversations.search.snippets import SearchTerms
from memory import manager
from memory.core import switch
from memory.models import Passage
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
        ("buy ticket", "I bought tickets for the opera"),
        ("musical instrument", "I practise the guitar every day, it keeps me sane"),
        ("where does my sister live?", "My sister moved to Porto with her dog"),
    ],
)
def test_what_was_said_is_found_by_words_and_by_meaning(
    a_year: User, text: str, first: str
) -> None:
    assert said_in(a_year, text)[0] == first


def test_a_result_leads_to_the_very_message_and_says_why(a_year: User) -> None:
    best = find(a_year, "porto").results[0]
    assert best.message is not None
    assert best.url == best.message.get_absolute_url()
    assert best.said_at == datetime(2026, 5, 8, 9, tzinfo=UTC)
    assert best.who == "You"
    assert "covers the question, alone or with the messages around it" in best.reasons


@pytest.mark.parametrize("text", ["xqzzwv", "photosynthesis", '"moved to Lisbon"', "%", "'; --"])
def test_what_nobody_said_is_not_found(a_year: User, text: str) -> None:
    assert find(a_year, text).total == 0


def test_nothing_is_looked_for_when_nothing_is_asked(a_year: User) -> None:
    assert find(a_year) == SearchResults()
    assert find(a_year, role=Role.BOTH) == SearchResults()


def test_the_best_are_shown_and_all_are_counted(alice: User) -> None:
    talked(alice, *[f"The kayak has scratch {n}" for n in range(230)])
    found = find(alice, "kayak", count=20, role=Role.BOTH)
    assert len(found.results) == 20
    assert found.total == message_search.MOST
    assert len(find(alice, "kayak", count=60, role=Role.BOTH).results) == 60


def test_results_come_together_by_conversation(a_year: User) -> None:
    found = find(a_year, "flat in Porto", role=Role.BOTH)
    groups = found.by_conversation
    assert len(groups[0][1]) == 3
    assert sum(len(inside) for _, inside in groups) == len(found.results)
    assert groups[0][0] == found.results[0].conversation


# --- Exact phrases -------------------------------------------------------------------------------


def test_a_phrase_in_quotes_must_really_be_there(alice: User) -> None:
    talked(alice, "The green tea was cold", "", "Tea, green or black, I like", "", "Greenteas")
    assert len(said_in(alice, "green tea")) == 2
    for quoted in ('"green tea"', "“Green  Tea”", '"green tea" cold', "«green tea»"):
        assert said_in(alice, quoted) == ["The green tea was cold"]


def test_a_phrase_of_common_words_alone_is_found(alice: User) -> None:
    talked(alice, "To be or not to be", "", "Not now", "", "It is what\nit is")
    assert said_in(alice, '"or not to be"') == ["To be or not to be"]
    assert said_in(alice, '"it is what it is"') == ["It is what\nit is"]


def test_a_phrase_is_found_among_many_that_share_its_words(alice: User) -> None:
    many = [text for n in range(400) for text in (f"Tea in cup {n}, a green one", "")]
    talked(alice, "I want green tea", "", *many)
    assert said_in(alice, '"green tea"') == ["I want green tea"]


def test_an_apostrophe_is_one_however_it_is_written(alice: User) -> None:
    talked(alice, "I don’t like Anna's soup", "", "Ann asked")
    assert said_in(alice, '"don\'t like"') == ["I don’t like Anna's soup"]
    assert said_in(alice, "“Anna’s soup”") == ["I don’t like Anna's soup"]


@pytest.mark.parametrize("text", ['porto "', 'say "porto', "“porto", '"" porto', '" " porto'])
def test_a_broken_quote_is_no_phrase_and_is_told(a_year: User, text: str) -> None:
    found = find(a_year, text)
    assert texts(found)[0] == "My sister moved to Porto with her dog"
    assert found.open_quote == (text.count('"') + text.count("“") == 1)


@pytest.mark.parametrize("text", [".*", r"\m", "a{1000}", "(((", "[", r"\ "])
def test_a_phrase_is_no_pattern(a_year: User, text: str) -> None:
    assert find(a_year, f'"{text}"').total == 0


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


def test_a_time_alone_brings_all_that_was_said_then_the_latest_first(a_year: User) -> None:
    assert said_in(a_year, "last May") == [
        "She has a flat near the river",
        "My sister moved to Porto with her dog",
    ]


def test_days_narrow_and_both_count(a_year: User) -> None:
    day = date(2026, 8, 2)
    assert len(said_in(a_year, "", since=day, until=day)) == 1
    assert said_in(a_year, "cities", since=day, until=day)
    assert said_in(a_year, "cities", since=day + timedelta(days=1)) == []
    assert said_in(a_year, "cities", until=day - timedelta(days=1)) == []
    assert said_in(a_year, "cities", since=date.min, until=date.max)


def test_a_time_in_quotes_is_a_phrase(alice: User) -> None:
    talked(alice, "I remember last May fondly", "", "Spring it was", at=NOW - timedelta(days=3))
    assert said_in(alice, '"last May"') == ["I remember last May fondly"]


# --- Who, where, what about ----------------------------------------------------------------------


def test_it_is_what_the_person_said_unless_asked_otherwise(a_year: User) -> None:
    answered = "Which opera will you see?"
    assert said_in(a_year, "opera") == ["I bought tickets for the opera"]
    assert said_in(a_year, "opera", role=Role.ASSISTANT) == [answered]
    assert set(said_in(a_year, "opera", role=Role.BOTH)) == {
        "I bought tickets for the opera",
        answered,
    }


def test_both_who_speak_in_a_played_back_dialogue_count_as_said(alice: User) -> None:
    talked(alice, "My boat leaks", "Mine floats like a boat should", speakers="Ada Ben")
    found = find(alice, "boat")
    assert {one.who for one in found.results} == {"Ada", "Ben"}


def test_an_answer_is_found_as_soon_as_it_stands(alice: User, talk: Callable[..., Talk]) -> None:
    answer = talk().say("What can you do for a gardener?")
    found = find(alice, answer.content.split(".")[0], role=Role.ASSISTANT)
    assert [one.message for one in found.results] == [answer]
    assert found.results[0].who == "Throughline"


def test_with_memory_off_an_answer_is_not_made_ready_to_be_found(
    alice: User, talk: Callable[..., Talk]
) -> None:
    with acting_as(alice):
        switch.switch_memory(alice, on=False)
    answer = talk().say("What can you do for a gardener?")
    with acting_as(alice):
        assert not Passage.objects.exists()
    assert said_in(alice, "memory", role=Role.ASSISTANT) == [answer.content]


def test_an_answer_is_not_found_before_its_question_was_read(a_year: User) -> None:
    with acting_as(a_year):
        Message.objects.filter(content__contains="tickets").update(learned_at=None)
    assert said_in(a_year, "opera", role=Role.ASSISTANT) == []


def test_one_conversation_is_searched_by_itself(a_year: User) -> None:
    with acting_as(a_year):
        last = Conversation.objects.order_by("-last_at").first()
    assert last is not None
    assert said_in(a_year, "opera", within=last.pk) == ["I bought tickets for the opera"]
    assert said_in(a_year, "Porto", within=last.pk) == []


def test_a_topic_narrows_to_its_conversations(a_year: User) -> None:
    with acting_as(a_year):
        first = Conversation.objects.order_by("last_at").first()
        assert first is not None
        topic = Topic.objects.create(user=a_year, name="Moving house", key="move hous")
        ConversationTopic.objects.create(
            user=a_year, conversation=first, topic=topic, weight=1, messages=2,
            first_at=first.started_at, last_at=first.last_at,
        )  # fmt: skip
    assert said_in(a_year, "river", topic=topic.pk) == ["She has a flat near the river"]
    assert said_in(a_year, "opera", topic=topic.pk) == []
    assert len(said_in(a_year, "", topic=topic.pk)) == 2


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
@pytest.mark.parametrize(
    "text", ["I have diabetes and a blue kayak", "Don't tell anyone, but I sold the blue kayak"]
)
def test_what_is_confidential_is_found_by_its_owner_and_marked(
    alice: User, plain: bool, text: str
) -> None:
    here = tell(alice, text)
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


def test_what_is_noted_anyway_is_found_like_any_other(
    alice: User, talk: Callable[..., Talk]
) -> None:
    here = talk()
    here.say("I have arthritis in both knees")
    here.say("Note it anyway")
    assert said_in(alice, "arthritis") == ["I have arthritis in both knees"]


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


def test_many_private_words_do_not_push_out_the_open_ones(alice: User) -> None:
    secret = talked(alice, *[f"The kayak, kayak number {n}" for n in range(500)])
    with acting_as(alice):
        privacy.choose(secret[0].conversation, Conversation.Privacy.PRIVATE)
    talked(alice, "A kayak is what I want")
    assert said_in(alice, "kayak") == ["A kayak is what I want"]


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


@pytest.mark.parametrize(
    ("text", "words", "marks"),
    [
        ("Anna's dogs and Anna", ["anna"], ["Anna", "Anna"]),
        ("ANNA’S dog", ["anna"], ["ANNA"]),
        ("The cities, a city", ["city"], ["cities", "city"]),
        ("I went, I go", ["go"], ["went", "go"]),
        ("In Zu\u0308rich", ["zurich"], ["Zu\u0308rich"]),
        ("O'Neill came", ["o'neill"], ["O'Neill"]),
        ("Start with art, not a party", ["art"], ["art"]),
        ("мой кот спит", ["кот"], ["кот"]),
    ],
)
def test_words_are_marked_in_all_their_forms(text: str, words: list[str], marks: list[str]) -> None:
    pieces = snippets.snippet(text, SearchTerms.of(words)).pieces
    assert [piece.text for piece in pieces if piece.found] == marks


def test_a_phrase_is_marked_as_one(a_year: User) -> None:
    assert marked(find(a_year, '"moved to porto"')) == ["moved to Porto"]
    assert marked(find(a_year, "sister porto")) == ["sister", "Porto"]
    assert marked(find(a_year, "instrument")) == ["guitar"]


def test_a_long_message_is_cut_to_where_the_words_stand() -> None:
    text = "Nothing much. " * 100 + "Then the kayak and the paddle sank. " + "And so on. " * 100
    made = snippets.snippet(text, SearchTerms.of(["paddle", "kayak"]))
    assert "kayak and the paddle sank" in made.text
    assert made.text.startswith("… ")
    assert made.text.endswith(" …")
    assert [made.text[a:b] for a, b in made.marks] == ["kayak", "paddle"]
    assert len(made.text) <= snippets.MOST + 4


def test_an_answer_is_shown_as_it_is_read_and_the_found_words_are_marked_there(
    alice: User,
) -> None:
    words = (
        "# Boats\n\n| Name | Place |\n|---|---|\n| **Kayak** | [Porto](https://e.example/kayak) |"
    )
    talked(alice, "Is **a kayak** faster?", words)
    question, answer = (
        find(alice, "kayak", role=role, plain=True).results[0].snippet
        for role in (Role.PERSON, Role.ASSISTANT)
    )
    assert question.text == "Is **a kayak** faster?", "as its person wrote it"
    assert answer.text == "Boats · Name · Place · Kayak · Porto"
    assert [answer.text[a:b] for a, b in answer.marks] == ["Kayak"]


@given(
    st.text(max_size=600),
    st.lists(st.text(alphabet="abcé'’s ", min_size=1, max_size=6), max_size=3),
)
def test_a_snippet_is_a_part_of_the_text_in_order(text: str, words: list[str]) -> None:
    made = snippets.snippet(text, SearchTerms.of([w for w in words if w.strip()], ["a b"]))
    whole = " ".join(text.split())
    core = made.text.removeprefix("… ").removesuffix(" …") if len(whole) > 240 else made.text
    assert core in whole
    assert all(piece.text for piece in made.pieces)


def test_what_was_told_stands_before_what_was_only_asked(alice: User) -> None:
    talked(alice, "Who is my landlord?", "I have no note about that.")
    talked(alice, "My landlord is Frau Peters, she lives above us", "Noted.")
    assert said_in(alice, "Who is my landlord?")[0].startswith("My landlord is Frau Peters")


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
    for role in Role:
        assert said_in(alice, "Zebra77Quartz", role=role, plain=True) == []
    assert not find(alice, "chlamydia", title_only=True).results
