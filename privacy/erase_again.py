"""Repeat erasures after a backup was restored."""

from collections import Counter
from collections.abc import Callable
from datetime import datetime
from typing import Any

from accounts import erased_list
from accounts.database.isolation import acting_as
from accounts.erased_list import Erased, Kind
from accounts.models import AuditEvent, User
from conversations.deletion import erase_all, message_deletion
from conversations.deletion.message_deletion import nothing
from conversations.models import Conversation, Message
from ledger import erasure
from memory.models import Memory, ProfileFact
from privacy import account_deletion


def erase_again(since: datetime | None = None) -> Counter[Kind]:
    """Repeat the listed erasures; return counts by kind. Safe to repeat.

    `since` is when the backup was made: earlier erasures are not in it.
    """
    done: Counter[Kind] = Counter()
    for erased in erased_list.lines():
        if since is not None and erased.at < since:
            continue
        user = User.objects.filter(pk=erased.user_id).first()
        if user is not None:
            done[erased.kind] += _erase(user, erased)
    return done


def _erase(user: User, erased: Erased) -> bool:
    """Erase one entry of the list if it still exists; return whether it did."""
    if erased.kind == Kind.ACCOUNT:
        account_deletion.delete(user)
        return True
    with acting_as(user):
        model = _MODELS[erased.kind]
        row = model.objects.for_user(user.pk).filter(pk=erased.subject).first()
        if erased.kind != Kind.EVERYTHING:
            return row is not None and bool(_ERASE[erased.kind](user, row))
    # The history gets a line about it.
    return row is None and erase_all.forget_everything(user).gone.anything


def _remove_message(user: User, message: Message) -> bool:
    if message.state == Message.State.REMOVED:
        return False
    message_deletion.remove_turn(user, message, nothing)
    return True


def _remove_conversation(user: User, conversation: Conversation) -> bool:
    message_deletion.remove_conversation(user, conversation, nothing)
    return True


_MODELS: dict[Kind, Any] = {
    Kind.FACT: ProfileFact,
    Kind.FACT_ALONE: ProfileFact,
    Kind.NOTE: Memory,
    Kind.MESSAGE: Message,
    Kind.CONVERSATION: Conversation,
    Kind.EVERYTHING: AuditEvent,
}
_ERASE: dict[Kind, Callable[[User, Any], object]] = {
    Kind.FACT: lambda _, fact: erasure.erase(fact) is not None,
    Kind.FACT_ALONE: lambda user, fact: erasure.erase_all(user.pk, facts=[fact]).facts,
    Kind.NOTE: lambda _, note: erasure.erase_note(note).notes,
    Kind.MESSAGE: _remove_message,
    Kind.CONVERSATION: _remove_conversation,
}
