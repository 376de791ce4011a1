from django.apps import AppConfig


class PrivacyConfig(AppConfig):
    name = "privacy"

    def ready(self) -> None:
        """Connect the receivers that remove erased data from exports and restored histories."""
        from accounts.signals import connect_late
        from memory.core.signals import collect_erasure_parts, messages_taken_out, words_erased

        connect_late(collect_erasure_parts, "privacy.exporting.holding")
        connect_late(collect_erasure_parts, "privacy.redacting.holding")
        connect_late(words_erased, "privacy.redacting.blank")
        connect_late(messages_taken_out, "privacy.redacting.forget_messages")
