"""Validating that a store and what was migrated from it agree."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any
from uuid import UUID

from django.apps import apps

from accounts.database.isolation import acting_as
from accounts.models import User
from conversations.models import Message
from memory.language.safety.secrets import mask_secrets
from memory.models import Memory, ProfileFact
from privacy.legacy import stores
from privacy.legacy.conversation_rows import THREAD, VALUE, keys_by_label
from privacy.legacy.memory_rows import from_original
from privacy.legacy.stores import SourceRow, checksum, moment_of
from privacy.models import LegacyRow

_PIECE = 200
# How many differences are listed; the rest is counted.
_MOST_NAMED = 20
_VALUES = (LegacyRow.Kind.FACT, LegacyRow.Kind.DISPUTED)


@dataclass
class Validation:
    """Row counts of a migrated store and of the database, by table, and differences as text."""

    there: Counter[str] = field(default_factory=Counter)
    here: Counter[str] = field(default_factory=Counter)
    erased: int = 0
    differences: list[str] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)

    @property
    def fits(self) -> bool:
        """Return whether there are no differences."""
        return not self.differences

    def lines(self) -> Iterator[str]:
        """Yield the result as lines of text."""
        for table in sorted({*self.there, *self.here}):
            yield f"{table}: {self.there[table]:,} in the store, {self.here[table]:,} here"
        if self.erased:
            yield f"Erased here by their owner, so not compared: {self.erased:,}"
        yield from (f"Problem: {fault}" for fault in self.faults)
        yield from self.differences[:_MOST_NAMED]
        if len(self.differences) > _MOST_NAMED:
            yield f"{len(self.differences) - _MOST_NAMED:,} more differ."
        yield "Everything here matches the old store." if self.fits else "Not everything matches."


def validate(user: User, path: Path) -> Validation:
    """Compare a store with what was migrated from it, both ways. Raises NotAStore."""
    result, files = Validation(), stores.find(path)
    seen: set[UUID] = set()
    for file in files:
        for table in file.tables:
            rows = file.rows(table)
            while piece := list(islice(rows, _PIECE)):
                result.there[table] += len(piece)
                _compare_there(user, {row.key(user.pk): row for row in piece}, result, seen)
    with acting_as(user):
        names = [file.name for file in files]
        lines = LegacyRow.objects.filter(user=user, source__in=names).order_by("pk")
        brought = lines.iterator(_PIECE)
        while here := list(islice(brought, _PIECE)):
            _compare_here(user, here, result, seen)
    result.faults = [fault for file in files for fault in file.faults]
    return result


def _compare_there(
    user: User, rows: dict[UUID, SourceRow], result: Validation, seen: set[UUID]
) -> None:
    """Compare each row of the store with its LegacyRow."""
    seen.update(rows)
    with acting_as(user):
        known = LegacyRow.objects.filter(user=user, pk__in=rows)
        checksums = dict(known.values_list("pk", "checksum"))
    for key, row in rows.items():
        name = f"{row.source}, {row.table} {row.original_id}"
        if key not in checksums:
            result.differences.append(f"{name} is not here.")
        elif checksums[key] != row.checksum:
            result.differences.append(f"{name} was changed in the store after it was imported.")


def _compare_here(
    user: User, lines: Sequence[LegacyRow], result: Validation, seen: set[UUID]
) -> None:
    """Compare each LegacyRow with the store and with the rows made from it."""
    made = _made_of(user, lines)
    for line in lines:
        name = f"{line.source}, {line.table} {line.original_id}"
        if line.table not in (THREAD, VALUE):
            result.here[line.table] += 1
            if line.pk not in seen:
                result.differences.append(f"{name} is not in the store.")
        if line.redacted_at is not None:
            result.erased += 1
            continue
        if checksum(line.original) != line.checksum:
            result.differences.append(f"{name}: the original was changed here.")
        for key in line.made:
            if key not in made:
                result.differences.append(f"{name}: {key} is missing here.")
            elif not _says_the_same(line, made[key]):
                result.differences.append(f"{name}: {key} differs from what was imported.")


def _made_of(user: User, lines: Sequence[LegacyRow]) -> dict[str, Any]:
    """Return the rows made from these LegacyRows, by name."""
    return {
        f"{label} {row.pk}": row
        for label, keys in keys_by_label(line.made for line in lines).items()
        for row in apps.get_model(label)._default_manager.filter(user=user, pk__in=keys)
    }


def _says_the_same(line: LegacyRow, made: Any) -> bool:
    if isinstance(made, Message):
        return _is_said(line, made)
    if isinstance(made, ProfileFact):
        return line.kind in _VALUES and made.value == line.value and made.slot == line.slot
    if isinstance(made, Memory):
        return _note_holds(line, made)
    return True


def _note_holds(line: LegacyRow, note: Memory) -> bool:
    """Return whether a memory still has its row's text, full or shortened, with secrets masked."""
    if line.table == VALUE:
        return note.value == line.value
    memory = from_original(line.original)
    words = mask_secrets(" ".join(memory.text.split()))
    return (note.original or note.content) == words and note.source == memory.source


def _is_said(line: LegacyRow, message: Message) -> bool:
    """Return whether a message has the text and time of its row; False if it was removed."""
    row = SourceRow(line.source, line.table, line.original_id, line.place, line.original)
    if message.role == Message.Role.ASSISTANT:
        words = row.answered
    else:
        words = row.said or from_original(line.original).text
    moment = moment_of(line.original)
    return message.content == words and moment in (None, message.said_at)
