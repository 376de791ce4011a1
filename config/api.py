"""Every route of the API on one page."""

from django.urls import path

from conversations import api as conversations
from ledger.api import conflicts, proposals, timeline
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
        path("timeline", timeline.Timeline.as_view(), name="timeline"),
        path("conflicts", conflicts.Conflicts.as_view(), name="conflicts"),
        path("conflicts/<uuid:pk>", conflicts.OneConflict.as_view(), name="conflict"),
        path("conflicts/<uuid:pk>/resolve", conflicts.Resolve.as_view(), name="resolve"),
        path("conflicts/<uuid:pk>/undo", conflicts.Undo.as_view(), name="undo"),
        path("conflicts/<uuid:pk>/help", conflicts.Help.as_view(), name="help"),
        path("proposals", proposals.Proposals.as_view(), name="proposals"),
        path("proposals/<uuid:pk>/accept", proposals.Accept.as_view(), name="proposal-accept"),
        path("proposals/<uuid:pk>/decline", proposals.Decline.as_view(), name="proposal-decline"),
    ],
    "api",
)
