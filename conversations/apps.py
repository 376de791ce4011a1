from django.apps import AppConfig


class ConversationsConfig(AppConfig):
    name = "conversations"

    def ready(self) -> None:
        """Hear of facts that are to hold in one conversation only."""
        from conversations.privacy import keep_here
        from memory.signals import fact_narrowed

        fact_narrowed.connect(keep_here, dispatch_uid="conversations.keep_here")
