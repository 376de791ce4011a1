"""Rows of an earlier store that become conversations and messages."""

from datetime import datetime
from uuid import UUID

from django.utils.timezone import now

from conversations.models import Conversation, Message
from conversations.titles import title_from
from privacy.legacy import rows
from privacy.legacy.batches import BEGINNING, THREAD, UNDER_WAY, Batch, name_of
from privacy.legacy.rows import SourceRow, key_made, moment_of, text_of
from privacy.models import LegacyRow
from privacy.restoring import tables
from privacy.restoring.writing import insert_as_they_are

Kind = LegacyRow.Kind
_TITLE_LENGTH = 120


class ConversationRows:
    """Makes conversations and messages of the rows of one batch."""

    def __init__(self, batch: Batch) -> None:
        self.batch = batch
        self._said: dict[UUID, dict[str, UUID]] = {}

    def bring_conversation(self, row: SourceRow) -> None:
        """Make a conversation with its title and times; one without a message is one as well."""
        record = self.batch.record(row, Kind.CONVERSATION)
        conversation = self.conversation_of(row, record)
        began = moment_of(row.original, "started_at")
        ended = moment_of(row.original, "last_activity")
        if conversation.last_number == 0:
            conversation.started_at = began or conversation.started_at
            conversation.last_at = ended or began or conversation.last_at
        if title := text_of(row.original, "title"):
            conversation.title = title[:_TITLE_LENGTH]
            tables.mend(conversation)

    def bring_interaction(self, row: SourceRow) -> LegacyRow:
        """Make two messages of one time: what was said, and what was answered."""
        said, answered = row.said, row.answered
        record = self.batch.record(row, Kind.MESSAGES if said or answered else Kind.EMPTY)
        conversation = self.conversation_of(row, record)
        record.said_at = said_at(row, conversation)
        if said:
            self.add_message(record, conversation, Message.Role.USER, said)
        if answered:
            self.add_message(record, conversation, Message.Role.ASSISTANT, answered)
        return record

    def keep(self, row: SourceRow) -> None:
        """Keep a row of which nothing is made, with its conversation where its file names one."""
        record = self.batch.record(row, Kind.KEPT)
        record.said_at = moment_of(row.original)
        if row.thread:
            self.conversation_of(row, record)

    def message_with(self, record: LegacyRow, conversation: Conversation, text: str) -> UUID:
        """Return the user's message with these words: of an interaction, or a new one."""
        said = self._said_in(conversation).get(text)
        if said is None:
            return self.add_message(record, conversation, Message.Role.USER, text)
        record.joined.append(f"{Message._meta.label_lower} {said}")
        return said

    def add_message(
        self, record: LegacyRow, conversation: Conversation, role: Message.Role, content: str
    ) -> UUID:
        """Append a message to a conversation, with the time of its record; returns its key."""
        assert record.said_at is not None
        conversation.last_number += 1
        message = Message(
            pk=key_made(record.pk, role),
            user=self.batch.user,
            conversation=conversation,
            number=conversation.last_number,
            role=role,
            content=content,
            said_at=record.said_at,
            learned_at=now() if role == Message.Role.USER else None,
        )
        self.batch.messages[message.pk] = message
        record.made.append(name_of(message))
        _extend(conversation, record.said_at)
        if role == Message.Role.USER:
            if conversation.pk in self._said:
                self._said[conversation.pk].setdefault(content, message.pk)
            if not conversation.title:
                conversation.title = title_from(content, record.said_at)
        return message.pk

    def conversation_of(self, row: SourceRow, record: LegacyRow) -> Conversation:
        """Return the conversation of a row, locked; begun where this is its first."""
        thread = row.thread or text_of(row.original, "conversation_id", "thread_id")
        # The files of one thread are one conversation; ids of other stores are their own.
        source = THREAD if row.thread else row.source
        original_id = rows.short_id(thread or "(none)")
        marker = rows.key_of(self.batch.user.pk, source, THREAD, original_id)
        key = record.conversation = key_made(marker, THREAD)
        conversations = self.batch.conversations
        if key not in conversations:
            conversation = Conversation.objects.held(self.batch.user.pk, key)
            if conversation is None:
                conversation = self._begin(row.source, original_id, marker, key)
            conversations[key] = conversation
        return conversations[key]

    def last_before(self, message: UUID, conversation: UUID) -> list[tuple[str, str]]:
        """Return the roles and words of the two messages before one of this batch, newest first."""
        here = [
            each for each in self.batch.messages.values() if each.conversation_id == conversation
        ]
        at = next(place for place, each in enumerate(here) if each.pk == message)
        last = [(str(each.role), each.content) for each in reversed(here[max(0, at - 2) : at])]
        missing = min(2, here[at].number - 1) - len(last)
        if missing > 0:
            rows = Message.objects.for_user(self.batch.user.pk).filter(conversation=conversation)
            earlier = rows.order_by("-number").values_list("role", "content")
            last += list(earlier[:missing])
        return last

    def _said_in(self, conversation: Conversation) -> dict[str, UUID]:
        """Return what the user said in a conversation so far, by its words."""
        if conversation.pk not in self._said:
            by_owner = Message.objects.of(conversation).filter(role=Message.Role.USER)
            said = dict(by_owner.order_by("-number").values_list("content", "pk"))
            for message in self.batch.messages.values():
                if message.conversation_id == conversation.pk and message.role == Message.Role.USER:
                    said.setdefault(message.content, message.pk)
            self._said[conversation.pk] = said
        return self._said[conversation.pk]

    def _begin(self, source: str, original_id: str, marker: UUID, key: UUID) -> Conversation:
        """Begin a conversation, with the record that stands for it."""
        user = self.batch.user
        conversation = Conversation(pk=key, user=user, started_at=BEGINNING, last_at=BEGINNING)
        insert_as_they_are(Conversation, [conversation])
        columns = {
            "source": source,
            "table": THREAD,
            "original_id": original_id,
            "checksum": rows.checksum({}),
            "kind": Kind.CONVERSATION,
            "made": [name_of(conversation)],
            "conversation": key,
            "schema_version": UNDER_WAY,
            "redacted_at": None,
        }
        # It may be there, of a conversation that its owner deleted since.
        LegacyRow.objects.update_or_create(pk=marker, user=user, defaults=columns)
        return conversation


def said_at(row: SourceRow, conversation: Conversation) -> datetime:
    """Return when a row was said; where no time can be read, that of the message before it."""
    return moment_of(row.original) or conversation.last_at


def _extend(conversation: Conversation, at: datetime) -> None:
    """Put the times of a conversation around its newest message, from which nothing is learned."""
    first = conversation.last_number == 1
    conversation.started_at = at if first else min(conversation.started_at, at)
    conversation.last_at = at if first else max(conversation.last_at, at)
    conversation.topics_up_to = conversation.reflected_up_to = conversation.last_number
