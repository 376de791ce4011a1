from typing import Any

from allauth.account.decorators import secure_admin_login
from allauth.account.models import EmailAddress
from allauth.usersessions.models import UserSession
from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponseRedirect
from django.shortcuts import redirect

from accounts.database.isolation import acting_as_worker
from accounts.models import Flag, User, Work

admin.site.site_header = "Throughline, staff desk"
admin.site.site_title = "Throughline"
admin.site.index_title = "Staff desk"
# The pages stand in the head of each page.
admin.site.enable_nav_sidebar = False


def change_password(request: HttpRequest, extra_context: Any = None) -> HttpResponseRedirect:
    """Staff change their password where everybody does."""
    return redirect("account_change_password")


# One way in and one way to change it, for staff as for everybody: limited and logged.
admin.site.login = secure_admin_login(admin.site.login)  # type: ignore[method-assign]
admin.site.password_change = change_password  # type: ignore[method-assign,assignment]
# An address that staff could change would be a way into somebody's notebook, and from where one
# signs in is one's own matter.
admin.site.unregister([EmailAddress, UserSession])


@admin.register(Flag)
class FlagAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    """Which features are on, and for how many: flags come with the code, staff set the share."""

    list_display = ("name", "percent", "note", "changed_at")
    fields = ("name", "percent", "note", "changed_at")
    readonly_fields = ("name", "changed_at")

    def has_add_permission(self, request: HttpRequest) -> bool:
        """A flag without code that asks for it does nothing."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """It goes with the code that asks for it."""
        return False


@admin.register(User)
class PersonAdmin(UserAdmin):  # type: ignore[type-arg]
    """People: who may sign in and who is staff. Nothing of what they said."""

    ordering = ("email",)
    readonly_fields = ("email", "last_login", "date_joined")
    list_display = ("email", "name", "is_staff", "is_active", "last_login")
    search_fields = ("email", "name")
    fieldsets = (
        (None, {"fields": ("email", "name", "theme")}),
        ("Rights", {"fields": ("is_active", "is_staff", "is_superuser", "groups")}),
        ("Dates", {"fields": ("last_login", "date_joined")}),
    )

    def has_add_permission(self, request: HttpRequest) -> bool:
        # People make their accounts themselves: an address is its owner's to give.
        return False

    def user_change_password(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        # Who can set a person's password can read what they said. They set it by mail themselves.
        raise PermissionDenied

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        # Erasing a person means erasing what they said; that is their own right and deed.
        return False


@admin.register(Work)
class WorkAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    """What waits to be done, by kind and id, to see what is stuck and why."""

    list_display = ("kind", "subject", "run_after", "attempts", "failure")
    list_filter = ("kind",)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> Any:
        with acting_as_worker():
            response = super().changelist_view(request, extra_context)
            # Rendered here, because the rows are read while the page is.
            return response.render() if hasattr(response, "render") else response
