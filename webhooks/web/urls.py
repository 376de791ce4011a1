from django.urls import path

from webhooks.web import views

app_name = "webhooks"
urlpatterns = [
    path("", views.webhooks_page, name="webhooks"),
    path("<uuid:pk>/", views.webhook, name="webhook"),
    path("<uuid:pk>/secret/", views.new_secret, name="secret"),
    path("<uuid:pk>/switch/", views.switch, name="switch"),
    path("<uuid:pk>/test/", views.test, name="test"),
    path("<uuid:pk>/delete/", views.delete, name="delete"),
    path("<uuid:pk>/log/<uuid:delivery_pk>/", views.delivery, name="delivery"),
]
