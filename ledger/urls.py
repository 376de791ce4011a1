from django.urls import path

from ledger import views

app_name = "ledger"
urlpatterns = [
    path("", views.conflicts, name="conflicts"),
    path("<uuid:pk>/", views.conflict, name="conflict"),
    path("<uuid:pk>/resolve/", views.settle, name="resolve"),
]
