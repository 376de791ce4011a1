"""Every route of the API."""

from django.urls import path

from accounts.access import api_tokens
from conversations.web.api import (
    confided,
    context,
    find,
    ingest,
    insights,
    plans,
    starting_over,
    streaming,
    talk,
    tools,
    topics,
    turns,
    unlearning,
)
from ledger.web.api import conflicts, erasure, history, proposals, timeline
from memory.web.api.urls import api_routes
from privacy.web import api as transfers
from privacy.web import kept_api, people_api
from webhooks.web import api as webhooks

urlpatterns = (
    [
        path("conversations", talk.Conversations.as_view(), name="conversations"),
        path("conversations/<uuid:pk>", talk.OneConversation.as_view(), name="conversation"),
        path("conversations/<uuid:pk>/messages", talk.Messages.as_view(), name="messages"),
        path("conversations/<uuid:pk>/ingest", ingest.Ingest.as_view(), name="ingest"),
        path("context", context.Context.as_view(), name="context"),
        path("tools", tools.Tools.as_view(), name="tools"),
        path("tools/<slug:name>", tools.OneTool.as_view(), name="tool"),
        path("conversations/<uuid:pk>/erase", talk.Erase.as_view(), name="conversation-erase"),
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
        path("messages/<uuid:pk>/stream", streaming.AnswerStream.as_view(), name="follow"),
        path("messages/<uuid:pk>/stop", turns.Stop.as_view(), name="stop"),
        path("messages/<uuid:pk>/regenerate", turns.Regenerate.as_view(), name="regenerate"),
        path("notes/<uuid:pk>/anyway", confided.NoteAnyway.as_view(), name="note-anyway"),
        path("insights", insights.InsightsView.as_view(), name="insights"),
        path("plans", plans.Plans.as_view(), name="plans"),
        path("plans/<uuid:pk>/done", plans.PlanDone.as_view(), name="plan-done"),
        path("plans/<uuid:pk>/snooze", plans.PlanSnooze.as_view(), name="plan-snooze"),
        path("plans/<uuid:pk>/undo", plans.PlanUndo.as_view(), name="plan-undo"),
        path("search", find.Search.as_view(), name="search"),
        *api_routes,
        path("profile/<uuid:pk>/erase", erasure.Erase.as_view(), name="fact-erase"),
        path("erasures", erasure.Erasures.as_view(), name="erasures"),
        path("erasures/<uuid:pk>", erasure.OneErasure.as_view(), name="erasure"),
        path("exports", transfers.Exports.as_view(), name="exports"),
        path("exports/<uuid:pk>", transfers.OneExport.as_view(), name="export"),
        path("exports/<uuid:pk>/file", transfers.ExportFile.as_view(), name="export-file"),
        path("restores", transfers.Restores.as_view(), name="restores"),
        path("restores/<uuid:pk>", transfers.OneRestore.as_view(), name="restore"),
        path("restores/<uuid:pk>/accept", transfers.AcceptRestore.as_view(), name="restore-accept"),
        path("imports", transfers.Imports.as_view(), name="imports"),
        path("imports/<uuid:pk>", transfers.OneImport.as_view(), name="import"),
        path("imports/<uuid:pk>/accept", transfers.AcceptImport.as_view(), name="import-accept"),
        path("imports/<uuid:pk>/decisions", transfers.Decisions.as_view(), name="import-decisions"),
        path("imports/<uuid:pk>/undo", transfers.UndoImport.as_view(), name="import-undo"),
        path("retention", kept_api.Retention.as_view(), name="retention"),
        path("consents", kept_api.Consents.as_view(), name="consents"),
        path("consents/<str:name>", kept_api.OneConsent.as_view(), name="consent-withdraw"),
        path(
            "forget-everything",
            starting_over.ForgetEverything.as_view(),
            name="forget-everything",
        ),
        path("memories/<uuid:pk>/erase", erasure.EraseNote.as_view(), name="memory-erase"),
        path("tokens", api_tokens.Tokens.as_view(), name="api-tokens"),
        path("tokens/<uuid:pk>", api_tokens.OneToken.as_view(), name="api-token"),
        path("webhooks", webhooks.Webhooks.as_view(), name="webhooks"),
        path("webhooks/<uuid:pk>", webhooks.OneWebhook.as_view(), name="webhook"),
        path("webhooks/<uuid:pk>/secret", webhooks.Secret.as_view(), name="webhook-secret"),
        path("webhooks/<uuid:pk>/test", webhooks.Test.as_view(), name="webhook-test"),
        path(
            "webhooks/<uuid:pk>/deliveries",
            webhooks.Deliveries.as_view(),
            name="webhook-deliveries",
        ),
        path(
            "webhooks/<uuid:pk>/deliveries/<uuid:delivery_pk>",
            webhooks.OneDelivery.as_view(),
            name="webhook-delivery",
        ),
        path(
            "webhooks/<uuid:pk>/deliveries/<uuid:delivery_pk>/send",
            webhooks.SendAgain.as_view(),
            name="webhook-send-again",
        ),
        path("people", people_api.People.as_view(), name="people"),
        path("people/<uuid:pk>", people_api.OnePerson.as_view(), name="person"),
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
