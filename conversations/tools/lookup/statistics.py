"""The tool that counts what is stored, and its growth by month."""

from datetime import date, datetime
from typing import Any

from dateutil.relativedelta import relativedelta
from django.db.models import Count, Q, QuerySet
from django.db.models.functions import TruncMonth
from django.urls import reverse
from django.utils.timezone import localtime
from pydantic import BaseModel, Field

from conversations.models import Conversation, Message
from conversations.tools import visibility
from conversations.tools.tool import Arguments, Result, Tool, ToolContext
from memory.models import Memory, ProfileFact

Status = ProfileFact.Status
_MOST_MONTHS = 36


class Month(BaseModel):
    """What was added in a month, given by its first day."""

    month: date
    conversations: int
    messages: int
    facts: int
    notes: int


class Insights(Result):
    """Counts of what is stored, and its growth; includes private conversations."""

    conversations: int
    archived: int
    private: int
    from_person: int
    from_assistant: int
    facts: int
    disputed: int
    past_facts: int
    notes: int
    notes_waiting: int
    notes_used: int
    first_at: datetime | None
    months: list[Month]
    links: dict[str, str]

    def in_words(self) -> str:
        """Return the result in words: '12 facts and memories, 5 conversations'."""
        kept = self.facts + self.notes
        if not (kept or self.conversations):
            return "nothing yet"
        noun = "conversation" if self.conversations == 1 else "conversations"
        kinds = "fact or memory" if kept == 1 else "facts and memories"
        return f"{kept:,} {kinds}, {self.conversations:,} {noun}"


class HowMany(Arguments):
    """How many months back to count."""

    months: int = Field(
        12, ge=1, le=_MOST_MONTHS, description="Number of months to show, including this month."
    )


def insights(context: ToolContext, wanted: HowMany) -> Insights:
    """Return the counts; always eight queries."""
    talks_in_all = Conversation.objects.for_user(context.user_id).aggregate(
        all=Count("pk"),
        archived=Count("pk", filter=Q(archived_at__isnull=False)),
        private=Count("pk", filter=Q(privacy=visibility.PRIVATE)),
    )
    messages = Message.objects.for_user(context.user_id).exclude(state=Message.State.REMOVED)
    roles = dict(messages.order_by().values_list("role").annotate(Count("pk")))
    facts = ProfileFact.objects.for_user(context.user_id).aggregate(
        current=Count("pk", filter=Q(status=Status.CURRENT)),
        against=Count("pk", filter=Q(status=Status.CHALLENGER)),
        past=Count("pk", filter=Q(status=Status.PAST)),
    )
    notes = Memory.objects.for_user(context.user_id).aggregate(
        active=Count("pk", filter=Q(status=Memory.Status.ACTIVE)),
        waiting=Count("pk", filter=Q(status=Memory.Status.WAITING)),
        used=Count("pk", filter=Q(status=Memory.Status.ACTIVE, uses__gt=0)),
    )
    return Insights(
        conversations=talks_in_all["all"],
        archived=talks_in_all["archived"],
        private=talks_in_all["private"],
        from_person=roles.get(Message.Role.USER, 0),
        from_assistant=roles.get(Message.Role.ASSISTANT, 0),
        facts=facts["current"],
        disputed=facts["against"],
        past_facts=facts["past"],
        notes=notes["active"],
        notes_waiting=notes["waiting"],
        notes_used=notes["used"],
        first_at=_first(context),
        months=_months(context, wanted.months),
        links=links(),
    )


def _first(context: ToolContext) -> datetime | None:
    rows = Conversation.objects.for_user(context.user_id).order_by("started_at")
    return rows.values_list("started_at", flat=True).first()


def _months(context: ToolContext, count: int) -> list[Month]:
    """Return the latest months, empty ones included, oldest first."""
    first = localtime(context.asked_at).replace(day=1, hour=0, minute=0, second=0, microsecond=0)
    starts = [first - relativedelta(months=back) for back in range(count)]
    since, owner = starts[-1], {"user_id": context.user_id}
    messages = Message.objects.exclude(state=Message.State.REMOVED).filter(**owner)
    facts = ProfileFact.objects.filter(**owner).exclude(status=Status.REMOVED)
    notes = Memory.objects.filter(**owner).exclude(status=Memory.Status.REMOVED)
    kinds = {
        "conversations": _by_month(Conversation.objects.filter(**owner), "started_at", since),
        "messages": _by_month(messages, "said_at", since),
        "facts": _by_month(facts, "created_at", since),
        "notes": _by_month(notes, "created_at", since),
    }
    return [
        Month(month=day, **{name: counts.get(day, 0) for name, counts in kinds.items()})
        for day in sorted(start.date() for start in starts)
    ]


def _by_month(rows: QuerySet[Any], moment: str, since: datetime) -> dict[date, int]:
    counts = (
        rows.filter(**{f"{moment}__gte": since})
        .order_by()
        .annotate(month=TruncMonth(moment))
        .values_list("month")
        .annotate(Count("pk"))
    )
    return {localtime(month).date(): count for month, count in counts}


def links() -> dict[str, str]:
    """Return the URLs of the pages where the user sees everything."""
    return {
        "profile": reverse("memory:profile"),
        "notes": reverse("memory:memories"),
        "timeline": reverse("ledger:timeline"),
        "history": reverse("ledger:history"),
        "conversations": reverse("conversations:home"),
    }


TOOLS = (
    Tool(
        name="memory_insights",
        purpose="Count what is remembered and how it grew month by month. Use it for 'how much do "
        "you know about me?'.",
        arguments=HowMany,
        run=insights,
    ),
)
