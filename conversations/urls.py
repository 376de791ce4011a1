from django.urls import path

from conversations.views import find, insights, opened, starting_over, steps, talk, topics, turns

app_name = "conversations"
urlpatterns = [
    path("talk/", talk.home, name="home"),
    path("talk/start/", talk.start, name="start"),
    path("talk/archived/", turns.archived, name="archived"),
    path("talk/<uuid:pk>/", talk.show, name="show"),
    path("talk/<uuid:pk>/archive/", turns.archive, name="archive"),
    path("talk/<uuid:pk>/delete/", turns.delete_conversation, name="delete"),
    path("messages/<uuid:pk>/again/", turns.regenerate, name="regenerate"),
    path("messages/<uuid:pk>/edit/", turns.edit, name="edit"),
    path("messages/<uuid:pk>/delete/", turns.delete_turn, name="delete_turn"),
    path("talk/<uuid:pk>/messages/", talk.send, name="send"),
    path("talk/<uuid:pk>/rename/", talk.rename, name="rename"),
    path("talk/<uuid:pk>/privacy/", talk.choose_privacy, name="privacy"),
    path("search/", find.search, name="search"),
    path("messages/<uuid:pk>/stream/", talk.stream, name="stream"),
    path("messages/<uuid:pk>/stop/", talk.stop, name="stop"),
    path("messages/<uuid:pk>/retry/", talk.retry, name="retry"),
    path("messages/<uuid:pk>/steps/<int:place>/", steps.decide, name="decide"),
    path("notes/<uuid:pk>/undo/", talk.undo_note, name="undo_note"),
    path("notes/<uuid:pk>/widen/", talk.widen_note, name="widen_note"),
    path("talk/here/<uuid:pk>/widen/", talk.widen_here, name="widen_here"),
    path("notes/<uuid:pk>/anyway/", talk.note_anyway, name="note_anyway"),
    path("notes/<uuid:pk>/restore/", talk.restore_note, name="restore_note"),
    path("messages/<uuid:pk>/why/", opened.why, name="why"),
    path("account/forget-everything/", starting_over.forget_everything, name="forget_everything"),
    path("insights/", insights.index, name="insights"),
    path("topics/", topics.index, name="topics"),
    path("topics/<uuid:pk>/", topics.show, name="topic"),
    path("topics/<uuid:pk>/rename/", topics.rename, name="topic_rename"),
    path("topics/<uuid:pk>/remove/", topics.remove, name="topic_remove"),
]
