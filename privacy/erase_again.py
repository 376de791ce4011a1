"""Going through the list of erasures once more, after a backup was restored."""

from collections import Counter
from collections.abc import Callable
from datetime import datetime

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
    """Erase what the list names and is there; returns how much of each kind. Twice is once.

    `since` is when the backup was made: what was erased before it is not in it.
    """
    done: Counter[Kind] = Counter()
    for erased in erased_list.lines():
        if since is not None and erased.at < since:
            continue
        user = User.objects.filter(pk=erased.user_id).first()
        if user is not None:
            done[erased.kind] += _AGAIN[erased.kind](user, erased)
    return done


def _fact(user: User, erased: Erased) -> bool:
    with acting_as(user):
        fact = ProfileFact.objects.for_user(user.pk).filter(pk=erased.subject).first()
        return fact is not None and erasure.erase(fact) is not None


def _fact_alone(user: User, erased: Erased) -> bool:
    with acting_as(user):
        facts = ProfileFact.objects.for_user(user.pk).filter(pk=erased.subject)
        return bool(erasure.erase_all(user.pk, facts=facts).facts)


def _note(user: User, erased: Erased) -> bool:
    with acting_as(user):
        note = Memory.objects.for_user(user.pk).filter(pk=erased.subject).first()
        return note is not None and bool(erasure.erase_note(note).notes)


def _message(user: User, erased: Erased) -> bool:
    with acting_as(user):
        message = Message.objects.for_user(user.pk).filter(pk=erased.subject).first()
        if message is None or message.state == Message.State.REMOVED:
            return False
        message_deletion.remove_turn(user, message, nothing)
        return True


def _conversation(user: User, erased: Erased) -> bool:
    with acting_as(user):
        conversation = Conversation.objects.for_user(user.pk).filter(pk=erased.subject).first()
        if conversation is None:
            return False
        message_deletion.remove_conversation(user, conversation, nothing)
        return True


def _everything(user: User, erased: Erased) -> bool:
    with acting_as(user):
        if AuditEvent.objects.for_user(user.pk).filter(pk=erased.subject).exists():
            return False
    return erase_all.forget_everything(user).gone.anything


def _account(user: User, _: Erased) -> bool:
    account_deletion.delete(user)
    return True


_AGAIN: dict[Kind, Callable[[User, Erased], bool]] = {
    Kind.FACT: _fact,
    Kind.FACT_ALONE: _fact_alone,
    Kind.NOTE: _note,
    Kind.MESSAGE: _message,
    Kind.CONVERSATION: _conversation,
    Kind.EVERYTHING: _everything,
    Kind.ACCOUNT: _account,
}
