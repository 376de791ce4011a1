"""What came of a message, as chips: told once, edited in their place, undone beside them."""

import json
from collections.abc import Callable

import pytest
from django.test import Client

from accounts import privacy
from accounts.database.isolation import acting_as
from accounts.models import User
from conversations.models import Conversation, LearningOutcome, Message
from conversations.privacy import choose
from conversations.web.present import chips
from memory import manager
from memory.models import Memory, ProfileFact
from tests.people import Talk, values

Talks = Callable[..., Talk]
pytestmark = pytest.mark.django_db
HTMX = {"HX-Request": "true"}


def told(user: User, answer: Message) -> list[tuple[str, str]]:
    """The word and the text of each chip under an answer."""
    with acting_as(user):
        question = Message.objects.beside(answer).get(number=answer.number - 1)
        return [
            (view.word, view.text) if view.conflict is None else ("", view.conflict.chip_text)
            for view in chips.notes_of(question)
        ]


@pytest.mark.parametrize("said", ["Lena", "just Lena", "It's Lena"])
@pytest.mark.parametrize("greeting", [(), ("Hello",)])
def test_a_bare_name_answers_what_somebody_is_called(
    bob: User, talk: Talks, said: str, greeting: tuple[str, ...]
) -> None:
    User.objects.filter(pk=bob.pk).update(name="")
    here = talk(User.objects.get(pk=bob.pk))
    for word in greeting:
        here.say(word)
    answer = here.say(said)
    assert answer.content == "Good to meet you, Lena."
    assert [word for word, _ in told(bob, answer)] == ["Noted"]


@pytest.mark.parametrize("name", ["Mara", "Priya", "Xiu", "Mara Lindqvist"])
def test_any_name_answers_the_first_page(bob: User, talk: Talks, name: str) -> None:
    User.objects.filter(pk=bob.pk).update(name="")
    answer = talk(User.objects.get(pk=bob.pk)).say(name)
    assert told(bob, answer) == [("Noted", f"Call you {name}")]


def proposed(user: User, text: str, talk: Talks) -> tuple[Message, str]:
    """An answer with a chip that waits for a yes, and the address of what waits."""
    with acting_as(user):
        privacy.choose(user.pk, promotion="ask")
    answer = talk().say(text)
    assert [word for word, _ in told(user, answer)] == ["Waiting for you"]
    with acting_as(user):
        waits = Memory.objects.for_user(user.pk).waiting().get()
    return answer, f"/notebook/proposals/{waits.pk}"


def test_a_chip_follows_what_its_owner_decided_on_the_profile(
    alice: User, as_alice: Client, talk: Talks
) -> None:
    answer, address = proposed(alice, "I work at Google", talk)
    sent = as_alice.post(f"{address}/accept/", headers=HTMX).content.decode()
    assert "data-profile-count" in sent
    assert "to answer" not in sent
    assert told(alice, answer) == [("Noted", "Works at Google")]
    with acting_as(alice):
        outcome = LearningOutcome.objects.get(user=alice)
    as_alice.post(f"/notes/{outcome.pk}/edit/", {"value": "Kestrel"}, headers=HTMX)
    assert told(alice, answer) == [("Changed", "Works at Kestrel, was Google")]
    as_alice.post(f"/notes/{outcome.pk}/undo/", headers=HTMX)
    assert told(alice, answer) == [("Noted", "Works at Google")]
    shown = as_alice.post(f"/notes/{outcome.pk}/undo/", headers=HTMX).content.decode()
    assert "Bring back" in shown
    assert values(alice, "employer") == set()
    assert told(alice, answer) == [("Forgotten", "Works at Google")]


def test_of_several_values_in_one_message_each_chip_acts_on_its_own(
    alice: User, as_alice: Client, talk: Talks
) -> None:
    with acting_as(alice):
        privacy.choose(alice.pk, promotion="ask")
    answer = talk().say("I like jazz. I like tea.")
    with acting_as(alice):
        waits = list(Memory.objects.for_user(alice.pk).waiting())
    for memory in waits:
        as_alice.post(f"/notebook/proposals/{memory.pk}/accept/", headers=HTMX)
    assert told(alice, answer) == [("Noted", "Likes jazz"), ("Noted", "Likes tea")]
    with acting_as(alice):
        jazz = LearningOutcome.objects.get(user=alice, memory__value="jazz")
    as_alice.post(f"/notes/{jazz.pk}/undo/", headers=HTMX)
    assert values(alice, "likes") == {"tea"}


def test_a_chip_of_what_was_declined_says_so_and_has_no_buttons(
    alice: User, as_alice: Client, talk: Talks
) -> None:
    answer, address = proposed(alice, "I work at Google", talk)
    as_alice.post(f"{address}/decline/", headers=HTMX)
    assert [word for word, _ in told(alice, answer)] == ["Not kept"]
    page = as_alice.get(answer.get_absolute_url()).content.decode()
    assert "Decide" not in page
    assert "/undo/" not in page


def test_a_memory_that_a_later_one_replaced_is_told_as_replaced(alice: User, talk: Talks) -> None:
    answer = talk().say("My sister is coming to visit me next weekend.")
    with acting_as(alice):
        memory = LearningOutcome.objects.get(user=alice).memory
        assert memory is not None
        manager.rewrite(memory, "My sister is coming to visit me in May.")
    assert [word for word, _ in told(alice, answer)] == ["Replaced"]


def test_what_is_said_again_is_confirmed_once_and_quotes_nothing(alice: User, talk: Talks) -> None:
    talk().say("I live in Bath")
    again = talk().say("I live in Bath")
    assert told(alice, again) == [("Confirmed", "Lives in Bath")]
    assert again.content == "Got it."


def test_a_question_that_was_answered_stands_once_as_a_chip(
    alice: User, as_alice: Client, talk: Talks
) -> None:
    here = talk()
    here.say("I live in Bath")
    asked = here.say("I live in Leeds")
    answer = here.say("Leeds")
    assert told(alice, asked) == []
    assert told(alice, answer) == [("", "Lives in Leeds, was Bath")]
    page = as_alice.get(answer.get_absolute_url()).content.decode()
    assert page.count("Lives in Leeds, was Bath") == 1
    assert "Undo" in page


def test_a_chip_is_edited_in_its_place_and_undo_brings_the_old_wording_back(
    alice: User, as_alice: Client, talk: Talks
) -> None:
    here = talk()
    answer = here.say("I live in Bath")
    with acting_as(alice):
        outcome = LearningOutcome.objects.get(user=alice)
    url = f"/notes/{outcome.pk}/edit/"
    assert 'value="Bath"' in as_alice.get(url, headers=HTMX).content.decode()
    refused = as_alice.post(url, {"value": " "}, headers=HTMX)
    assert refused.status_code == 422
    assert "Write what I should remember" in refused.content.decode()
    saved = as_alice.post(url, {"value": "Bristol"}, headers=HTMX).content.decode()
    assert "Lives in Bristol, was Bath" in saved
    assert told(alice, answer) == [("Changed", "Lives in Bristol, was Bath")]
    as_alice.post(f"/notes/{outcome.pk}/undo/", headers=HTMX)
    assert told(alice, answer) == [("Noted", "Lives in Bath")]
    with acting_as(alice):
        assert ProfileFact.objects.current().get(slot="location").value == "Bath"


def test_a_long_note_is_edited_without_a_script_too(
    alice: User, as_alice: Client, talk: Talks
) -> None:
    here = talk()
    answer = here.say("Remember that the boiler man comes on Wednesday")
    with acting_as(alice):
        outcome = LearningOutcome.objects.get(user=alice, memory__isnull=False)
    url = f"/notes/{outcome.pk}/edit/"
    assert "Edit what I noted" in as_alice.get(url).content.decode()
    as_alice.post(url, {"value": "The boiler man comes on Friday"})
    assert ("Noted", "The boiler man comes on Friday") in told(alice, answer)
    as_alice.post(f"/notes/{outcome.pk}/undo/")
    assert ("Noted", "The boiler man comes on Wednesday") in told(alice, answer)


def test_a_private_message_gives_one_notice(alice: User, as_alice: Client, talk: Talks) -> None:
    here = talk()
    answer = here.say("I have diabetes")
    page = as_alice.get(answer.get_absolute_url()).content.decode()
    assert told(alice, answer) == [("Only here", "Health")]
    assert '<div class="answer-text visually-hidden">' in page
    assert here.conversation is not None
    with acting_as(alice):
        choose(here.conversation, Conversation.Privacy.PRIVATE)
    assert here.say("It rained all day.").content == "I’ll remember this only in this conversation."
    page = as_alice.get(answer.get_absolute_url()).content.decode()
    assert (
        "so I don’t note anything from it."
        not in page.partition('aria-live="off"')[2].split("It rained")[-1]
    )


def test_a_conversation_is_pinned_above_the_others_and_no_longer(
    alice: User, as_alice: Client, talk: Talks
) -> None:
    first = talk().say("The kayak stands behind the old mill.")
    talk().say("The boiler leaks again.")
    as_alice.post(f"/talk/{first.conversation_id}/pin/", {"pinned": "1"})
    page = as_alice.get("/talk/").content.decode()
    assert page.index("Pinned") < page.index("The kayak stands") < page.index("The boiler leaks")
    as_alice.post(f"/talk/{first.conversation_id}/pin/", {"pinned": "0"})
    assert "Pinned" not in as_alice.get("/talk/").content.decode().partition("<main")[0]


def test_one_conversation_is_taken_along_to_be_read_and_for_programs(
    as_alice: Client, talk: Talks
) -> None:
    answer = talk().say("I live in Bath")
    talk().say("I bake bread.")
    page = as_alice.get(f"/talk/{answer.conversation_id}/export.md")
    assert "attachment" in page["Content-Disposition"]
    assert "I live in Bath\n\n> Noted: Lives in Bath" in page.content.decode()
    assert "bake bread" not in page.content.decode()
    tables = json.loads(as_alice.get(f"/talk/{answer.conversation_id}/export.json").content)[
        "tables"
    ]
    said = [row["content"] for row in tables["conversations.message"]]
    assert said == ["I live in Bath", "Got it."]
    assert len(tables["conversations.learningoutcome"]) == 1


def test_an_example_goes_into_the_composer(bob: User) -> None:
    client = Client()
    client.force_login(bob)
    page = client.get("/talk/").content.decode()
    assert page.count("data-say=") == 4
    chosen = client.get("/talk/", {"say": "Where does my sister live?"}).content.decode()
    assert ">Where does my sister live?</textarea>" in chosen
    foreign = client.get("/talk/", {"say": "Anything else"}).content.decode()
    assert "Anything else" not in foreign
