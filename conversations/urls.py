from django.urls import path

from conversations import views

app_name = "conversations"
urlpatterns = [
    path("talk/", views.home, name="home"),
    path("talk/start/", views.start, name="start"),
    path("talk/<uuid:pk>/", views.show, name="show"),
    path("talk/<uuid:pk>/messages/", views.send, name="send"),
    path("talk/<uuid:pk>/rename/", views.rename, name="rename"),
    path("talk/<uuid:pk>/privacy/", views.choose_privacy, name="privacy"),
    path("messages/<uuid:pk>/stream/", views.stream, name="stream"),
    path("messages/<uuid:pk>/stop/", views.stop, name="stop"),
    path("messages/<uuid:pk>/retry/", views.retry, name="retry"),
    path("notes/<uuid:pk>/undo/", views.undo_note, name="undo_note"),
    path("notes/<uuid:pk>/widen/", views.widen_note, name="widen_note"),
    path("notes/<uuid:pk>/restore/", views.restore_note, name="restore_note"),
]
