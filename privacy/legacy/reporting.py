"""What a store holds and what came of it, in counts; the same words before and after a run."""

from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from uuid import UUID

from privacy.legacy.batches import THREAD, VALUE
from privacy.legacy.stores import StoreFile
from privacy.models import LegacyRow

_NAMES = {
    "conversations.conversation": "conversations",
    "conversations.message": "messages",
    "memory.profilefact": "facts",
    "memory.mention": "messages that mention a fact",
    "memory.memory": "memories",
    "memory.trustchange": "entries in the history of trust",
    "ledger.contradiction": "conflicts",
    "conversations.topic": "topics",
    "conversations.conversationtopic": "topics of conversations",
}


@dataclass
class Report:
    """Counts of rows by table and by what they became, of the values read in interactions, and of
    what was made of them.
    """

    rows: Counter[tuple[str, str]] = field(default_factory=Counter)
    values: Counter[str] = field(default_factory=Counter)
    made: Counter[str] = field(default_factory=Counter)
    conflicts: Counter[str] = field(default_factory=Counter)
    # Rows that were changed in the store after they had been brought.
    changed: int = 0
    faults: list[str] = field(default_factory=list)

    def lines(self) -> Iterator[str]:
        """It in words, a line each."""
        yield f"Rows read: {sum(self.rows.values()):,}"
        for (table, kind), many in sorted(self.rows.items()):
            yield f"  {table}: {many:,} became {LegacyRow.Kind(kind).label}"
        if self.values:
            yield f"Values found in messages: {sum(self.values.values()):,}"
        for kind, many in sorted(self.values.items()):
            yield f"  {many:,} became {LegacyRow.Kind(kind).label}"
        yield "Created from them:"
        for label, name in _NAMES.items():
            yield f"  {name}: {self.made[label]:,}"
        if self.conflicts:
            slots = ", ".join(f"{slot} ({many:,})" for slot, many in sorted(self.conflicts.items()))
            yield f"Waiting for their owner to settle: {slots}"
        if self.changed:
            yield f"Changed in the store since the import, and not imported again: {self.changed:,}"
        yield from (f"Problem: {fault}" for fault in self.faults)


def report(user_id: UUID, files: Collection[StoreFile], *, changed: int = 0) -> Report:
    """What is here of these files, in the person's open block."""
    lines = LegacyRow.objects.filter(user_id=user_id, source__in=[file.name for file in files])
    result = Report(changed=changed, faults=[fault for file in files for fault in file.faults])
    columns = ("table", "kind", "made", "slot")
    for table, kind, made, slot in lines.values_list(*columns).iterator(500):
        if table == VALUE:
            result.values[kind] += 1
        elif table != THREAD:
            result.rows[table, kind] += 1
        result.made.update(name.split(" ")[0] for name in made)
        if kind == LegacyRow.Kind.DISPUTED:
            result.conflicts[slot] += 1
    return result
