from contextlib import nullcontext

from django.contrib import admin

from accounts.staff_admin import ReadOnlyRows
from conversations.models import ModelRefusal


@admin.register(ModelRefusal)
class ModelRefusalAdmin(ReadOnlyRows):
    """What the language model's server refused, since when, and what is sent to it instead."""

    list_display = ("model", "refused", "sent", "status", "code", "since", "last_at", "expires_at")
    # They hold nobody's words and belong to nobody.
    block = staticmethod(nullcontext)

    @admin.display(description="Refused")
    def refused(self, refusal: ModelRefusal) -> str:
        return refusal.parameter or "the whole request"

    @admin.display(description="Sent instead")
    def sent(self, refusal: ModelRefusal) -> str:
        return refusal.instead or "nothing"
