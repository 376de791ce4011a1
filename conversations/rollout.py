"""Statistics of answers with and without earlier conversations, for staff; without content."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from statistics import median, quantiles

from django.db.models import Count, Q

from accounts import flags
from accounts.database.isolation import acting_as
from accounts.models import User
from conversations.models import LearningOutcome, Message
from memory.core.tracing import OperationVerb
from memory.models import MemoryOperation

FEWEST = 5
"""Groups of fewer people are not shown: their figures would tell of a person."""


@dataclass
class GroupFigures:
    """Counts of one group since a day; durations in milliseconds."""

    people: int = 0
    answers: int = 0
    with_memories: int = 0
    broken: int = 0
    corrections: int = 0
    conflicts: int = 0
    answer_times: list[float] = field(default_factory=list)
    recall_times: list[float] = field(default_factory=list)

    def cells(self) -> Iterator[str]:
        """Return the values as text, in the order of `ROWS`."""
        if self.people < FEWEST:
            yield from (str(self.people), *["-"] * (len(ROWS) - 1))
            return
        yield f"{self.people:,}"
        yield f"{self.answers:,}"
        for count in (self.with_memories, self.broken, self.corrections, self.conflicts):
            yield f"{count:,} ({_percent(count, self.answers)})"
        for times in (self.answer_times, self.recall_times):
            yield _middle_and_late(times)


ROWS = (
    "people who got an answer",
    "answers",
    "answers that used memories",
    "answers that failed or were stopped",
    "messages that correct an earlier one",
    "conflicts that were opened",
    "time per answer, ms: median, 95th percentile",
    "time per recall, ms: median, 95th percentile",
)


def compare(since: datetime) -> dict[bool, GroupFigures]:
    """Return statistics of users whose answers use earlier conversations (True), and of others.
    Opens a transaction per user. Users with memory off are in neither group.
    """
    groups = {True: GroupFigures(), False: GroupFigures()}
    for user in User.objects.filter(memory_on=True).order_by("pk").iterator():
        with acting_as(user):
            _count(user, since, groups[flags.is_on(flags.CROSS_THREAD_MEMORY, user.pk)])
    return groups


def _count(user: User, since: datetime, group: GroupFigures) -> None:
    messages = Message.objects.for_user(user.pk).filter(said_at__gte=since, author="")
    # Imported answers have no duration.
    answered = Q(role=Message.Role.ASSISTANT, milliseconds__isnull=False)
    used = ~Q(used_facts=[]) | Q(used_conversations__gt=0)
    broken = Q(state__in=[Message.State.FAILED, Message.State.STOPPED, Message.State.CUT])
    counted = messages.aggregate(
        answers=Count("pk", filter=answered),
        used=Count("pk", filter=answered & used),
        broken=Count("pk", filter=Q(role=Message.Role.ASSISTANT) & broken),
        corrections=Count("pk", filter=Q(role=Message.Role.USER, corrects__isnull=False)),
    )
    if not counted["answers"] + counted["broken"]:
        return
    outcomes = LearningOutcome.objects.filter(user=user, message__said_at__gte=since)
    recalls = MemoryOperation.objects.filter(user=user, at__gte=since, verb=OperationVerb.RECALL)
    group.people += 1
    group.answers += counted["answers"]
    group.with_memories += counted["used"]
    group.broken += counted["broken"]
    group.corrections += counted["corrections"]
    group.conflicts += outcomes.filter(kind=LearningOutcome.Kind.CONFLICT).count()
    times = messages.filter(answered).values_list("milliseconds", flat=True)
    group.answer_times += [time for time in times if time is not None]
    group.recall_times += recalls.values_list("duration_ms", flat=True)


def _percent(count: int, of: int) -> str:
    return f"{100 * count / of:.1f} %" if of else "-"


def _middle_and_late(times: Sequence[float]) -> str:
    if len(times) < 2:
        return "-"
    return f"{median(times):,.0f}, {quantiles(times, n=20, method='inclusive')[-1]:,.0f}"
