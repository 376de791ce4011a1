"""A wrong set-up speaks at start, not when somebody's notes have leaked."""

from typing import Any

from django.core.checks import Error, Tags, register
from django.db import connection


@register(Tags.database)
def app_role_is_bound_by_row_security(
    app_configs: Any, databases: Any = None, **kwargs: Any
) -> list[Error]:
    """The role that serves requests must be one that row-level security applies to."""
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
