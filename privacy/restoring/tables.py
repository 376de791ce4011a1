"""Which tables of an export are restored, and which fields are computed anew.

Fields that affect search, prompts or confidentiality are computed by the usual rules, never copied:
an export can make a mark stricter but not looser. Secrets are masked.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, cast

from accounts.database.owned import OwnedModel
from accounts.models import AuditEvent
from conversations.models import Conversation, Message, Topic
from ledger.models import Contradiction, Resolution
from memory.facts.restored_facts import complete_restored_fact
from memory.language.safety.claims import find_claim
from memory.language.safety.guard import explain_refusal
from memory.language.safety.secrets import mask_secrets
from memory.language.text.dedup import make_content_key
from memory.language.text.terms import meaning_vectors
from memory.manager import BLOCK_LIMITS
from memory.models import (
    CONTENT_LENGTH,
    BlockVersion,
    Memory,
    MemoryBlock,
    Override,
)
from memory.notes.note_store import findable_columns
from privacy import parts
from privacy.models import RestoredLine

CUT = "This was still being written when the copy was made."
# Tables not restored, since they concern sharing with others, train shared classifiers, log
# erasures, or would send data elsewhere.
NOT_TAKEN = (
    *parts.PARTS["sharing"].tables,
    "ledger.decision",
    "ledger.erasure",
    "privacy.legacyrow",
    "webhooks.webhookendpoint",
)
# Tables restored by their usual operations, see `writing`.
BY_OPERATION = (
    "accounts.privacysettings",
    "memory.registerednamespace",
    "memory.namespaceconsent",
    "memory.namespaceentry",
)
# Tables that may have rows in a new account, which stay; and the field that identifies a row.
MAY_BE_THERE = {"memory.quality": "day", "memory.blockedslot": "slot"}
_IN_USE = (Memory.Status.ACTIVE, Memory.Status.WAITING, Memory.Status.PAUSED)


@dataclass(frozen=True)
class Table:
    """A restored table: its model, and the function that corrects each row before it is written."""

    name: str
    mend: Callable[[Any], None] | None = None
    model: type[OwnedModel] | None = None

    @property
    def into(self) -> type[OwnedModel]:
        """Return the model of the table's rows."""
        return self.model or cast("type[OwnedModel]", parts.model_of(self.name))

    @property
    def part(self) -> str:
        """Return the part of an export that contains the table."""
        return next(part.name for part in parts.PARTS.values() if self.name in part.tables)


def _conversation(conversation: Conversation) -> None:
    conversation.title = mask_secrets(conversation.title)
    conversation.compact_summary = mask_secrets(conversation.compact_summary)


def _message(message: Message) -> None:
    """Mark an unfinished message as cut; its text is read later, see `making`."""
    if message.in_progress:
        message.state, message.failure = Message.State.CUT, message.failure or CUT


def _note(note: Memory) -> None:
    if note.status in _IN_USE and explain_refusal(note.original or note.content):
        note.status = Memory.Status.REMOVED
    for name in ("content", "original", "value"):
        setattr(note, name, mask_secrets(getattr(note, name)))
    note.key_spans = [mask_secrets(span) for span in note.key_spans]
    note.content_key = make_content_key(note.content)[:CONTENT_LENGTH]
    claim = find_claim(note.original or note.content)
    note.claim = claim or note.claim
    if note.claim:
        note.priority = min(note.priority, Memory.Priority.NORMAL)
    lossless = note.mode == Memory.Mode.LOSSLESS or not note.original
    meaning = meaning_vectors([note.content])[0]
    found_by = findable_columns(note.content if lossless else note.original, meaning)
    for name, value in found_by.items():
        setattr(note, name, value)


def _override(override: Override) -> None:
    override.value = mask_secrets(override.value)


def _block(block: MemoryBlock) -> None:
    block.content = mask_secrets(block.content)[: BLOCK_LIMITS[block.label]]


def _block_version(version: BlockVersion) -> None:
    version.content = mask_secrets(version.content)


def _contradiction(entry: Contradiction) -> None:
    """Withdraw the request for staff help: it has to be made on this site."""
    entry.help_asked_at = None


def _resolution(answer: Resolution) -> None:
    """Replace staff as the author of a resolution, which a file cannot claim."""
    if answer.by_whom == AuditEvent.By.STAFF:
        answer.by_whom = AuditEvent.By.HOUSE


def _topic(topic: Topic) -> None:
    topic.name, topic.key = mask_secrets(topic.name), mask_secrets(topic.key)
    vector = meaning_vectors([topic.name])[0]
    topic.embedding = None if vector is None else vector.tolist()


def _line(line: RestoredLine) -> None:
    line.before, line.after = mask_secrets(line.before), mask_secrets(line.after)


# Tables that are referred to come before those that refer to them.
TABLES = (
    Table("memory.blockedslot"),
    Table("conversations.conversation", _conversation),
    Table("conversations.message", _message),
    Table("memory.profilefact", complete_restored_fact),
    Table("memory.mention"),
    Table("memory.override", _override),
    Table("memory.memory", _note),
    Table("memory.merge"),
    Table("memory.mergedmemory"),
    Table("memory.trustchange"),
    Table("memory.quality"),
    Table("memory.memoryblock", _block),
    Table("memory.blockversion", _block_version),
    Table("ledger.contradiction", _contradiction),
    Table("ledger.resolution", _resolution),
    Table("conversations.topic", _topic),
    Table("conversations.conversationtopic"),
    Table("conversations.learningoutcome"),
    Table("conversations.planmark"),
    Table(parts.AUDIT, _line, RestoredLine),
    Table("privacy.restoredline", _line),
)


def mend(row: OwnedModel) -> None:
    """Compute the fields of a foreign row that this site sets itself."""
    for table in TABLES:
        if table.into is type(row) and table.mend is not None:
            table.mend(row)


def row_of(table: Table, user_id: Any, data: dict[str, Any], copied_at: datetime) -> OwnedModel:
    """Return an unsaved row made from a row of the export, corrected."""
    columns = {field.attname for field in table.into._meta.concrete_fields}
    row = table.into(user_id=user_id, **{k: v for k, v in data.items() if k in columns})
    if isinstance(row, RestoredLine) and row.copied_at is None:
        row.copied_at = copied_at
    if table.mend is not None:
        table.mend(row)
    return row
