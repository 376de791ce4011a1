from contextlib import nullcontext
from typing import Any

from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from accounts.staff_admin import FixedRows, ReadOnlyRows
from conversations.models import ModelConnection, ModelRefusal


@admin.register(ModelConnection)
class ModelConnectionAdmin(FixedRows):
    """The connected model: the admin redirects to its settings page, which hides the API key."""

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        return redirect("conversations:model")

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        return redirect("conversations:model")


@admin.register(ModelRefusal)
class ModelRefusalAdmin(ReadOnlyRows):
    """Requests or parameters that the language model's server refused, and what is sent instead."""

    list_display = ("model", "refused", "sent", "status", "code", "since", "last_at", "expires_at")
    # Refusals contain no user data and belong to no user.
    block = staticmethod(nullcontext)

    @admin.display(description="Refused")
    def refused(self, refusal: ModelRefusal) -> str:
        return refusal.parameter or "the whole request"

    @admin.display(description="Sent instead")
    def sent(self, refusal: ModelRefusal) -> str:
        return refusal.instead or "nothing"
