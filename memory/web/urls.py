from django.urls import path

from memory.web.views import memories, privacy, profile, sharing

app_name = "memory"
urlpatterns = [
    path("profile/", profile.profile, name="profile"),
    path("profile/add/", profile.add, name="add"),
    path("facts/<uuid:pk>/edit/", profile.edit, name="edit"),
    path("facts/<uuid:pk>/confirm/", profile.confirm, name="confirm"),
    path("facts/<uuid:pk>/remove/", profile.remove, name="remove"),
    path("facts/<uuid:pk>/restore/", profile.restore, name="restore"),
    path("facts/<uuid:pk>/over/", profile.over, name="over"),
    path("facts/<uuid:pk>/narrow/", profile.narrow, name="narrow"),
    path("facts/<uuid:pk>/why/", profile.why, name="why"),
    path("shares/", sharing.shares, name="shares"),
    path("shares/new/", sharing.new, name="share_new"),
    path("shares/<uuid:pk>/revoke/", sharing.revoke, name="share_revoke"),
    path("privacy/", privacy.privacy, name="privacy"),
    path("privacy/never/", privacy.never, name="never"),
    path("privacy/again/", privacy.again, name="again"),
    path("memories/", memories.memories, name="memories"),
    path("memories/switch/", memories.switch, name="memory_switch"),
    path("memories/add/", memories.add, name="memory_add"),
    path("memories/<uuid:pk>/edit/", memories.edit, name="memory_edit"),
    path("memories/<uuid:pk>/pause/", memories.pause, name="memory_pause"),
    path("memories/<uuid:pk>/restore/", memories.restore, name="memory_restore"),
    path("memories/<uuid:pk>/remove/", memories.remove, name="memory_remove"),
    path("memories/<uuid:pk>/why/", memories.why, name="memory_why"),
    path("memories/merges/<uuid:pk>/undo/", memories.undo_merge, name="memory_undo_merge"),
]
