"""What triggers and traces write while an account goes, goes with it in the database itself."""

from typing import ClassVar

from django.db import migrations


def gone_with_the_account(table: str) -> migrations.RunSQL:
    """A migration operation: rows go with their account in the database itself.

    Triggers may write one after Django has looked for what to delete.
    """
    name = f"{table}_user_fk"
    return migrations.RunSQL(
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


class Migration(migrations.Migration):
    """They take the place of the keys that Django made."""

    dependencies: ClassVar = [("memory", "0028_namespaces")]

    operations: ClassVar = [
        gone_with_the_account("memory_memorychange"),
        gone_with_the_account("memory_changecounter"),
        gone_with_the_account("memory_memoryoperation"),
    ]
