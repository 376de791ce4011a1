"""The insights page: statistics of a user's conversations and memories."""

from typing import cast

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.timezone import now
from django.views.decorators.http import require_GET

from accounts.access.pages import PersonRequest, person_page
from conversations import insights
from conversations.insights import Period
from conversations.web.present import insight_charts


@require_GET
@person_page
def index(request: PersonRequest) -> HttpResponse:
    """Show statistics for the chosen period, by default the one that fits the data."""
    period_name, at = request.GET.get("period", ""), now()
    if period_name in insight_charts.PERIODS:
        period = cast("Period", period_name)
    else:
        period = insights.fitting_period(request.user.pk, at)
    figures = insights.read(request.user.pk, period, at)
    context = {
        "told": figures,
        "now_kept": figures.kept[-1],
        "view": insight_charts.view(figures),
        "period": period,
        "periods": insight_charts.PERIODS.items(),
    }
    return render(request, "conversations/insights.html", context)
