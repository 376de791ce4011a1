from django.urls import path

from accounts import views

app_name = "accounts"
urlpatterns = [
    path("", views.account, name="account"),
    path("theme/", views.theme, name="theme"),
    path("tokens/", views.tokens_page, name="tokens"),
    path("tokens/<uuid:pk>/revoke/", views.revoke_token, name="revoke_token"),
]
