"""The tool that lists the user's coming plans in the user's own words, by day."""

from datetime import date, timedelta

from django.utils.timezone import localtime
from pydantic import Field

from conversations.tools.arguments import Time
from conversations.tools.plans import Plan, plans_between
from conversations.tools.tool import Arguments, Result, Tool, ToolContext, ToolRefused
from conversations.tools.visibility import count_in_words
from memory.language.dates.planned_days import read_days_ahead

_MOST = 30
# How many days ahead to look if no day is named.
AHEAD = timedelta(30)


class AllUpcoming(Result):
    """Coming plans by day; `total` includes those beyond the limit."""

    since: date
    until: date
    total: int
    found: list[Plan]

    def in_words(self) -> str:
        """Return the result in words: '3 found'."""
        return count_in_words(self.total, "found", "found")


class UpcomingArguments(Arguments):
    """Which coming days to list."""

    when: Time = Field(
        "",
        description="Days to look at, such as 'Friday', 'next week' or 'in June'; leave it out to "
        "get the next thirty days.",
    )
    limit: int = Field(12, ge=1, le=_MOST, description="Largest number of results.")


def upcoming(context: ToolContext, arguments: UpcomingArguments) -> AllUpcoming:
    """Return the open plans, nearest first."""
    asked_at = localtime(context.asked_at)
    next_days = asked_at.date(), asked_at.date() + AHEAD
    days = read_days_ahead(arguments.when, asked_at) if arguments.when else next_days
    if days is None:
        raise ToolRefused(
            f"I do not understand {arguments.when!a} as upcoming days. Write 'Friday', 'next "
            "week', 'in June' or 2026-05-31, or leave it out."
        )
    plans = plans_between(context, *days)
    return AllUpcoming(
        since=days[0], until=days[1], total=len(plans), found=plans[: arguments.limit]
    )


TOOLS = (
    Tool(
        name="get_upcoming_plans",
        purpose="Find upcoming plans that the person mentioned and has not yet carried out: "
        "appointments, visits, deadlines. Use it for 'what is on this week?' or 'am I free "
        "on Friday?'.",
        arguments=UpcomingArguments,
        run=upcoming,
    ),
)
