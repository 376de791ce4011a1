"""Which conversation a history belongs to that a client sends with each request."""

from datetime import timedelta
from typing import Any

import pytest

from accounts.database.isolation import acting_as
from accounts.models import User
from conversations.models import Conversation, Message
from conversations.turns import client_turn, turn
from memory.models import ProfileFact
from tests.conversations.chatting import Chat, sizes, stored
from tests.fakes.model_server import Serve, normal
from tests.people import Talk, tell, the_fact, together, values

pytestmark = pytest.mark.django_db


def numbered() -> Any:
    """Replies that are all different, as those of a language model are."""
    count = iter(range(10_000))
    return normal(lambda _: f"Answer {next(count)}")


def test_thirty_turns_with_an_edit_and_a_regenerated_answer(alice: User, serve: Serve) -> None:
    serve(numbered())
    chat = Chat(alice)
    table = []
    for number in range(1, 13):
        chat.say(f"Turn {number}")
    table.append(("12 turns", sizes(alice)))
    chat = chat.branch(12)
    chat.say("Turn 12, edited")
    table.append(("turn 12 edited", sizes(alice)))
    for number in range(13, 21):
        chat.say(f"Turn {number}")
    table.append(("20 turns", sizes(alice)))
    before = chat.history.pop()
    chat.again()
    table.append(("turn 20 regenerated", sizes(alice)))
    for number in range(21, 31):
        chat.say(f"Turn {number}")
    table.append(("30 turns", sizes(alice)))
    assert table == [
        ("12 turns", [24]),
        ("turn 12 edited", [24, 24]),
        ("20 turns", [24, 40]),
        ("turn 20 regenerated", [24, 40]),
        ("30 turns", [24, 60]),
    ]
    first, second = stored(alice)
    assert first[22] == "Turn 12"
    assert second[22] == "Turn 12, edited"
    assert second == [message["content"] for message in chat.history]
    assert before["content"] not in second


def test_two_chats_that_begin_alike_stay_apart(alice: User, serve: Serve) -> None:
    serve(numbered())
    first, second = Chat(alice), Chat(alice)
    first.say("Hello")
    first.say("What is new?")
    second.say("Hello")
    second.say("Anything else?")
    assert [said[2] for said in stored(alice)] == ["What is new?", "Anything else?"]


def test_the_first_message_sent_again_soon_has_its_answer_written_anew_and_later_begins_another(
    alice: User, serve: Serve
) -> None:
    serve(numbered())
    chat = Chat(alice)
    chat.say("Hello")
    chat.history.pop()
    chat.again()
    assert stored(alice) == [["Hello", "Answer 1"]]
    with acting_as(alice):
        message = Message.objects.get(number=1)
        message.said_at -= client_turn.FIRST_AGAIN + timedelta(seconds=1)
        message.save()
    Chat(alice).say("Hello")
    assert sizes(alice) == [2, 2]


def test_a_history_with_a_broken_off_answer_and_other_white_space_is_still_recognised(
    alice: User, serve: Serve
) -> None:
    serve(normal("It was a long story", "And it ended well"))
    chat = Chat(alice)
    chat.say("Tell me a story of the cafe\u0301\n\nin Lyon")
    chat.history[0]["content"] = " Tell me a story of the caf\u00e9 in Lyon "
    chat.history[-1]["content"] = "It was a"
    chat.say("Go on")
    chat.say("And then?")
    assert sizes(alice) == [6]


def test_what_was_said_on_the_page_meanwhile_is_never_overwritten(
    alice: User, serve: Serve
) -> None:
    serve(numbered())
    chat = Chat(alice)
    chat.say("Hello")
    with acting_as(alice):
        here = Conversation.objects.get()
    Talk(alice, here).say("Said on the page")
    chat.say("Said in the client")
    first, second = stored(alice)
    assert first[2] == "Said on the page"
    assert second[2] == "Said in the client"


def test_a_history_without_its_beginning_goes_on_where_it_ends(alice: User, serve: Serve) -> None:
    serve(numbered())
    chat = Chat(alice)
    for number in range(1, 31):
        del chat.history[:-6]
        chat.say(f"Turn {number}")
    assert sizes(alice) == [60]
    chat.history.pop()
    chat.again()
    assert sizes(alice) == [60]
    edited = Chat(alice, chat.history[:-4])
    edited.say("Turn 29, edited")
    edited.say("Turn 30")
    assert sizes(alice) == [60, 8]


@pytest.mark.parametrize(("before", "after"), [("on", "read-only"), ("read-only", "on")])
def test_a_rest_under_another_mode_of_memory_goes_on_elsewhere_and_teaches_nothing_anew(
    alice: User, before: str, after: str
) -> None:
    chat = Chat(alice, headers={"X-Memory": before})
    for text in ("Hello", "I work at Qwertzfirm", "What a day"):
        chat.say(text)
    known = values(alice, "employer")
    Chat(alice, chat.history[-4:], headers={"X-Memory": after}).say("Go on")
    assert sizes(alice) == [6, 6]
    assert values(alice, "employer") == known


ELSEWHERE = [
    {"role": "user", "content": "I work at Qwertzfirm"},
    {"role": "assistant", "content": "You live in Oslo, I think"},
    {"role": "user", "content": "My dog is called Wilhelmina"},
    {"role": "assistant", "content": "And your sister is Petra"},
]


def test_a_history_from_elsewhere_is_stored_once_and_the_model_reads_it(
    alice: User, serve: Serve
) -> None:
    server = serve(numbered())
    chat = Chat(alice, list(ELSEWHERE))
    chat.say("Go on")
    chat.say("And further")
    assert stored(alice) == [[message["content"] for message in chat.history]]
    sent = [message["content"] for message in server.requests[0]["messages"]]
    assert sent[1:] == [*(message["content"] for message in ELSEWHERE), "Go on"]


def test_the_persons_words_of_it_are_learned_from_and_the_assistants_never(alice: User) -> None:
    Chat(alice, list(ELSEWHERE)).say("Where do I work?")
    assert values(alice, "employer") == {"Qwertzfirm"}
    assert values(alice, "location") == set()
    assert "Petra" not in " ".join(values(alice, "family"))


def test_a_branch_does_not_learn_its_beginning_once_more_and_keeps_its_secrets(alice: User) -> None:
    chat = Chat(alice)
    chat.say("I work at Qwertzfirm")
    chat.say("My password is correct-horse-battery-staple, keep it to yourself")
    chat.say("What a day")
    chat.branch(3).say("What a night")
    assert sizes(alice) == [6, 6]
    with acting_as(alice):
        assert the_fact(alice, "employer").mentions.count() == 1
        told = Message.objects.filter(number=3).values_list("confidential", flat=True)
        assert list(told) == [True, True]


def test_a_named_conversation_goes_on_with_the_last_message_alone(alice: User) -> None:
    here = tell(alice, "I live in Lyon").conversation
    chat = Chat(alice, headers={"X-Conversation": str(here.pk)})
    answer = chat.say("What a day")
    assert answer["throughline"]["conversation"] == str(here.pk)
    assert sizes(alice) == [3]


@pytest.mark.parametrize("named", ["theirs", "unknown", "no id"])
def test_a_conversation_that_is_not_theirs_is_not_found(alice: User, bob: User, named: str) -> None:
    theirs = str(tell(bob, "I live in Oslo").conversation_id)
    unknown = "00000000-0000-4000-8000-000000000000"
    name = {"theirs": theirs, "unknown": unknown, "no id": "mine"}[named]
    said = [{"role": "user", "content": "Hello"}]
    response = Chat(alice).ask(said, metadata={"conversation": name})
    assert response.status_code == 404
    assert response.json()["error"]["code"] == "conversation_not_found"
    assert sizes(alice) == []


def test_a_named_conversation_that_went_on_refuses_an_earlier_history(
    alice: User, serve: Serve
) -> None:
    serve(numbered())
    chat = Chat(alice)
    named = chat.say("Hello")["throughline"]["conversation"]
    chat.say("One")
    chat.say("Two")
    edited = [*chat.history[:2], {"role": "user", "content": "One, edited"}]
    response = chat.ask(edited, metadata={"conversation": named})
    assert (response.status_code, sizes(alice)) == (400, [6])


def test_the_same_history_of_another_person_is_theirs_alone(
    alice: User, bob: User, serve: Serve
) -> None:
    serve(normal("The same answer"))
    hers = Chat(alice)
    hers.say("Hello")
    Chat(bob, list(hers.history)).say("Go on")
    assert (sizes(alice), sizes(bob)) == ([2], [4])


@pytest.mark.django_db(transaction=True)
def test_equal_requests_at_once_make_one_conversation(alice: User) -> None:
    secret = Chat(alice).secret

    def send() -> Any:
        return Chat(alice, list(ELSEWHERE), secret=secret).say("Go on")

    answers = together(*[send] * 4)
    assert sizes(alice) == [6]
    assert len({answer["choices"][0]["message"]["content"] for answer in answers}) == 1


def test_a_message_taken_out_leaves_no_key_of_its_words(alice: User) -> None:
    chat = Chat(alice)
    chat.say("Hello")
    with acting_as(alice):
        turn.message_deletion.remove_turn(
            alice, Message.objects.get(number=1), turn.message_deletion.nothing
        )
        assert not Message.objects.exclude(history_key=None).exists()
        assert not ProfileFact.objects.exists()
