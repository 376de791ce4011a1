"""Import a user's data from another assistant."""

import time
from contextlib import ExitStack
from pathlib import Path
from typing import IO, Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from accounts import work
from accounts.database.isolation import acting_as
from accounts.models import User
from accounts.support.refusals import Refused
from privacy.importing import counting, making, requests
from privacy.importing.counting import FileCounts
from privacy.models import Import

# Seconds to wait while a worker has the job.
_MOMENT = 0.5


class Command(BaseCommand):
    """`manage.py import_conversations FILE --user EMAIL [--dry-run]`."""

    help = "Import conversations or memories from another assistant. Safe to repeat."

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the file and the user's e-mail address."""
        parser.add_argument("file", type=Path)
        parser.add_argument(
            "--user", required=True, metavar="EMAIL", help="address of the account to use"
        )
        parser.add_argument(
            "--dry-run",
            action="store_true",
            help="show what is in the file without changing anything",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Print the counts of the file; import it and print the result."""
        try:
            user = User.objects.get(email__iexact=options["user"])
        except User.DoesNotExist:
            raise CommandError(f"There is no account with the address {options['user']}.") from None
        with ExitStack() as stack:
            try:
                file = stack.enter_context(options["file"].open("rb"))
            except OSError as error:
                raise CommandError(f"I cannot read {options['file']}: {error.strerror}.") from None
            try:
                self._import(user, file, dry_run=options["dry_run"])
            except Refused as refused:
                raise CommandError(str(refused)) from None

    def _import(self, user: User, file: IO[bytes], *, dry_run: bool) -> None:
        if dry_run:
            with acting_as(user):
                self._show(counting.count(user.pk, file))
            self.stdout.write("Nothing was changed.")
            return
        with acting_as(user):
            stopped = Import.owned(user.pk).filter(state__in=Import.RUNNING).first()
        if stopped is not None:
            self.stdout.write("Resuming the import that was stopped.")
            self._finish(user, stopped)
        with acting_as(user):
            row = requests.bring(user, file)
            self._show(row)
            requests.accept(user, row.pk)
            row.refresh_from_db()
        self._finish(user, row)

    def _finish(self, user: User, row: Import) -> None:
        while row.in_progress:
            _go_on(user, row)
            with acting_as(user):
                row.refresh_from_db()
        if row.state != Import.State.READY:
            raise CommandError(row.failure or "The import was cancelled.")
        self.stdout.write(f"Imported {row.done:,} messages.")

    def _show(self, counts: FileCounts | Import) -> None:
        self.stdout.write(
            f"{Import.Source(counts.source).label}: {counting.in_words(counts)}; already here: "
            f"{counts.known:,}."
        )
        for reason, count in counts.skipped.items():
            self.stdout.write(f"Left out, because {reason}: {count:,}.")


def _go_on(user: User, row: Import) -> None:
    """Run the next step of the import here, or wait if a worker is running it."""
    held = work.claim(user.pk, Import.KIND, row.pk)
    if held is None:
        time.sleep(_MOMENT)
        return
    try:
        making.make(held)
    except work.PutOff as later:
        with held.acting():
            work.put_off(held, seconds=later.seconds)
        time.sleep(later.seconds)
