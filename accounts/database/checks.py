"""System checks of the database's roles."""

from typing import Any

from django.core.checks import Error, Tags, register
from django.db import connection


@register(Tags.database)
def app_role_is_bound_by_row_security(
    app_configs: Any, databases: Any = None, **kwargs: Any
) -> list[Error]:
    """Return an error if row-level security does not apply to the application's role."""
    if not databases:
        return []
    with connection.cursor() as cursor:
        cursor.execute(
            "select rolname, rolsuper or rolbypassrls from pg_roles where rolname = current_user"
        )
        role, exempt = cursor.fetchone()
    if not exempt:
        return []
    return [
        Error(
            f"The database role {role} is exempt from row-level security.",
            hint="Connect as a role with NOSUPERUSER NOBYPASSRLS; see docs/deploy.md.",
            id="accounts.E001",
        )
    ]
