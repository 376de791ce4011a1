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
# The pages are linked in the header of each page.
admin.site.enable_nav_sidebar = False


def change_password(request: HttpRequest, extra_context: Any = None) -> HttpResponseRedirect:
    """Redirect staff to the password page of all users."""
    return redirect("account_change_password")


# Staff sign in and change passwords where all users do: rate limited and logged.
admin.site.login = secure_admin_login(admin.site.login)  # type: ignore[method-assign]
admin.site.password_change = change_password  # type: ignore[method-assign,assignment]
# Staff must not change addresses, which would give access to accounts, nor see from where a
# user signs in.
admin.site.unregister([EmailAddress, UserSession, Group])


@admin.register(Group)
class StaffGroupAdmin(GroupAdmin):
    """Groups of permissions for staff."""

    # The two-list widget has labels that screen readers may not read.
    filter_horizontal = ()


@admin.register(Flag)
class FlagAdmin(FixedRows):
    """Features and the share of users that have them. Code defines flags, staff set the share."""

    list_display = ("name", "percent", "note", "changed_at")
    fields = ("name", "percent", "note", "changed_at")
    readonly_fields = ("name", "changed_at")


@admin.register(User)
class PersonAdmin(FixedRows, UserAdmin):  # type: ignore[type-arg]
    """Who may sign in, and who is staff. Users create and delete accounts themselves."""

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
        # Setting a user's password would give access to their data; users reset it by e-mail.
        raise PermissionDenied


@admin.register(Work)
class WorkAdmin(ReadOnlyRows):
    """Waiting jobs by kind and id, to see which are stuck and why."""

    list_display = ("kind", "subject", "run_after", "attempts", "failure")
    list_filter = ("kind",)
    block = staticmethod(acting_as_worker)
