"""What a person's conversations and notes come to, drawn."""

from typing import cast

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.timezone import now
from django.views.decorators.http import require_GET

from accounts.pages import PersonRequest, person_page
from conversations import insights
from conversations.insights import Period
from conversations.web.present import insight_charts


@require_GET
@person_page
def index(request: PersonRequest) -> HttpResponse:
    """Activity, topics, what is kept, and what answers took; over a year unless asked otherwise."""
    asked = request.GET.get("period", "")
    period = cast("Period", asked if asked in insight_charts.PERIODS else "year")
    told = insights.read(request.user.pk, period, now())
    context = {
        "told": told,
        "now_kept": told.kept[-1],
        "view": insight_charts.view(told),
        "period": period,
        "periods": insight_charts.PERIODS.items(),
    }
    return render(request, "conversations/insights.html", context)
