"""A disk without room: what was accepted is found later, and whoever writes is told what it is."""

import re
from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
import pytest
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.utils.timezone import now

from accounts import work
from accounts.database.isolation import acting_as
from accounts.models import User, Work
from config.processes.embedded import OWNER_ROLE
from conversations.models import Message
from memory.core import switch
from memory.models import Passage
from memory.retrieval.passage_search import search_passages
from tests.people import let_time_pass, said, tell

pytestmark = pytest.mark.django_db(transaction=True)


@contextmanager
def no_room(*tables: str) -> Iterator[None]:
    """The database refuses to write to these tables as it does when the disk is full."""
    login = connection.settings_dict
    where = {"host": login["HOST"], "port": login["PORT"], "dbname": login["NAME"]}
    with psycopg.connect(**where, user=OWNER_ROLE, autocommit=True) as owner:
        owner.execute(
            "create or replace function no_room() returns trigger language plpgsql as $$ begin"
            " raise exception 'could not extend file' using errcode = 'disk_full'; end $$"
        )
        for table in tables:
            owner.execute(
                f"create trigger no_room before insert on {table}"
                " for each row execute function no_room()"
            )
        try:
            yield
        finally:
            connection.close()
            for table in tables:
                owner.execute(f"drop trigger no_room on {table}")


def found(user: User, words: str) -> list[str]:
    with acting_as(user):
        return [hit.text for hit in search_passages(user.pk, words, k=3, asked_at=now())]


def waiting(user: User, kind: str) -> list[Work]:
    with acting_as(user):
        return list(Work.objects.filter(user=user, kind=kind))


def test_a_message_that_could_not_be_indexed_is_found_once_there_is_room(alice: User) -> None:
    with no_room("memory_passage"):
        message = tell(alice, "My dog Rex ate the blue slippers")
        assert found(alice, "slippers") == []
    with acting_as(alice):
        assert Message.objects.get(pk=message.pk).learned_at is not None
    let_time_pass(alice)
    work.do_waiting_work()
    assert found(alice, "slippers") == ["My dog Rex ate the blue slippers"]
    assert waiting(alice, "index") == []


def test_it_stays_waiting_however_long_the_disk_is_full(alice: User) -> None:
    with no_room("memory_passage"):
        tell(alice, "My dog Rex ate the blue slippers")
        for _ in range(work.MOST_ATTEMPTS + 2):
            let_time_pass(alice)
            work.do_waiting_work(limit=1)
        (left,) = waiting(alice, "index")
        assert left.attempts == 0
    let_time_pass(alice)
    work.do_waiting_work()
    assert found(alice, "slippers") == ["My dog Rex ate the blue slippers"]


def test_where_not_even_that_can_be_written_the_message_waits_to_be_read(alice: User) -> None:
    message = said(alice, "My dog Rex ate the blue slippers")
    let_time_pass(alice)
    with no_room("memory_passage", "accounts_work"):
        work.do_waiting_work()
    with acting_as(alice):
        assert Message.objects.get(pk=message.pk).learned_at is None
    let_time_pass(alice)
    work.do_waiting_work()
    assert found(alice, "slippers") == ["My dog Rex ate the blue slippers"]


def test_reindex_finds_what_has_no_passage_but_not_what_was_said_with_memory_off(
    alice: User, capsys: pytest.CaptureFixture[str]
) -> None:
    tell(alice, "My dog Rex ate the blue slippers")
    with acting_as(alice):
        switch.switch_memory(alice, on=False)
    tell(alice, "The slippers were from Paris")
    with acting_as(alice):
        switch.switch_memory(alice, on=True)
    tell(alice, "The new slippers are green")
    with acting_as(alice):
        Passage.objects.all().delete()
    call_command("reindex")
    assert "2 missing ones" in capsys.readouterr().out
    assert set(found(alice, "slippers")) == {
        "My dog Rex ate the blue slippers",
        "The new slippers are green",
    }


# --- What whoever writes is told -----------------------------------------------------------------

WORDS = "My dog Rex ate the <blue> slippers"


def test_a_page_says_it_and_gives_back_what_was_typed(as_alice: Client, alice: User) -> None:
    as_alice.raise_request_exception = False
    with no_room("conversations_message"):
        answer = as_alice.post("/talk/start/", {"content": WORDS, "client_key": "k"})
    text = answer.content.decode()
    assert answer.status_code == 503
    assert "My disk is full" in text
    assert "My dog Rex ate the &lt;blue&gt; slippers</textarea>" in text
    form = dict(re.findall(r'<input type="hidden" name="(\w+)" value="(\w*)"', text))
    for _ in range(2):
        assert as_alice.post("/talk/start/", {"content": WORDS, **form}).status_code == 302
    with acting_as(alice):
        assert Message.objects.filter(role="user").count() == 1
