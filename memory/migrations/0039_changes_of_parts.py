"""A part of a table, such as a partition, logs changes as the table does."""

from django.db import migrations

# Of "memory_memory_p3of16" it is "memory_memory" that changes; triggers know the part's name only.
_WHOLE = "regexp_replace(tg_table_name, '_(p[0-9]+of)?[0-9]+$', '')"


def _replaced(old: str, new: str) -> str:
    """SQL that replaces some words of the function."""
    return f"""
        do $do$ begin execute replace(
            pg_get_functiondef('memory_log_change'::regproc), $old${old}$old$, $new${new}$new$
        ); end $do$;
    """


class Migration(migrations.Migration):
    dependencies = [("memory", "0038_registered_namespaces")]

    operations = [
        migrations.RunSQL(
            sql=_replaced("case tg_table_name", f"case {_WHOLE}"),
            reverse_sql=_replaced(f"case {_WHOLE}", "case tg_table_name"),
        )
    ]
