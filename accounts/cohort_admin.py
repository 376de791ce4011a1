"""The base of staff's pages about what people share: opened in the block that may read it."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse

from accounts.database.isolation import acting_as_cohort
from accounts.staff_admin import FixedRows, rendered


class CohortAdmin(FixedRows):
    """Lists and forms over rows that a person's own block would hide. They retire, and stay."""

    change_form_template = "admin/cohort_change_form.html"
    list_per_page = 50
    show_full_result_count = False

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        """The list, read in the cohort's block."""
        with acting_as_cohort():
            return rendered(super().changelist_view(request, extra_context))

    def changeform_view(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """The form, read and saved in it."""
        with acting_as_cohort():
            response = super().changeform_view(request, *args, **kwargs)
            if isinstance(response, TemplateResponse) and response.context_data:
                name = str(self.opts.verbose_name).capitalize()
                response.context_data |= {"title": name, "subtitle": None}
            return rendered(response)

    def history_view(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """What staff did with one row."""
        with acting_as_cohort():
            return rendered(super().history_view(request, *args, **kwargs))
