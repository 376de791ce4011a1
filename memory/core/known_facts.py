"""A cache of the facts and memories that one message touches: locked, and read once.

Several candidates of a message need the same rows. The reader of a message passes this cache in its
`Scope`; other callers lock and read the rows themselves.
"""

from collections.abc import Iterable
from uuid import UUID

from memory.core import slot_locks
from memory.core.scope import Scope
from memory.core.statements import array_literal, fetch_rows, model_instance
from memory.models import Memory, ProfileFact

_LIVE = (ProfileFact.Status.CURRENT, ProfileFact.Status.CHALLENGER)
_SHOWN = (Memory.Status.ACTIVE, Memory.Status.PAUSED, Memory.Status.WAITING)
COLUMNS: tuple[str, ...] = tuple(
    column.attname for column in ProfileFact._meta.concrete_fields if column.name != "embedding"
)
_FACTS = f"""
select {", ".join(COLUMNS)} from memory_profilefact
where user_id = %(user)s and status in ('current', 'challenger', 'past')
  and slot = any(%(slots)s::text[])
"""  # noqa: S608 - names of columns only


class KnownRecords:
    """Facts of some slots and memories of a user, read once and locked until the commit."""

    def __init__(self, user_id: UUID, slots: Iterable[str], *, notes: bool = False) -> None:
        """Lock the slots with all similar and opposite ones, and the memories if requested."""
        self._user_id = user_id
        self._slots = slot_locks.with_related_slots(slots)
        self._holds_notes = notes
        self._facts: list[ProfileFact] | None = None
        self._notes: list[Memory] | None = None
        slot_locks.lock_known_slots(user_id, self._slots, notes=notes)

    def holds(self, slot: str) -> bool:
        """Return whether this cache locked a slot."""
        return slot in self._slots

    def live(self, slots: Iterable[str]) -> list[ProfileFact]:
        """Return the current facts and challengers of some slots, without their embeddings."""
        wanted = frozenset(slots)
        facts = self._read() if wanted <= self._slots else _read(self._user_id, wanted)
        return [fact for fact in facts if fact.slot in wanted and fact.status in _LIVE]

    def has_past(self, slot: str) -> bool:
        """Return whether a slot may have had earlier values; True if it is not locked."""
        return not self.holds(slot) or any(
            fact.slot == slot and fact.status not in _LIVE for fact in self._read()
        )

    def notes(self) -> list[Memory]:
        """Lock and return the memories shown to the user, without long columns."""
        if not self._holds_notes:
            slot_locks.lock_notes(self._user_id)
            self._holds_notes = True
        if self._notes is None:
            shown = Memory.objects.for_user(self._user_id).shown()
            # Embeddings are read only for the few memories with similar words.
            summaries = Memory.Category.SUMMARY
            self._notes = list(
                shown.exclude(category=summaries).defer("original", "terms", "embedding")
            )
        return [note for note in self._notes if note.status in _SHOWN]

    def add(self, made: ProfileFact | Memory) -> None:
        """Add a fact or memory that was just saved."""
        if isinstance(made, Memory):
            self._notes = None if self._notes is None else [*self._notes, made]
        else:
            self._facts = None if self._facts is None else [*self._facts, made]

    def forget(self) -> None:
        """Drop the cached rows after a change elsewhere; they are read again when needed."""
        self._facts = self._notes = None

    def _read(self) -> list[ProfileFact]:
        if self._facts is None:
            self._facts = _read(self._user_id, self._slots)
        return self._facts


def lock_slot(scope: Scope, slot: str) -> None:
    """Lock a slot, unless the scope's cache has locked it already."""
    if scope.known is None or not scope.known.holds(slot):
        slot_locks.lock_slot(scope.user_id, slot)


def read_live_facts(user_id: UUID, slots: Iterable[str]) -> list[ProfileFact]:
    """Return the current facts and challengers of some slots, without locking them."""
    return [fact for fact in _read(user_id, frozenset(slots)) if fact.status in _LIVE]


def _read(user_id: UUID, slots: frozenset[str]) -> list[ProfileFact]:
    rows = fetch_rows(_FACTS, {"user": user_id, "slots": array_literal(slots)})
    return [model_instance(ProfileFact, COLUMNS, row) for row in rows]
