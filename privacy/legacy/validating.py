"""Whether all of a store is here as it is there, and all that is here of it is there."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from uuid import UUID

from django.apps import apps

from accounts.database.isolation import acting_as
from accounts.models import User
from conversations.models import Message
from memory.language import mask_secrets
from memory.models import Memory, ProfileFact
from privacy.legacy import memories, rows, stores
from privacy.legacy.batches import THREAD, VALUE
from privacy.legacy.stores import StoreFile
from privacy.models import LegacyRow

_PIECE = 200
# So many differences are named; the rest is counted.
_MOST_NAMED = 20
_VALUES = (LegacyRow.Kind.FACT, LegacyRow.Kind.DISPUTED)


@dataclass
class Validation:
    """Rows by table as they are there and here, and what differs, in sentences."""

    there: Counter[str] = field(default_factory=Counter)
    here: Counter[str] = field(default_factory=Counter)
    erased: int = 0
    differences: list[str] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)

    @property
    def fits(self) -> bool:
        """Whether nothing differs."""
        return not self.differences

    def lines(self) -> Iterator[str]:
        """It in words, a line each."""
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
    """Compare a store with what was brought of it, both ways. Raises NotAStore."""
    result, files = Validation(), stores.find(path)
    seen: set[UUID] = set()
    for file in files:
        for table in file.tables:
            _compare_file(user, file, table, result, seen)
    with acting_as(user):
        names = [file.name for file in files]
        lines = LegacyRow.objects.filter(user=user, source__in=names).order_by("pk")
        piece: list[LegacyRow] = []
        for line in lines.iterator(_PIECE):
            piece.append(line)
            if len(piece) == _PIECE:
                _compare_here(user, piece, result, seen)
                piece = []
        _compare_here(user, piece, result, seen)
    result.faults = [fault for file in files for fault in file.faults]
    return result


def _compare_file(
    user: User, file: StoreFile, table: str, result: Validation, seen: set[UUID]
) -> None:
    """Each row there is here, and says the same."""
    wanted: dict[UUID, rows.SourceRow] = {}
    for row in file.rows(table):
        result.there[table] += 1
        wanted[row.key(user.pk)] = row
        if len(wanted) == _PIECE:
            _compare_piece(user, wanted, result, seen)
            wanted = {}
    _compare_piece(user, wanted, result, seen)


def _compare_piece(
    user: User, wanted: dict[UUID, rows.SourceRow], result: Validation, seen: set[UUID]
) -> None:
    seen.update(wanted)
    with acting_as(user):
        lines = LegacyRow.objects.filter(user=user, pk__in=wanted)
        known = dict(lines.values_list("pk", "checksum"))
    for key, row in wanted.items():
        name = f"{row.source}, {row.table} {row.original_id}"
        if key not in known:
            result.differences.append(f"{name} is not here.")
        elif known[key] != row.checksum:
            result.differences.append(f"{name} was changed in the store after it was imported.")


def _compare_here(
    user: User, lines: Sequence[LegacyRow], result: Validation, seen: set[UUID]
) -> None:
    """Each row here is there, keeps its original, and what was made of it says the same."""
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
        if rows.checksum(line.original) != line.checksum:
            result.differences.append(f"{name}: the original was changed here.")
        for key in line.made:
            if key not in made:
                result.differences.append(f"{name}: {key} is missing here.")
            elif not _says_the_same(line, made[key]):
                result.differences.append(f"{name}: {key} differs from what was imported.")


def _made_of(user: User, lines: Sequence[LegacyRow]) -> dict[str, Any]:
    """The rows that were made of these, by how they are named."""
    keys: dict[str, list[str]] = {}
    for line in lines:
        for name in line.made:
            label, key = name.split(" ")
            keys.setdefault(label, []).append(key)
    return {
        f"{label} {row.pk}": row
        for label, several in keys.items()
        for row in apps.get_model(label)._default_manager.filter(user=user, pk__in=several)
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
    """Whether a note still has its words, all of them or its gist, with secrets masked."""
    if line.table == VALUE:
        return note.value == line.value
    memory = memories.from_original(line.original)
    words = mask_secrets(" ".join(memory.text.split()))
    return (note.original or note.content) == words and note.source == memory.source


def _is_said(line: LegacyRow, message: Message) -> bool:
    """Whether a message has the words and the time of its row; one that was taken out has none."""
    row = rows.SourceRow(line.source, line.table, line.original_id, line.place, line.original)
    if message.role == Message.Role.ASSISTANT:
        words = row.answered
    else:
        words = row.said or memories.from_original(line.original).text
    moment = rows.moment_of(line.original)
    return message.content == words and moment in (None, message.said_at)
