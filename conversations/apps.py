from django.apps import AppConfig


class ConversationsConfig(AppConfig):
    name = "conversations"

    def ready(self) -> None:
        """Hear of facts that were taken back, to quote what said so nowhere else."""
        from conversations.privacy import keep_here
        from memory.signals import fact_taken_back

        fact_taken_back.connect(keep_here, dispatch_uid="conversations.keep_here")
