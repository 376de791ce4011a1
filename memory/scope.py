"""Where something was said, carried as ids so that memory needs no conversation class."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID


@dataclass(frozen=True)
class Scope:
    """One message of one person in one conversation, and when it was said."""

    user_id: UUID
    conversation_id: UUID | None
    message_id: UUID | None
    said_at: datetime
