"""Finding the stored messages that a client's history repeats.

Clients of the OpenAI-compatible endpoint send the whole history with each request. A message has a
key: the hash of the history up to the message. The answer gets its key when it is written. So an
index finds the conversation of a history; a history with any changed word matches none. A history
without its beginning is found by its last exchange.
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
    """What a request does with memory: use and learn; use only; neither (nothing is stored)."""

    ON = "on"
    READ_ONLY = "read-only"
    OFF = "off"


@dataclass(frozen=True)
class SentMessage:
    """A message of a client's history, of the user or the assistant."""

    role: Message.Role
    text: str


def keys_of(history: Iterable[SentMessage], mode: MemoryMode) -> list[UUID]:
    """Return the key of each message of a history; the keys differ between modes."""
    keys: list[UUID] = []
    last = mode.value
    for message in history:
        keys.append(_key(last, message.role, message.text))
        last = keys[-1].hex
    return keys


def key_of_answer(question: Message, text: str) -> UUID | None:
    """Return the key of the answer `text` to a message; None if the message has no key."""
    if question.history_key is None:
        return None
    return _key(question.history_key.hex, Role.ASSISTANT, text)


def is_same_text(first: str, second: str) -> bool:
    """Return whether two texts are equal except for white space and Unicode normalization."""
    return _plain(first) == _plain(second)


def exchange_key(question: str, answer: str) -> UUID:
    """Return the key of a question with its answer, independent of their position in a history."""
    return _key("exchange", Role.ASSISTANT, f"{_plain(question)}\n{_plain(answer)}")


def exchange_key_of(question: Message, text: str) -> UUID | None:
    """Return the exchange key of a stored message and its answer; None if the message has no
    history key.
    """
    return None if question.history_key is None else exchange_key(question.content, text)


def _key(before: str, role: str, text: str) -> UUID:
    # Signed with the site's secret: otherwise the keys would allow to test guesses of the text.
    signed = salted_hmac("history", f"{before} {role} {_plain(text)}", algorithm="sha256")
    return UUID(bytes=signed.digest()[:16])


def _plain(text: str) -> str:
    return " ".join(unicodedata.normalize("NFC", text).split())


# A client may leave out the beginning of a long history. The rest is compared word for word if it
# has at least so many messages, with at most so many conversations with the same last exchange.
SHORTEST_REST, MOST_ALIKE = 4, 20


@dataclass(frozen=True)
class StoredRest:
    """The stored messages, in order, that a history without its beginning repeats."""

    rows: Sequence[Message]

    @classmethod
    def of(
        cls, messages: MessageQuerySet, history: Sequence[SentMessage], mode: MemoryMode
    ) -> "StoredRest | None":
        """Return the stored messages that this history repeats, found by its last exchange; None if
        none. Only conversations of the same mode are searched.
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
    """Return the messages up to `last` if they equal the history, else []."""
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
    """The stored messages that a history repeats: by key, latest first. `history` ends with the
    message to answer.
    """

    history: Sequence[SentMessage]
    keys: Sequence[UUID]
    rows: Mapping[UUID, Sequence[Message]]
    rest: StoredRest | None = None

    @classmethod
    def of(
        cls, messages: MessageQuerySet, history: Sequence[SentMessage], mode: MemoryMode
    ) -> "StoredHistory":
        """Return the user's stored messages that this history repeats."""
        keys = keys_of(history, mode)
        # No join, so that only the index of the keys is read.
        known = list(messages.filter(history_key__in=keys).prefetch_related("conversation"))
        known.sort(key=lambda row: (row.conversation.last_at, row.number), reverse=True)
        rows = defaultdict[UUID, list[Message]](list)
        for row in known:
            rows[_key_of(row)].append(row)
        rest = None if rows else StoredRest.of(messages, history[:-1], mode)
        return cls(history, keys, rows, rest)

    @property
    def key(self) -> UUID:
        """The key of the message to answer, computed after the stored messages before it."""
        last = self.rest.rows[-1].history_key if self.rest else None
        if last is None:
            return self.keys[-1]
        return _key(last.hex, Role.USER, self.history[-1].text)

    def asked_last(self) -> Message | None:
        """Return the stored message equal to the message to answer, if only its answer follows."""
        if self.rest is not None:
            return _repeated(self.rest.rows[-1], self.history[-1].text)
        return next((row for row in self._at(-1) if _after(row) == 1), None)

    def last_before(self) -> Message | None:
        """Return the last message of a conversation that, as a whole, equals the history before the
        message to answer; None if there is none.

        The client may have only a part of the last answer, or nothing if it failed.
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
        """Return whether the history before the message to answer ends inside a conversation."""
        return len(self.history) > 1 and bool(self.rest or self._at(-2))

    def row_of(self, position: int) -> Message | None:
        """Return the stored message that equals the message at `position` (from 0) of the history;
        None if none.
        """
        if self.rest is not None:
            return self.rest.rows[position] if position < len(self.rest.rows) else None
        return next(iter(self._at(position)), None)

    def _at(self, position: int) -> Sequence[Message]:
        return self.rows.get(self.keys[position], ()) if len(self.keys) >= -position else ()


def _key_of(row: Message) -> UUID:
    assert row.history_key is not None
    return row.history_key


def _after(row: Message) -> int:
    """Return how many messages of the conversation follow this one."""
    return row.conversation.last_number - row.number


def _repeated(before: Message, text: str) -> Message | None:
    """Return the message after `before` if it has this text and only its answer follows."""
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
