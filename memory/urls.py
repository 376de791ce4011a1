from django.urls import path

from memory import views

app_name = "memory"
urlpatterns = [
    path("profile/", views.profile, name="profile"),
    path("profile/add/", views.add, name="add"),
    path("facts/<uuid:pk>/edit/", views.edit, name="edit"),
    path("facts/<uuid:pk>/confirm/", views.confirm, name="confirm"),
    path("facts/<uuid:pk>/remove/", views.remove, name="remove"),
    path("facts/<uuid:pk>/restore/", views.restore, name="restore"),
]
