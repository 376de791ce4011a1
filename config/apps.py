from django.apps import AppConfig


class ConfigConfig(AppConfig):
    name = "config"

    def ready(self) -> None:
        """Register the checks of a start, and send operations on memory where the settings say."""
        from config import telemetry
        from config.processes import starting  # noqa: F401

        telemetry.begin()
