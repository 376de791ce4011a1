from django.apps import AppConfig
from django.db.backends.signals import connection_created


class AccountsConfig(AppConfig):
    name = "accounts"

    def ready(self) -> None:
        """Register checks, receivers, the token in the API's schema, and the slow log."""
        from accounts import receivers  # noqa: F401
        from accounts.access import tokens  # noqa: F401
        from accounts.database import checks, slow_log  # noqa: F401

        connection_created.connect(slow_log.watch, dispatch_uid="accounts.database.slow_log")
