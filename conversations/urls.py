from django.urls import path

from conversations.views import find, talk

app_name = "conversations"
urlpatterns = [
    path("talk/", talk.home, name="home"),
    path("talk/start/", talk.start, name="start"),
    path("talk/<uuid:pk>/", talk.show, name="show"),
    path("talk/<uuid:pk>/messages/", talk.send, name="send"),
    path("talk/<uuid:pk>/rename/", talk.rename, name="rename"),
    path("talk/<uuid:pk>/privacy/", talk.choose_privacy, name="privacy"),
    path("search/", find.search, name="search"),
    path("messages/<uuid:pk>/stream/", talk.stream, name="stream"),
    path("messages/<uuid:pk>/stop/", talk.stop, name="stop"),
    path("messages/<uuid:pk>/retry/", talk.retry, name="retry"),
    path("notes/<uuid:pk>/undo/", talk.undo_note, name="undo_note"),
    path("notes/<uuid:pk>/widen/", talk.widen_note, name="widen_note"),
    path("notes/<uuid:pk>/restore/", talk.restore_note, name="restore_note"),
]
