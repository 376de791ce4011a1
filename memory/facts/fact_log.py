"""The audit log's lines about a fact: changes by hand, and by messages."""

from typing import TypedDict, Unpack

from accounts import audit
from accounts.audit import Action, By
from memory.core.scope import Scope
from memory.models import ProfileFact


class Texts(TypedDict, total=False):
    """The texts of a line: the value before and after, and why."""

    before: str
    after: str
    why: str


def by_owner(fact: ProfileFact, deed: Action, *, by: By = By.OWNER, **texts: Unpack[Texts]) -> None:
    """Log a change of a fact by its owner's hand or by the product."""
    audit.record(fact.user_id, deed, by=by, subject=fact.pk, slot=fact.slot, **texts)


def from_talk(scope: Scope, fact: ProfileFact, deed: Action, **texts: Unpack[Texts]) -> None:
    """Log a change of a fact by a message."""
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
