"""Database triggers and policies of lessons, as operations for migrations.

Triggers count supporters, so counts are right however a support is added or deleted (a click, a
deleted account or conversation). Row-level security hides a lesson until it is visible, even if a
query forgets the filter.
"""

from django.db.migrations.operations import RunSQL

from accounts.database.isolation import PERSON

_ROLE = "current_setting('app.role', true) = 'cohort'"


COUNT = """
create or replace function memory_lesson_count() returns trigger language plpgsql as $$
declare before text := coalesce(current_setting('app.role', true), '');
begin
    perform set_config('app.role', 'cohort', true);
    perform 1 from memory_lesson where id in (select lesson_id from changed)
        order by id for no key update;
    if tg_op <> 'UPDATE' then
        insert into memory_lessontally (lesson_id, organisation, people)
            select distinct lesson_id, organisation, 0 from changed
            order by lesson_id, organisation
            on conflict (lesson_id, organisation) do nothing;
        update memory_lessontally t
            set people = t.people + c.many * case tg_op when 'INSERT' then 1 else -1 end
            from (select lesson_id, organisation, count(*) as many
                  from changed group by lesson_id, organisation) c
            where t.lesson_id = c.lesson_id and t.organisation = c.organisation;
        update memory_lesson l
            set supporters = c.people, organisations = c.organisations
            from (select lesson_id, sum(people) as people,
                         count(*) filter (where people > 0 and organisation <> '')
                             as organisations
                  from memory_lessontally where lesson_id in (select lesson_id from changed)
                  group by lesson_id) c
            where l.id = c.lesson_id;
    end if;
    if tg_op <> 'DELETE' then
        update memory_lesson l
            set confirmed_at = greatest(l.confirmed_at, c.latest),
                standing = case when l.standing = 'faded' and c.latest > l.confirmed_at
                                then 'open' else l.standing end
            from (select lesson_id, max(supported_at) as latest
                  from changed group by lesson_id) c
            where l.id = c.lesson_id;
    end if;
    perform set_config('app.role', before, true);
    return null;
end $$;
"""
# Name, event and transition table of each counting trigger.
_COUNTING = {
    "supported": ("insert", "new"),
    "confirmed": ("update", "new"),
    "unsupported": ("delete", "old"),
}


def counted() -> RunSQL:
    """Return the operation that keeps `LessonTally` and the counts of `Lesson` up to date.

    A statement's lessons are locked in id order, so that concurrent withdrawals do not deadlock.
    The function runs with the cohort role, because a user cannot see a lesson after withdrawing its
    last support.
    """
    triggers = [
        f"""
        create trigger memory_lesson_{name} after {event} on memory_lessonsupport
            referencing {rows} table as changed
            for each statement execute function memory_lesson_count();
        """
        for name, (event, rows) in _COUNTING.items()
    ]
    return RunSQL(
        sql=[COUNT, *triggers],
        reverse_sql=[
            *(f"drop trigger memory_lesson_{name} on memory_lessonsupport" for name in _COUNTING),
            "drop function memory_lesson_count()",
        ],
    )


def hidden_until_supported() -> RunSQL:
    """Return the operation that shows a lesson only to its supporters until it is visible.

    Users cannot change lessons.
    """
    mine = (
        "exists (select from memory_lessonsupport s"
        f" where s.lesson_id = memory_lesson.id and s.user_id = {PERSON})"
    )
    begins = "standing = 'open' and approved_at is null and supporters = 0 and organisations = 0"
    return RunSQL(
        sql=f"""
            alter table memory_lesson enable row level security;
            alter table memory_lesson force row level security;
            create policy memory_lesson_read on memory_lesson for select
                using (visible or {_ROLE} or {mine});
            create policy memory_lesson_begin on memory_lesson for insert
                with check ({_ROLE} or ({PERSON} is not null and {begins}));
            create policy memory_lesson_change on memory_lesson for update
                using ({_ROLE}) with check ({_ROLE});
            create policy memory_lesson_remove on memory_lesson for delete using ({_ROLE});
            alter table memory_lessontally enable row level security;
            alter table memory_lessontally force row level security;
            create policy memory_lessontally_counted on memory_lessontally
                using ({_ROLE}) with check ({_ROLE});
        """,
        reverse_sql="""
            drop policy memory_lessontally_counted on memory_lessontally;
            alter table memory_lessontally no force row level security;
            alter table memory_lessontally disable row level security;
            drop policy memory_lesson_remove on memory_lesson;
            drop policy memory_lesson_change on memory_lesson;
            drop policy memory_lesson_begin on memory_lesson;
            drop policy memory_lesson_read on memory_lesson;
            alter table memory_lesson no force row level security;
            alter table memory_lesson disable row level security;
        """,
    )
