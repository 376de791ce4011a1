"""Base classes of admin pages."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse

from accounts.database.isolation import acting_as_cohort


class FixedRows(admin.ModelAdmin):  # type: ignore[type-arg]
    """Rows that staff cannot add or delete."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


class ReadOnlyRows(FixedRows):
    """Rows that staff can only view, in the transaction that `block` opens."""

    block: Callable[[], AbstractContextManager[None]]

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        with self.block():
            return rendered(super().changelist_view(request, extra_context))


def rendered(response: HttpResponse) -> HttpResponse:
    """Return the rendered response, while the transaction of its rows is still open."""
    return response.render() if isinstance(response, TemplateResponse) else response


class CohortAdmin(FixedRows):
    """Admin of rows visible only to the cohort role. Staff retire them instead of deleting."""

    change_form_template = "admin/cohort_change_form.html"
    list_per_page = 50
    show_full_result_count = False

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        """Show the list, within `acting_as_cohort`."""
        with acting_as_cohort():
            return rendered(super().changelist_view(request, extra_context))

    def changeform_view(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Show and save the form, within `acting_as_cohort`."""
        with acting_as_cohort():
            response = super().changeform_view(request, *args, **kwargs)
            if isinstance(response, TemplateResponse) and response.context_data:
                name = str(self.opts.verbose_name).capitalize()
                response.context_data |= {"title": name, "subtitle": None}
            return rendered(response)

    def history_view(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Show the admin's log of one row, within `acting_as_cohort`."""
        with acting_as_cohort():
            return rendered(super().history_view(request, *args, **kwargs))
