"""The audit log knows people by a pseudonym: its lines outlive an account and lead to nobody."""

from uuid import UUID, uuid4

import pytest
from django.db import DatabaseError
from django.utils.timezone import now

from accounts import audit
from accounts.audit import Action, By
from accounts.database import owned
from accounts.database.isolation import acting_as, acting_as_staff, acting_as_worker
from accounts.models import AuditEvent, User
from config import grants
from ledger import erasure
from tests.accounts.test_isolation_tables import count, sql


def write(user: User, **more: object) -> AuditEvent:
    with acting_as(user):
        return audit.record(user.pk, Action.CONFIRMED, **more)  # type: ignore[arg-type]


def seen_by(user: User) -> list[UUID]:
    """The keys of all lines that a query without any filter shows this person."""
    with acting_as(user):
        return list(AuditEvent.objects.values_list("pk", flat=True))


def leave(user: User) -> None:
    """An account goes, with all that is kept of it but the lines."""
    with acting_as(user):
        owned.clear(user.pk)
        erasure.blank_log_lines(user.pk)
        user.delete()


def every_line() -> list[dict[str, object]]:
    """As the owner of the tables reads them, past every policy."""
    with grants.as_owner():
        return list(AuditEvent.objects.order_by("at").values())


@pytest.mark.django_db
def test_a_line_is_read_by_its_owner_and_by_nobody_else(alice: User, bob: User) -> None:
    line = write(alice, after="Paris")
    assert seen_by(alice) == [line.pk]
    assert seen_by(bob) == []
    assert count(AuditEvent) == 0
    for role in (acting_as_worker, acting_as_staff):
        with role():
            assert count(AuditEvent) == 0


@pytest.mark.django_db
def test_no_line_is_written_in_somebody_elses_name(alice: User, bob: User) -> None:
    for name in (alice.audit_pseudonym, uuid4()):
        with pytest.raises(DatabaseError, match="row-level security"), acting_as(bob):
            AuditEvent.objects.create(pseudonym=name, at=now(), deed=Action.NOTED, by=By.OWNER)


@pytest.mark.django_db
def test_a_line_holds_no_key_of_an_account(alice: User, mira: User) -> None:
    line = write(alice, by=By.STAFF, actor=mira.pk)
    with acting_as(alice):
        kept = AuditEvent.objects.get(pk=line.pk)
        text = sql("select e::text from accounts_auditevent e")
    assert (kept.pseudonym, kept.actor) == (alice.audit_pseudonym, mira.audit_pseudonym)
    assert str(alice.pk) not in text
    assert str(mira.pk) not in text


@pytest.mark.django_db(transaction=True)
def test_lines_of_an_account_that_is_deleted_stay_and_lead_to_nobody(
    alice: User, bob: User, mira: User
) -> None:
    line = write(alice, by=By.STAFF, actor=mira.pk, before="Paris", after="Rome", why="Moved")
    ids = {str(user.pk) for user in (alice, mira)}
    gone = alice.pk
    leave(alice)
    leave(mira)
    (kept,) = every_line()
    assert kept["id"] == line.pk
    assert (kept["before"], kept["after"], kept["why"]) == ("", "", "")
    assert not ids & {str(value) for value in kept.values()}
    people = {kept["pseudonym"], kept["actor"]}
    assert not User.objects.filter(audit_pseudonym__in=people).exists()
    assert seen_by(bob) == []
    with acting_as(gone):
        assert count(AuditEvent) == 0
    again = User.objects.create_user("alice@example.org")
    assert seen_by(again) == []
