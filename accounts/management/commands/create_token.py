"""Print a new API token for a user."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from accounts.access import tokens
from accounts.models import User


class Command(BaseCommand):
    """`manage.py create_token EMAIL [--name …] [--days …]`: the secret is shown only once."""

    help = "Print a new API token for the person with this e-mail address."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("email")
        parser.add_argument("--name", default="created on the server", help="what the token is for")
        parser.add_argument(
            "--days", type=int, default=tokens.DAYS, help=f"days until it expires ({tokens.DAYS})"
        )

        parser.add_argument(
            "--scope",
            action="append",
            default=[],
            help="read, write, people or a memory namespace (such as shared.*); can be repeated",
        )

    def handle(self, *args: Any, email: str, name: str, days: int, **options: Any) -> None:
        """Create the token. Raises CommandError for an unknown address, scope or number of days."""
        try:
            user = User.objects.get(email__iexact=email)
        except User.DoesNotExist:
            raise CommandError(f"There is no account with the address {email}.") from None
        try:
            _, secret = tokens.make(user, name, days, options["scope"])
        except ValueError as error:
            raise CommandError(str(error)) from None
        self.stdout.write(secret)
