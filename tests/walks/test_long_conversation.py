"""A conversation of thousands of messages: it opens at its end, and each of them can be reached."""

import re
from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.test import Client
from django.utils.timezone import now
from pytest_django import DjangoDbBlocker

from accounts.database.isolation import acting_as
from accounts.models import User
from conversations.models import Conversation, LearningOutcome, Message
from memory.slots import SLOTS
from tests.once import made_once, rolled_back
from tests.people import PASSWORD, Api, Talk
from tests.walks.test_query_counts import cost

SUMMARY = (
    "What was told\n- 2 March 2026, message 3: Your sister <b>Anna</b> lives in Leeds.\n\n"
    "What is open\n- 3 March 2026, I: Which day suits?"
)


def long_talk(user: User, messages: int, **fields: object) -> Conversation:
    """As many messages, the person and the assistant by turns, a note on each question."""
    with acting_as(user):
        talk = Conversation.objects.create(
            user=user, title="A long talk", last_number=messages, **fields
        )
        made = Message.objects.bulk_create(
            Message(
                user=user,
                conversation=talk,
                number=number,
                role=Message.Role.USER if number % 2 else Message.Role.ASSISTANT,
                content=f"This is line {number}.",
                said_at=now() - timedelta(minutes=messages - number),
                learned_at=now(),
            )
            for number in range(1, messages + 1)
        )
        LearningOutcome.objects.bulk_create(
            LearningOutcome(
                user=user, message=one, kind=LearningOutcome.Kind.WITHHELD, slot=next(iter(SLOTS))
            )
            for one in made
            if one.role == Message.Role.USER and _is_read_here(one.number, messages)
        )
        return talk


def _is_read_here(number: int, messages: int) -> bool:
    """Whether a page that is opened below shows it."""
    return number > messages - 300 or number < 70 or 5000 <= number < 5060


def read(client: Client, address: str) -> str:
    response = client.get(address)
    assert response.status_code == 200
    return str(response.content.decode())


def lines(page: str) -> list[int]:
    return [int(number) for number in re.findall(r"This is line (\d+)\.", page)]


def address(talk: Conversation, query: str = "") -> str:
    return talk.get_absolute_url() + query


@pytest.fixture(scope="module")
def long_talks(
    django_db_setup: None, django_db_blocker: DjangoDbBlocker
) -> Iterator[tuple[User, dict[int, Conversation]]]:
    """Alice, and her two talks by their messages: they take a second to make, and are only read."""
    with made_once(django_db_blocker):
        alice = User.objects.create_user("alice@example.org", PASSWORD, name="Alice")
        yield alice, {messages: long_talk(alice, messages) for messages in (1_000, 10_000)}


@pytest.fixture
def db(long_talks: object, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    with rolled_back(django_db_blocker):
        yield


@pytest.fixture
def alice(db: None, long_talks: tuple[User, object]) -> User:
    return User.objects.get(pk=long_talks[0].pk)


@pytest.fixture
def talk_of_ten_thousand(
    db: None, long_talks: tuple[User, dict[int, Conversation]]
) -> Conversation:
    return long_talks[1][10_000]


@pytest.fixture
def talk_of_a_thousand(db: None, long_talks: tuple[User, dict[int, Conversation]]) -> Conversation:
    return long_talks[1][1_000]


def test_it_opens_at_its_end_with_a_place_to_write(
    as_alice: Client, talk_of_ten_thousand: Conversation
) -> None:
    page = read(as_alice, address(talk_of_ten_thousand))
    assert lines(page) == list(range(9_951, 10_001))
    assert "9,950 before these" in page
    assert 'id="composer"' in page
    assert "Later messages" not in page


def test_it_costs_as_much_as_a_short_one(
    alice: User, as_alice: Client, alice_api: Api, talk_of_ten_thousand: Conversation
) -> None:
    short = long_talk(alice, 60)
    talk = talk_of_ten_thousand
    queries = {
        cost(lambda q=q, one=one: as_alice.get(address(one, q)))  # type: ignore[misc]
        for one in (short, talk)
        for q in ("", "?before=11", "?at=5")
    }
    queries.add(cost(lambda: as_alice.get(address(talk, "?after=5000"))))
    assert len(queries) == 1
    assert max(queries) <= 24
    calls = {
        cost(lambda one=one: alice_api.get(f"conversations/{one.pk}/messages?from=11&to=30"))  # type: ignore[misc]
        for one in (short, talk)
    }
    assert len(calls) == 1


def test_going_up_link_by_link_meets_every_message_once(alice: User, as_alice: Client) -> None:
    talk = long_talk(alice, 260)
    page = read(as_alice, address(talk))
    met = lines(page)
    while found := re.search(r'href="([^"]+\?before=\d+)"', page):
        page = read(as_alice, found[1])
        met = lines(page) + met
    assert met == list(range(1, 261))


def test_going_down_link_by_link_ends_where_one_can_write(alice: User, as_alice: Client) -> None:
    talk = long_talk(alice, 260)
    page = read(as_alice, address(talk, "?at=1"))
    met = lines(page)
    while found := re.search(r'href="([^"]+)"[^<]*>Later messages', page):
        page = read(as_alice, found[1])
        met += [number for number in lines(page) if number > met[-1]]
    assert met == list(range(1, 261))
    assert 'id="composer"' in page


@pytest.mark.parametrize("number", [1, 2, 77, 949, 950, 951, 1_000])
def test_a_link_to_any_message_opens_the_page_around_it(
    alice: User, as_alice: Client, talk_of_a_thousand: Conversation, number: int
) -> None:
    with acting_as(alice):
        message = Message.objects.get(conversation=talk_of_a_thousand, number=number)
    link, anchor = message.get_absolute_url().split("#")
    page = read(as_alice, link)
    assert f'id="{anchor}"' in page
    assert number in lines(page)
    assert len(lines(page)) == 50


@pytest.mark.parametrize("query", ["?at=0", "?at=x", "?before=1", "?after=99999999", "?at=1001"])
def test_a_place_that_is_none_is_the_end(
    as_alice: Client, talk_of_a_thousand: Conversation, query: str
) -> None:
    assert lines(read(as_alice, address(talk_of_a_thousand, query)))[-1] == 1_000


def test_the_first_answer_shown_has_the_notes_on_its_question(
    alice: User, as_alice: Client
) -> None:
    """Its question stands on the page before."""
    talk = long_talk(alice, 101)
    page = read(as_alice, address(talk))
    assert lines(page)[0] == 52
    first_answer = page[page.index("This is line 52.") : page.index("This is line 53.")]
    assert "chip-kept" in first_answer


def test_where_the_summary_ends_it_can_be_read(alice: User, as_alice: Client) -> None:
    talk = long_talk(alice, 70, compacted_up_to=50, compact_summary=SUMMARY)
    page = read(as_alice, address(talk))
    between = page[page.index("This is line 50.") : page.index("This is line 51.")]
    assert "Summary up to here" in between
    assert "Your sister &lt;b&gt;Anna&lt;/b&gt; lives in Leeds." in between
    assert f'href="/talk/{talk.pk}/?at=3#m3"' in between
    assert page.count("Summary up to here") == 1
    assert "Up to here" not in read(as_alice, address(talk, "?before=40"))


def test_a_short_talk_keeps_no_summary(as_alice: Client, talk: object, alice: User) -> None:
    one = Talk(alice)
    one.say("I live in Bern")
    assert one.conversation is not None
    assert "Up to here" not in read(as_alice, address(one.conversation))


def test_nobody_else_opens_it_at_any_place(
    as_bob: Client, bob_api: Api, talk_of_a_thousand: Conversation
) -> None:
    for query in ("", "?at=77", "?before=100", "?after=100"):
        assert as_bob.get(address(talk_of_a_thousand, query)).status_code == 404
    path = f"conversations/{talk_of_a_thousand.pk}/messages?from=1&to=5"
    assert bob_api.get(path).status_code == 404


# --- The API -------------------------------------------------------------------------------------


def test_the_api_reads_a_range_of_numbers(alice: User, alice_api: Api) -> None:
    path = f"conversations/{long_talk(alice, 60).pk}/messages"
    found = alice_api.get(f"{path}?from=11&to=13").json()
    assert [one["number"] for one in found["results"]] == [11, 12, 13]
    assert found["count"] == 3
    assert alice_api.get(f"{path}?from=59").json()["count"] == 2
    assert alice_api.get(f"{path}?to=2").json()["count"] == 2
    assert alice_api.get(f"{path}?from=9&to=3").json()["count"] == 0
    assert alice_api.get(path).json()["count"] == 60


@pytest.mark.parametrize("query", ["from=x", "from=0", "to=-1", "from=99999999999", "to=1.5"])
def test_a_range_that_is_none_is_refused_with_words(
    alice: User, alice_api: Api, query: str
) -> None:
    answer = alice_api.get(f"conversations/{long_talk(alice, 3).pk}/messages?{query}")
    assert answer.status_code == 400
    assert list(answer.json()["errors"]) == [query.partition("=")[0]]
