from django.urls import path

from privacy.web.views import account, decisions, exports, imports, kept, page, restores

app_name = "privacy"
urlpatterns = [
    path("notebook/privacy/", page.privacy, name="page"),
    path("notebook/privacy/kept/", kept.kept, name="kept"),
    path("notebook/privacy/consents/withdraw/", kept.withdraw, name="withdraw_consent"),
    path("notebook/privacy/copy/", exports.ask, name="export"),
    path("notebook/privacy/copy/progress/", exports.progress, name="export_progress"),
    path("notebook/privacy/copy/<uuid:pk>/cancel/", exports.cancel, name="export_cancel"),
    path("notebook/privacy/copy/file/<str:signed>", exports.download, name="export_file"),
    path("talk/<uuid:pk>/export.md", exports.conversation_markdown, name="conversation_markdown"),
    path("talk/<uuid:pk>/export.json", exports.conversation_json, name="conversation_json"),
    path("notebook/privacy/restore/", restores.bring, name="restore"),
    path("notebook/privacy/restore/progress/", restores.progress, name="restore_progress"),
    path("notebook/privacy/restore/history/", restores.history, name="restored_history"),
    path("notebook/privacy/restore/<uuid:pk>/accept/", restores.accept, name="restore_accept"),
    path("notebook/privacy/restore/<uuid:pk>/cancel/", restores.cancel, name="restore_cancel"),
    path("notebook/privacy/import/", imports.page, name="imports"),
    path("notebook/privacy/import/progress/", imports.progress, name="import_progress"),
    path("notebook/privacy/import/<uuid:pk>/accept/", imports.accept, name="import_accept"),
    path("notebook/privacy/import/<uuid:pk>/cancel/", imports.cancel, name="import_cancel"),
    path("notebook/privacy/import/<uuid:pk>/undo/", imports.undo, name="import_undo"),
    path("notebook/privacy/import/<uuid:pk>/decide/", decisions.page, name="import_decide"),
    path("account/sign-ins/<int:pk>/end/", account.end_session, name="end_session"),
    path("account/sign-ins/end/", account.end_other_sessions, name="end_other_sessions"),
    path("account/delete/", account.delete, name="delete_account"),
    path("account/keep/", account.keep, name="keep_account"),
]
