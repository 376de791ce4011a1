"""What a message wants is told by its nearest examples; each part of it gets its own answer."""

from collections.abc import Callable

import pytest

from accounts.models import User
from conversations.notebook import intents, message_parts, people
from memory.language import Reading
from tests.people import Talk, tell

Talks = Callable[..., Talk]


@pytest.mark.parametrize(
    ("said", "asks", "name"),
    [
        ("hey hey, good afternoon", False, "greeting"),
        ("thank you kindly", False, "thanks"),
        ("right, off to sleep, night", False, "goodbye"),
        ("our old dog passed away today", False, "sorrow"),
        ("I got accepted!!", False, "joy"),
        ("write a birthday card for my aunt", True, "task"),
        ("what is the capital of Mongolia?", True, "knowledge"),
        ("what's my cousin called?", True, "memory_question"),
        ("no, that is not right", False, "correction"),
        ("guten morgen", False, "greeting"),
        ("muchas gracias", False, "thanks"),
    ],
)
def test_a_message_is_told_by_its_nearest_examples(said: str, asks: bool, name: str) -> None:
    assert intents.rank(said, asks=asks)[0].name == name


@pytest.mark.parametrize(
    "said",
    [
        "The plumber comes on Tuesday at nine.",
        "We watched a film with Ola.",
        "I bought a bookcase for the hall.",
    ],
)
def test_a_plain_statement_is_taken_for_nothing_else(said: str) -> None:
    read = intents.read(said, asks=False)
    assert read is None or read.name == "statement"


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("asked", "page"),
    [
        ("how do I export my data?", "/notebook/history/"),
        ("how can i delete everything you know", "/forget-everything"),
        ("can I switch the memory off?", "/notebook/"),
        ("how do I log out?", "/accounts/logout/"),
        ("how do i connect a language model", "OPENAI_BASE_URL"),
    ],
)
def test_a_question_about_the_product_is_answered_with_its_page(
    talk: Talks, asked: str, page: str
) -> None:
    assert page in talk().say(asked).content


@pytest.mark.django_db
def test_two_questions_get_two_answers(alice: User, talk: Talks) -> None:
    tell(alice, "My sister Nora is 31. My brother Ben lives in Hull.")
    answer = talk().say("How old is Nora and where does Ben live?").content
    assert "“How old is Nora” and “where does Ben live?”:" in answer
    assert "31" in answer
    assert "Hull" in answer


@pytest.mark.django_db
def test_a_task_takes_a_model_and_shows_what_the_notes_have(alice: User, talk: Talks) -> None:
    tell(alice, "My landlord Mr Patel must mend the boiler.")
    answer = talk().say("Write an email to my landlord about the boiler").content
    assert "takes a language model" in answer
    assert "Mr Patel" in answer


@pytest.mark.django_db
def test_sorrow_gets_a_human_line_and_no_question(talk: Talks) -> None:
    answer = talk().say("My grandmother died last night.").content
    assert "sorry" in answer
    assert "?" not in answer


@pytest.mark.django_db
def test_another_language_is_kept_and_found(alice: User, talk: Talks) -> None:
    here = talk()
    assert "I read facts in English so far" in here.say("Ich wohne mit meiner Schwester.").content
    assert "Schwester" in talk().say("Wohne ich mit meiner Schwester?").content


@pytest.mark.parametrize(
    ("text", "asks"),
    [
        ("if i change my phone how do i get all this out like a backup", True),
        ("when i log out can you still see it", True),
        ("if they take me when would i be seeing the panel", True),
        ("if i forget what is due i get a fine", False),
        ("when i was small we had goats", False),
    ],
)
def test_behind_a_condition_the_order_of_words_tells_a_question(text: str, asks: bool) -> None:
    assert message_parts.read(Reading(text))[0].asks is asks


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (
            "can I get all this out somehow, like as a file? and does it work on my phone or just"
            " the laptop",
            ["export", "devices"],
        ),
        ("when is the dentist? I need to put it in my calendar", ["memory_question"]),
        (
            "my written french is shocking, can you put this in french for the nurse: please tell"
            " my aunt that I will ring on Monday",
            ["task"],
        ),
        (
            "Can you write a message for the parents about the match, where and when, meet at the"
            " car park an hour before",
            ["task"],
        ),
    ],
)
def test_what_stands_beside_a_request(text: str, wanted: list[str]) -> None:
    asked = message_parts.asking_parts(message_parts.read(Reading(text)))
    assert [part.intent.name if part.intent else "" for part in asked] == wanted


@pytest.mark.parametrize(
    "text",
    [
        "Right then, I'll leave it there, the soup is boiling over, so goodnight and God bless.",
        "You were very kind to listen to me all this while, thanks a million for it, dear.",
    ],
)
def test_a_long_farewell_or_thanks_is_one_where_it_is_sure(text: str) -> None:
    part = message_parts.read(Reading(text))[0]
    assert people.is_human_line(part.intent, part.text)


def test_somebody_is_spoken_to_by_the_given_name() -> None:
    assert people.as_addressed("Noreen Gilmartin") == "Noreen"
    assert people.as_addressed("Dr. Okafor") == "Dr. Okafor"
    assert people.as_addressed("Sister Agnes") == "Sister Agnes"
