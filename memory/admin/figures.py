"""Admin pages with statistics: personas, and the quality of all memories."""

from collections.abc import Callable, Sequence
from typing import Any

from django.conf import settings
from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import URLPattern, path
from django.utils.html import format_html
from django.utils.safestring import SafeString

from accounts.database.isolation import acting_as_cohort
from memory.lessons import figures
from memory.lessons.figures import BlockGrowth, Figures
from memory.models import ExperienceDay, SiteQuality

# Size of the chart of block lengths, in SVG units.
WIDTH, HEIGHT = 640, 180
# The chart's maximum is a multiple of this, in characters.
_ROUND = 500


class ReadOnlyAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    """Admin for rows that only the application writes."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


@admin.register(ExperienceDay)
class ExperienceDayAdmin(ReadOnlyAdmin):
    """Statistics of shared lessons per persona, as sums."""

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view(self.changelist_view)
        return [path("", view, name="memory_experienceday_changelist")]

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        with acting_as_cohort():
            counted = figures.figures()
        top = _top(counted.growth)
        context = {
            **self.admin_site.each_context(request),
            "title": "Persona statistics",
            "days": figures.DAYS,
            "charts": _charts(counted),
            # A single day is not a line.
            "growth": [
                _line_points(series, top) for series in counted.growth if len(series.days) > 1
            ],
            "width": WIDTH,
            "height": HEIGHT,
            "top": top,
            "limit": settings.COHORT["block_characters"],
        }
        return TemplateResponse(request, "admin/memory/experienceday/figures.html", context)


def _charts(counted: Figures) -> list[tuple[str, str, list[figures.Row]]]:
    """Return the charts as (title, what the bars count, bars)."""
    return [
        (
            "Personas per person",
            "How many people have one, two or more personas.",
            counted.personas_a_person,
        ),
        ("Members", "How many people confirmed each persona.", counted.members),
        (
            "Lessons used",
            "Answers that used lessons, for each lesson contributed.",
            counted.reads_a_write,
        ),
        (
            "Refused by the guard",
            "Lesson drafts that were refused, by rule.",
            counted.refusals,
        ),
        (
            "Successful tool calls",
            "Tool calls that worked while I answered people in this role.",
            counted.calls_done,
        ),
        (
            "Conversation length",
            "Messages and answers in each conversation that members started in this period.",
            counted.length,
        ),
    ]


def _top(growth: Sequence[BlockGrowth]) -> int:
    longest = max((length for series in growth for _, length in series.days), default=0)
    return _ROUND * (1 + longest // _ROUND)


def _line_points(growth: BlockGrowth, top: int) -> dict[str, Any]:
    """Return a persona's line in the chart: points in SVG units, days from left to right."""
    first, last = growth.days[0][0], growth.days[-1][0]
    span = (last - first).days
    points = [
        f"{(day - first).days * WIDTH / span:.0f},{HEIGHT * (1 - length / top):.0f}"
        for day, length in growth.days
    ]
    return {
        "label": growth.label,
        "points": " ".join(points),
        "now": growth.now,
        "days": growth.days,
    }


# --- Quality of the memories ---------------------------------------------------------------------


def _share(name: str, words: str) -> Callable[["SiteQualityAdmin", SiteQuality], SafeString]:
    """Return an admin column with a bar, a count of memories, and its share of the day's total."""

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
class SiteQualityAdmin(ReadOnlyAdmin):
    """Quality of all memories by day, as sums without a link to any user."""

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

    share_of_duplicates = _share("duplicates", "duplicates")
    share_of_stale = _share("stale", "not mentioned for a long time")
    share_of_junk = _share("junk", "too short to be useful")
    share_of_disputed = _share("disputed", "disputed")
    share_of_never_used = _share("never_used", "never used")
