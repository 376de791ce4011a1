"""Print a new API token for a person."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from knox.models import AuthToken

from accounts.models import User


class Command(BaseCommand):
    """`manage.py create_token EMAIL`: the token is shown once and kept only as a hash."""

    help = "Print a new API token for the person with this e-mail address."

    def add_arguments(self, parser: CommandParser) -> None:
        """Take the address."""
        parser.add_argument("email")

    def handle(self, *args: Any, email: str, **options: Any) -> None:
        """Make the token. Raises CommandError for an unknown address."""
        try:
            user = User.objects.get(email__iexact=email)
        except User.DoesNotExist:
            raise CommandError(f"Nobody here has the address {email}.") from None
        _, token = AuthToken.objects.create(user=user)
        self.stdout.write(token)
