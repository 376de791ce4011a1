"""`manage.py pg`: administration of the embedded PostgreSQL server."""

from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management import BaseCommand, CommandError

from config.processes.embedded import Cluster, EmbeddedPostgresError


class Command(BaseCommand):
    """One method for each action; `start` and `stop` are safe to repeat."""

    help = "Start, stop or check the embedded PostgreSQL"
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
        for name, words in (
            ("start", "start the server"),
            ("stop", "stop the server"),
            ("status", "show whether the server is running (exit code 3 if it is not)"),
        ):
            actions.add_parser(name, help=words)

    def handle(self, *_args: Any, **options: Any) -> None:
        """Run the action. Raises CommandError if the server fails."""
        if not settings.EMBEDDED:
            raise CommandError(
                "This command is for the embedded server, but DATABASE_URL names your own. Use "
                "that server's tools."
            )
        cluster = Cluster(settings.DATA_DIR)
        try:
            getattr(self, options["action"])(cluster)
        except EmbeddedPostgresError as error:
            raise CommandError(str(error)) from error

    def start(self, cluster: Cluster) -> None:
        """Start the server, and create role, database and pgvector extension if missing."""
        cluster.start()
        cluster.provision()
        self.status(cluster)

    def stop(self, cluster: Cluster) -> None:
        cluster.stop()
        self.stdout.write("PostgreSQL is stopped.")

    def status(self, cluster: Cluster) -> None:
        """Print the server's status; exit with code 3 if it is not running."""
        now = cluster.status()
        if not now.running:
            self.stdout.write("PostgreSQL is not running.")
            raise SystemExit(3)
        self.stdout.write(
            f"PostgreSQL is running as process {now.pid}; its socket is in {now.socket_dir}."
        )
