"""The last wall by itself: every statement asks for another's rows, and the database shows none.

The owner in Django's queries and in the statements that are written out is somebody else's here,
while app.user_id stays.
"""

import re
from collections.abc import Callable
from typing import Any
from uuid import UUID

import pytest
from django.db import connection

from accounts import work
from accounts.database import owned
from accounts.database.isolation import acting_as
from accounts.models import AuditEvent, User, Work
from conversations.deletion import message_deletion
from conversations.models import Message
from conversations.search import message_recall
from conversations.tools import registry
from memory.models import ProfileFact
from memory.notes import note_usage
from privacy import account_deletion
from tests.people import Api, Talk, client_for
from tests.walks.leaks import ROOMS, ROOT, asking_for, counted, told_nothing
from tests.walks.test_doors import Door, alice, db, every_door, knock, opened, rows, state_of
from tests.walks.test_leaks import calls

__all__ = ["alice", "counted", "db", "opened", "rows"]


def outcome(deed: Any) -> object:
    """What comes of it, or what broke over rows that are not there: that is looked at too."""
    try:
        return deed()
    except Exception as error:
        return f"{error!r} {error.__cause__!r}"


def test_the_statements_ask_for_her_rows_indeed(alice: User, bob: User) -> None:
    Talk(bob).say("I live in Oslo")
    with acting_as(bob):
        assert [fact.value for fact in ProfileFact.objects.for_user(bob.pk)] == ["Oslo"]
    with asking_for(alice.pk, bob.pk), acting_as(bob):
        assert not ProfileFact.objects.for_user(bob.pk).exists()
        # His own rows are there, for who asks for nobody's.
        assert ProfileFact.objects.get().value == "Oslo"
        assert not AuditEvent.objects.for_user(bob.pk).exists()
    with asking_for(bob.pk, alice.pk), acting_as(bob):
        assert [fact.value for fact in ProfileFact.objects.for_user(alice.pk)] == []


@every_door
def test_no_door_shows_what_its_statements_ask_for(
    door: Door, rows: dict[str, Any], alice: User, bob: User
) -> None:
    before = state_of(alice)
    with asking_for(alice.pk, bob.pk):
        told_nothing("doors", outcome(lambda: knock(door, rows, bob)))
    assert state_of(alice) == before


@pytest.mark.parametrize("name", registry.tools())
def test_no_tool_does(name: str, rows: dict[str, Any], alice: User, bob: User) -> None:
    before = state_of(alice)
    api = Api(bob)
    for call in calls(rows, alice)[name]:
        for more in ({}, {"confirm": True}):
            with asking_for(alice.pk, bob.pk):
                told = outcome(lambda: api.post(f"tools/{name}", call | more))  # noqa: B023
            told_nothing("tools", told)
    assert state_of(alice) == before


# --- Every statement that is written out ----------------------------------------------------------

_WRITTEN = re.compile(r"\bcursor\.execute\(|statements\.rows\(|\bsend\([_*]|\.raw\(|RawSQL")
# Those without a person's owner in them, each with why.
OF_NOBODY = {
    "privacy/restoring/writing.py": "when keys are looked at",
    "accounts/database/checks.py": "the role that serves people",
    "accounts/database/isolation.py": "the setting itself, and the catalogue",
    "config/grants.py": "what the role may do",
    "config/monitoring/report.py": "size and connections of the database",
    "config/scaling/catalog.py": "the catalogue",
    "config/scaling/partitions.py": "tables, by the role that owns them",
    "memory/core/tracing.py": "what it writes names its owner inside one value",
    "memory/core/statements.py": "runs those of others",
    "memory/lessons/experience_days.py": "counts of the site, by role and day",
    "memory/namespaces/changes.py": "a notification, with whom it is for inside one value",
}


def written_out() -> set[str]:
    """The files of the product that write statements out."""
    sources = {
        path.relative_to(ROOT).as_posix(): path.read_text()
        for room in ROOMS
        for path in (ROOT / room).rglob("*.py")
        if "migrations" not in path.parts
    }
    return {name for name, source in sources.items() if _WRITTEN.search(source)}


def deeds_of(bob: User, rows: dict[str, Any]) -> list[Callable[[], Any]]:
    """All that the statements which are written out are for."""
    api, talk = Api(bob), Talk(bob)
    return [
        lambda: talk.say("My dog is called Rex and I live in Oslo").content,
        lambda: talk.say("Where do I live?").content,
        lambda: Talk(bob).say("When did I last mention Wilhelmina?").content,
        lambda: Talk(bob).say("How often did I mention Qwertzfirm?").content,
        lambda: Talk(bob).say("What is my dog called, and where do I work?").content,
        lambda: api.get("search?q=Wilhelmina+Qwertzfirm").content,
        lambda: api.get("experience").content,
        lambda: api.post("tools/recall_memories", {"query": "Wilhelmina"}).content,
        lambda: client_for(bob).get("/notebook/activity/").content,
        lambda: (
            api.client.put(
                "/api/v1/namespaces/shared.people/entries/rex",
                {"name": "Rex"},
                content_type="application/json",
                headers={"Authorization": f"Token {api.token}"},
            ).content
        ),
        lambda: in_block_of(
            bob, lambda: note_usage.mark_used(bob.pk, [rows["memory"]], [rows["fact"]])
        ),
        lambda: in_block_of(bob, lambda: recalled_by(bob, rows["conversation"])),
        lambda: in_block_of(bob, lambda: taken_out_by(bob)),
        lambda: account_deletion.left_of(bob.pk, "nobody@example.org"),
        lambda: in_block_of(bob, lambda: owned.clear(bob.pk)),
    ]


def recalled_by(bob: User, hers: UUID) -> object:
    """What may be quoted to him of her conversation."""
    question = Message.objects.for_user(bob.pk).filter(role=Message.Role.USER).latest("said_at")
    return message_recall._quotable(question, [(hers, number) for number in range(1, 9)])


def taken_out_by(bob: User) -> None:
    first = Message.objects.for_user(bob.pk).filter(role=Message.Role.USER).earliest("said_at")
    message_deletion.remove_turn(bob, first, message_deletion.nothing)


def in_block_of(user: User, deed: Callable[[], Any]) -> Any:
    with acting_as(user):
        return deed()


def test_no_statement_that_is_written_out_needs_its_own_condition(
    rows: dict[str, Any], alice: User, bob: User
) -> None:
    before = state_of(alice)
    # Who finds no work to claim waits for whoever else has it: see the test after this one.
    with asking_for(alice.pk, bob.pk, but=("", "accounts/work.py")) as changed:
        for deed in deeds_of(bob, rows):
            told_nothing("statements", outcome(deed), asked="Wilhelmina Qwertzfirm")
    assert state_of(alice) == before
    assert written_out() - set(changed) - set(OF_NOBODY) == {"accounts/work.py"}
    assert set(OF_NOBODY) <= written_out()


def test_her_work_is_neither_claimed_nor_struck_off_by_him(alice: User, bob: User) -> None:
    with acting_as(alice):
        hers = Work.objects.filter(user=alice).first()
        assert hers is not None
    with asking_for(alice.pk, bob.pk):
        assert work.claim(bob.pk, hers.kind, hers.subject) is None
        with acting_as(bob):
            assert not work.remove_in_transaction(bob.pk, hers.kind, hers.subject)
    with acting_as(bob), connection.cursor() as cursor:
        cursor.execute("update accounts_work set attempts = 9 where user_id = %s", [alice.pk])
        assert cursor.rowcount == 0
    told_nothing("statements", "")
