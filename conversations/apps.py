from django.apps import AppConfig


class ConversationsConfig(AppConfig):
    name = "conversations"

    def ready(self) -> None:
        """Hear of facts that were taken back or erased, to quote what said so nowhere else, and of
        conversations that go, to let go of what only they were about.
        """
        from django.db.models.signals import post_delete

        from conversations.models import Conversation
        from conversations.privacy import keep_erased_here, keep_here
        from conversations.topics import tidy_after
        from conversations.traces import wipe
        from memory.signals import fact_taken_back, words_erased

        fact_taken_back.connect(keep_here, dispatch_uid="conversations.keep_here")
        words_erased.connect(keep_erased_here, dispatch_uid="conversations.keep_erased_here")
        words_erased.connect(wipe, dispatch_uid="conversations.wipe_traces")
        post_delete.connect(
            tidy_after, sender=Conversation, dispatch_uid="conversations.tidy_topics"
        )
