"""What the database itself does about memory: it writes down every change and numbers it.

Triggers see a change whoever makes it. A change gets its number when its transaction commits, under
the lock of the person's counter that is then held to the end: so numbers have no gap and stand in
the order of commits, and no transaction waits for another before its very end.
"""

from django.db.migrations.operations import RunSQL

# Whoever listens here is told whose memory changed, by id.
CHANNEL = "memory_changes"

_LOG = """
create function memory_log_change() returns trigger language plpgsql as $$
declare
    entry record;
    namespace text;
    key text;
    version int;
    kind text := 'written';
begin
    if tg_op = 'DELETE' then entry := old; kind := 'removed'; else entry := new; end if;
    case tg_table_name
        when 'memory_namespaceentry' then
            namespace := entry.namespace; key := entry.key; version := entry.version;
        when 'memory_profilefact' then
            namespace := 'user.facts'; key := entry.id::text;
            if entry.status <> 'current' then kind := 'removed'; end if;
        when 'memory_memory' then
            namespace := case entry.category when 'summary' then 'user.summaries'
                                             else 'user.notes' end;
            key := entry.id::text;
            if entry.status <> 'active' then kind := 'removed'; end if;
        when 'memory_memoryblock' then
            namespace := 'user.blocks'; key := entry.label; version := entry.version;
    end case;
    insert into memory_memorychange (id, user_id, namespace, key, version, kind, at)
    values (gen_random_uuid(), entry.user_id, namespace, key, version, kind, clock_timestamp());
    return null;
end $$;
"""
_NUMBER = f"""
create function memory_number_change() returns trigger language plpgsql as $$
declare
    taken bigint;
begin
    -- It may have gone again in the same transaction.
    perform from memory_memorychange where id = new.id;
    if not found then return null; end if;
    insert into memory_changecounter (id, user_id, last) values (gen_random_uuid(), new.user_id, 1)
        on conflict (user_id) do update set last = memory_changecounter.last + 1
        returning last into taken;
    update memory_memorychange set number = taken where id = new.id;
    perform pg_notify('{CHANNEL}', new.user_id::text);
    return null;
end $$;
create constraint trigger number_change after insert on memory_memorychange
    deferrable initially deferred for each row execute function memory_number_change();
"""  # noqa: S608
# Whatever is wrong with the traces takes nothing else along; none for an account that has gone.
_SAVE = """
create function memory_save_operations(told jsonb) returns boolean language plpgsql as $$
begin
    -- Who only looked does not wait for the disk: it is the last thing in the transaction.
    if pg_current_xact_id_if_assigned() is null then
        perform set_config('synchronous_commit', 'off', true);
    end if;
    insert into memory_memoryoperation
        (id, user_id, trace_id, verb, namespace, key, door, outcome, at, duration_ms, statements,
         tokens_saved)
    select id, user_id, trace_id, verb, namespace, key, door, outcome, at, duration_ms, statements,
           tokens_saved
    from jsonb_populate_recordset(null::memory_memoryoperation, told) as made
    where exists (select from accounts_user u where u.id = made.user_id);
    return true;
exception when others then
    return false;
end $$;
"""
# Which columns make a change of it: moving to another tier, or being used, is none.
_WATCHED = {
    "memory_namespaceentry": ("version",),
    "memory_profilefact": ("value", "status", "valid_to", "trust"),
    "memory_memory": ("content", "status"),
    "memory_memoryblock": ("content",),
}


def logged() -> RunSQL:
    """A migration operation that writes down and numbers what changes in the watched tables."""
    return RunSQL(
        sql=[_LOG, _NUMBER, *(_watch(table, columns) for table, columns in _WATCHED.items())],
        reverse_sql=[
            *(_unwatch(table) for table in _WATCHED),
            "drop trigger number_change on memory_memorychange",
            "drop function memory_number_change(); drop function memory_log_change();",
        ],
    )


def traced() -> RunSQL:
    """A migration operation: traces of operations are saved by a function of the database."""
    return RunSQL(sql=_SAVE, reverse_sql="drop function memory_save_operations(jsonb)")


def _watch(table: str, columns: tuple[str, ...]) -> str:
    old, new = (", ".join(f"{row}.{name}" for name in columns) for row in ("old", "new"))
    execute = "for each row execute function memory_log_change();"
    return f"""
        create trigger log_change after insert or delete on {table} {execute}
        create trigger log_update after update on {table} for each row
            when (({old}) is distinct from ({new})) execute function memory_log_change();
    """


def _unwatch(table: str) -> str:
    return f"drop trigger log_change on {table}; drop trigger log_update on {table};"


def gone_with_the_account(table: str) -> RunSQL:
    """A migration operation: rows go with their account in the database itself.

    Triggers may write one after Django has looked for what to delete.
    """
    name = f"{table}_user_fk"
    return RunSQL(
        sql=f"""
            do $$ declare old name; begin
                for old in select conname from pg_constraint
                    where contype = 'f' and conrelid = '{table}'::regclass
                loop
                    execute format('alter table {table} drop constraint %I', old);
                end loop;
            end $$;
            alter table {table} add constraint {name} foreign key (user_id)
                references accounts_user (id) on delete cascade deferrable initially deferred;
        """,  # noqa: S608
        reverse_sql=f"""
            alter table {table} drop constraint {name};
            alter table {table} add constraint {name} foreign key (user_id)
                references accounts_user (id) deferrable initially deferred;
        """,
    )
