"""Database triggers that insert a delivery for each event.

They run in the transaction of the event, whatever caused it, and only insert rows, so they block no
other transaction.
"""

from django.db.migrations.operations import RunSQL

_TELL = """
create function webhooks_tell(owner uuid, event text, subject_kind text, subject uuid)
returns void language sql as $$
    insert into webhooks_webhookdelivery
        (id, user_id, endpoint_id, event, subject_kind, subject, at, state, attempts, next_try_at,
         failure)
    select gen_random_uuid(), e.user_id, e.id, event, subject_kind, subject, clock_timestamp(),
           'waiting', 0, now(), ''
    from webhooks_webhookendpoint e
    where e.user_id = owner and e.off_because = '' and event = any (e.events);
$$;
"""
# Whether a row is in use now, and was before.
_MEMORY = """
create function webhooks_tell_{name}() returns trigger language plpgsql as $$
declare
    was boolean := false;
    now_is boolean := false;
    row record;
begin
    if tg_op <> 'INSERT' then row := old; was := {in_use}; end if;
    if tg_op <> 'DELETE' then row := new; now_is := {in_use}; end if;
    {unless}
    perform webhooks_tell(row.user_id, case
        when now_is and was then 'memory.changed'
        when now_is then 'memory.added'
        when was then 'memory.removed'
        {otherwise}
        end, '{name}', row.id);
    return null;
end $$;
"""
_FACT = _MEMORY.format(name="fact", in_use="row.status = 'current'", unless="", otherwise="")
_NOTE = _MEMORY.format(
    name="memory",
    in_use="row.status in ('active', 'paused')",
    # Summaries, which the software makes for itself.
    unless="if row.category = 'summary' then return null; end if;",
    otherwise="when tg_op = 'INSERT' and row.status = 'waiting' then 'memory.proposed'",
)
_OTHERS = """
create function webhooks_tell_conflict() returns trigger language plpgsql as $$
begin
    if (new.status = 'open') and (tg_op = 'INSERT' or old.status <> 'open') then
        perform webhooks_tell(new.user_id, 'conflict.opened', 'conflict', new.id);
    elsif new.status <> 'open' and tg_op = 'UPDATE' and old.status = 'open' then
        perform webhooks_tell(new.user_id, 'conflict.settled', 'conflict', new.id);
    end if;
    return null;
end $$;
create function webhooks_tell_export() returns trigger language plpgsql as $$
begin
    perform webhooks_tell(new.user_id, 'export.ready', 'export', new.id);
    return null;
end $$;
create function webhooks_tell_cleared() returns trigger language plpgsql as $$
begin
    -- One event in place of one for each thing that went.
    delete from webhooks_webhookdelivery where user_id = new.user_id and state = 'waiting';
    perform webhooks_tell(new.user_id, 'memory.cleared', '', null);
    return null;
end $$;
"""
_TRIGGERS = """
create trigger webhooks_tell after insert or delete on memory_profilefact
    for each row execute function webhooks_tell_fact();
create trigger webhooks_tell_update after update on memory_profilefact for each row
    when ((old.value, old.status, old.valid_from, old.valid_to)
          is distinct from (new.value, new.status, new.valid_from, new.valid_to))
    execute function webhooks_tell_fact();
create trigger webhooks_tell after insert or delete on memory_memory
    for each row execute function webhooks_tell_memory();
create trigger webhooks_tell_update after update on memory_memory for each row
    when ((old.content, old.status, old.category, old.priority)
          is distinct from (new.content, new.status, new.category, new.priority))
    execute function webhooks_tell_memory();
create trigger webhooks_tell after insert or update on ledger_contradiction
    for each row execute function webhooks_tell_conflict();
create trigger webhooks_tell after update on privacy_export for each row
    when (new.state = 'ready' and old.state <> 'ready')
    execute function webhooks_tell_export();
create trigger webhooks_tell after insert on memory_memorychange for each row
    when (new.kind = 'cleared') execute function webhooks_tell_cleared();
"""
_UNDO = """
drop trigger webhooks_tell on memory_profilefact;
drop trigger webhooks_tell_update on memory_profilefact;
drop trigger webhooks_tell on memory_memory;
drop trigger webhooks_tell_update on memory_memory;
drop trigger webhooks_tell on ledger_contradiction;
drop trigger webhooks_tell on privacy_export;
drop trigger webhooks_tell on memory_memorychange;
drop function webhooks_tell_fact();
drop function webhooks_tell_memory();
drop function webhooks_tell_conflict();
drop function webhooks_tell_export();
drop function webhooks_tell_cleared();
drop function webhooks_tell(uuid, text, text, uuid);
"""


def events_told() -> RunSQL:
    """Return a migration operation that makes deliveries for events with subscribed endpoints."""
    return RunSQL(sql=[_TELL, _FACT, _NOTE, _OTHERS, _TRIGGERS], reverse_sql=_UNDO)
