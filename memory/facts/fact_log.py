"""Writing audit log entries about facts: changes by hand, and changes by messages."""

from typing import TypedDict, Unpack

from accounts import audit
from accounts.audit import Action, By
from memory.core.scope import Scope
from memory.models import ProfileFact


class Texts(TypedDict, total=False):
    """The texts of a log entry: the value before and after, and the reason."""

    before: str
    after: str
    why: str


def by_owner(fact: ProfileFact, deed: Action, *, by: By = By.OWNER, **texts: Unpack[Texts]) -> None:
    """Log a change of a fact that its user or the site made."""
    audit.record(fact.user_id, deed, by=by, subject=fact.pk, slot=fact.slot, **texts)


def from_talk(scope: Scope, fact: ProfileFact, deed: Action, **texts: Unpack[Texts]) -> None:
    """Log a change of a fact that a message caused."""
    audit.record(
        fact.user_id,
        deed,
        by=By.TALK,
        subject=fact.pk,
        slot=fact.slot,
        conversation=scope.conversation_id,
        message=scope.message_id,
        **texts,
    )
