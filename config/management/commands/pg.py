"""`manage.py pg`: the embedded PostgreSQL by itself, for looking after it and for backups."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import BaseCommand, CommandError

from config import grants
from config.processes.embedded import NAME, Cluster, EmbeddedPostgresError


class Command(BaseCommand):
    """One method an action; `start` and `stop` may be repeated without harm."""

    help = "Start, stop or look at the embedded PostgreSQL, or copy its database to a file and back"
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
        for name, words in (
            ("start", "start the server"),
            ("stop", "stop the server"),
            ("status", "say whether the server runs (exit code 3 when it does not)"),
            ("dump", "write the whole database to FILE"),
            ("restore", "replace the whole database with what FILE holds"),
        ):
            action = actions.add_parser(name, help=words)
            if name in {"dump", "restore"}:
                action.add_argument("file", metavar="FILE")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Do the action; what the server cannot do ends in a CommandError."""
        if not settings.EMBEDDED:
            raise CommandError(
                "DATABASE_URL names a server of your own, and this command is for the embedded "
                "one. Use that server's own tools."
            )
        cluster = Cluster(settings.DATA_DIR)
        try:
            getattr(self, options["action"])(cluster, options.get("file", ""))
        except EmbeddedPostgresError as error:
            raise CommandError(str(error)) from error

    def start(self, cluster: Cluster, _file: str) -> None:
        """Start the server and make sure of role, database and pgvector."""
        cluster.start()
        cluster.provision()
        self.status(cluster, "")

    def stop(self, cluster: Cluster, _file: str) -> None:
        cluster.stop()
        self.stdout.write("PostgreSQL is stopped.")

    def status(self, cluster: Cluster, _file: str) -> None:
        """Say how it stands; exit code 3 when the server does not run."""
        now = cluster.status()
        if not now.running:
            self.stdout.write("PostgreSQL does not run.")
            raise SystemExit(3)
        self.stdout.write(f"PostgreSQL runs as process {now.pid}; socket in {now.socket_dir}.")

    def dump(self, cluster: Cluster, file: str) -> None:
        """Write the database to a file that `restore` reads."""
        cluster.start()
        # The copy holds everything that was ever said: it is for its owner's eyes only.
        Path(file).touch(mode=0o600)
        Path(file).chmod(0o600)
        cluster.run_client("pg_dump", "--format=custom", f"--file={file}", f"--dbname={NAME}")
        self.stdout.write(f"The database is written to {file}.")

    def restore(self, cluster: Cluster, file: str) -> None:
        """Put what a dump holds in the place of what the database holds."""
        cluster.start()
        cluster.provision()
        # One transaction: a file that turns out to be damaged changes nothing.
        how = ("--clean", "--if-exists", "--no-owner", "--single-transaction")
        cluster.run_client("pg_restore", *how, f"--dbname={NAME}", file)
        with grants.as_owner() as connection:
            grants.grant(connection)
        self.stdout.write(f"The database now holds what {file} held.")
