"""Reading a search from URL parameters: for the search page and the API."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date
from urllib.parse import urlencode
from uuid import UUID

from django.utils.dateparse import parse_date

from conversations.messages import is_control
from conversations.models import Conversation, Topic
from conversations.search.message_search import MOST
from conversations.search.search_query import Role, SearchQuery

LONGEST = 500
# How many results are shown at first, and how many more each time.
STEP = 20
# The URL parameters, in the order in which they are written.
NAMES = (
    *("q", "role", "topic", "conversation", "since", "until"),
    *("title", "anytime", "plain", "group", "show"),
)


@dataclass(frozen=True)
class Query:
    """The search as typed, as understood, and its errors by field."""

    typed: Mapping[str, str]
    search: SearchQuery
    problems: Mapping[str, str]
    conversation: Conversation | None = None
    topic: Topic | None = None
    # Whether characters that cannot be shown were removed.
    mended: bool = False

    @property
    def grouped(self) -> bool:
        """Whether to group the results by conversation."""
        return bool(self.typed.get("group"))

    @property
    def count(self) -> int:
        """How many results to show."""
        wanted = self.typed.get("show", "")
        count = int(wanted) if wanted.isascii() and wanted.isdecimal() and len(wanted) < 5 else STEP
        return min(max(count, STEP), MOST)

    @property
    def is_narrowed(self) -> bool:
        """Whether any filter besides the words is set."""
        plain = replace(self.search, text="", within=None)
        return plain != SearchQuery() or self.grouped or bool(set(self.problems) - {"q"})

    def address(self, **changes: str) -> str:
        """Return the URL of the search with some parameters changed; empty ones are left out."""
        values = {**self.typed, **changes}
        return urlencode({name: values[name] for name in NAMES if values.get(name)})


def read(user_id: UUID, values: Mapping[str, str]) -> Query:
    """Return the query from URL parameters, in the user's transaction (`acting_as`). Raises
    Conversation.DoesNotExist for a conversation that is not the user's.
    """
    typed = {name: values.get(name, "") for name in NAMES}
    problems: dict[str, str] = {}
    typed["q"] = text = "".join(" " if is_control(c) else c for c in typed["q"]).strip()
    if len(text) > LONGEST:
        problems["q"] = (
            f"This is {len(text):,} characters long; a search can have up to {LONGEST}. Shorten it."
        )
    conversation = _conversation(user_id, typed["conversation"])
    topic = _topic(user_id, typed["topic"], problems)
    role = typed["role"] or Role.PERSON.value
    if role not in {role.value for role in Role}:
        problems["role"] = f"Use one of: {', '.join(role.value for role in Role)}."
    since, until = (_day(typed[name], name, problems) for name in ("since", "until"))
    if since and until and until < since:
        problems["until"] = "The last day is before the first one. Change one of them."
    query = SearchQuery(
        text=text,
        within=conversation.pk if conversation else None,
        role=Role.PERSON if "role" in problems else Role(role),
        topic=topic.pk if topic else None,
        title_only=_is_yes(typed["title"]),
        since=since,
        until=until,
        any_time=_is_yes(typed["anytime"]),
        plain=_is_yes(typed["plain"]),
    )
    mended = text != values.get("q", "").strip()
    return Query(typed, query, problems, conversation, topic, mended)


def _is_yes(text: str) -> bool:
    return text.lower() not in ("", "0", "false", "no")


def _conversation(user_id: UUID, text: str) -> Conversation | None:
    if not text:
        return None
    pk = as_id(text)
    if pk is None:
        raise Conversation.DoesNotExist
    return Conversation.objects.for_user(user_id).get(pk=pk)


def _topic(user_id: UUID, text: str, problems: dict[str, str]) -> Topic | None:
    """Return the topic with this id or name."""
    if not text:
        return None
    rows, pk = Topic.objects.filter(user_id=user_id), as_id(text)
    name = "".join(c for c in text if not is_control(c))
    topic = rows.filter(pk=pk).first() if pk else rows.filter(name__iexact=name).first()
    if topic is None:
        problems["topic"] = (
            "You don’t have a topic with this name. Choose another, or leave it out."
        )
    return topic


def as_id(text: str) -> UUID | None:
    """Return a text as a UUID; None if it is not one."""
    try:
        return UUID(text)
    except ValueError:
        return None


def _day(text: str, name: str, problems: dict[str, str]) -> date | None:
    try:
        day = parse_date(text.strip())
    except ValueError:
        problems[name] = f"There is no {text.strip()}. Pick another day."
        return None
    if text.strip() and day is None:
        problems[name] = "Enter the date as YYYY-MM-DD, such as 2024-03-14."
    return day
