from django.apps import AppConfig


class AccountsConfig(AppConfig):
    name = "accounts"

    def ready(self) -> None:
        """Register the checks, and the description of the token in the API's schema."""
        from accounts import checks, tokens  # noqa: F401
