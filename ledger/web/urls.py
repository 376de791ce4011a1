from django.urls import path

from ledger.web.views import conflicts, erasure, history, proposals, timeline

app_name = "ledger"
urlpatterns = [
    path("timeline/", timeline.show, name="timeline"),
    path("conflicts/", conflicts.conflicts, name="conflicts"),
    path("conflicts/<uuid:pk>/", conflicts.conflict, name="conflict"),
    path("conflicts/<uuid:pk>/resolve/", conflicts.settle, name="resolve"),
    path("conflicts/<uuid:pk>/later/", conflicts.later, name="later"),
    path("conflicts/<uuid:pk>/undo/", conflicts.undo, name="undo"),
    path("conflicts/<uuid:pk>/help/", conflicts.ask_for_help, name="help"),
    path("facts/<uuid:pk>/erase/", erasure.erase, name="erase"),
    path("erasures/", erasure.receipts, name="erasures"),
    path("erasures/<uuid:pk>/", erasure.receipt, name="erasure"),
    path("memories/<uuid:pk>/erase/", erasure.erase_note, name="erase_note"),
    path("history/", history.page, name="history"),
    path("history/history.csv", history.export, {"kind": "csv"}, name="history_csv"),
    path("history/history.json", history.export, {"kind": "json"}, name="history_json"),
    path("proposals/<uuid:pk>/accept/", proposals.accept, name="accept"),
    path("proposals/<uuid:pk>/decline/", proposals.decline, name="decline"),
    path("proposals/from/<uuid:pk>/accept/", proposals.accept_all, name="accept_all"),
    path("proposals/from/<uuid:pk>/decline/", proposals.decline_all, name="decline_all"),
]
