"""The history that a client sends with each request, and the stored messages that it repeats.

A message that came in with a history has a key made of all the client sent up to it, in order. The
answer to it has one as soon as it is written. So the conversation that a history belongs to is
looked up by an index, and a history in which a word was changed belongs to none.
"""

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from uuid import UUID

from django.utils.crypto import salted_hmac

from conversations.models import Message, MessageQuerySet

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
    """Whether two texts are the same but for white space and ways to write a letter."""
    return _plain(first) == _plain(second)


def _key(before: str, role: str, text: str) -> UUID:
    # Keyed with the site's secret: without it nobody can try out what was said.
    signed = salted_hmac("history", f"{before} {role} {_plain(text)}", algorithm="sha256")
    return UUID(bytes=signed.digest()[:16])


def _plain(text: str) -> str:
    return " ".join(unicodedata.normalize("NFC", text).split())


@dataclass(frozen=True)
class StoredHistory:
    """What a person has stored of a history: all messages with one of its keys, the latest first.

    `history` ends with the message that is to be answered.
    """

    history: Sequence[SentMessage]
    keys: Sequence[UUID]
    rows: Sequence[Message]

    @classmethod
    def of(
        cls, messages: MessageQuerySet, history: Sequence[SentMessage], mode: MemoryMode
    ) -> "StoredHistory":
        """Look it up among these messages of one person, in one query."""
        keys = keys_of(history, mode)
        rows = messages.filter(history_key__in=keys).select_related("conversation")
        return cls(history, keys, list(rows.order_by("-conversation__last_at", "-number")))

    def asked_last(self) -> Message | None:
        """Return the stored message that this one repeats, where nothing but its answer follows."""
        return next((row for row in self._at(-1) if _after(row) == 1), None)

    def last_before(self) -> Message | None:
        """Return the message at the end of a conversation that the history before this message
        tells whole.

        Of the last answer the client may have a part only, or nothing where it failed.
        """
        if len(self.history) < 2:
            return None
        before = self.history[-2]
        row = next((row for row in self._at(-2) if _after(row) == 0), None)
        if row is None and before.role == Role.USER:
            return next((row for row in self._at(-2) if _after(row) == 1), None)
        if row is None and len(self.history) > 2:
            asked = (row for row in self._at(-3) if _after(row) == 1)
            return next((row for row in asked if _began_with(row, before.text)), None)
        return row

    def is_earlier(self) -> bool:
        """Whether the history before this message ends within a conversation that went on."""
        return len(self.history) > 1 and bool(self._at(-2))

    def row_of(self, position: int) -> Message | None:
        """Return a stored message that one of the history repeats."""
        return next(iter(self._at(position)), None)

    def _at(self, position: int) -> list[Message]:
        if len(self.keys) < -position:
            return []
        return [row for row in self.rows if row.history_key == self.keys[position]]


def _after(row: Message) -> int:
    """How many messages of its conversation follow it."""
    return row.conversation.last_number - row.number


def _began_with(question: Message, text: str) -> bool:
    """Whether the answer to a stored message begins with this text."""
    answer = Message.objects.beside(question).filter(number=question.number + 1).first()
    sent = _plain(text)
    return answer is not None and bool(sent) and _plain(answer.content).startswith(sent)
