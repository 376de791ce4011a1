"""`manage.py migrate`: Django's, with database setup before and grants after it."""

from typing import Any

from django.conf import settings
from django.core.management import CommandError
from django.core.management.commands import migrate
from django.db import DEFAULT_DB_ALIAS

from config import grants
from config.processes import embedded, starting


class Command(migrate.Command):
    """Migrates as the owner of the tables, and grants the application's role access."""

    def execute(self, *args: Any, **options: Any) -> str | None:
        """Start the embedded database, if used, before the system checks query it."""
        starting.refuse(CommandError)
        if settings.EMBEDDED:
            cluster = embedded.Cluster(settings.DATA_DIR)
            try:
                cluster.start()
                cluster.provision()
            except embedded.EmbeddedPostgresError as error:
                raise CommandError(str(error)) from error
        return super().execute(*args, **options)

    def handle(self, *args: Any, **options: Any) -> None:
        """Migrate as the owner, then grant the application its rights."""
        if options["database"] != DEFAULT_DB_ALIAS:
            super().handle(*args, **options)
            return
        with grants.as_owner() as connection:
            super().handle(*args, **options)
            if not (options["plan"] or options["check_unapplied"]):
                grants.finish(connection)
