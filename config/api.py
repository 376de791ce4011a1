"""Every route of the API on one page."""

from django.urls import path

from accounts import api_tokens
from conversations.web.api import (
    confided,
    find,
    insights,
    starting_over,
    talk,
    tools,
    topics,
    turns,
    unlearning,
)
from ledger.web.api import conflicts, erasure, history, proposals, timeline
from memory.web.api import (
    blocks,
    events,
    experience,
    facts,
    namespaces,
    notes,
    personas,
    privacy,
    shares,
)
from privacy.web import api as exports
from privacy.web import kept_api

urlpatterns = (
    [
        path("conversations", talk.Conversations.as_view(), name="conversations"),
        path("conversations/<uuid:pk>", talk.OneConversation.as_view(), name="conversation"),
        path("conversations/<uuid:pk>/messages", talk.Messages.as_view(), name="messages"),
        path("tools", tools.Tools.as_view(), name="tools"),
        path("tools/<slug:name>", tools.OneTool.as_view(), name="tool"),
        path("conversations/<uuid:pk>/unlearn", unlearning.Unlearn.as_view(), name="unlearn"),
        path(
            "conversations/<uuid:pk>/topics",
            topics.ConversationTopics.as_view(),
            name="conversation-topics",
        ),
        path("topics", topics.Topics.as_view(), name="topics"),
        path("topics/<uuid:pk>", topics.OneTopic.as_view(), name="topic"),
        path(
            "topics/<uuid:pk>/conversations",
            topics.TopicConversations.as_view(),
            name="topic-conversations",
        ),
        path("messages/<uuid:pk>", turns.OneMessage.as_view(), name="message"),
        path("messages/<uuid:pk>/stop", turns.Stop.as_view(), name="stop"),
        path("messages/<uuid:pk>/regenerate", turns.Regenerate.as_view(), name="regenerate"),
        path("notes/<uuid:pk>/anyway", confided.NoteAnyway.as_view(), name="note-anyway"),
        path("insights", insights.InsightsView.as_view(), name="insights"),
        path("search", find.Search.as_view(), name="search"),
        path("profile", facts.Profile.as_view(), name="profile"),
        path("profile/blocked", facts.Closed.as_view(), name="profile-blocked"),
        path("profile/blocked/<slug:slot>", facts.OneClosed.as_view(), name="profile-unblock"),
        path("profile/<uuid:pk>", facts.OneFact.as_view(), name="fact"),
        path("profile/<uuid:pk>/confirm", facts.Confirm.as_view(), name="fact-confirm"),
        path("profile/<uuid:pk>/erase", erasure.Erase.as_view(), name="fact-erase"),
        path("profile/<uuid:pk>/narrow", facts.Narrow.as_view(), name="fact-narrow"),
        path("profile/<uuid:pk>/restore", facts.Restore.as_view(), name="fact-restore"),
        path("exports", exports.Exports.as_view(), name="exports"),
        path("exports/<uuid:pk>", exports.OneExport.as_view(), name="export"),
        path("exports/<uuid:pk>/file", exports.ExportFile.as_view(), name="export-file"),
        path("retention", kept_api.Retention.as_view(), name="retention"),
        path("consents", kept_api.Consents.as_view(), name="consents"),
        path("consents/<str:name>", kept_api.OneConsent.as_view(), name="consent-withdraw"),
        path("privacy", privacy.Privacy.as_view(), name="privacy"),
        path(
            "forget-everything",
            starting_over.ForgetEverything.as_view(),
            name="forget-everything",
        ),
        path("memory", notes.MemoryState.as_view(), name="memory"),
        path("memories", notes.Memories.as_view(), name="memories"),
        path("memories/<uuid:pk>", notes.OneMemory.as_view(), name="memory-note"),
        path("memories/<uuid:pk>/erase", erasure.EraseNote.as_view(), name="memory-erase"),
        path("tokens", api_tokens.Tokens.as_view(), name="api-tokens"),
        path("tokens/<uuid:pk>", api_tokens.OneToken.as_view(), name="api-token"),
        path("shares", shares.Shares.as_view(), name="shares"),
        path("shares/<uuid:pk>", shares.OneShare.as_view(), name="share"),
        path("personas", personas.Personas.as_view(), name="personas"),
        path("personas/mine", personas.Mine.as_view(), name="personas-mine"),
        path("personas/proposals", personas.Proposals.as_view(), name="persona-proposals"),
        path("personas/<slug:handle>/confirm", personas.Confirm.as_view(), name="persona-confirm"),
        path("personas/<slug:handle>/decline", personas.Decline.as_view(), name="persona-decline"),
        path("personas/<slug:handle>/leave", personas.Leave.as_view(), name="persona-leave"),
        path("blocks", blocks.Blocks.as_view(), name="blocks"),
        path("blocks/<slug:label>", blocks.OneBlock.as_view(), name="block"),
        path("blocks/<slug:label>/history", blocks.BlockHistory.as_view(), name="block-history"),
        path("experience", experience.Lessons.as_view(), name="experience"),
        path("experience/mine", experience.Supports.as_view(), name="experience-mine"),
        path("experience/reports", experience.Reports.as_view(), name="experience-reports"),
        path("experience/sharing", experience.SharingChoice.as_view(), name="experience-sharing"),
        path("experience/<uuid:pk>/agree", experience.Agree.as_view(), name="lesson-agree"),
        path(
            "experience/<uuid:pk>/withdraw", experience.Withdraw.as_view(), name="lesson-withdraw"
        ),
        path("experience/<uuid:pk>/report", experience.Report.as_view(), name="lesson-report"),
        path("namespaces", namespaces.Namespaces.as_view(), name="namespaces"),
        path("namespaces/<str:name>/consent", namespaces.Consent.as_view(), name="consent"),
        path("namespaces/<str:name>/entries", namespaces.Entries.as_view(), name="entries"),
        path(
            "namespaces/<str:name>/entries/<path:key>", namespaces.OneEntry.as_view(), name="entry"
        ),
        path("events", events.Events.as_view(), name="events"),
        path("traces", events.Traces.as_view(), name="traces"),
        path("timeline", timeline.Timeline.as_view(), name="timeline"),
        path("conflicts", conflicts.Conflicts.as_view(), name="conflicts"),
        path("conflicts/<uuid:pk>", conflicts.OneConflict.as_view(), name="conflict"),
        path("conflicts/<uuid:pk>/resolve", conflicts.Resolve.as_view(), name="resolve"),
        path("conflicts/<uuid:pk>/undo", conflicts.Undo.as_view(), name="undo"),
        path("conflicts/<uuid:pk>/help", conflicts.Help.as_view(), name="help"),
        path("audit", history.Audit.as_view(), name="audit"),
        path("proposals", proposals.Proposals.as_view(), name="proposals"),
        path("proposals/<uuid:pk>/accept", proposals.Accept.as_view(), name="proposal-accept"),
        path("proposals/<uuid:pk>/decline", proposals.Decline.as_view(), name="proposal-decline"),
        path("proposals/from/<uuid:pk>/accept", proposals.AcceptAll.as_view(), name="accept-all"),
        path(
            "proposals/from/<uuid:pk>/decline", proposals.DeclineAll.as_view(), name="decline-all"
        ),
    ],
    "api",
)
