"""Where something was said, as ids, so that memory does not import the conversation models."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING
from uuid import UUID

if TYPE_CHECKING:
    from memory.core.known_facts import KnownRecords
    from memory.core.persistence_gate import Allowances


@dataclass(frozen=True)
class Scope:
    """A message of a user in a conversation, and its time."""

    user_id: UUID
    conversation_id: UUID | None
    message_id: UUID | None
    said_at: datetime
    # The cached facts and memories while the message is processed.
    known: "KnownRecords | None" = field(default=None, compare=False, repr=False)
    # The user's allowances in the conversation, if already read.
    allowed: "Allowances | None" = field(default=None, compare=False, repr=False)

    def reread(self) -> None:
        """Drop the cached facts and memories after a change that bypassed `known`."""
        if self.known is not None:
            self.known.forget()
