"""Erasing as its owner, and looking for what is left."""

from typing import Any

from django.utils.timezone import now

from accounts.database.isolation import acting_as
from accounts.models import User
from conversations.models import Message
from ledger.erasure import erase
from ledger.history import log_lines, log_search
from ledger.history.log_search import LogQuery
from memory.core.scope import Scope
from memory.models import Memory, ProfileFact
from memory.notes import note_store
from memory.notes.drafts import NoteDraft
from tests.people import scope_of

RARE = "Qwertzfirm"
# What somebody typed is their own letter, and stays; a passage is the same made findable.
LETTERS = {"conversations_message", "memory_passage"}


def let_go(user: User, fact: ProfileFact) -> bool:
    with acting_as(user):
        return erase(fact) is not None


def told(user: User, **wanted: Any) -> list[str]:
    """The sentences of the history, the newest first."""
    with acting_as(user):
        events = list(log_search.find(user.pk, LogQuery(**wanted)))
        return [line.sentence for line in log_lines.lines_from(user.pk, events)]


def note_of(user: User, content: str, message: Message | None = None, **more: Any) -> Memory:
    draft = NoteDraft(
        content=content,
        category=Memory.Category.FACT,
        kind=Memory.Kind.SEMANTIC,
        confidence=0.9,
        trust=0.8,
        **more,
    )
    scope = scope_of(message) if message else Scope(user.pk, None, None, now())
    with acting_as(user):
        kept = note_store.keep_note(scope, draft)
    assert isinstance(kept, note_store.NoteKept)
    return kept.memory
