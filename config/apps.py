from django.apps import AppConfig


class ConfigConfig(AppConfig):
    name = "config"

    def ready(self) -> None:
        """Register the checks of a start, and what the log says of a visit."""
        from config import starting, visits  # noqa: F401
