"""What one batch of rows of an earlier store adds, and writing it, in the person's open block."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from uuid import UUID

from accounts.database.owned import OwnedModel
from accounts.models import User
from conversations.learning import indexing
from conversations.models import Conversation, Message
from conversations.privacy import hide_what_is_told
from ledger.promotion.gates import Gates
from memory.language import Reading, read_text
from privacy.legacy import rows
from privacy.legacy.rows import SourceRow
from privacy.models import LegacyRow
from privacy.restoring import finding
from privacy.restoring.writing import insert_as_they_are

THREAD = "thread"
"""The table of the rows that stand for a conversation: they are in no file."""
VALUE = "value"
"""The table of the rows that stand for a value said in an interaction: they are in no file."""
WHOLE, UNDER_WAY = 2, 1
BEGINNING = datetime(1970, 1, 1, tzinfo=UTC)


def name_of(row: OwnedModel) -> str:
    """Return how a legacy row names what was made of it: 'conversations.message 0190…'."""
    return f"{row._meta.label_lower} {row.pk}"


@dataclass
class Batch:
    """The rows that a batch adds, in the order in which they are written at its end."""

    user: User
    gates: Gates
    messages: dict[UUID, Message] = field(default_factory=dict)
    others: list[OwnedModel] = field(default_factory=list)
    records: list[LegacyRow] = field(default_factory=list)
    conversations: dict[UUID, Conversation] = field(default_factory=dict)

    def record(self, row: SourceRow, kind: LegacyRow.Kind) -> LegacyRow:
        """Add the record of a row: where it came from, its checksum and its original."""
        record = LegacyRow(
            pk=row.key(self.user.pk),
            user=self.user,
            source=row.source,
            table=row.table[:80],
            original_id=row.original_id,
            place=row.place,
            checksum=row.checksum,
            kind=kind,
            original=dict(row.original),
        )
        self.records.append(record)
        return record

    def record_of(self, row: SourceRow, table: str, original_id: str) -> LegacyRow | None:
        """Return the record of another row of the same file, of this batch or an earlier one."""
        key = rows.key_of(self.user.pk, row.source, table, rows.short_id(original_id))
        here = (record for record in self.records if record.pk == key)
        return next(here, None) or LegacyRow.objects.filter(user=self.user, pk=key).first()

    def reading_of(self, message: UUID | None, text: str) -> Reading:
        """Return the reading of a text, shared with the message of this batch that says it."""
        said = self.messages.get(message) if message else None
        return said.reading if said is not None and said.content == text else read_text(text)

    def insert(self) -> None:
        """Write all that was added, and make its messages findable."""
        messages = list(self.messages.values())
        confidential = [message for message in messages if finding.read_message(message)]
        for conversation in self.conversations.values():
            conversation.save()
        _insert_by_model([*messages, *self.others, *self.records])
        for message in confidential:
            hide_what_is_told(message.conversation, message)
        indexing.index_again(messages)


def _insert_by_model(made: Iterable[OwnedModel]) -> None:
    by_model: dict[type[OwnedModel], list[OwnedModel]] = {}
    for row in made:
        by_model.setdefault(type(row), []).append(row)
    for model, several in by_model.items():
        insert_as_they_are(model, several)
