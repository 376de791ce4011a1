from django.apps import AppConfig


class PrivacyConfig(AppConfig):
    name = "privacy"

    def ready(self) -> None:
        """Hear of what is erased, to take it out of the history that a copy told of."""
        from accounts.signals import connect_late
        from memory.core.signals import words_erased

        connect_late(words_erased, "privacy.restored_history.blank")
