"""The base of staff's pages about what people share: opened in the block that may read it."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse

from accounts.database.isolation import acting_as_cohort


class CohortAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    """Lists and forms over rows that a person's own block would hide. Nobody adds or deletes."""

    change_form_template = "admin/cohort_change_form.html"
    list_per_page = 50
    show_full_result_count = False

    def has_add_permission(self, request: HttpRequest) -> bool:
        """What people share comes from people."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """It is retired, and its history stays."""
        return False

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        """The list, read in the cohort's block."""
        with acting_as_cohort():
            return _rendered(super().changelist_view(request, extra_context))

    def changeform_view(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """The form, read and saved in it."""
        with acting_as_cohort():
            response = super().changeform_view(request, *args, **kwargs)
            if isinstance(response, TemplateResponse) and response.context_data:
                name = str(self.opts.verbose_name).capitalize()
                response.context_data |= {"title": name, "subtitle": None}
            return _rendered(response)

    def history_view(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """What staff did with one row."""
        with acting_as_cohort():
            return _rendered(super().history_view(request, *args, **kwargs))


def _rendered(response: HttpResponse) -> HttpResponse:
    """Read its rows while they can be read: a template asks for them late."""
    return response.render() if isinstance(response, TemplateResponse) else response
