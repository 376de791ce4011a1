"""The history that a client sends with each request, and the stored messages that it repeats.

A message that came in with a history has a key made of all the client sent up to it, in order. The
answer to it has one as soon as it is written. So the conversation that a history belongs to is
looked up by an index, and a history in which a word was changed belongs to none. A history that
lost its beginning is looked up by its last exchange.
"""

import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from uuid import UUID

from django.db.models import Q
from django.utils.crypto import salted_hmac

from conversations.models import Conversation, Message, MessageQuerySet

Role = Message.Role


class MemoryMode(StrEnum):
    """What a request does with memory: use and learn, use only, or neither (nothing is stored)."""

    ON = "on"
    READ_ONLY = "read-only"
    OFF = "off"


@dataclass(frozen=True)
class SentMessage:
    """A message of a client's history: the person's words, or an answer to them."""

    role: Message.Role
    text: str


def keys_of(history: Iterable[SentMessage], mode: MemoryMode) -> list[UUID]:
    """Return the key of each message of a history. What was said under another mode has others."""
    keys: list[UUID] = []
    last = mode.value
    for message in history:
        keys.append(_key(last, message.role, message.text))
        last = keys[-1].hex
    return keys


def key_of_answer(question: Message, text: str) -> UUID | None:
    """Return the key of the answer to a message; None where that has none."""
    if question.history_key is None:
        return None
    return _key(question.history_key.hex, Role.ASSISTANT, text)


def is_same_text(first: str, second: str) -> bool:
    """Return whether two texts are equal but for white space and Unicode forms."""
    return _plain(first) == _plain(second)


def exchange_key(question: str, answer: str) -> UUID:
    """Return the key of a message with its answer, wherever in a history they stand."""
    return _key("exchange", Role.ASSISTANT, f"{_plain(question)}\n{_plain(answer)}")


def exchange_key_of(question: Message, text: str) -> UUID | None:
    """Return the exchange key of a stored message and its answer; None where it came
    another way.
    """
    return None if question.history_key is None else exchange_key(question.content, text)


def _key(before: str, role: str, text: str) -> UUID:
    # Keyed with the site's secret: without it nobody can try out what was said.
    signed = salted_hmac("history", f"{before} {role} {_plain(text)}", algorithm="sha256")
    return UUID(bytes=signed.digest()[:16])


def _plain(text: str) -> str:
    return " ".join(unicodedata.normalize("NFC", text).split())


# A client may leave out the beginning of a history that became long for its model. What is left is
# recognised by its end, compared word for word, where it has so many messages; so many
# conversations that end alike are looked at.
SHORTEST_REST, MOST_ALIKE = 4, 20


@dataclass(frozen=True)
class StoredRest:
    """The stored messages, in order, that a history repeats which lost its beginning."""

    rows: Sequence[Message]

    @classmethod
    def of(
        cls, messages: MessageQuerySet, history: Sequence[SentMessage], mode: MemoryMode
    ) -> "StoredRest | None":
        """Return the stored rest with this last exchange, if any. Modes of memory are not mixed
        within a conversation.
        """
        roles = [message.role for message in history[-2:]]
        if len(history) < SHORTEST_REST or roles != [Role.USER, Role.ASSISTANT]:
            return None
        private = Q(conversation__privacy=Conversation.Privacy.PRIVATE)
        alike = messages.filter(private if mode is MemoryMode.READ_ONLY else ~private)
        alike = alike.filter(exchange_key=exchange_key(*(message.text for message in history[-2:])))
        stored = (_before(row, history) for row in alike.order_by("-said_at")[:MOST_ALIKE])
        return next((cls(rows) for rows in stored if rows), None)


def _before(last: Message, history: Sequence[SentMessage]) -> list[Message]:
    """Return the messages up to this one if they are those that were sent; else none."""
    rows = Message.objects.beside(last).filter(number__lte=last.number).exclude(content="")
    rows = rows.select_related("conversation").order_by("-number")[: len(history)]
    stored = list(reversed(rows))
    alike = len(stored) == len(history) and all(
        row.role == sent.role and is_same_text(row.content, sent.text)
        for row, sent in zip(stored, history, strict=True)
    )
    return stored if alike else []


@dataclass(frozen=True)
class StoredHistory:
    """What a person has stored of a history: the messages with each of its keys, the latest first.

    `history` ends with the message that is to be answered.
    """

    history: Sequence[SentMessage]
    keys: Sequence[UUID]
    rows: Mapping[UUID, Sequence[Message]]
    rest: StoredRest | None = None

    @classmethod
    def of(
        cls, messages: MessageQuerySet, history: Sequence[SentMessage], mode: MemoryMode
    ) -> "StoredHistory":
        """Return the stored messages of one person that this history repeats."""
        keys = keys_of(history, mode)
        # Not joined: the index of the keys alone is to be read.
        known = list(messages.filter(history_key__in=keys).prefetch_related("conversation"))
        known.sort(key=lambda row: (row.conversation.last_at, row.number), reverse=True)
        rows = defaultdict[UUID, list[Message]](list)
        for row in known:
            rows[_key_of(row)].append(row)
        rest = None if rows else StoredRest.of(messages, history[:-1], mode)
        return cls(history, keys, rows, rest)

    @property
    def key(self) -> UUID:
        """The key of the message that is to be answered, with what is stored before it."""
        last = self.rest.rows[-1].history_key if self.rest else None
        if last is None:
            return self.keys[-1]
        return _key(last.hex, Role.USER, self.history[-1].text)

    def asked_last(self) -> Message | None:
        """Return the stored message that this one repeats, where nothing but its answer follows."""
        if self.rest is not None:
            return _repeated(self.rest.rows[-1], self.history[-1].text)
        return next((row for row in self._at(-1) if _after(row) == 1), None)

    def last_before(self) -> Message | None:
        """Return the message at the end of a conversation that the history before this message
        tells whole.

        Of the last answer the client may have a part only, or nothing where it failed.
        """
        if len(self.history) < 2:
            return None
        if self.rest is not None:
            last = self.rest.rows[-1]
            return last if _after(last) == 0 else None
        before = self.history[-2]
        row = next((row for row in self._at(-2) if _after(row) == 0), None)
        if row is None and before.role == Role.USER:
            return next((row for row in self._at(-2) if _after(row) == 1), None)
        if row is None and len(self.history) > 2:
            candidates = (row for row in self._at(-3) if _after(row) == 1)
            return next((row for row in candidates if _began_with(row, before.text)), None)
        return row

    def is_earlier(self) -> bool:
        """Whether the history before this message ends within a longer conversation."""
        return len(self.history) > 1 and bool(self.rest or self._at(-2))

    def row_of(self, position: int) -> Message | None:
        """Return a stored message that one of the history repeats, counted from 0."""
        if self.rest is not None:
            return self.rest.rows[position] if position < len(self.rest.rows) else None
        return next(iter(self._at(position)), None)

    def _at(self, position: int) -> Sequence[Message]:
        return self.rows.get(self.keys[position], ()) if len(self.keys) >= -position else ()


def _key_of(row: Message) -> UUID:
    assert row.history_key is not None
    return row.history_key


def _after(row: Message) -> int:
    """Return how many messages of its conversation follow it."""
    return row.conversation.last_number - row.number


def _repeated(before: Message, text: str) -> Message | None:
    """Return the next message, if it has this text and only its answer follows."""
    after = Message.objects.beside(before).filter(number=before.number + 1, role=Role.USER)
    following = after.select_related("conversation").first()
    return (
        following
        if following and _after(following) == 1 and is_same_text(following.content, text)
        else None
    )


def _began_with(question: Message, text: str) -> bool:
    """Return whether the stored answer begins with this text, or is still being written."""
    answer = Message.objects.beside(question).filter(number=question.number + 1).first()
    sent = _plain(text)
    if answer is None or not sent:
        return False
    return answer.in_progress or _plain(answer.content).startswith(sent)
