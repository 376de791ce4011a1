"""A password, a key or a code is told once, and stands nowhere but where it was told."""

import json
import logging
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.db import connection
from django.test import override_settings
from structlog.testing import capture_logs

from accounts import work
from accounts.database import owned
from accounts.database.isolation import acting_as
from accounts.models import User
from conversations.learning import listening_runs
from conversations.models import Message
from conversations.search import message_search
from conversations.tools import registry
from conversations.tools.tool import ToolContext
from conversations.topics import topic_store
from memory.language.reading import Reading
from memory.language.safety import secrets
from tests.fakes.model_server import Messages, ModelServer, calls, normal
from tests.people import Talk, let_time_pass
from tests.told_secrets import ORDINARY, SAID, Told

MANY = 60
# A piece of a long key gives the key away as well.
PIECE = 12
# What the owner asks later, in the same conversation and in another one.
ASKED = "What do you know about my password, my code, my card and my key?"


def pieces(told: Told) -> Iterator[str]:
    """What nobody may find: each secret, and of a long one every piece."""
    for secret in told.secrets:
        yield secret
        yield from (secret[at : at + PIECE] for at in range(0, max(len(secret) - PIECE, 0), PIECE))


# A number of four digits stands by chance within an identifier or a moment.
NO_PART = r"(?<!\w)(?<![0-9a-f]-)(?<!\d\.)"
SOUGHT = [
    (told.text[:50], re.compile("|".join(rf"{NO_PART}{re.escape(piece)}(?!\w)" if piece.isdigit()
                                         else re.escape(piece) for piece in pieces(told))))
    for told in SAID
]  # fmt: skip
# What holds letters by chance: keys of rows and moments.
BY_CHANCE = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|\d{4}-\d\d-\d\dT[\d:.+-]+")
# That each kind is hidden is tried on its text alone; these go all the way.
WALKED = SAID[::6]
ALL = {told.text[:50] for told in WALKED}


def leaks(text: str) -> set[str]:
    """The messages whose secrets stand in a text, by their beginning."""
    return {name for name, secret in SOUGHT if secret.search(text)}


def words(value: Any) -> Iterator[str]:
    """The texts within a value of a row, packed ones as they are stored."""
    if isinstance(value, dict):
        for name, one in value.items():
            yield name
            yield from words(one)
    elif isinstance(value, list):
        for one in value:
            yield from words(one)
    elif isinstance(value, str) and not BY_CHANCE.fullmatch(value):
        yield bytes.fromhex(value[2:]).decode("latin-1") if value.startswith("\\x") else value


def everything_kept(user: User) -> Iterator[tuple[str, str]]:
    """Every row of every table with all its columns, except the words of messages themselves."""
    with acting_as(user), connection.cursor() as cursor:
        cursor.execute("select tablename from pg_tables where schemaname = 'public'")
        tables = [name for (name,) in cursor.fetchall()]
        assert len(tables) > 25
        for table in tables:
            own = " - 'content'" if table == Message._meta.db_table else ""
            cursor.execute(f'select (to_jsonb(t){own})::text from "{table}" t')
            rows = [json.loads(row) for (row,) in cursor.fetchall()]
            yield table, "\n".join(words(rows))


def told_by(user: User) -> list[str]:
    """What answers say, which are texts of ours and not of the person."""
    with acting_as(user):
        answers = Message.objects.filter(role=Message.Role.ASSISTANT)
        return list(answers.values_list("content", flat=True))


def plant(user: User, secrets_told: list[Told]) -> list[Talk]:
    """Tell each in a conversation of its own, and let the worker finish."""
    talks = []
    for told in secrets_told:
        here = Talk(user)
        here.say(told.text)
        talks.append(here)
    with acting_as(user):
        for here in talks:
            assert here.conversation is not None
            topic_store.look_soon(user, here.conversation.pk)
            listening_runs.listen_soon(user, here.conversation)
    let_time_pass(user)
    while work.do_waiting_work():
        let_time_pass(user)
    return talks


@contextmanager
def listening(caplog: pytest.LogCaptureFixture) -> Iterator[list[Any]]:
    """All that is logged meanwhile, by structlog and by the libraries."""
    caplog.set_level(logging.DEBUG)
    with capture_logs() as lines:
        yield lines


def assert_kept_nowhere(user: User, logged: str) -> None:
    assert [(table, leak) for table, row in everything_kept(user) for leak in leaks(row)] == []
    assert leaks(logged) == set()
    assert [leak for answer in told_by(user) for leak in leaks(answer)] == []
    with acting_as(user):
        asking = ToolContext(user.pk, Message.objects.latest("said_at").said_at)
        taken = registry.call(asking, "memory_export", {}).model_dump(mode="json")
        away = {
            name: [str(row) for row in rows]
            for name, rows in owned.export(user.pk)
            if name != Message._meta.label_lower
        }
    assert leaks(json.dumps(taken, ensure_ascii=False)) == set()
    assert {name for name, rows in away.items() for row in rows if leaks(row)} == set()


def test_there_are_enough_of_them_to_tell() -> None:
    assert len(SAID) >= MANY
    assert len({told.text for told in SAID}) == len(SAID)
    assert len(ORDINARY) >= 40


@pytest.mark.parametrize("told", SAID, ids=lambda told: told.text[:40])
def test_a_secret_is_hidden_and_nothing_around_it_moves(told: Told) -> None:
    hidden = secrets.mask_secrets(told.text)
    assert leaks(hidden) == set()
    assert len(hidden) == len(told.text)
    assert Reading(told.text).holds_a_secret
    assert leaks(secrets.redact_secrets(told.text)) == set()


@pytest.mark.parametrize("text", ORDINARY)
def test_what_only_looks_like_one_is_left_as_it_is(text: str) -> None:
    assert secrets.mask_secrets(text) == text
    assert not Reading(text).holds_a_secret


@pytest.mark.django_db
def test_without_a_model_it_is_kept_in_its_message_alone(
    alice: User, caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str]
) -> None:
    with listening(caplog) as lines:
        talks = plant(alice, WALKED)
        assert leaks(Talk(alice).say(ASKED).content) == set()
    shown = capsys.readouterr()
    assert_kept_nowhere(alice, f"{lines} {caplog.text} {shown.out} {shown.err}")
    with acting_as(alice):
        mine = Message.objects.filter(role=Message.Role.USER)
        assert leaks("\n".join(mine.values_list("content", flat=True))) == ALL
        assert mine.filter(confidential=False).count() == 1
    assert len(talks) == len(WALKED)


@pytest.mark.django_db(transaction=True)
def test_with_a_model_it_is_sent_in_its_own_turn_and_in_no_other(
    alice: User, caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str]
) -> None:
    """The model repeats what it is told, as some do; even so nothing of it is sent again."""

    def repeats(messages: Messages) -> str:
        return f"Noted. {messages[-1]['content']!s}"

    with (
        ModelServer(normal(repeats)) as server,
        override_settings(OPENAI_BASE_URL=server.url, OPENAI_API_KEY="x"),
        listening(caplog) as lines,
    ):
        talks = plant(alice, WALKED)
        told_in = {
            message["content"]
            for request in server.requests
            for message in request.get("messages", ())[-1:]
        }
        before = len(server.requests)
        for here in talks[::5]:
            here.say(ASKED)
        Talk(alice).say(ASKED)
        sent = [json.dumps(request, ensure_ascii=False) for request in server.requests]
    shown = capsys.readouterr()
    assert leaks("\n".join(told_in)) == ALL
    assert len(sent) > before
    assert [leak for request in sent[before:] for leak in leaks(request)] == []
    own = dict.fromkeys(ALL, 0)
    for request in sent:
        for leak in leaks(request.replace("\\n", "\n").replace('\\"', '"')):
            own[leak] += 1
    assert {leak for leak, times in own.items() if times > 1} == set()
    with acting_as(alice):
        kept = [(table, leak) for table, row in everything_kept(alice) for leak in leaks(row)]
    assert kept == []
    assert leaks(f"{lines} {caplog.text} {shown.out} {shown.err}") == set()


@pytest.mark.django_db(transaction=True)
def test_a_model_that_looks_a_secret_up_leaves_no_step_with_it(alice: User) -> None:
    told = "My wifi password is blauerKessel77, and the printer is a Canon"
    looks = calls(("search_conversations", {"query": "wifi password is blauerKessel77"}))
    with (
        ModelServer(normal("Noted.", looks, "It is with what you told me.")) as server,
        override_settings(OPENAI_BASE_URL=server.url, OPENAI_API_KEY="x"),
    ):
        here = Talk(alice)
        here.say(told)
        answer = here.say("Where is my printer and what is my wifi password?")
        last = server.requests[-1]["messages"]
    assert answer.steps
    assert "blauerKessel77" not in json.dumps(answer.steps)
    sent = [str(one.get("content")) for one in last if one["role"] in ("system", "user", "tool")]
    assert "blauerKessel77" not in " ".join(sent)


@pytest.mark.django_db
def test_its_owner_finds_it_where_it_was_told(alice: User) -> None:
    here = Talk(alice)
    here.say("My wifi password is blauerKessel77")
    with acting_as(alice):
        assert here.conversation is not None
        sought = message_search.SearchQuery("wifi password", within=here.conversation.pk)
        (found,) = message_search.find(alice.pk, sought).results
        assert found.message is not None
        assert "blauerKessel77" in found.message.content
        elsewhere = message_search.SearchQuery("wifi password")
        (found,) = message_search.find(alice.pk, elsewhere).results
        assert found.only_here
        assert "blauerKessel77" not in found.snippet.text
