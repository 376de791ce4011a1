"""Adding messages to conversations: validation of texts, and numbering."""

import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

from django.conf import settings
from django.utils.timezone import localtime, now

from accounts.models import User
from conversations import markdown, titles
from conversations.models import NO_PLAN, Conversation, Message, MessageQuerySet
from conversations.titles import may_change, title_from
from memory.core.slot_locks import lock_names
from memory.language.dates.planned_days import planned_until
from memory.language.message_provenance import StandingSpan
from memory.language.origin import locate_pastes

# The only control characters allowed in a message are line breaks and tabs.
_ALLOWED_CONTROLS = "\n\t"
# A new user's first message of fewer words is mostly their name.
_NAMES_A_TOPIC = 3
# The columns that `annotate_message` sets.
READ_COLUMNS = ("stretches", "read_up_to", "planned_until")


class UnfitText(ValueError):
    """Raised for a text that cannot be sent; `mended` is the nearest text that can, or ''."""

    def __init__(self, words: str, mended: str) -> None:
        super().__init__(words)
        self.words = words
        self.mended = mended


def fit(text: str) -> str:
    """Return the text as stored: line ends normalised, white space trimmed at both ends.

    Raises UnfitText if it is empty, longer than settings.MESSAGE_MAX_LENGTH characters, or has
    characters that cannot be stored or shown.
    """
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    mended = "".join(c for c in text if c in _ALLOWED_CONTROLS or not is_control(c))
    if mended != text:
        count = len(text) - len(mended)
        raise UnfitText(
            f"There {'is a character' if count == 1 else f'are {count} characters'} in this text "
            "that can’t be shown, such as a control character. Remove "
            f"{'it' if count == 1 else 'them'} and send the text again.",
            mended,
        )
    text = text.strip()
    if not text:
        raise UnfitText("Write something first.", "")
    if len(text) > settings.MESSAGE_MAX_LENGTH:
        raise UnfitText(
            f"This is {len(text):,} characters long; I can read {settings.MESSAGE_MAX_LENGTH:,} "
            "at a time. Shorten it, or send it in parts.",
            text,
        )
    return text


def keepable(text: str) -> str:
    """Remove the characters that cannot be stored or shown: lone surrogates and NUL."""
    return text.encode("utf-8", "ignore").decode().replace("\0", "")


def is_control(character: str) -> bool:
    """Return whether a character is a control code or half of a surrogate pair."""
    return unicodedata.category(character) in ("Cc", "Cs")


@dataclass(frozen=True)
class NewMessage:
    """A message before it gets its number."""

    role: Message.Role
    content: str = ""
    state: Message.State = Message.State.DONE
    client_key: str = ""
    author: str = ""
    # See Message.metadata.
    metadata: Mapping[str, Any] = field(default_factory=dict)
    said_at: datetime | None = None
    # The pasted parts of the content, as the page recorded them.
    pasted: tuple[str, ...] = ()
    # See Message.history_key.
    history_key: UUID | None = None
    exchange_key: UUID | None = None
    # The message of another conversation that this one repeats and that is not learned from again.
    repeats: Message | None = None


def lock_conversation(conversation_id: UUID) -> None:
    """Lock a conversation against adding and deleting messages (advisory lock). Must be taken
    before any row lock: some code locks the conversation's row before its jobs, other code after.
    """
    lock_conversations([conversation_id])


def lock_conversations(keys: Iterable[UUID]) -> None:
    """Lock several conversations (advisory locks), in a fixed order."""
    lock_names(map(name_of, keys))


def name_of(conversation_id: UUID) -> str:
    """Return the name of the advisory lock of a conversation."""
    return f"talk {conversation_id}"


def append(
    user: User, conversation: Conversation | UUID, drafts: list[NewMessage]
) -> list[Message]:
    """Add messages at the end of a conversation, with consecutive numbers, in the user's
    transaction (`acting_as`).

    The caller must hold `lock_conversation`. Locks the conversation's row, so that numbers have no
    gaps or duplicates. Raises Conversation.DoesNotExist.
    """
    key = conversation.pk if isinstance(conversation, Conversation) else conversation
    locked = Conversation.objects.for_user(user.pk).select_for_update(no_key=True).get(pk=key)
    frozen_now = now()
    made = [
        Message(
            user=user,
            conversation=locked,
            number=locked.last_number + offset,
            **_fields(draft, frozen_now, private=locked.privacy == Conversation.Privacy.PRIVATE),
        )
        for offset, draft in enumerate(drafts, start=1)
    ]
    Message.objects.bulk_create(made)
    times = [message.said_at for message in made]
    locked.started_at = min(locked.started_at, *times)
    # The creation time of an empty conversation does not count as a message.
    locked.last_at = max([*times, locked.last_at] if locked.last_number else times)
    locked.last_number += len(drafts)
    # A new message restores an archived conversation.
    locked.archived_at = None
    first = next((draft for draft in drafts if draft.role == Message.Role.USER), None)
    if may_change(locked.title) and first is not None:
        words = first.content
        if locked.privacy == Conversation.Privacy.PRIVATE:
            name = titles.TEMPORARY if locked.temporary else titles.PRIVATE
            words = Conversation.objects.for_user(user.pk).next_called(name)
        elif len(words.split()) < _NAMES_A_TOPIC and _is_first_of_all(locked, drafts):
            # The first message was probably only a name: the next one gives a better title.
            words = ""
        locked.title = title_from(words, made[0].said_at)
    changed = ["last_number", "started_at", "last_at", "archived_at", "title"]
    locked.save(update_fields=changed)
    return made


def _is_first_of_all(conversation: Conversation, drafts: list[NewMessage]) -> bool:
    others = Conversation.objects.for_user(conversation.user_id).exclude(pk=conversation.pk)
    return conversation.last_number == len(drafts) and not others.exists()


@dataclass(frozen=True)
class Window:
    """A range of message numbers, both included; `last_number` is the conversation's last."""

    first: int
    last: int
    last_number: int

    @property
    def earlier(self) -> int:
        """The number of messages before the range."""
        return self.first - 1

    @property
    def later(self) -> int:
        """The number of messages after the range."""
        return self.last_number - self.last


def window(last_number: int, size: int, *, at: int = 0, before: int = 0, after: int = 0) -> Window:
    """Return the `size` messages around number `at`, before `before`, after `after`, or else the
    last.

    Numbers outside the conversation mean its end. A range with the last message always ends with
    it, so that the page has the composer.
    """
    end = max(0, last_number - size)
    if 1 < before <= last_number:
        return Window(max(1, before - size), before - 1, last_number)
    if 0 < after <= end:
        return Window(after + 1, after + size, last_number)
    if 0 < at <= end:
        first = min(max(1, at - size // 2), end)
        return Window(first, first + size - 1, last_number)
    return Window(end + 1, last_number, last_number)


def in_range(user_id: UUID, conversation_id: UUID, first: int, last: int) -> MessageQuerySet:
    """Return the messages numbered `first` to `last`, both included, in order."""
    rows = Message.objects.for_user(user_id).filter(conversation_id=conversation_id)
    return rows.filter(number__range=(first, last)).order_by("number")


def _fields(draft: NewMessage, frozen_now: datetime, *, private: bool) -> dict[str, Any]:
    repeated = {} if draft.repeats is None else _fields_of_a_repetition(draft.repeats, frozen_now)
    return {
        "role": draft.role,
        "content": draft.content,
        "state": draft.state,
        "client_key": draft.client_key,
        "author": draft.author,
        "metadata": draft.metadata,
        "said_at": draft.said_at or frozen_now,
        "pasted": _stretches(draft.content, draft.pasted),
        "history_key": draft.history_key,
        "exchange_key": draft.exchange_key,
        **repeated,
        "confidential": private or (draft.repeats is not None and draft.repeats.confidential),
    }


def _fields_of_a_repetition(repeated: Message, frozen_now: datetime) -> dict[str, Any]:
    """Return the fields by which a repeated message is neither learned from nor listed as a
    plan.
    """
    return {
        "content": repeated.content,
        "pasted": repeated.pasted,
        "stretches": repeated.stretches,
        "read_up_to": repeated.read_up_to,
        "planned_until": NO_PLAN,
        "left_out_of_summaries": repeated.left_out_of_summaries,
        "learned_at": frozen_now,
    }


def is_what_was_drafted(message: Message, draft: NewMessage) -> bool:
    """Return whether a message equals the draft: same text and same pasted parts."""
    same_words = message.content == draft.content
    return same_words and message.pasted == _stretches(draft.content, draft.pasted)


def _stretches(content: str, pasted: tuple[str, ...]) -> list[list[int]]:
    """Return the [start, end) of the pasted parts that are still in the message."""
    return [[span.start, span.end] for span in locate_pastes(content, pasted)]


def stretches_of(message: Message) -> list[StandingSpan]:
    """Return the spans that are not the author's own statements; computed if not stored yet."""
    if message.stretches is not None:
        return [(start, end, what) for start, end, what in message.stretches]
    return list(message.reading.standing_spans)


def annotate_message(message: Message) -> list[str]:
    """Set what is read of a message when it is stored: provenance of its text, how much was read
    and, for the user's own messages, until when it plans. Return the changed columns; [] for an
    answer.
    """
    if message.role == Message.Role.ASSISTANT and not message.author:
        return []
    message.stretches = list(message.reading.standing_spans)
    message.read_up_to = message.reading.read_up_to
    if not message.author:
        said_at = localtime(message.said_at)
        sentences = message.reading.marked_sentences
        # "Remind me what is on this weekend" is not a plan.
        only_asks = len(sentences) == 1 and message.reading.intent is not None
        until = None if only_asks else planned_until(sentences, said_at)
        message.planned_until = until or NO_PLAN
    return list(READ_COLUMNS)


def as_read(message: Message) -> str:
    """Return the text as shown on the page: an answer rendered, a user's message as written."""
    answer = message.role == Message.Role.ASSISTANT
    return markdown.plain(message.content) if answer else message.content
