"""`manage.py prepare`: set up everything needed before web server and worker start."""

import io
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user_model
from django.contrib.staticfiles.finders import get_finders
from django.core.management import BaseCommand, CommandError, call_command
from django.db import DatabaseError
from django.db.migrations.executor import MigrationExecutor
from django.utils.module_loading import import_string

from accounts.support.best_effort import best_effort
from config import grants
from config.processes.patience import say
from config.processes.prepared import fingerprint
from personas import seeding


class Command(BaseCommand):
    """Run by `manage.py up` first; quick if everything is already set up."""

    help = "Update the tables and the static files"
    # `migrate` runs the checks if needed, and so does the worker when it starts.
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--demo", action="store_true", help="also create the demo people")

    def handle(self, *_args: Any, demo: bool, **_options: Any) -> None:
        try:
            if not settings.EMBEDDED:
                # On the user's own server the role may have too many privileges.
                call_command("check", databases=["default"], stdout=io.StringIO())
            _bring_tables_up_to_date()
            if not settings.DEBUG:
                _collect_static_files()
            seeding.seed()
            if demo:
                _make_demo_people()
            else:
                _say_who_stays_out()
        except DatabaseError as error:
            raise CommandError(f"The database cannot be used: {error}") from error


def _make_demo_people() -> None:
    """Create the demo users; `manage.py demo` writes their messages."""

    def say_why(error: Exception) -> None:
        say(f"The demo people could not be created: {type(error).__name__}: {error}")

    # A failure here should not prevent the start.
    with best_effort(say_why):
        import_string("conversations.demo.setup.seed")()


def _say_who_stays_out() -> None:
    if get_user_model().objects.filter(is_demo=True).exists():
        say("The demo people can’t sign in, because this copy runs without --demo.")


def _bring_tables_up_to_date() -> None:
    """Run `migrate` if needed, and what follows migrations always."""
    with grants.as_owner() as owner:
        executor = MigrationExecutor(owner)
        if executor.migration_plan(executor.loader.graph.leaf_nodes()):
            say("Preparing the tables ...")
            call_command("migrate", interactive=False, verbosity=0)
        else:
            grants.finish(owner)


def _collect_static_files() -> None:
    stamp, now = Path(settings.STATIC_ROOT) / ".collected", _static_fingerprint()
    if not stamp.exists() or stamp.read_text() != now:
        say("Collecting the static files ...")
        call_command("collectstatic", interactive=False, clear=True, verbosity=0)
        stamp.write_text(now)


def _static_fingerprint() -> str:
    """Return a fingerprint of the static files of all applications."""
    listed = (each for finder in get_finders() for each in finder.list([]))
    files = (storage.path(path) for path, storage in listed)
    return fingerprint(files, [settings.STORAGES["staticfiles"]["BACKEND"]])
