from django.apps import AppConfig


class ConfigConfig(AppConfig):
    name = "config"

    def ready(self) -> None:
        """Register the checks of a start, and what the log says of a visit."""
        from config.processes import starting  # noqa: F401
