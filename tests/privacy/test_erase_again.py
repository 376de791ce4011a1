"""What was erased is erased again after a backup is restored, which knows nothing of it."""

from collections.abc import Callable, Iterator
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client

from accounts.database.isolation import acting_as
from accounts.database.owned import owned_models
from accounts.models import User
from config import grants
from conversations.deletion import erase_all
from conversations.models import Conversation, Message
from memory.models import ProfileFact
from privacy import account_deletion
from tests.people import Talk, tell, the_fact

for_real = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _a_list_of_its_own(settings: Any, tmp_path: Path) -> None:
    settings.ERASED_LIST = str(tmp_path / "erased.jsonl")
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"


@pytest.fixture
def restored() -> Iterator[Callable[[], None]]:
    """A backup of every table, made when this is called first and restored when called again."""
    tables = [model._meta.db_table for model in owned_models()]
    tables = ["accounts_user", "accounts_auditevent", *tables]
    made = False

    def make_or_restore() -> None:
        nonlocal made
        with grants.as_owner(), connection.cursor() as cursor:
            cursor.execute("set session_replication_role = replica")
            cursor.execute("create schema if not exists backup")
            for table in tables:
                if made:
                    cursor.execute(f"delete from {table}")
                    columns = written_columns(table)
                    cursor.execute(
                        f"insert into {table} ({columns}) select {columns} from backup.{table}"
                    )
                else:
                    cursor.execute(f"create table backup.{table} as select * from {table}")
            cursor.execute("set session_replication_role = origin")
        made = True

    yield make_or_restore
    with grants.as_owner(), connection.cursor() as cursor:
        cursor.execute("drop schema if exists backup cascade")


def written_columns(table: str) -> str:
    """Those that the database does not make itself."""
    with connection.cursor() as cursor:
        cursor.execute(
            "select string_agg(quote_ident(column_name), ', ') from information_schema.columns"
            " where table_name = %s and table_schema = 'public' and is_generated = 'NEVER'",
            [table],
        )
        return str(cursor.fetchone()[0])


def erase_again(*words: str) -> str:
    told = StringIO()
    call_command("erase_again", *words, stdout=told)
    return told.getvalue()


@for_real
def test_a_fact_a_turn_and_a_conversation_go_once_more(
    alice: User, as_alice: Client, restored: Callable[[], None]
) -> None:
    there, other = Talk(alice), Talk(alice)
    there.say("I live in Rome")
    last = there.say("I work at Google")
    other.say("My dog is called Rex")
    assert other.conversation is not None
    restored()
    as_alice.post(f"/notebook/facts/{the_fact(alice, 'location').pk}/erase/")
    as_alice.post(f"/messages/{last.pk}/delete/")
    as_alice.post(f"/talk/{other.conversation.pk}/delete/")
    restored()
    with acting_as(alice):
        assert ProfileFact.objects.for_user(alice.pk).filter(slot="location").exists()
    assert "1 conversation" in erase_again()
    with acting_as(alice):
        assert not ProfileFact.objects.for_user(alice.pk).filter(slot="location").exists()
        assert not Conversation.objects.filter(pk=other.conversation.pk).exists()
        assert Message.objects.get(pk=last.pk).state == Message.State.REMOVED
    assert "nothing was left" in erase_again()


@for_real
def test_everything_and_an_account_go_once_more_and_others_stay(
    alice: User, bob: User, mira: User, restored: Callable[[], None]
) -> None:
    for user in (alice, bob, mira):
        tell(user, "I live in Rome")
    restored()
    erase_all.forget_everything(alice)
    key = bob.pk
    account_deletion.delete(bob)
    restored()
    assert User.objects.filter(pk=key).exists()
    told = erase_again()
    assert "everything" in told
    assert "1 account" in told
    assert not User.objects.filter(pk=key).exists()
    for user, facts in ((alice, 0), (mira, 1)):
        with acting_as(user):
            assert ProfileFact.objects.for_user(user.pk).count() == facts


@for_real
def test_the_list_names_nobody_and_quotes_nothing(alice: User, settings: Any) -> None:
    tell(alice, "I live in Rome")
    erase_all.forget_everything(alice)
    path = Path(settings.ERASED_LIST)
    text = path.read_text()
    assert str(alice.pk) in text
    assert not [word for word in ("Rome", "alice", "Alice") if word in text]
    assert path.stat().st_mode & 0o077 == 0


@for_real
def test_what_was_erased_before_the_backup_is_not_looked_for(alice: User) -> None:
    tell(alice, "I live in Rome")
    erase_all.forget_everything(alice)
    assert "nothing was left" in erase_again("--since", "2999-01-01T00:00")
    with pytest.raises(CommandError, match="Write it as"):
        erase_again("--since", "yesterday")
