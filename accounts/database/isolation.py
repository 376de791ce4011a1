"""Row-level security: PostgreSQL itself shows a row only to the person it belongs to.

Every table with a person in it carries a policy on the setting `app.user_id`. Nothing set shows
nothing. Application code still filters by owner in every query; this stands behind it.
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
    """On whose behalf the current block runs: a person, a role of the product, or a visitor."""

    user_id: str = ""
    role: str = ""
    link: str = ""


@dataclass
class _Endings:
    """What is to be done when the outermost block ends: in its transaction, or after it failed."""

    kept: list[Callable[[], None]] = field(default_factory=list)
    failed: list[Callable[[], None]] = field(default_factory=list)


_acting: ContextVar[Acting | None] = ContextVar("acting", default=None)
_endings: ContextVar[_Endings | None] = ContextVar("endings", default=None)
_reading_only: ContextVar[bool] = ContextVar("reading_only", default=False)


class WrongPerson(RuntimeError):
    """A block for one person was opened inside a block for another."""


def acting_as(user: User | UUID, *, snapshot: bool = False) -> AbstractContextManager[None]:
    """Open a transaction in which the database shows this person's rows and no others.

    Nested blocks for the same person join the outer one: the setting belongs to the outermost
    transaction, because a released savepoint would leak an inner value into it. In a `snapshot` all
    rows are read as they are at its begin, however long it takes.
    Raises WrongPerson inside a block for somebody else.
    """
    user_id = user.pk if isinstance(user, User) else user
    return _acting_block(Acting(user_id=str(user_id)), snapshot=snapshot)


def acting_as_worker() -> AbstractContextManager[None]:
    """Open a transaction that sees waiting work of everyone, and nothing of what they said."""
    return _acting_block(Acting(role="worker"))


def acting_as_staff() -> AbstractContextManager[None]:
    """Open a transaction that sees which contradictions are open, and none of their values."""
    return _acting_block(Acting(role="staff"))


def acting_as_cohort() -> AbstractContextManager[None]:
    """Open a transaction that sees and changes what people of a persona share, and no notes."""
    return _acting_block(Acting(role="cohort"))


def acting_as_trainer() -> AbstractContextManager[None]:
    """Open a transaction that sees what people decided about notes, as numbers, and no note."""
    return _acting_block(Acting(role="trainer"))


def acting_as_visitor(token: str) -> AbstractContextManager[None]:
    """Open a transaction for somebody with a link: it sees the one row of that token, no other."""
    return _acting_block(Acting(role="visitor", link=token))


@contextmanager
def reading_only() -> Iterator[None]:
    """Have the database refuse every write in the blocks that are opened inside."""
    token = _reading_only.set(True)
    try:
        yield
    finally:
        _reading_only.reset(token)


def is_reading_only() -> bool:
    """Whether the database refuses writes in the blocks that are opened here."""
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
            # Only tests hold an outer transaction: leave it as it was found, showing nothing.
            _set(Acting())


def acting_person() -> UUID | None:
    """Whose block is open; None outside of any, and in the block of a role."""
    current = _acting.get()
    return UUID(current.user_id) if current and current.user_id else None


def at_block_end(call: Callable[[], None], *, if_failed: Callable[[], None]) -> None:
    """Do something at the end of the open block, the last thing in its transaction; or, when the
    block fails, after everything in it was undone.

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


# Who a policy lets in, in SQL: the acting person's id. A setting that was never made is NULL, one
# of a finished transaction is '': both show nothing.
PERSON = "nullif(current_setting('app.user_id', true), '')::uuid"
# The same for a table that knows people by pseudonym: looked up once a statement, not once a row.
PSEUDONYM = f"(select audit_pseudonym from accounts_user where id = {PERSON})"  # noqa: S608


def row_security(
    table: str, *, owner: str = "user_id", person: str = PERSON, also: tuple[str, ...] = ()
) -> RunSQL:
    """A migration operation that puts a table behind row-level security.

    `owner` is the column that says whose a row is, `person` what stands in it for whoever acts;
    `also` names roles of the product ('worker') that see all.
    """
    roles = "".join(f" or current_setting('app.role', true) = '{role}'" for role in also)
    return _walled(table, f"{table}_owner", f"{owner} = {person}{roles}")


def row_security_once_known(table: str) -> RunSQL:
    """A migration operation for a table that is read before the person is known, such as the
    tokens: in a person's block it shows their rows alone.
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
    """A migration operation that lets a role of the product read a secured table, not write it."""
    return RunSQL(
        sql=f"""
            create policy {table}_{role} on {table} for select
            using (current_setting('app.role', true) = '{role}');
        """,
        reverse_sql=f"drop policy {table}_{role} on {table};",
    )


def deletable_by(table: str, column: str) -> RunSQL:
    """A migration operation that lets the person named in `column` read and delete a row that is
    somebody else's, such as the line that says who created them; not write one.
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
    """A migration operation that lets a visitor read the row whose token they hold, no other."""
    held = "nullif(current_setting('app.link', true), '')"
    return RunSQL(
        sql=f"""
            create policy {table}_visitor on {table} for select
            using (current_setting('app.role', true) = 'visitor' and {token} = {held});
        """,
        reverse_sql=f"drop policy {table}_visitor on {table};",
    )


def owned_key(table: str) -> RunSQL:
    """A migration operation that lets rows of other tables name one of these with its owner."""
    return RunSQL(
        sql=f"alter table {table} add constraint {table}_owned unique (id, user_id);",
        reverse_sql=f"alter table {table} drop constraint {table}_owned;",
    )


def same_owner(table: str, column: str, parent: str) -> RunSQL:
    """A migration operation that lets `column` name a row of `parent` only if one person has both.

    It takes the place of the key that Django made, so it belongs into a migration after that one.
    `parent` needs its `owned_key`. A column that is empty names nothing and is not judged.
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
