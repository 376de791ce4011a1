from django.apps import AppConfig


class AccountsConfig(AppConfig):
    name = "accounts"

    def ready(self) -> None:
        """Register the checks, the receivers of sign-in, and the token in the API's schema."""
        from accounts import receivers  # noqa: F401
        from accounts.access import tokens  # noqa: F401
        from accounts.database import checks  # noqa: F401
