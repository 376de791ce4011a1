"""Every route of the API on one page."""

from django.urls import path

from conversations import api as conversations
from ledger import api as ledger
from memory import api as memory

urlpatterns = (
    [
        path("conversations", conversations.Conversations.as_view(), name="conversations"),
        path(
            "conversations/<uuid:pk>", conversations.OneConversation.as_view(), name="conversation"
        ),
        path("conversations/<uuid:pk>/messages", conversations.Messages.as_view(), name="messages"),
        path("profile", memory.Profile.as_view(), name="profile"),
        path("memory", memory.MemoryState.as_view(), name="memory"),
        path("memories", memory.Memories.as_view(), name="memories"),
        path("memories/<uuid:pk>", memory.OneMemory.as_view(), name="memory-note"),
        path("conflicts", ledger.Conflicts.as_view(), name="conflicts"),
        path("conflicts/<uuid:pk>", ledger.OneConflict.as_view(), name="conflict"),
        path("conflicts/<uuid:pk>/resolve", ledger.Resolve.as_view(), name="resolve"),
    ],
    "api",
)
