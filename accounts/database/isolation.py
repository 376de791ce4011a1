"""The second wall between people: PostgreSQL itself shows a row only to the person it belongs to.

Every table with a person in it carries a policy on the setting `app.user_id`. Nothing set shows
nothing. Application code still filters by owner in every query; this stands behind it.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from django.db import connection, transaction
from django.db.migrations.operations import RunSQL

from accounts.models import User


@dataclass(frozen=True)
class Acting:
    """On whose behalf the current block runs: a person, a role of the house, or who has a link."""

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


class WrongPerson(RuntimeError):
    """A block for one person was opened inside a block for another."""


@contextmanager
def acting_as(user: User | UUID, *, snapshot: bool = False) -> Iterator[None]:
    """Open a transaction in which the database shows this person's rows and no others.

    Nested blocks for the same person join the outer one: the setting belongs to the outermost
    transaction, because a released savepoint would leak an inner value into it. In a `snapshot` all
    rows are read as they are at its begin, however long it takes.
    Raises WrongPerson inside a block for somebody else.
    """
    user_id = user.pk if isinstance(user, User) else user
    with _acting_block(Acting(user_id=str(user_id)), snapshot=snapshot):
        yield


@contextmanager
def acting_as_worker() -> Iterator[None]:
    """Open a transaction that sees waiting work of everyone, and nothing of what they said."""
    with _acting_block(Acting(role="worker")):
        yield


@contextmanager
def acting_as_staff() -> Iterator[None]:
    """Open a transaction that sees which contradictions are open, and none of their values.

    A value is read in its owner's own block, after they asked for help, and the log says so.
    """
    with _acting_block(Acting(role="staff")):
        yield


@contextmanager
def acting_as_cohort() -> Iterator[None]:
    """Open a transaction that looks after what people of one persona share, and no notes.

    It reads and changes every lesson, support, report, membership and proposal: for the daily
    round, and for what staff decide about them.
    """
    with _acting_block(Acting(role="cohort")):
        yield


@contextmanager
def acting_as_trainer() -> Iterator[None]:
    """Open a transaction that sees what people decided about notes, as numbers, and no note."""
    with _acting_block(Acting(role="trainer")):
        yield


@contextmanager
def acting_as_visitor(token: str) -> Iterator[None]:
    """Open a transaction for somebody with a link: it sees the one row of that token, no other."""
    with _acting_block(Acting(role="visitor", link=token)):
        yield


@contextmanager
def _acting_block(wanted: Acting, *, snapshot: bool = False) -> Iterator[None]:
    current = _acting.get()
    if current == wanted:
        with transaction.atomic():
            yield
        return
    if current is not None:
        raise WrongPerson("Finish one person's block before opening another's.")
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
        raise LookupError("No block is open.")
    endings.kept.append(call)
    endings.failed.append(if_failed)


def _set(acting: Acting) -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "select set_config('app.user_id', %s, true), set_config('app.role', %s, true),"
            " set_config('app.link', %s, true),"
            # Those of `memory.core.statements` are written to be planned once for everybody.
            " set_config('plan_cache_mode', 'force_generic_plan', true)",
            [acting.user_id, acting.role, acting.link],
        )


# Who a policy lets in, in SQL: the acting person's id. A setting that was never made is NULL, one
# of a finished transaction is '': both show nothing.
PERSON = "nullif(current_setting('app.user_id', true), '')::uuid"
# The same for a table that knows people by pseudonym: looked up once a statement, not once a row.
PSEUDONYM = f"(select audit_pseudonym from accounts_user where id = {PERSON})"  # noqa: S608


def row_security(
    table: str, *, owner: str = "user_id", person: str = PERSON, also: tuple[str, ...] = ()
) -> RunSQL:
    """A migration operation that puts a table behind the wall.

    `owner` is the column that says whose a row is, `person` what stands in it for whoever acts;
    `also` names roles of the house ('worker') that see all.
    """
    mine = f"{owner} = {person}"
    roles = "".join(f" or current_setting('app.role', true) = '{role}'" for role in also)
    return RunSQL(
        sql=f"""
            alter table {table} enable row level security;
            alter table {table} force row level security;
            create policy {table}_owner on {table} using ({mine}{roles}) with check ({mine}{roles});
        """,
        reverse_sql=f"""
            drop policy {table}_owner on {table};
            alter table {table} no force row level security;
            alter table {table} disable row level security;
        """,
    )


def row_security_once_known(table: str) -> RunSQL:
    """A migration operation for a table that says whose a request is: it is read before anybody is
    known, and in a person's block shows their rows alone.
    """
    mine = f"user_id = {PERSON} or {PERSON} is null"
    return RunSQL(
        sql=f"""
            alter table {table} enable row level security;
            alter table {table} force row level security;
            create policy {table}_once_known on {table} using ({mine}) with check ({mine});
        """,
        reverse_sql=f"""
            drop policy {table}_once_known on {table};
            alter table {table} no force row level security;
            alter table {table} disable row level security;
        """,
    )


def readable_by(table: str, role: str) -> RunSQL:
    """A migration operation that lets a role of the house read a walled table, and write nothing.

    Rows for update and delete are chosen by the owner's policy alone.
    """
    return RunSQL(
        sql=f"""
            create policy {table}_{role} on {table} for select
            using (current_setting('app.role', true) = '{role}');
        """,
        reverse_sql=f"drop policy {table}_{role} on {table};",
    )


def readable_by_link(table: str, *, token: str = "token") -> RunSQL:  # noqa: S107
    """A migration operation that lets a visitor read the row whose token they hold, and no other.

    `token` is the column. Rows for update and delete are chosen by the owner's policy alone.
    """
    held = "nullif(current_setting('app.link', true), '')"
    return RunSQL(
        sql=f"""
            create policy {table}_visitor on {table} for select
            using (current_setting('app.role', true) = 'visitor' and {token} = {held});
        """,
        reverse_sql=f"drop policy {table}_visitor on {table};",
    )


def readable_by_members(
    table: str, group: str, memberships: str, *, of: str = "group_id", member: str = "user_id"
) -> RunSQL:
    """A migration operation that lets members of a row's group read it, and write nothing.

    `group` is the table's column with the group's id; `of` and `member` are those of `memberships`
    with the group and the person, whose own memberships its wall has to show them. Rows for update
    and delete are chosen by the owner's policy alone.
    """
    mine = f"select {of} from {memberships} where {member} = {PERSON}"  # noqa: S608
    return RunSQL(
        sql=f"create policy {table}_members on {table} for select using ({group} in ({mine}));",
        reverse_sql=f"drop policy {table}_members on {table};",
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


def loose_ties() -> list[str]:
    """Every reference from one walled table to another that does not name the owner too.

    Lines of 'table.column → parent', read from the database's own catalogue.
    """
    with connection.cursor() as cursor:
        cursor.execute(
            """
            with owned as (
                select c.oid, c.relname from pg_class c
                join pg_constraint k on k.conrelid = c.oid and k.contype = 'f'
                where k.confrelid = %s::regclass and c.relrowsecurity
            )
            select distinct child.relname || '.' || a.attname || ' → ' || parent.relname
            from pg_constraint k
            join owned child on child.oid = k.conrelid
            join owned parent on parent.oid = k.confrelid
            join pg_attribute a on a.attrelid = k.conrelid and a.attnum = any (k.conkey)
            where k.contype = 'f' and cardinality(k.conkey) = 1
            order by 1
            """,
            [User._meta.db_table],
        )
        return [line for (line,) in cursor.fetchall()]


def wall_report() -> list[dict[str, Any]]:
    """Every table that names a person, by key or pseudonym, and whether the wall is before it.

    Returns rows of {table, enabled, forced, policies}; read from the database's own catalogue, so
    a table that a later migration adds is seen too.
    """
    people = User._meta.db_table
    with connection.cursor() as cursor:
        cursor.execute(
            """
            select c.relname, c.relrowsecurity, c.relforcerowsecurity,
                   (select count(*) from pg_policy p where p.polrelid = c.oid)
            from pg_class c
            where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace and (
                exists (select from pg_constraint k
                        where k.conrelid = c.oid and k.contype = 'f' and k.confrelid = %s::regclass)
                or exists (select from pg_attribute a
                           where a.attrelid = c.oid and a.attname = 'pseudonym'))
            order by c.relname
            """,
            [people],
        )
        return [
            {"table": table, "enabled": enabled, "forced": forced, "policies": policies}
            for table, enabled, forced, policies in cursor.fetchall()
        ]
