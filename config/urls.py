"""Every URL of the site."""

from django.contrib import admin
from django.contrib.auth.decorators import login_required
from django.urls import include, path
from django.views.generic import TemplateView
from drf_spectacular.views import SpectacularAPIView

from accounts.views import AddressPage
from config import api, telemetry
from config.front import api_reference, demo_look, pages, staff_home
from config.mem0_api.views import urlpatterns as mem0_urls
from config.monitoring import health_page
from conversations.web.openai_api.views import urlpatterns as openai_urls
from memory.web.views.sharing import shared_page

handler400 = "config.errors.bad_request"
handler404 = "config.errors.not_found"
handler500 = "config.errors.server_error"
MANIFEST = TemplateView.as_view(
    template_name="manifest.webmanifest", content_type="application/manifest+json"
)
ROBOTS = TemplateView.as_view(template_name="robots.txt", content_type="text/plain; charset=utf-8")
admin.autodiscover()
urlpatterns = [
    path("", pages.landing, name="landing"),
    path("look/", demo_look.enter, name="look"),
    path("look/leave/", demo_look.leave, name="look_leave"),
    path("manifest.webmanifest", MANIFEST, name="manifest"),
    path("robots.txt", ROBOTS, name="robots"),
    path("", include("conversations.web.urls")),
    path("notebook/", include("memory.web.urls")),
    path("notebook/", include("ledger.web.urls")),
    path("", include("privacy.web.urls")),
    path("shared/<str:token>", shared_page, name="shared"),
    path("account/", include("accounts.urls")),
    path("account/webhooks/", include("webhooks.web.urls")),
    path("accounts/email/", login_required(AddressPage.as_view()), name="account_email"),
    path("accounts/signup/", pages.SignUpPage.as_view(), name="account_signup"),
    path("accounts/", include("allauth.urls")),
    path("api/", pages.api_intro, name="api-intro"),
    path("api/v1/", include(api.urlpatterns)),
    path("v1/", include(openai_urls)),
    path("", include(mem0_urls)),
    path("api/schema", SpectacularAPIView.as_view(), name="api-schema"),
    path("api/docs", api_reference.page, name="api-docs"),
    path("metrics", telemetry.metrics, name="metrics"),
    path("admin/", admin.site.admin_view(staff_home.home)),
    path("admin/health/", admin.site.admin_view(health_page.page), name="staff_health"),
    path(
        "admin/health/<uuid:job>/retry/",
        admin.site.admin_view(health_page.retry),
        name="staff_health_retry",
    ),
    path(
        "admin/health/<uuid:job>/drop/",
        admin.site.admin_view(health_page.drop),
        name="staff_health_drop",
    ),
    path("admin/", admin.site.urls),
]
