"""Three people of one role on three days: what the later ones receive because of the first, and
that nothing of the first's names, places or brands is anywhere in it.
"""

import json
import re

import pytest
from django.utils.timezone import now

from accounts.database.isolation import acting_as, acting_as_cohort
from accounts.models import User
from conversations import prompt
from conversations.models import Message
from memory.models import Lesson
from personas import seeding
from personas.models import UserPersona
from tests.conversations.test_toolloop import serve
from tests.people import Api, Talk, client_for
from tests.personas.test_workflows import NEXT, rested

__all__ = ["serve"]
pytestmark = pytest.mark.django_db(transaction=True)

QSR = "qsr_real_estate"
SHARED = f"{QSR}_service_experience"
OWN_WORK = "I'm a real estate analyst for quick-service restaurants."
# What each says of themselves, and no other may ever receive.
ALICE = ("Alice", "Chick-fil-A", "Dallas", "Wilhelmina", "Main St", "chickfilb")
BOB = ("Bob", "Taco Bell", "Houston", "Thistlewick", "tacobelle")
DAY_1 = (
    "My name is Alice and my sister is called Wilhelmina.",
    "I need to find candidate sites for a new Chick-fil-A in Dallas",
    "Is 123 Main St too close to our existing stores in Dallas?",
)
DAY_2 = (
    "My name is Bob and I live at Thistlewick.",
    "Looking for new Taco Bell locations in Houston",
    "Which of them would take visits from our other stores in Houston?",
)
DAY_3 = "Evaluate this address for a new Subway"


@pytest.fixture
def people(db: None) -> tuple[User, User, User]:
    seeding.seed()
    made = [
        User.objects.create_user(email)
        for email in ("alice@chickfilb.example", "bob@tacobelle.example", "carol@three.example")
    ]
    return made[0], made[1], made[2]


def joins(user: User) -> None:
    """They say what they do, are asked beneath the answer, and say yes."""
    talk = Talk(user)
    talk.say(OWN_WORK)
    assert talk.conversation is not None
    client = client_for(user)
    page = client.get(talk.conversation.get_absolute_url()).content.decode()
    card = re.search(r'action="(/notes/[0-9a-f-]+/role/)"', page)
    assert card is not None
    assert client.post(card[1], {"answer": "share"}).status_code == 302
    with acting_as(user):
        assert UserPersona.confirmed(user.pk).get().persona.handle == QSR


def works(user: User, *said: str) -> list[Message]:
    talk = Talk(user)
    answers = [talk.say(text) for text in said]
    rested(user)
    return answers


def staff_release(text: str) -> None:
    with acting_as_cohort():
        assert Lesson.objects.filter(text=text).update(approved_at=now()) == 1


def prompt_of(answer: Message) -> str:
    """All that a model would be given for the question of an answer."""
    with acting_as(answer.user_id):
        rows = Message.objects.for_user(answer.user_id)
        asked = rows.get(conversation=answer.conversation_id, number=answer.number - 1)
        return json.dumps(prompt.as_messages(prompt.build(asked)), ensure_ascii=False)


def read_by(user: User) -> str:
    """All that pages and API tell somebody of their role."""
    client, api = client_for(user), Api(user)
    pages = ("", f"shared/{QSR}/", "roles/", "blocks/")
    paths = ("experience", "experience/mine", "blocks", f"blocks/{SHARED}", "personas/mine")
    answers = [client.get(f"/notebook/cohort/{page}") for page in pages] + list(map(api.get, paths))
    assert {answer.status_code for answer in answers} == {200}
    return "\n".join(answer.content.decode() for answer in answers)


def words_of(markers: tuple[str, ...], text: str) -> list[str]:
    return [word for word in markers if re.search(rf"\b{re.escape(word)}\b", text, re.IGNORECASE)]


def test_without_a_model_the_second_and_third_receive_what_the_first_taught_and_no_word_of_hers(
    people: tuple[User, User, User], caplog: pytest.LogCaptureFixture
) -> None:
    alice, bob, carol = people
    joins(alice)
    works(alice, *DAY_1)
    joins(bob)
    # Until staff release it or three people of two organisations bear it out, it is hers alone.
    assert NEXT not in read_by(bob)
    staff_release(NEXT)

    looking, *_, last = works(bob, *DAY_2)[1:]
    assert "cannibalization" in looking.content
    received_by_bob = "\n".join(
        [looking.content, last.content, prompt_of(looking), prompt_of(last), read_by(bob)]
    )
    assert NEXT in prompt_of(looking)
    assert NEXT in read_by(bob)
    assert words_of(ALICE, received_by_bob) == []
    with acting_as_cohort():
        assert Lesson.objects.get(text=NEXT).supporters == 2

    joins(carol)
    (evaluated,) = works(carol, DAY_3)
    received_by_carol = "\n".join([evaluated.content, prompt_of(evaluated), read_by(carol)])
    assert "offer it at once" in evaluated.content
    assert words_of((*ALICE, *BOB), received_by_carol) == []
    assert words_of((*ALICE, *BOB), caplog.text) == []
