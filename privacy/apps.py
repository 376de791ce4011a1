from django.apps import AppConfig


class PrivacyConfig(AppConfig):
    name = "privacy"

    def ready(self) -> None:
        """Hear of what is erased: copies that were made have it too."""
        from accounts.signals import connect_late
        from memory.core.signals import erasure_sought

        connect_late(erasure_sought, "privacy.exporting.holding")
