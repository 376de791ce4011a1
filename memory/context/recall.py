"""What a conversation may use of memory, in order of precedence."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from memory.context import turn_context
from memory.context.turn_context import ConversationHistory, TurnContext
from memory.core.scope import Scope
from memory.core.statements import SendStatement
from memory.models import Override, ProfileFact
from memory.slots import disagree, opposites


@dataclass(frozen=True)
class Recall:
    """The facts of a user that one conversation may use.

    A value of this conversation takes precedence over the profile; for a multi-valued slot it is an
    additional value. A fact with a challenger is in conflict, and answers may not state it.
    """

    overrides: dict[str, list[Override]]
    facts: dict[str, list[ProfileFact]]
    challengers: dict[str, list[ProfileFact]]
    talk: ConversationHistory = field(default_factory=ConversationHistory)

    def is_disputed(self, slot: str) -> bool:
        """Return whether a fact of the slot is in an open conflict."""
        return any(self.rivals(fact) for fact in self.facts.get(slot, ()))

    def rivals(self, fact: ProfileFact) -> list[ProfileFact]:
        """Return the challengers of a fact: other values, other spellings, or opposites."""
        if not self.challengers:
            return []
        if not fact.many:
            return self.challengers.get(fact.slot, [])
        return [
            rival
            for slot in (fact.slot, *opposites(fact.slot))
            for rival in self.challengers.get(slot, ())
            if disagree(fact.slot, fact.value, slot, rival.value)
        ]

    def gives_way(self, fact: ProfileFact) -> bool:
        """Return whether a value of this conversation replaces the fact."""
        return not fact.many and fact.slot in self.overrides

    def all_facts(self) -> Iterator[ProfileFact]:
        """Yield every current fact, also facts in conflict."""
        for facts in self.facts.values():
            yield from facts


def recall(scope: Scope, *, newest: int = 0) -> Recall:
    """Return what a conversation may use, with its `newest` messages; one query.

    Must run in the user's transaction.
    """
    return _by_slot(turn_context.read(scope, newest))


def recall_later(scope: Scope, send: SendStatement, *, newest: int = 0) -> Callable[[], Recall]:
    """Send the query of `recall`; return a function for the result."""
    context = turn_context.read_later(scope, newest, send)
    return lambda: _by_slot(context())


def _by_slot(context: TurnContext) -> Recall:
    facts: dict[str, list[ProfileFact]] = {}
    challengers: dict[str, list[ProfileFact]] = {}
    for fact in context.facts:
        side = facts if fact.status == ProfileFact.Status.CURRENT else challengers
        side.setdefault(fact.slot, []).append(fact)
    overrides: dict[str, list[Override]] = {}
    for override in context.overrides:
        overrides.setdefault(override.slot, []).append(override)
    return Recall(overrides, facts, challengers, context.talk)
