"""Converting rows of an earlier store to conversations, messages, topics and summaries."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import chain
from uuid import UUID

from django.utils.timezone import now

from accounts.database.owned import OwnedModel
from accounts.models import User
from conversations.learning import indexing
from conversations.models import Conversation, ConversationTopic, Message, Topic
from conversations.privacy import hide_what_is_told
from conversations.titles import title_from
from ledger.promotion.gates import Gates
from memory.language.reading import Reading, read_text
from memory.language.text.keyphrases import make_keyphrase_key
from privacy.legacy.stores import (
    SourceRow,
    checksum,
    key_made,
    key_of,
    moment_of,
    number_of,
    short_id,
    text_of,
)
from privacy.models import LegacyRow
from privacy.restoring import making, tables
from privacy.restoring.writing import insert_as_they_are

THREAD = "thread"
"""The table of the rows that stand for a conversation: they are in no file."""
VALUE = "value"
"""The table of the rows that stand for a value said in an interaction: they are in no file."""
WHOLE, UNDER_WAY = 2, 1
BEGINNING = datetime(1970, 1, 1, tzinfo=UTC)


def name_of(row: OwnedModel) -> str:
    """Return a row's name in a LegacyRow: model label and key, as 'conversations.message 0190…'."""
    return f"{row._meta.label_lower} {row.pk}"


def keys_by_label(made: Iterable[Iterable[str]]) -> dict[str, list[UUID]]:
    """Return the keys by model label, from lists of names such as 'conversations.message 0190…'."""
    keys: dict[str, list[UUID]] = {}
    for name in chain.from_iterable(made):
        label, key = name.split(" ")
        keys.setdefault(label, []).append(UUID(key))
    return keys


@dataclass
class Batch:
    """The rows that a batch adds, in the order in which they are inserted."""

    user: User
    gates: Gates
    messages: dict[UUID, Message] = field(default_factory=dict)
    others: list[OwnedModel] = field(default_factory=list)
    records: list[LegacyRow] = field(default_factory=list)
    conversations: dict[UUID, Conversation] = field(default_factory=dict)

    def record(self, row: SourceRow, kind: LegacyRow.Kind) -> LegacyRow:
        """Add the LegacyRow of a row: its origin, checksum and original."""
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
        """Return the LegacyRow of another row of the same file, None if not migrated yet."""
        key = key_of(self.user.pk, row.source, table, short_id(original_id))
        here = (record for record in self.records if record.pk == key)
        return next(here, None) or LegacyRow.objects.filter(user=self.user, pk=key).first()

    def reading_of(self, message: UUID | None, text: str) -> Reading:
        """Return the reading of a text, cached by the message of this batch that contains it."""
        said = self.messages.get(message) if message else None
        return said.reading if said is not None and said.content == text else read_text(text)

    def insert(self) -> None:
        """Insert all added rows, and index their messages."""
        messages = list(self.messages.values())
        confidential = [message for message in messages if making.read_message(message)]
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


Kind = LegacyRow.Kind
_TITLE_LENGTH = 120


class ConversationRows:
    """Makes conversations and messages from the rows of one batch."""

    def __init__(self, batch: Batch) -> None:
        self.batch = batch
        self._said: dict[UUID, dict[str, UUID]] = {}

    def bring_conversation(self, row: SourceRow) -> None:
        """Make a conversation with its title and times, even if it has no messages."""
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
        """Make two messages with the same time: the user's and the answer."""
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
        """Store only the LegacyRow of a row, with its conversation if its file names one."""
        record = self.batch.record(row, Kind.KEPT)
        record.said_at = moment_of(row.original)
        if row.thread:
            self.conversation_of(row, record)

    def message_with(self, record: LegacyRow, conversation: Conversation, text: str) -> UUID:
        """Return the key of the user's message with this text: an existing one, or a new one."""
        said = self._said_in(conversation).get(text)
        if said is None:
            return self.add_message(record, conversation, Message.Role.USER, text)
        record.joined.append(f"{Message._meta.label_lower} {said}")
        return said

    def add_message(
        self, record: LegacyRow, conversation: Conversation, role: Message.Role, content: str
    ) -> UUID:
        """Append a message to a conversation, with the time of its record; return its key."""
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
        """Return the conversation of a row, locked; created if it does not exist."""
        thread = row.thread or text_of(row.original, "conversation_id", "thread_id")
        # The files of one thread are one conversation; other stores have ids of their own.
        source = THREAD if row.thread else row.source
        original_id = short_id(thread or "(none)")
        marker = key_of(self.batch.user.pk, source, THREAD, original_id)
        key = record.conversation = key_made(marker, THREAD)
        conversations = self.batch.conversations
        if key not in conversations:
            conversation = Conversation.objects.held(self.batch.user.pk, key)
            if conversation is None:
                conversation = self._begin(row.source, original_id, marker, key)
            conversations[key] = conversation
        return conversations[key]

    def last_before(self, message: UUID, conversation: UUID) -> list[tuple[str, str]]:
        """Return role and text of the two messages before one of this batch, newest first."""
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
        """Return the keys of the user's messages in a conversation, by their text."""
        if conversation.pk not in self._said:
            by_owner = Message.objects.of(conversation).filter(role=Message.Role.USER)
            said = dict(by_owner.order_by("-number").values_list("content", "pk"))
            for message in self.batch.messages.values():
                if message.conversation_id == conversation.pk and message.role == Message.Role.USER:
                    said.setdefault(message.content, message.pk)
            self._said[conversation.pk] = said
        return self._said[conversation.pk]

    def _begin(self, source: str, original_id: str, marker: UUID, key: UUID) -> Conversation:
        """Create a conversation, with the LegacyRow that represents it."""
        user = self.batch.user
        conversation = Conversation(pk=key, user=user, started_at=BEGINNING, last_at=BEGINNING)
        insert_as_they_are(Conversation, [conversation])
        columns = {
            "source": source,
            "table": THREAD,
            "original_id": original_id,
            "checksum": checksum({}),
            "kind": Kind.CONVERSATION,
            "made": [name_of(conversation)],
            "conversation": key,
            "schema_version": UNDER_WAY,
            "redacted_at": None,
        }
        # The link may exist, if its conversation was deleted by the user since.
        LegacyRow.objects.update_or_create(pk=marker, user=user, defaults=columns)
        return conversation


def said_at(row: SourceRow, conversation: Conversation) -> datetime:
    """Return when a row was said; if it has no readable time, that of the previous message."""
    return moment_of(row.original) or conversation.last_at


def _extend(conversation: Conversation, at: datetime) -> None:
    """Update the times of a conversation for its newest message, which is not learned from."""
    first = conversation.last_number == 1
    conversation.started_at = at if first else min(conversation.started_at, at)
    conversation.last_at = at if first else max(conversation.last_at, at)
    conversation.topics_up_to = conversation.reflected_up_to = conversation.last_number


_NAME_LENGTH = 80


class TopicRows:
    """Makes topics and summaries from the rows of one batch."""

    def __init__(self, batch: Batch, conversations: ConversationRows) -> None:
        self.batch = batch
        self._conversations = conversations

    def bring_topic(self, row: SourceRow) -> None:
        """Make a topic, or use the existing one of the same name."""
        name = text_of(row.original, "name", "topic_name", "topic")[:_NAME_LENGTH]
        record = self.batch.record(row, Kind.TOPIC if name else Kind.EMPTY)
        if not name:
            return
        key = make_keyphrase_key(name)[:_NAME_LENGTH] or name.lower()
        user = self.batch.user
        topic = Topic.objects.filter(user=user, key=key).first()
        if topic is not None:
            record.joined.append(name_of(topic))
            return
        at = moment_of(row.original, "created_at") or now()
        topic = Topic(pk=key_made(record.pk, "topic"), user=user, name=name, created_at=at)
        topic.key = key
        tables.mend(topic)
        insert_as_they_are(Topic, [topic])
        record.made.append(name_of(topic))

    def link_conversation(self, row: SourceRow) -> None:
        """Link a conversation to a topic; only record the row if one of them is missing."""
        record = self.batch.record(row, Kind.TOPIC_LINK)
        topic = self._topic_of(row)
        conversation = None
        if text_of(row.original, "conversation_id"):
            conversation = self._conversations.conversation_of(row, record)
        if topic is None or conversation is None:
            record.kind = Kind.KEPT
            return
        user = self.batch.user
        links = ConversationTopic.objects.filter(user=user, conversation=conversation, topic=topic)
        if (known := links.first()) is not None:
            record.joined.append(name_of(known))
            return
        messages = max(1, number_of(row.original, "topic_count"))
        link = ConversationTopic(
            pk=key_made(record.pk, "link"),
            user=user,
            conversation=conversation,
            topic=topic,
            weight=min(1.0, messages / max(1, conversation.last_number)),
            messages=messages,
            first_at=moment_of(row.original, "first_mentioned") or conversation.started_at,
            last_at=moment_of(row.original, "last_mentioned") or conversation.last_at,
        )
        insert_as_they_are(ConversationTopic, [link])
        record.made.append(name_of(link))

    def link_interaction(self, row: SourceRow) -> None:
        """Record the messages of an interaction in the LegacyRow of its topic link."""
        record = self.batch.record(row, Kind.TOPIC_LINK)
        interaction_id = text_of(row.original, "interaction_id")
        interaction = self.batch.record_of(row, "memories", interaction_id)
        topic = self._topic_of(row)
        if interaction is None or topic is None:
            record.kind = Kind.KEPT
            return
        record.conversation = interaction.conversation
        record.joined += [*interaction.made, name_of(topic)]

    def bring_summary(self, row: SourceRow) -> None:
        """Store a running summary; the latest becomes its conversation's if its counts match."""
        record = self.batch.record(row, Kind.KEPT)
        conversation = self._conversations.conversation_of(row, record)
        up_to = number_of(row.original, "messages_up_to")
        summary = text_of(row.original, "compact_summary")
        counts = conversation.last_number == 2 * self._interactions_of(conversation)
        newer = conversation.compacted_up_to < up_to <= conversation.last_number
        if summary and counts and newer:
            conversation.compact_summary, conversation.compacted_up_to = summary, up_to
            tables.mend(conversation)
            record.kind = Kind.SUMMARY

    def _topic_of(self, row: SourceRow) -> Topic | None:
        record = self.batch.record_of(row, "topics", text_of(row.original, "topic_id"))
        names = (*record.made, *record.joined) if record else ()
        keys = [UUID(name.split(" ")[1]) for name in names]
        return Topic.objects.filter(user=self.batch.user, pk__in=keys).first()

    def _interactions_of(self, conversation: Conversation) -> int:
        """Return how many interactions a conversation got, including those of this batch."""
        kinds, user = (Kind.MESSAGES, Kind.EMPTY), self.batch.user
        before = LegacyRow.objects.filter(user=user, conversation=conversation.pk, kind__in=kinds)
        here = (record for record in self.batch.records if record.conversation == conversation.pk)
        return before.count() + sum(record.kind in kinds for record in here)
