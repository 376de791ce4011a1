from django.urls import path

from privacy.web import views

app_name = "privacy"
urlpatterns = [
    path("notebook/privacy/", views.privacy, name="page"),
    path("notebook/privacy/kept/", views.kept, name="kept"),
    path("notebook/privacy/consents/withdraw/", views.withdraw, name="withdraw_consent"),
    path("notebook/privacy/copy/", views.make_copy, name="export"),
    path("notebook/privacy/copy/progress/", views.copy_progress, name="export_progress"),
    path("notebook/privacy/copy/<uuid:pk>/cancel/", views.cancel_copy, name="export_cancel"),
    path("notebook/privacy/copy/file/<str:signed>", views.download, name="export_file"),
    path(
        "talk/<uuid:pk>/export.md",
        views.conversation_file,
        {"ending": "md"},
        name="conversation_markdown",
    ),
    path(
        "talk/<uuid:pk>/export.json",
        views.conversation_file,
        {"ending": "json"},
        name="conversation_json",
    ),
    path("notebook/privacy/restore/", views.restore, name="restore"),
    path("notebook/privacy/restore/progress/", views.restore_progress, name="restore_progress"),
    path("notebook/privacy/restore/history/", views.history_of_copy, name="restored_history"),
    path("notebook/privacy/restore/<uuid:pk>/accept/", views.accept_restore, name="restore_accept"),
    path("notebook/privacy/restore/<uuid:pk>/cancel/", views.cancel_restore, name="restore_cancel"),
    path("notebook/privacy/import/", views.import_page, name="imports"),
    path("notebook/privacy/import/progress/", views.import_progress, name="import_progress"),
    path("notebook/privacy/import/<uuid:pk>/accept/", views.accept_import, name="import_accept"),
    path("notebook/privacy/import/<uuid:pk>/cancel/", views.cancel_import, name="import_cancel"),
    path("notebook/privacy/import/<uuid:pk>/undo/", views.undo_import, name="import_undo"),
    path("notebook/privacy/import/<uuid:pk>/decide/", views.decide, name="import_decide"),
    path("account/sign-ins/<int:pk>/end/", views.end_session, name="end_session"),
    path("account/sign-ins/end/", views.end_other_sessions, name="end_other_sessions"),
    path("account/delete/", views.delete_account, name="delete_account"),
    path("account/keep/", views.keep_account, name="keep_account"),
]
