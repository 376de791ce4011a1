"""The sidebar of every page: conversations, counts, and the state of memory."""

from dataclasses import dataclass, field
from datetime import datetime
from itertools import groupby
from typing import Any

from django.db.models import Count, Exists, F, OuterRef, Q, Subquery
from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject
from django.utils.timezone import localtime, now

from accounts.database.isolation import acting_as
from accounts.models import User
from conversations.demo import waiting
from conversations.llm import configured
from conversations.models import Conversation, ConversationQuerySet, LearningOutcome
from ledger.conflicts import opening
from ledger.models import Contradiction
from memory.models import Memory, ProfileFact
from personas.models import UserPersona

# How many conversations are listed before 'Older ones'.
MOST_LISTED = 40
# URL names of pages with their own sidebar section, and these pages.
_IN_NOTEBOOK = {
    "insights": "insights",
    "coming_up": "coming_up",
    "plan_snooze": "coming_up",
    "calendar_link": "coming_up",
}


@dataclass(frozen=True)
class SidebarLine:
    """A conversation in the list."""

    name: str
    when: str
    url: str
    current: bool
    disputed: bool
    private: bool


@dataclass(frozen=True)
class Group:
    """A heading, and the conversations below it."""

    heading: str
    conversations: list[SidebarLine]


@dataclass(frozen=True)
class Sidebar:
    """The data of the sidebar, from five queries."""

    section: str
    page: str
    groups: list[Group]
    more_url: str
    any_archived: bool
    fact_count: int
    memory_count: int
    waiting_count: int
    memory_on: bool
    open_conflicts: int
    # Whether the user has a persona, or is asked about one.
    has_role: bool
    # The first conflict that staff settled and the user has not seen yet.
    answered: Contradiction | None
    name: str
    # The user's name in the profile; '' if there is none.
    name_in_profile: str
    email: str
    theme: str
    # Whether the data of a demo user is still being written.
    being_written: bool
    model_configured: bool = field(default_factory=configured)


def sidebar(request: HttpRequest) -> dict[str, Any]:
    """Return the sidebar's context; empty for anonymous users and the admin. Lazy: read only if the
    template uses it, which fragments mostly do not.
    """
    user = getattr(request, "user", None)
    if not isinstance(user, User) or request.path.startswith(("/admin/", "/api/", "/v1/")):
        return {"sidebar": None}
    return {"sidebar": SimpleLazyObject(lambda: _sidebar(request, user))}


def _sidebar(request: HttpRequest, user: User) -> Sidebar:
    match = request.resolver_match
    namespace = match.namespace if match else ""
    section = {"conversations": "talk"} | dict.fromkeys(("memory", "ledger", "privacy"), "notebook")
    name = (match.url_name or "") if match else ""
    current = str(match.kwargs.get("pk", "")) if match and namespace == "conversations" else ""
    in_notebook = name in _IN_NOTEBOOK or section.get(namespace) == "notebook"
    with acting_as(user):
        listed, notes = list(_conversations(user, request)), _notes(user)
        open_conflicts, has_role = _open_and_role(user)
        held, name_told = ProfileFact.objects.for_user(user.pk).current().count_and_name()
        return Sidebar(
            section="notebook" if in_notebook else section.get(namespace, ""),
            page=_page(namespace, name),
            groups=_grouped(listed[:MOST_LISTED], current),
            more_url="?all=1" if len(listed) > MOST_LISTED else "",
            any_archived=namespace == "conversations" and _any_archived(user, listed),
            fact_count=held,
            memory_count=notes["in_use"],
            waiting_count=notes["waiting"],
            memory_on=user.memory_on,
            open_conflicts=open_conflicts,
            has_role=has_role,
            answered=opening.first_unread_answer(user.pk),
            name=name_told or user.get_short_name(),
            name_in_profile=name_told,
            email=user.email,
            theme=user.theme,
            being_written=waiting.is_expected(user),
        )


def _open_and_role(user: User) -> tuple[int, bool]:
    """Return the number of open conflicts, and whether the user has or is asked about a persona;
    one query.
    """
    is_open = Contradiction.objects.filter(user=OuterRef("pk")).open().order_by()
    counted = is_open.values("user").annotate(many=Count("pk")).values("many")
    personas = UserPersona.known(user.pk)
    rows = User.objects.filter(pk=user.pk).annotate(open=Subquery(counted), role=Exists(personas))
    many, role = rows.values_list("open", "role").get()
    return many or 0, role


def _notes(user: User) -> dict[str, int]:
    """Return the numbers of active memories and of memories waiting for approval; one query."""
    rows = Memory.objects.for_user(user.pk)
    waits = Q(pk__in=rows.waiting().values("pk"))
    return rows.aggregate(
        in_use=Count("pk", filter=Q(status=Memory.Status.ACTIVE)), waiting=Count("pk", filter=waits)
    )


# Prefixes of URL names in `memory`, and the pages that they belong to.
_MEMORY_PAGES = (
    (("never", "again"), "privacy"),
    (("cohort", "block"), "cohort"),
    ("activity", "activity"),
    ("memor", "memories"),
)


def _page(namespace: str, name: str) -> str:
    """Return the name of the current page: 'profile', 'memories', 'timeline', 'conflicts', …"""
    if name == "erase_note":
        return "memories"
    if namespace == "memory" or name == "erase":
        return next((page for begin, page in _MEMORY_PAGES if name.startswith(begin)), "profile")
    if namespace == "privacy" or name.startswith("erasure"):
        return "privacy"
    if namespace == "ledger":
        own = ("timeline", "history")
        return next((page for page in own if name.startswith(page)), "conflicts")
    if name in _IN_NOTEBOOK:
        return _IN_NOTEBOOK[name]
    return "topics" if name.startswith("topic") else ""


def _conversations(user: User, request: HttpRequest) -> list[Conversation]:
    disputed = LearningOutcome.objects.filter(
        user=user,
        message__conversation=OuterRef("pk"),
        contradiction__status=Contradiction.Status.OPEN,
    )
    rows = _archived(user, away=False).order_by(F("pinned_at").desc(nulls_last=True), "-last_at")
    rows = rows.annotate(disputed=Exists(disputed), any_archived=Exists(_archived(user, away=True)))
    return list(rows if request.GET.get("all") else rows[: MOST_LISTED + 1])


def _any_archived(user: User, listed: list[Conversation]) -> bool:
    """Return whether any conversation is archived; one query, unless the listed ones show it."""
    if listed:
        return bool(getattr(listed[0], "any_archived", False))
    return _archived(user, away=True).exists()


def _archived(user: User, *, away: bool) -> ConversationQuerySet:
    return Conversation.objects.for_user(user.pk).filter(archived_at__isnull=not away)


def _grouped(listed: list[Conversation], current: str) -> list[Group]:
    frozen_now = now()
    return [
        Group(
            heading,
            [
                SidebarLine(
                    name=conversation.name or "New conversation",
                    when=_when(conversation.last_at, frozen_now) if conversation.stamp else "",
                    url=conversation.get_absolute_url(),
                    current=str(conversation.pk) == current,
                    disputed=bool(getattr(conversation, "disputed", False)),
                    private=conversation.privacy == Conversation.Privacy.PRIVATE,
                )
                for conversation in inside
            ],
        )
        for heading, inside in groupby(listed, key=lambda c: _heading(c, frozen_now))
    ]


def _when(at: datetime, today: datetime) -> str:
    """Return the time of a conversation: '19:05' for today, '9 Nov' for another day."""
    then = localtime(at)
    is_today = then.date() == localtime(today).date()
    return f"{then:%H:%M}" if is_today else f"{then.day} {then:%b}"


def _heading(conversation: Conversation, today: datetime) -> str:
    """Return the heading of a conversation: 'Pinned', 'Today', 'This week', 'Earlier in November',
    'October 2025'.
    """
    if conversation.pinned_at is not None:
        return "Pinned"
    then, this = localtime(conversation.last_at).date(), localtime(today).date()
    if then >= this:
        return "Today"
    if (this - then).days < 7:
        return "This week"
    if (then.year, then.month) == (this.year, this.month):
        return f"Earlier in {then:%B}"
    return f"{then:%B}" if then.year == this.year else f"{then:%B %Y}"
