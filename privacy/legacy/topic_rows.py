"""Rows of an earlier store that become topics, their links and running summaries."""

from uuid import UUID

from django.utils.timezone import now

from conversations.models import Conversation, ConversationTopic, Topic
from memory.language import make_keyphrase_key
from privacy.legacy.batches import Batch, name_of
from privacy.legacy.conversation_rows import ConversationRows
from privacy.legacy.rows import SourceRow, key_made, moment_of, number_of, text_of
from privacy.models import LegacyRow
from privacy.restoring import tables
from privacy.restoring.writing import insert_as_they_are

Kind = LegacyRow.Kind
_NAME_LENGTH = 80


class TopicRows:
    """Makes topics and summaries of the rows of one batch."""

    def __init__(self, batch: Batch, conversations: ConversationRows) -> None:
        self.batch = batch
        self._conversations = conversations

    def bring_topic(self, row: SourceRow) -> None:
        """Make a topic, or join the one of the same name."""
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
        """Link a conversation to a topic; kept as it was where one of them is missing."""
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
        """Name the messages of an interaction beside a topic, as far as both are here."""
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
        """Take a running summary; the latest is its conversation's, if its numbers are right."""
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
        """Return how many interactions were brought into a conversation, this batch included."""
        kinds, user = (Kind.MESSAGES, Kind.EMPTY), self.batch.user
        before = LegacyRow.objects.filter(user=user, conversation=conversation.pk, kind__in=kinds)
        here = (record for record in self.batch.records if record.conversation == conversation.pk)
        return before.count() + sum(record.kind in kinds for record in here)
