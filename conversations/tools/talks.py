"""Tools about conversations: which there are, and what is in one."""

from datetime import datetime
from uuid import UUID

from pydantic import BaseModel, Field

from conversations.models import Conversation
from conversations.tools.table import Arguments, Asking, Result, Tool

_MOST = 50


class ListedTalk(BaseModel):
    """A conversation as a list shows it."""

    id: UUID
    title: str
    started_at: datetime
    last_at: datetime
    messages: int


class Talks(Result):
    """Conversations, the latest first, and how many there are in all."""

    conversations: list[ListedTalk]
    total: int

    def in_words(self) -> str:
        """It in a few words."""
        return f"{self.total} found" if self.total else "nothing found"


class ListTalks(Arguments):
    """Which conversations to list."""

    limit: int = Field(20, ge=1, le=_MOST, description="How many at most.")
    since: datetime | None = Field(None, description="Only those with something said from then on.")
    until: datetime | None = Field(None, description="Only those begun before then.")


def list_talks(asking: Asking, wanted: ListTalks) -> Talks:
    """The person's conversations; a private one is counted, and listed from inside it alone."""
    rows = Conversation.objects.for_user(asking.user_id).order_by("-last_at")
    if wanted.since:
        rows = rows.filter(last_at__gte=wanted.since)
    if wanted.until:
        rows = rows.filter(started_at__lt=wanted.until)
    return Talks(conversations=[listed(one) for one in rows[: wanted.limit]], total=rows.count())


def listed(conversation: Conversation) -> ListedTalk:
    """A conversation as lists show it."""
    return ListedTalk(
        id=conversation.pk,
        title=conversation.title,
        started_at=conversation.started_at,
        last_at=conversation.last_at,
        messages=conversation.last_number,
    )


TOOLS = (
    Tool(
        name="get_user_conversations",
        purpose="List the person's conversations, the latest first.",
        arguments=ListTalks,
        run=list_talks,
    ),
)
