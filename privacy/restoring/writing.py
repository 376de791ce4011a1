"""Writing the rows of a copy into an empty account, in the person's open block: all or nothing.

Rows come one by one and are written by the hundred, so memory stays the same however many there
are. What a row names is looked for once its table is whole; the database judges it when the
transaction ends.
"""

import zipfile
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from typing import Any
from uuid import UUID

from django.db import DataError, IntegrityError, connection, models, transaction
from django.db.models import Exists, OuterRef, QuerySet

from accounts.database.owned import OwnedModel
from accounts.models import User
from privacy import parts
from privacy.progress import Tell
from privacy.restoring import aftermath, choices, lines, tables
from privacy.restoring.keys import Keys
from privacy.restoring.lines import InvalidLine
from privacy.restoring.opening import Copy, NotACopy
from privacy.restoring.tables import TABLES, Table

_PIECE = 200
_Numbered = tuple[int, lines.Row]


def total(copy: Copy) -> int:
    """How many rows there are to restore."""
    names = (*(table.name for table in TABLES), *tables.BY_OPERATION)
    return sum(copy.rows.get(name, 0) for name in names)


class RestoreWriter:
    """One restoring, table by table. `left_out` counts rows that stayed behind, by table."""

    def __init__(
        self, user: User, archive: zipfile.ZipFile, copy: Copy, keys: Keys, tell: Tell
    ) -> None:
        self.user, self.archive, self.copy = user, archive, copy
        self.keys, self.tell = keys, tell
        self.done = 0
        self.left_out: Counter[str] = Counter()

    def write(self) -> None:
        """All of it. Raises NotACopy for the first thing that is not right."""
        choices.settle(self.user, self._rows("accounts.privacysettings"))
        choices.consent_to(self.user, self._rows("memory.namespaceconsent"))
        for table in TABLES:
            self._write_table(table)
            self._tie(table)
        held = choices.keep_entries(self.user, self._rows("memory.namespaceentry"))
        self.left_out["memory.namespaceentry"] += held
        aftermath.put_right(self.user)
        self._let_the_database_judge()

    def _rows(self, name: str) -> Iterator[_Numbered]:
        """The rows of a table as they are judged, each told to who looks on."""
        part = next(part.name for part in parts.PARTS.values() if name in part.tables)
        for numbered in lines.read(self.archive, self.copy, name, self.keys):
            if self.done % _PIECE == 0:
                self.tell(part, self.done)
            yield numbered
            self.done += 1

    # --- A table ------------------------------------------------------------------------------

    def _write_table(self, table: Table) -> None:
        rows = self._rows(table.name)
        if field := tables.MAY_BE_THERE.get(table.name):
            known = table.into._default_manager.filter(user_id=self.user.pk)
            there = set(known.values_list(field, flat=True))
            rows = (numbered for numbered in rows if numbered[1][field] not in there)
        while piece := list(islice(rows, _PIECE)):
            made = [self._made(table, *numbered) for numbered in piece]
            self._insert(table, made, [number for number, _ in piece])

    def _made(self, table: Table, number: int, told: lines.Row) -> Any:
        try:
            return tables.row_of(table, self.user.pk, told, self.copy.made_at)
        except (LookupError, ValueError):
            raise InvalidLine(
                table.name, number, "it refers to something that is missing."
            ) from None

    def _insert(self, table: Table, rows: list[OwnedModel], numbers: list[int]) -> None:
        """Write them, or say which line it is that cannot stand beside the others."""
        try:
            with transaction.atomic():
                insert_as_they_are(table.into, rows)
        except (IntegrityError, DataError):
            if len(rows) == 1:
                raise InvalidLine(
                    table.name, numbers[0], "it contradicts another line of the copy."
                ) from None
            for row, number in zip(rows, numbers, strict=True):
                self._insert(table, [row], [number])

    # --- What rows name -----------------------------------------------------------------------

    def _tie(self, table: Table) -> None:
        """A row that names one which is not in the copy: where a part was left out of it, as if
        that had been deleted; otherwise the copy is not right.
        """
        if table.name not in self.copy.rows:
            return
        for field in table.into._meta.concrete_fields:
            parent = field.related_model
            if not isinstance(field, models.ForeignKey) or not _is_owned(parent):
                continue
            loose = _loose(table.into, field, self.user.pk)
            name = field.remote_field.model._meta.label_lower
            if not loose.exists():
                continue
            if name in self.copy.rows and not self.left_out[name]:
                self._refuse(table, field.attname, loose.values_list("pk", flat=True)[0])
            if field.remote_field.on_delete is models.SET_NULL:
                loose.update(**{field.attname: None})
            else:
                self.left_out[table.name] += loose._raw_delete(loose.db)

    def _refuse(self, table: Table, name: str, key: UUID) -> None:
        for number, told in lines.read(self.archive, self.copy, table.name, self.keys):
            if told["id"] == key:
                raise InvalidLine(
                    table.name, number, f'"{name}" refers to a row that is not in the copy.'
                )
        raise NotACopy(f"{table.name} refers to rows that are not in the copy.")

    def _let_the_database_judge(self) -> None:
        try:
            with connection.cursor() as cursor:
                cursor.execute("set constraints all immediate")
        except IntegrityError:
            raise NotACopy(
                "Some rows refer to others that are not in the copy. Download the copy again and"
                " upload it unchanged."
            ) from None


def _is_owned(model: Any) -> bool:
    return isinstance(model, type) and issubclass(model, OwnedModel)


def _loose(
    model: type[OwnedModel], field: "models.ForeignKey[Any, Any]", user_id: UUID
) -> "QuerySet[OwnedModel]":
    """The rows of a person that name one which is not there, or not theirs."""
    named = field.related_model._default_manager.filter(user=user_id, pk=OuterRef(field.attname))
    rows = model._default_manager.filter(user_id=user_id)
    return rows.exclude(**{field.attname: None}).filter(~Exists(named))


def insert_as_they_are(model: type[OwnedModel], rows: list[OwnedModel]) -> None:
    """Insert rows with the times that they bring: `bulk_create` would say that they are of now."""
    fields = [field for field in model._meta.concrete_fields if not field.generated]
    query = model._default_manager.all()
    query._insert(rows, fields=fields, using=query.db, raw=True)  # type: ignore[attr-defined]
    for row in rows:
        row._state.adding = False
