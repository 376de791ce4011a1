"""Row-level security: PostgreSQL shows a row only to the user it belongs to.

Every table with a user has a policy on the setting `app.user_id`; without it no rows are visible.
Queries still filter by user; this is a second protection.
"""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from uuid import UUID

from django.conf import settings
from django.db import connection, transaction
from django.db.migrations.operations import RunSQL

from accounts.models import User


@dataclass(frozen=True)
class Acting:
    """For whom the current transaction runs: a user, a role of the software, or a visitor."""

    user_id: str = ""
    role: str = ""
    link: str = ""


@dataclass
class _Endings:
    """Callbacks for the end of the outermost block: in its transaction, or after it failed."""

    kept: list[Callable[[], None]] = field(default_factory=list)
    failed: list[Callable[[], None]] = field(default_factory=list)


_acting: ContextVar[Acting | None] = ContextVar("acting", default=None)
_endings: ContextVar[_Endings | None] = ContextVar("endings", default=None)
_reading_only: ContextVar[bool] = ContextVar("reading_only", default=False)


class WrongPerson(RuntimeError):
    """Raised when `acting_as` for one user is called inside that of another."""


def acting_as(user: User | UUID, *, snapshot: bool = False) -> AbstractContextManager[None]:
    """Open a transaction in which the database shows only this user's rows.

    Nested calls for the same user join the outer transaction. With `snapshot`, all rows are read as
    they were at its start. Raises WrongPerson inside `acting_as` of another user.
    """
    user_id = user.pk if isinstance(user, User) else user
    return _acting_block(Acting(user_id=str(user_id)), snapshot=snapshot)


def acting_as_worker() -> AbstractContextManager[None]:
    """Open a transaction that sees jobs of all users, but none of their content."""
    return _acting_block(Acting(role="worker"))


def acting_as_staff() -> AbstractContextManager[None]:
    """Open a transaction that sees which conflicts are open, but none of their values."""
    return _acting_block(Acting(role="staff"))


def acting_as_cohort() -> AbstractContextManager[None]:
    """Open a transaction that sees and changes what users of a persona share, but no memories."""
    return _acting_block(Acting(role="cohort"))


def acting_as_trainer() -> AbstractContextManager[None]:
    """Open a transaction that sees users' decisions about memories as numbers, but no memories."""
    return _acting_block(Acting(role="trainer"))


def acting_as_visitor(token: str) -> AbstractContextManager[None]:
    """Open a transaction for a visitor with a link, which sees only the row of its token."""
    return _acting_block(Acting(role="visitor", link=token))


@contextmanager
def reading_only() -> Iterator[None]:
    """Context manager in which transactions of this module are read-only."""
    token = _reading_only.set(True)
    try:
        yield
    finally:
        _reading_only.reset(token)


def is_reading_only() -> bool:
    """Return whether transactions of this module are read-only here."""
    return _reading_only.get()


@contextmanager
def _acting_block(wanted: Acting, *, snapshot: bool = False) -> Iterator[None]:
    current = _acting.get()
    if current == wanted:
        with transaction.atomic():
            yield
        return
    if current is not None:
        raise WrongPerson("A database block for another person is still open. Close it first.")
    inside_another = connection.in_atomic_block
    endings = _Endings()
    outer = _endings.set(endings)
    try:
        with _transaction(wanted, endings, inside_another=inside_another, snapshot=snapshot):
            yield
    except BaseException:
        for call in endings.failed:
            call()
        raise
    finally:
        _endings.reset(outer)


@contextmanager
def _transaction(
    wanted: Acting, endings: _Endings, *, inside_another: bool, snapshot: bool
) -> Iterator[None]:
    with transaction.atomic():
        if snapshot and not inside_another:
            with connection.cursor() as cursor:
                cursor.execute("set transaction isolation level repeatable read")
        _set(wanted)
        if _reading_only.get():
            with connection.cursor() as cursor:
                cursor.execute("set transaction read only")
        token = _acting.set(wanted)
        try:
            yield
            for call in endings.kept:
                call()
        finally:
            _acting.reset(token)
        if inside_another:
            # An outer transaction exists only in tests: reset the setting, which shows no rows.
            _set(Acting())


def acting_person() -> UUID | None:
    """Return the user of the current `acting_as`; None outside of one, or for a role."""
    current = _acting.get()
    return UUID(current.user_id) if current and current.user_id else None


def at_block_end(call: Callable[[], None], *, if_failed: Callable[[], None]) -> None:
    """Call `call` at the end of the outermost block, inside its transaction; or `if_failed` after
    its rollback.

    Raises LookupError outside of a block.
    """
    endings = _endings.get()
    if endings is None:
        raise LookupError("No database block is open for a person. Open one with acting_as.")
    endings.kept.append(call)
    endings.failed.append(if_failed)


def _set(acting: Acting) -> None:
    # Citus hands these on to its workers, and no settings that a function makes.
    statement = "set local app.user_id = %s; set local app.role = %s; set local app.link = %s"
    if settings.DATABASE_PREPARE:
        # Those of `memory.core.statements` are written to be planned once for everybody.
        statement += "; set local plan_cache_mode = force_generic_plan"
    with connection.cursor() as cursor:
        cursor.execute(statement, [acting.user_id, acting.role, acting.link])


# The SQL for the acting user's id in policies. The setting is NULL if never set, and '' after its
# transaction: both show no rows.
PERSON = "nullif(current_setting('app.user_id', true), '')::uuid"
# For a table with pseudonyms: evaluated once per statement, not per row.
PSEUDONYM = f"(select audit_pseudonym from accounts_user where id = {PERSON})"  # noqa: S608


def row_security(
    table: str, *, owner: str = "user_id", person: str = PERSON, also: tuple[str, ...] = ()
) -> RunSQL:
    """Return a migration operation that adds row-level security to a table.

    `owner` is the column of the row's user, `person` the SQL for the acting user; `also` names
    roles of the software ('worker') that see all rows.
    """
    roles = "".join(f" or current_setting('app.role', true) = '{role}'" for role in also)
    return _walled(table, f"{table}_owner", f"{owner} = {person}{roles}")


def row_security_once_known(table: str) -> RunSQL:
    """Return a migration operation for a table that is read before the user is known, such as
    tokens: within `acting_as(user)` only the user's rows are visible.
    """
    return _walled(table, f"{table}_once_known", f"user_id = {PERSON} or {PERSON} is null")


def _walled(table: str, policy: str, shown: str) -> RunSQL:
    return RunSQL(
        sql=f"""
            alter table {table} enable row level security;
            alter table {table} force row level security;
            create policy {policy} on {table} using ({shown}) with check ({shown});
        """,
        reverse_sql=f"""
            drop policy {policy} on {table};
            alter table {table} no force row level security;
            alter table {table} disable row level security;
        """,
    )


def readable_by(table: str, role: str) -> RunSQL:
    """Return a migration operation that lets a role of the software read a secured table."""
    return RunSQL(
        sql=f"""
            create policy {table}_{role} on {table} for select
            using (current_setting('app.role', true) = '{role}');
        """,
        reverse_sql=f"drop policy {table}_{role} on {table};",
    )


def deletable_by(table: str, column: str) -> RunSQL:
    """Return a migration operation that lets the user named in `column` read and delete another
    user's row, such as a sub-user's link to its creator, but not write it.
    """
    named = f"{column} = {PERSON}"
    return RunSQL(
        sql=f"""
            create policy {table}_{column}_reads on {table} for select using ({named});
            create policy {table}_{column}_deletes on {table} for delete using ({named});
        """,
        reverse_sql=f"""
            drop policy {table}_{column}_deletes on {table};
            drop policy {table}_{column}_reads on {table};
        """,
    )


def readable_by_link(table: str, *, token: str = "token") -> RunSQL:  # noqa: S107
    """Return a migration operation that lets a visitor read only the row whose token they have."""
    held = "nullif(current_setting('app.link', true), '')"
    return RunSQL(
        sql=f"""
            create policy {table}_visitor on {table} for select
            using (current_setting('app.role', true) = 'visitor' and {token} = {held});
        """,
        reverse_sql=f"drop policy {table}_visitor on {table};",
    )


def owned_key(table: str) -> RunSQL:
    """Return a migration operation with the unique key (id, user) that `same_owner` needs."""
    return RunSQL(
        sql=f"alter table {table} add constraint {table}_owned unique (id, user_id);",
        reverse_sql=f"alter table {table} drop constraint {table}_owned;",
    )


def same_owner(table: str, column: str, parent: str) -> RunSQL:
    """Return a migration operation that limits `column` to rows of the same user in `parent`.

    It replaces Django's foreign key, so it has to follow in a later migration. `parent` needs
    `owned_key`. NULL is allowed.
    """
    made = f"{table}_{column}_owned"
    return RunSQL(
        sql=f"""
            do $$ declare old name; begin
                for old in
                    select conname from pg_constraint k
                    join pg_attribute a on a.attrelid = k.conrelid and k.conkey = array[a.attnum]
                    where k.contype = 'f' and k.conrelid = '{table}'::regclass
                      and a.attname = '{column}'
                loop
                    execute format('alter table {table} drop constraint %I', old);
                end loop;
            end $$;
            alter table {table} add constraint {made} foreign key ({column}, user_id)
                references {parent} (id, user_id) deferrable initially deferred;
        """,  # noqa: S608
        reverse_sql=f"""
            alter table {table} drop constraint {made};
            alter table {table} add constraint {table}_{column}_fk foreign key ({column})
                references {parent} (id) deferrable initially deferred;
        """,
    )
