from collections.abc import Callable
from typing import Any

from django.contrib import admin
from django.http import HttpRequest
from django.utils.html import format_html
from django.utils.safestring import SafeString

from memory.models import SiteQuality


def _share(name: str, words: str) -> Callable[["SiteQualityAdmin", SiteQuality], SafeString]:
    """A column with a bar: how many of the day's notes, and which share of them."""

    @admin.display(description=words, ordering=name)
    def column(self: "SiteQualityAdmin", day: SiteQuality) -> SafeString:
        count = getattr(day, name)
        share = f"{100 * count / day.kept:.0f} %" if day.kept else "none kept"
        return format_html(
            '<progress value="{}" max="{}" aria-hidden="true"></progress> {} ({})',
            count,
            day.kept or 1,
            count,
            share,
        )

    return column


@admin.register(SiteQuality)
class SiteQualityAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    """How good everybody's notes are, day by day, as sums: no row leads to a person."""

    ordering = ("-day",)
    date_hierarchy = "day"
    list_display = (
        "day",
        "people",
        "kept",
        "share_of_duplicates",
        "share_of_stale",
        "share_of_junk",
        "share_of_disputed",
        "share_of_never_used",
    )

    share_of_duplicates = _share("duplicates", "the same twice")
    share_of_stale = _share("stale", "not heard for long")
    share_of_junk = _share("junk", "too little in them")
    share_of_disputed = _share("disputed", "disputed")
    share_of_never_used = _share("never_used", "never used")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False
