"""Staff see that a copy was asked for, and how it went; never what is in it."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse

from accounts.database.isolation import acting_as_staff
from privacy.models import Export


@admin.register(Export)
class ExportAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    """Copies that people asked for, the newest first."""

    list_display = ("asked_at", "user", "state", "size", "downloads", "expires_at")
    list_filter = ("state",)
    list_select_related = ("user",)
    list_display_links = None
    ordering = ("-asked_at",)

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Its owner asks for it."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """There is nothing to change."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """It expires."""
        return False

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        """The list, read in staff's block."""
        with acting_as_staff():
            response = super().changelist_view(request, extra_context)
            # Rendered here, because the rows are read while the page is.
            return response.render() if isinstance(response, TemplateResponse) else response
