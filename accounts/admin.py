from typing import Any

from allauth.account.decorators import secure_admin_login
from allauth.account.models import EmailAddress
from allauth.usersessions.models import UserSession
from django.contrib import admin
from django.contrib.auth.admin import GroupAdmin, UserAdmin
from django.contrib.auth.models import Group
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponseRedirect
from django.shortcuts import redirect

from accounts.database.isolation import acting_as_worker
from accounts.models import Flag, User, Work
from accounts.staff_admin import FixedRows, ReadOnlyRows

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
admin.site.unregister([EmailAddress, UserSession, Group])


@admin.register(Group)
class StaffGroupAdmin(GroupAdmin):
    """Permissions that staff share."""

    # Its two lists have names that a screen reader may not read.
    filter_horizontal = ()


@admin.register(Flag)
class FlagAdmin(FixedRows):
    """Which features are on, and for how many: flags come with the code, staff set the share."""

    list_display = ("name", "percent", "note", "changed_at")
    fields = ("name", "percent", "note", "changed_at")
    readonly_fields = ("name", "changed_at")


@admin.register(User)
class PersonAdmin(FixedRows, UserAdmin):  # type: ignore[type-arg]
    """Who may sign in and who is staff. People create and delete their accounts themselves."""

    ordering = ("email",)
    readonly_fields = ("email", "last_login", "date_joined")
    filter_horizontal = ()
    list_display = ("email", "name", "is_staff", "is_active", "last_login")
    list_filter = ("is_staff", "is_active", "is_sub_user")
    search_fields = ("email", "name")
    search_help_text = "E-mail or name"
    fieldsets = (
        (None, {"fields": ("email", "name", "theme")}),
        ("Rights", {"fields": ("is_active", "is_staff", "is_superuser", "groups")}),
        ("Dates", {"fields": ("last_login", "date_joined")}),
    )

    def user_change_password(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        # Who can set a person's password can read what they said. They set it by mail themselves.
        raise PermissionDenied


@admin.register(Work)
class WorkAdmin(ReadOnlyRows):
    """What waits to be done, by kind and id, to see what is stuck and why."""

    list_display = ("kind", "subject", "run_after", "attempts", "failure")
    list_filter = ("kind",)
    block = staticmethod(acting_as_worker)
