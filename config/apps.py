from django.apps import AppConfig


class ConfigConfig(AppConfig):
    name = "config"

    def ready(self) -> None:
        """Register the system checks, and the exporters of memory operations that are enabled."""
        from config import telemetry
        from config.processes import starting  # noqa: F401

        telemetry.begin()
