from django.apps import AppConfig


class ConversationsConfig(AppConfig):
    name = "conversations"

    def ready(self) -> None:
        """Connect this app's handlers to signals: facts retracted, words erased, conversations
        deleted.
        """
        from django.db.models.signals import post_delete

        from accounts.signals import connect_late
        from conversations.models import Conversation
        from memory.core.signals import collect_erasure_parts, fact_taken_back, words_erased

        connect_late(fact_taken_back, "conversations.privacy.keep_here")
        connect_late(words_erased, "conversations.privacy.keep_erased_here")
        connect_late(collect_erasure_parts, "conversations.deletion.derived_texts.telling")
        connect_late(
            post_delete, "conversations.topics.topic_store.tidy_after", sender=Conversation
        )
