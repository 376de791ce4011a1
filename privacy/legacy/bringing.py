"""Writing the rows of an earlier store, a batch in a transaction: conversations, messages, notes.

A row whose key is there already is passed over: whoever is killed goes on where it stopped, and
twice is once. Values for the profile are only read here; `settling` compares them.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from django.utils.timezone import now

from accounts.database.owned import OwnedModel
from accounts.models import User
from conversations.models import Conversation, ConversationTopic, Message, Topic
from conversations.titles import title_from
from ledger.promotion.gates import Gates, gates_of
from memory.core import KeepingPlace
from memory.language import make_content_key, make_keyphrase_key
from memory.models import CONTENT_LENGTH, Memory, TrustChange
from memory.notes import NoteDraft
from privacy.legacy import memories, rows
from privacy.legacy.memories import LegacyMemory
from privacy.legacy.rows import SourceRow, key_made, moment_of, number_of, share_of, text_of
from privacy.models import LegacyRow
from privacy.restoring import finding, tables
from privacy.restoring.writing import insert_as_they_are

Kind = LegacyRow.Kind
THREAD = "thread"
WHOLE, UNDER_WAY = 2, 1
_TITLE_LENGTH, _NAME_LENGTH = 120, 80
_BEGINNING = datetime(1970, 1, 1, tzinfo=UTC)


def name_of(row: OwnedModel) -> str:
    """'conversations.message 0190…': how a row names what was made of it."""
    return f"{row._meta.label_lower} {row.pk}"


@dataclass
class _Made:
    """What a batch adds, in the order in which it is written."""

    messages: list[Message] = field(default_factory=list)
    others: list[OwnedModel] = field(default_factory=list)
    kept: list[LegacyRow] = field(default_factory=list)


class BatchWriter:
    """One batch of rows, in the person's open block. `changed` counts rows that are not as they
    were when they were brought: those stay as they are here.
    """

    def __init__(self, user: User) -> None:
        self.user = user
        self.gates: Gates = gates_of(user.pk, "")
        self.changed = 0
        self._made = _Made()
        self._talks: dict[UUID, Conversation] = {}
        self._said: dict[UUID, dict[str, UUID]] = {}
        self._note_keys: dict[str, Memory] = {}

    def write(self, batch: Sequence[SourceRow]) -> int:
        """Bring those that are not here yet; returns how many that were."""
        keys = [row.key(self.user.pk) for row in batch]
        known = LegacyRow.objects.filter(user=self.user, pk__in=keys)
        there = dict(known.values_list("pk", "checksum"))
        new = [row for row, key in zip(batch, keys, strict=True) if key not in there]
        self.changed += sum(
            there[key] != row.checksum for row, key in zip(batch, keys, strict=True) if key in there
        )
        self._look_up_notes(new)
        for row in new:
            bring = _BY_TABLE.get(row.table, BatchWriter._keep)
            bring(self, row)
        self._insert()
        return len(new)

    # --- Conversations and messages ---------------------------------------------------------------

    def _conversation_row(self, row: SourceRow) -> None:
        """Its title and its times; a conversation without a message is one as well."""
        told = self._kept(row, Kind.CONVERSATION)
        talk = self._talk(row, told)
        began = moment_of(row.original, "started_at")
        ended = moment_of(row.original, "last_activity")
        if talk.last_number == 0:
            talk.started_at = began or talk.started_at
            talk.last_at = ended or began or talk.last_at
        if title := text_of(row.original, "title"):
            talk.title = title[:_TITLE_LENGTH]
            tables.mend(talk)

    def _memory_row(self, row: SourceRow) -> None:
        """A memory of a thread, or an exchange: the columns say which."""
        if {"text", "memory_id"} & set(row.original):
            self._memory(row)
        else:
            self._exchange(row)

    def _exchange(self, row: SourceRow) -> None:
        """What was said and what was answered, two messages of one time."""
        said, answered = row.said, row.answered
        told = self._kept(row, Kind.MESSAGES if said or answered else Kind.EMPTY)
        talk = self._talk(row, told)
        told.said_at = self._time(row, talk)
        if said:
            self._message(told, talk, Message.Role.USER, said)
        if answered:
            self._message(told, talk, Message.Role.ASSISTANT, answered)

    def _memory(self, row: SourceRow) -> None:
        """What its person said is a message of its thread; beside that a value, or a note."""
        memory = memories.from_original(row.original)
        told = self._kept(row, Kind.NOTE if memory.text else Kind.EMPTY)
        talk = self._talk(row, told)
        told.said_at = self._time(row, talk)
        if not memory.text:
            return
        message = self._message_of(told, talk, memory) if memory.by_owner else None
        found = memories.value_of(memory, self.gates)
        if found is not None:
            candidate, decision = found
            if decision.place in (KeepingPlace.NOWHERE, KeepingPlace.CONVERSATION):
                told.kind, told.why = Kind.WITHHELD, decision.reason.code
                return
            if decision.place == KeepingPlace.PROFILE:
                told.kind = Kind.READ
                told.slot, told.value = candidate.slot, candidate.value[:500]
                return
        self._note(told, memory, message)

    def _message_of(self, told: LegacyRow, talk: Conversation, memory: LegacyMemory) -> UUID:
        """The message that says it: of an exchange with the same words, or one of its own."""
        said = self._said_in(talk).get(memory.text)
        if said is None:
            return self._message(told, talk, Message.Role.USER, memory.text)
        told.joined.append(f"{Message._meta.label_lower} {said}")
        return said

    def _message(
        self, told: LegacyRow, talk: Conversation, role: Message.Role, content: str
    ) -> UUID:
        assert told.said_at is not None
        talk.last_number += 1
        message = Message(
            pk=key_made(told.pk, role),
            user=self.user,
            conversation=talk,
            number=talk.last_number,
            role=role,
            content=content,
            said_at=told.said_at,
            learned_at=now() if role == Message.Role.USER else None,
        )
        self._made.messages.append(message)
        told.made.append(name_of(message))
        first = talk.last_number == 1
        talk.started_at = min(talk.started_at, told.said_at) if not first else told.said_at
        talk.last_at = max(talk.last_at, told.said_at) if not first else told.said_at
        talk.topics_up_to = talk.reflected_up_to = talk.last_number
        if role == Message.Role.USER:
            if talk.pk in self._said:
                self._said[talk.pk].setdefault(content, message.pk)
            if not talk.title:
                talk.title = title_from(content, told.said_at)
        return message.pk

    def _said_in(self, talk: Conversation) -> dict[str, UUID]:
        """What was said in a conversation so far, by its words."""
        if talk.pk not in self._said:
            by_owner = Message.objects.of(talk).filter(role=Message.Role.USER)
            said = dict(by_owner.order_by("-number").values_list("content", "pk"))
            for message in self._made.messages:
                if message.conversation_id == talk.pk and message.role == Message.Role.USER:
                    said.setdefault(message.content, message.pk)
            self._said[talk.pk] = said
        return self._said[talk.pk]

    def _time(self, row: SourceRow, talk: Conversation) -> datetime:
        """When it was said; where no time can be read, as the message before it."""
        return moment_of(row.original) or talk.last_at

    def _talk(self, row: SourceRow, told: LegacyRow) -> Conversation:
        """The conversation of a row, held; begun where this is its first."""
        thread = row.thread or text_of(row.original, "conversation_id", "thread_id")
        # The files of one thread are one conversation; ids of other stores are their own.
        source = THREAD if row.thread else row.source
        original_id = rows.short_id(thread or "(none)")
        stands = rows.key_of(self.user.pk, source, THREAD, original_id)
        key = told.conversation = key_made(stands, THREAD)
        if key not in self._talks:
            talk = Conversation.objects.held(self.user.pk, key)
            if talk is None:
                talk = self._begin(row.source, original_id, stands, key)
            self._talks[key] = talk
        return self._talks[key]

    def _begin(self, source: str, original_id: str, stands: UUID, key: UUID) -> Conversation:
        talk = Conversation(pk=key, user=self.user, started_at=_BEGINNING, last_at=_BEGINNING)
        insert_as_they_are(Conversation, [talk])
        told = {
            "source": source,
            "table": THREAD,
            "original_id": original_id,
            "checksum": rows.checksum({}),
            "kind": Kind.CONVERSATION,
            "made": [name_of(talk)],
            "conversation": key,
            "schema_version": UNDER_WAY,
            "redacted_at": None,
        }
        # It may stand here of one that its owner deleted since.
        LegacyRow.objects.update_or_create(pk=stands, user=self.user, defaults=told)
        return talk

    # --- Notes ------------------------------------------------------------------------------------

    def _note(self, told: LegacyRow, memory: LegacyMemory, message: UUID | None) -> None:
        assert told.said_at is not None
        passed = memories.note_of(memory, self.user.pk, told.said_at, self.gates.allowed)
        if isinstance(passed, str):
            told.kind, told.why = Kind.WITHHELD, passed
            return
        draft, place = passed
        note = self._as_note(told, draft, message)
        if place == KeepingPlace.WAITS:
            note.status = Memory.Status.WAITING
        if memory.deprecated:
            told.kind, note.status = Kind.EARLIER, Memory.Status.SUPERSEDED
            note.ended_at = told.said_at
        tables.mend(note)
        same = self._note_keys.get(note.content_key)
        if note.status == Memory.Status.ACTIVE and same is not None:
            told.kind = Kind.SAME_NOTE
            told.joined.append(name_of(same))
            return
        if note.status == Memory.Status.ACTIVE:
            self._note_keys[note.content_key] = note
        self._made.others.append(note)
        told.made.append(name_of(note))

    def _as_note(self, told: LegacyRow, draft: NoteDraft, message: UUID | None) -> Memory:
        assert told.said_at is not None
        at = now()
        return Memory(
            pk=key_made(told.pk, "note"),
            user=self.user,
            kind=draft.kind,
            category=draft.category,
            priority=draft.priority,
            content=draft.content,
            mode=draft.mode,
            original=draft.original,
            significance=draft.significance,
            trust=draft.trust,
            confidence=draft.confidence,
            source=draft.source,
            origin=draft.origin,
            source_conversation_id=told.conversation,
            source_message_id=message,
            said_at=told.said_at,
            happened_on=draft.happened_on,
            created_at=at,
            updated_at=at,
        )

    def _look_up_notes(self, batch: Iterable[SourceRow]) -> None:
        """The notes in use that say what a row of the batch says."""
        words = (" ".join(text_of(row.original, "text").split()) for row in batch)
        keys = {make_content_key(text)[:CONTENT_LENGTH] for text in words if text}
        notes = Memory.objects.for_user(self.user.pk).active().filter(content_key__in=keys)
        for note in notes.exclude(category=Memory.Category.SUMMARY):
            self._note_keys[note.content_key] = note

    # --- Topics, summaries, trust -----------------------------------------------------------------

    def _topic_row(self, row: SourceRow) -> None:
        name = text_of(row.original, "name", "topic_name", "topic")[:_NAME_LENGTH]
        told = self._kept(row, Kind.TOPIC if name else Kind.EMPTY)
        if not name:
            return
        key = make_keyphrase_key(name)[:_NAME_LENGTH] or name.lower()
        topic = Topic.objects.filter(user=self.user, key=key).first()
        if topic is not None:
            told.joined.append(name_of(topic))
            return
        at = moment_of(row.original, "created_at") or now()
        topic = Topic(pk=key_made(told.pk, "topic"), user=self.user, name=name, created_at=at)
        topic.key = key
        tables.mend(topic)
        insert_as_they_are(Topic, [topic])
        told.made.append(name_of(topic))

    def _topic_link(self, row: SourceRow) -> None:
        """That a conversation is about a topic; kept as it was where one of them is missing."""
        told = self._kept(row, Kind.TOPIC_LINK)
        topic = self._topic_of(row)
        talk = self._talk(row, told) if text_of(row.original, "conversation_id") else None
        if topic is None or talk is None:
            told.kind = Kind.KEPT
            return
        links = ConversationTopic.objects.filter(user=self.user, conversation=talk, topic=topic)
        if (there := links.first()) is not None:
            told.joined.append(name_of(there))
            return
        messages = max(1, number_of(row.original, "topic_count"))
        link = ConversationTopic(
            pk=key_made(told.pk, "link"),
            user=self.user,
            conversation=talk,
            topic=topic,
            weight=min(1.0, messages / max(1, talk.last_number)),
            messages=messages,
            first_at=moment_of(row.original, "first_mentioned") or talk.started_at,
            last_at=moment_of(row.original, "last_mentioned") or talk.last_at,
        )
        insert_as_they_are(ConversationTopic, [link])
        told.made.append(name_of(link))

    def _message_topic(self, row: SourceRow) -> None:
        """That an exchange is about a topic: both are named, as far as they are here."""
        told = self._kept(row, Kind.TOPIC_LINK)
        exchange = self._line_of(row, "memories", text_of(row.original, "interaction_id"))
        topic = self._topic_of(row)
        if exchange is None or topic is None:
            told.kind = Kind.KEPT
            return
        told.conversation = exchange.conversation
        told.joined += [*exchange.made, name_of(topic)]

    def _topic_of(self, row: SourceRow) -> Topic | None:
        line = self._line_of(row, "topics", text_of(row.original, "topic_id"))
        names = (*line.made, *line.joined) if line else ()
        keys = [UUID(name.split(" ")[1]) for name in names]
        return Topic.objects.filter(user=self.user, pk__in=keys).first()

    def _summary(self, row: SourceRow) -> None:
        """A running summary; the latest is that of its conversation, if it counts as it did."""
        told = self._kept(row, Kind.KEPT)
        talk = self._talk(row, told)
        up_to = number_of(row.original, "messages_up_to")
        summary = text_of(row.original, "compact_summary")
        counts = talk.last_number == 2 * self._exchanges_of(talk)
        if summary and counts and talk.compacted_up_to < up_to <= talk.last_number:
            talk.compact_summary, talk.compacted_up_to = summary, up_to
            tables.mend(talk)
            told.kind = Kind.SUMMARY

    def _exchanges_of(self, talk: Conversation) -> int:
        """How many rows of exchanges were brought into a conversation, this batch included."""
        kinds = (Kind.MESSAGES, Kind.EMPTY)
        lines = LegacyRow.objects.filter(user=self.user, conversation=talk.pk, kind__in=kinds)
        here = (one for one in self._made.kept if one.conversation == talk.pk)
        return lines.count() + sum(one.kind in kinds for one in here)

    def _trust(self, row: SourceRow) -> None:
        """A line about what became a fact or a note; others are kept as they were."""
        told = self._kept(row, Kind.KEPT)
        line = self._line_of(row, "memories", text_of(row.original, "memory_id"))
        before = share_of(row.original, "old_trust", -1.0)
        after = share_of(row.original, "new_trust", -1.0)
        made = [name.split(" ") for name in line.made] if line else []
        fields = {"memory.profilefact": "fact_id", "memory.memory": "memory_id"}
        about = {fields[label]: key for label, key in made if label in fields}
        if not about or min(before, after) < 0 or line is None:
            return
        told.kind, told.conversation = Kind.TRUST, line.conversation
        told.said_at = at = moment_of(row.original) or line.said_at or now()
        change = TrustChange(
            pk=key_made(told.pk, "trust"),
            user=self.user,
            before=before,
            after=after,
            cause=TrustChange.Cause.AGREEMENT if after >= before else TrustChange.Cause.DRIFT,
            at=at,
            **about,
        )
        self._made.others.append(change)
        told.made.append(name_of(change))

    def _line_of(self, row: SourceRow, table: str, original_id: str) -> LegacyRow | None:
        key = rows.key_of(self.user.pk, row.source, table, rows.short_id(original_id))
        here = (line for line in self._made.kept if line.pk == key)
        return next(here, None) or LegacyRow.objects.filter(user=self.user, pk=key).first()

    # --- All of it --------------------------------------------------------------------------------

    def _keep(self, row: SourceRow) -> None:
        """A row of which nothing is made; of a thread's file it belongs to its conversation."""
        told = self._kept(row, Kind.KEPT)
        told.said_at = moment_of(row.original)
        if row.thread:
            self._talk(row, told)

    def _kept(self, row: SourceRow, kind: LegacyRow.Kind) -> LegacyRow:
        line = LegacyRow(
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
        self._made.kept.append(line)
        return line

    def _insert(self) -> None:
        made = self._made
        for talk in self._talks.values():
            talk.save()
        _insert_by_model([*made.messages, *made.others, *made.kept])
        if made.messages:
            found = {message.pk: True for message in made.messages}
            finding.index_messages(self.user.pk, found)
        self._made = _Made()


def _insert_by_model(made: Iterable[OwnedModel]) -> None:
    by_model: dict[type[OwnedModel], list[OwnedModel]] = {}
    for row in made:
        by_model.setdefault(type(row), []).append(row)
    for model, several in by_model.items():
        insert_as_they_are(model, several)


_BY_TABLE: dict[str, Any] = {
    "conversations": BatchWriter._conversation_row,
    "memories": BatchWriter._memory_row,
    "interaction_logs": BatchWriter._exchange,
    "topics": BatchWriter._topic_row,
    "conversation_topics": BatchWriter._topic_link,
    "memory_topics": BatchWriter._message_topic,
    "conversation_compacts": BatchWriter._summary,
    "trust_log": BatchWriter._trust,
}
