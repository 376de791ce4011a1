"""Where something was said: ids, so that memory needs no conversation class."""

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
    # What is known where it touches that, while it is being learned from.
    known: "KnownRecords | None" = field(default=None, compare=False, repr=False)
    # What its person allows to be kept there, where that has been read.
    allowed: "Allowances | None" = field(default=None, compare=False, repr=False)

    def reread(self) -> None:
        """Read the known records again at the next use, after a change past `known`."""
        if self.known is not None:
            self.known.forget()
