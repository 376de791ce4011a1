"""`manage.py makemigrations`: Django's, which does not wait for a database that is away."""

from typing import Any

from django.conf import settings
from django.core.management.commands import makemigrations
from django.db import connection

from config.processes.embedded import Cluster


class Command(makemigrations.Command):
    """Compares models with files; the database is asked about its history only where it runs."""

    def handle(self, *app_labels: str, **options: Any) -> None:
        """Leave the history unasked, as Django does for a site without a database."""
        if settings.EMBEDDED and Cluster(settings.DATA_DIR).pid() is None:
            connection.settings_dict["ENGINE"] = "django.db.backends.dummy"
        super().handle(*app_labels, **options)
