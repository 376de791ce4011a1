"""The API's responses as typed dictionaries; `/api/docs` describes every field.

Ids are UUIDs and times ISO 8601, both as strings. `trust` and `confidence` are from 0 to 1.
"""

from typing import Any, Generic, Literal, TypedDict, TypeVar

Item = TypeVar("Item")

Resolution = Literal["keep_new", "keep_old", "merge", "timeline", "trust_based", "dismiss"]


class Page(TypedDict, Generic[Item]):
    """A page of a list; `next` is the URL of the next page, None on the last."""

    count: int
    next: str | None
    previous: str | None
    results: list[Item]


class Fact(TypedDict):
    """A fact of the profile, with its source."""

    id: str
    slot: str
    label: str
    value: str
    many: bool
    trust: float
    confidence: float
    source: str
    origin: str
    disputed: bool
    sensitive: bool
    last_verified: str
    valid_from: str
    valid_to: str | None
    from_precision: str
    to_precision: str
    conversations: int
    source_conversation: str | None
    source_message: str | None
    reason: str
    sentence: str
    url: str


class Memory(TypedDict):
    """A memory: a sentence learned from a message or written by hand, with its source."""

    id: str
    content: str
    original: str
    category: str
    kind: str
    mode: str
    priority: str
    sensitive: bool
    status: str
    trust: float
    confidence: float
    source: str
    origin: str
    written_by: str
    claim: str
    said_at: str
    happened_on: str | None
    uses: int
    last_used_at: str | None
    source_conversation: str | None
    source_message: str | None
    superseded_by: str | None
    reason: str
    sentence: str
    url: str


class Side(TypedDict):
    """One of the two facts of a conflict."""

    fact: str
    value: str
    trust: float
    conversations: int
    last_said: str
    source_conversations: list[str]


class Conflict(TypedDict):
    """Two contradicting facts, and how the conflict was resolved, if it was."""

    id: str
    slot: str
    status: str
    question: str
    drift: float
    opened_at: str
    old: Side
    new: Side
    old_value: str
    new_value: str
    resolution: dict[str, Any] | None
    suggestion: dict[str, Any] | None
    help_asked_at: str | None


class Conversation(TypedDict):
    """A conversation, without its messages."""

    id: str
    title: str
    privacy: str
    temporary: bool
    started_at: str
    last_at: str
    messages: int
    archived_at: str | None
    pinned_at: str | None
    imported_from: str
    url: str


class Message(TypedDict):
    """A message of the user or the assistant, and the memories and tools used for it."""

    id: str
    number: int
    role: str
    content: str
    state: str
    failure: str
    author: str
    said_at: str
    metadata: dict[str, Any]
    used_facts: list[str]
    used_memories: list[str]
    used_messages: list[str]
    used_conversations: int
    steps: list[dict[str, Any]]
    tokens_in: int | None
    tokens_out: int | None
    tokens_estimated: bool
    milliseconds: int | None


class Exchange(TypedDict):
    """A sent message, its answer, and what was learned from it."""

    conversation: str
    message: Message
    reply: Message
    notes: list[dict[str, Any]]
    not_kept: dict[str, Any] | None
    reading_notice: str


class Context(TypedDict):
    """The context for a prompt about a question; `text` has `tokens` of at most `budget` tokens."""

    text: str
    items: list[dict[str, Any]]
    tokens: int
    budget: int


class SearchResults(TypedDict):
    """Messages that match a search, best first, and conversations whose titles match."""

    count: int
    plain: bool
    narrowed: dict[str, Any] | None
    titles: list[dict[str, Any]]
    results: list[dict[str, Any]]


class Ingested(TypedDict):
    """Stored messages: `new` of them were not known, `to_read` are still to be learned from."""

    messages: list[dict[str, Any]]
    new: int
    to_read: int
