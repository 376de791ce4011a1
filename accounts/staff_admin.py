"""Bases of staff's pages in the admin, over rows that people and the product make."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse


class FixedRows(admin.ModelAdmin):  # type: ignore[type-arg]
    """Rows that no member of staff adds or deletes."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


class ReadOnlyRows(FixedRows):
    """Rows that staff only look at, in the block that `block` opens."""

    block: Callable[[], AbstractContextManager[None]]

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        with self.block():
            return rendered(super().changelist_view(request, extra_context))


def rendered(response: HttpResponse) -> HttpResponse:
    """Read its rows while they can be read: a template asks for them late."""
    return response.render() if isinstance(response, TemplateResponse) else response
