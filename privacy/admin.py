"""Admin of exports: staff see their state, never their content."""

from django.contrib import admin

from accounts.database.isolation import acting_as_staff
from accounts.staff_admin import ReadOnlyRows
from privacy.models import Export


@admin.register(Export)
class ExportAdmin(ReadOnlyRows):
    """Exports of users, newest first."""

    list_display = ("asked_at", "user", "state", "size", "downloads", "expires_at")
    list_filter = ("state",)
    list_select_related = ("user",)
    list_display_links = None
    ordering = ("-asked_at",)
    block = staticmethod(acting_as_staff)
