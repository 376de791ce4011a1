"""Writing the rows of an export into an empty account in one transaction, within `acting_as(user)`.

Rows are streamed and inserted in batches, so memory use is constant. References are checked after
each table, and by the database at the end. Settings and namespace entries are stored by their usual
operations, which validate and log them.
"""

import zipfile
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from typing import Any
from uuid import UUID

from django.db import DataError, IntegrityError, connection, models, transaction
from django.db.models import Exists, F, Max, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce, Least
from pydantic import ValidationError

from accounts import privacy, work
from accounts.database.owned import OwnedModel
from accounts.models import PrivacySettings, User
from accounts.work import DueWork
from conversations.deletion import vanishing
from conversations.learning import message_learning
from conversations.models import Conversation, ConversationTopic, Message
from ledger.models import Contradiction
from memory import manager
from memory.facts.restored_facts import retract_blocked, set_aside_challengers
from memory.manager import granted_namespaces, namespaces_of
from memory.models import ProfileFact
from privacy import parts
from privacy.restoring import lines, tables
from privacy.restoring.json_shapes import Keys
from privacy.restoring.lines import InvalidLine
from privacy.restoring.opening import Copy, NotACopy
from privacy.restoring.tables import TABLES, Table
from privacy.transfers import Tell

_PIECE = 200
_Numbered = tuple[int, lines.Row]
_ENTRIES, _REGISTERED = "memory.namespaceentry", "memory.registerednamespace"
Status = ProfileFact.Status


def total(copy: Copy) -> int:
    """Return how many rows are to be restored."""
    names = (*(table.name for table in TABLES), *tables.BY_OPERATION)
    return sum(copy.rows.get(name, 0) for name in names)


class RestoreWriter:
    """One restore, table by table. `left_out` counts rows not restored, by table."""

    def __init__(
        self, user: User, archive: zipfile.ZipFile, copy: Copy, keys: Keys, tell: Tell
    ) -> None:
        self.user, self.archive, self.copy = user, archive, copy
        self.keys, self.tell = keys, tell
        self.done = 0
        self.left_out: Counter[str] = Counter()

    def write(self) -> None:
        """Write all rows. Raises NotACopy at the first error."""
        for _, row in self._rows("accounts.privacysettings"):
            privacy.choose(self.user.pk, **{name: row[name] for name in PrivacySettings.exported})
        self._register_namespaces()
        self._consent_to_namespaces()
        for table in TABLES:
            self._write_table(table)
            self._check_references(table)
        self._write_entries()
        put_right(self.user)
        try:
            with connection.cursor() as cursor:
                cursor.execute("set constraints all immediate")
        except IntegrityError:
            raise NotACopy(
                "Some rows refer to others that are not in the copy. Download the copy again and"
                " upload it unchanged."
            ) from None

    def _rows(self, name: str) -> Iterator[_Numbered]:
        """Yield the validated rows of a table, reporting the progress."""
        part = next(part.name for part in parts.PARTS.values() if name in part.tables)
        for numbered in lines.read(self.archive, self.copy, name, self.keys):
            if self.done % _PIECE == 0:
                self.tell(part, self.done)
            yield numbered
            self.done += 1

    # --- Namespaces of other software ---------------------------------------------------------

    def _register_namespaces(self) -> None:
        for number, row in self._rows(_REGISTERED):
            limits = {name: row[name] for name in ("most", "rolling", "keep_days")}
            try:
                manager.register_namespace(
                    self.user, row["name"], row["purpose"], row["schema"], **limits
                )
            except (ValueError, ValidationError):
                what = "this namespace can’t be registered."
                raise InvalidLine(_REGISTERED, number, what) from None

    def _consent_to_namespaces(self) -> None:
        """Restore consents to namespaces that exist here; ignore others."""
        namespaces = namespaces_of(self.user.pk)
        for _, row in self._rows("memory.namespaceconsent"):
            namespace = namespaces.get(row["namespace"])
            if namespace is not None and namespace.needs_consent and not namespace.own:
                manager.allow(self.user, namespace.name, on=True)

    def _write_entries(self) -> None:
        """Restore entries; those of namespaces that are unknown or without consent are left out."""
        user_id = self.user.pk
        namespaces, allowed = namespaces_of(user_id), granted_namespaces(user_id)
        for number, row in self._rows(_ENTRIES):
            name, key = row["namespace"], row["key"]
            namespace = namespaces.get(name)
            barred = namespace and namespace.needs_consent and name not in allowed
            if namespace is None or namespace.own or barred:
                self.left_out[_ENTRIES] += 1
                continue
            try:
                by = manager.By(row["written_by"])
                manager.write(user_id, name, key, row["data"], by=by)
                manager.put_back(user_id, name, key, row["version"], row["written_at"])
            except (ValueError, ValidationError):
                what = f"{name} can’t keep an entry like this."
                raise InvalidLine(_ENTRIES, number, what) from None

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

    def _made(self, table: Table, number: int, row: lines.Row) -> Any:
        try:
            return tables.row_of(table, self.user.pk, row, self.copy.made_at)
        except (LookupError, ValueError):
            what = "it refers to something that is missing."
            raise InvalidLine(table.name, number, what) from None

    def _insert(self, table: Table, rows: list[OwnedModel], numbers: list[int]) -> None:
        """Insert rows; raise InvalidLine for the first that conflicts with another row."""
        try:
            with transaction.atomic():
                insert_as_they_are(table.into, rows)
        except (IntegrityError, DataError):
            if len(rows) == 1:
                what = "it contradicts another line of the copy."
                raise InvalidLine(table.name, numbers[0], what) from None
            for row, number in zip(rows, numbers, strict=True):
                self._insert(table, [row], [number])

    # --- References ---------------------------------------------------------------------------

    def _check_references(self, table: Table) -> None:
        """Clear references to missing rows, or delete the rows. Raises InvalidLine or NotACopy."""
        if table.name not in self.copy.rows:
            return
        for field in table.into._meta.concrete_fields:
            if not isinstance(field, models.ForeignKey) or not _is_owned(field.related_model):
                continue
            loose = _loose(table.into, field, self.user.pk)
            if not loose.exists():
                continue
            name = field.remote_field.model._meta.label_lower
            if name in self.copy.rows and not self.left_out[name]:
                self._refuse(table, field.attname, loose.values_list("pk", flat=True)[0])
            if field.remote_field.on_delete is models.SET_NULL:
                loose.update(**{field.attname: None})
            else:
                self.left_out[table.name] += loose._raw_delete(loose.db)

    def _refuse(self, table: Table, name: str, key: UUID) -> None:
        for number, row in lines.read(self.archive, self.copy, table.name, self.keys):
            if row["id"] == key:
                what = f'"{name}" refers to a row that is not in the copy.'
                raise InvalidLine(table.name, number, what)
        raise NotACopy(f"{table.name} refers to rows that are not in the copy.")


def _is_owned(model: Any) -> bool:
    return isinstance(model, type) and issubclass(model, OwnedModel)


def _loose(
    model: type[OwnedModel], field: "models.ForeignKey[Any, Any]", user_id: UUID
) -> "QuerySet[OwnedModel]":
    """Return a user's rows whose reference is missing or belongs to another user."""
    named = field.related_model._default_manager.filter(user=user_id, pk=OuterRef(field.attname))
    rows = model._default_manager.filter(user_id=user_id)
    return rows.exclude(**{field.attname: None}).filter(~Exists(named))


def insert_as_they_are(model: type[OwnedModel], rows: list[OwnedModel]) -> None:
    """Insert rows with their own times, which `bulk_create` would set to now."""
    fields = [field for field in model._meta.concrete_fields if not field.generated]
    query = model._default_manager.all()
    query._insert(rows, fields=fields, using=query.db, raw=True)  # type: ignore[attr-defined]
    for row in rows:
        row._state.adding = False


# --- Derived data, by the usual rules -------------------------------------------------------------


def put_right(user: User) -> None:
    """Make restored rows consistent, within `acting_as(user)`."""
    _continue_numbers(user)
    _keep_private(user)
    retract_blocked(user.pk)
    _match_conflicts(user)
    _enqueue_what_waits(user)


def _continue_numbers(user: User) -> None:
    """Set the last message number of each conversation, and limit its progress markers to that."""
    messages = Message.objects.for_user(user.pk).filter(conversation=OuterRef("pk")).order_by()
    last = messages.values("conversation").annotate(last=Max("number")).values("last")
    conversations = Conversation.objects.for_user(user.pk)
    conversations.update(last_number=Coalesce(Subquery(last), 0))
    read = ("reflected_up_to", "compacted_up_to", "topics_up_to")
    conversations.update(**{name: Least(F(name), F("last_number")) for name in read})


def _keep_private(user: User) -> None:
    """Mark messages of private conversations confidential, and delete their topics."""
    private = Conversation.objects.for_user(user.pk).filter(privacy=Conversation.Privacy.PRIVATE)
    Message.objects.for_user(user.pk).filter(conversation__in=private).update(confidential=True)
    ConversationTopic.objects.filter(user_id=user.pk, conversation__in=private).delete()


def _match_conflicts(user: User) -> None:
    """Dismiss conflicts without two live sides, and set aside challengers without a conflict."""
    entries = Contradiction.objects.filter(user_id=user.pk)
    opened = entries.filter(status=Contradiction.Status.OPEN)
    sides = Q(old_fact__status=Status.CURRENT, new_fact__status=Status.CHALLENGER)
    invalid = list(opened.exclude(sides).values_list("pk", flat=True))
    entries.filter(pk__in=invalid).update(status=Contradiction.Status.DISMISSED)
    set_aside_challengers(user.pk, but=set(opened.values_list("new_fact", flat=True)))


def _enqueue_what_waits(user: User) -> None:
    """Enqueue learning from unread messages, and deletion of temporary conversations."""
    unread = Message.objects.for_user(user.pk).filter(role=Message.Role.USER, learned_at=None)
    unread = unread.exclude(state=Message.State.REMOVED).order_by("said_at", "number")
    passing = Conversation.objects.for_user(user.pk).filter(temporary=True)
    waiting = [
        *(DueWork(message_learning.KIND, key) for key in unread.values_list("pk", flat=True)),
        *(DueWork(vanishing.KIND, key) for key in passing.values_list("pk", flat=True)),
    ]
    work.enqueue_all(user, waiting)
