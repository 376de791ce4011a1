"""The audit log of every change to a user's data: lines are added, never changed.

A trigger refuses updates and deletions. Only an erasure may clear the text of a line; author, time
and kind stay.
"""

from uuid import UUID

from django.db.migrations.operations import RunSQL
from django.db.models import Q
from django.utils.timezone import now

from accounts.models import AuditEvent, pseudonym_of

By = AuditEvent.By
Action = AuditEvent.Action
_WHY_LENGTH = 500
# Lines with settings, kinds and counts only, in the software's own words.
IN_OUR_WORDS = (
    Action.ALLOWED,
    Action.BLOCKED,
    Action.UNBLOCKED,
    Action.FORGOTTEN,
    Action.EXPORTED,
    Action.DOWNLOADED,
    Action.LEAVING,
    Action.STAYING,
    Action.DELETED,
)


def record(
    user_id: UUID,
    deed: AuditEvent.Action,
    *,
    by: AuditEvent.By = By.OWNER,
    actor: UUID | None = None,
    subject: UUID | None = None,
    slot: str = "",
    conversation: UUID | None = None,
    message: UUID | None = None,
    before: str = "",
    after: str = "",
    why: str = "",
) -> AuditEvent:
    """Add a line, within `acting_as(user)` and in the transaction of the change itself.

    `actor` is the id of a member of staff, stored as pseudonym; `subject` the key of the changed
    row; `before` and `after` are values in the user's words, '' if there was or is none.
    """
    return AuditEvent.objects.create(
        pseudonym=pseudonym_of(user_id),
        at=now(),
        deed=deed,
        by=by,
        actor=pseudonym_of(actor) if actor else None,
        subject=subject,
        slot=slot,
        conversation=conversation,
        message=message,
        before=before,
        after=after,
        why=why[:_WHY_LENGTH],
    )


def redact(user_id: UUID, which: Q) -> int:
    """Clear the text of the lines that an erasure concerns; return their number. Safe to repeat."""
    lines = AuditEvent.objects.for_user(user_id).filter(which, redacted_at__isnull=True)
    return lines.update(before="", after="", why="", redacted_at=now())


def append_only() -> RunSQL:
    """Return the migration operation that lets the database only add lines and clear their text."""
    return RunSQL(
        sql="""
            create function accounts_auditevent_stands() returns trigger language plpgsql as $$
            begin
                if tg_op = 'UPDATE' and old.redacted_at is null and new.redacted_at is not null
                   and new.before = '' and new.after = '' and new.why = ''
                   and (to_jsonb(new) - '{before,after,why,redacted_at}'::text[])
                     = (to_jsonb(old) - '{before,after,why,redacted_at}'::text[])
                then
                    return new;
                end if;
                raise exception 'The audit log is only ever added to.'
                    using errcode = 'integrity_constraint_violation';
            end $$;
            create trigger accounts_auditevent_stands
                before update or delete on accounts_auditevent
                for each row execute function accounts_auditevent_stands();
        """,
        reverse_sql="""
            drop trigger accounts_auditevent_stands on accounts_auditevent;
            drop function accounts_auditevent_stands();
        """,
    )
