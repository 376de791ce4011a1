"""The audit log's lines about a fact: what its owner did by hand, and what they said."""

from typing import TypedDict, Unpack

from accounts import audit
from accounts.audit import Action, By
from memory.core.scope import Scope
from memory.models import ProfileFact


class Texts(TypedDict, total=False):
    """What a line says besides the deed: the value before and after it, and why."""

    before: str
    after: str
    why: str


def by_owner(fact: ProfileFact, deed: Action, *, by: By = By.OWNER, **texts: Unpack[Texts]) -> None:
    """Its owner did this to a fact by hand, or the product by itself."""
    audit.record(fact.user_id, deed, by=by, subject=fact.pk, slot=fact.slot, **texts)


def from_talk(scope: Scope, fact: ProfileFact, deed: Action, **texts: Unpack[Texts]) -> None:
    """A fact came or changed by what was said in a message."""
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
