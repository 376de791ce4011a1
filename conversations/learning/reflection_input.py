"""What a language model is shown of a conversation when it looks back: messages, what is known."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from math import inf
from uuid import UUID

from django.db.models import Exists, Min, OuterRef

from accounts import work
from accounts.models import Work
from conversations.learning import message_learning
from conversations.models import Conversation, Message
from memory.language import Reading, content_stem_ids
from memory.models import Memory, Passage, ProfileFact
from memory.notes import SHOWN_OF_AN_ANSWER, KnownLine, SaidLine, needs_privacy_consent
from memory.slots import SLOTS

# What one request holds at the most: messages, and characters of them.
MOST_MESSAGES, MOST_CHARACTERS = 40, 12_000
# How many of the messages before them are sent along, to understand them by.
BEFORE = 6
# How much is sent of what is known, and how many of the newest notes it is chosen from.
MOST_KNOWN, MOST_FACTS, NEWEST_NOTES = 60, 30, 500
# What a note says, its key, and the person's words that it keeps.
_Entry = tuple[str, UUID | None, str]
# Far from any number of a line, so that a model cannot mean one and name the other.
FIRST_KNOWN = 501


@dataclass(frozen=True)
class MessageRange:
    """What is to be read: the messages after number `after`, up to number `up_to`."""

    conversation: Conversation
    after: int
    up_to: int
    lines: list[SaidLine]
    message_of: dict[int, Message]
    known: list[KnownLine]
    so_far: str


def next_stretch(conversation: Conversation, attempt: int) -> MessageRange:
    """The messages after those that were read; fewer of them at each further attempt."""
    # A stretch that failed may have been too long, or hold the one line that a model declines.
    most = max(1, MOST_MESSAGES >> (attempt - 1))
    after = conversation.reflected_up_to
    rows = Message.objects.of(conversation)
    fresh = _within_reach(_readable(list(rows.filter(number__gt=after).order_by("number")[:most])))
    before = rows.latest_of(conversation, after + 1, BEFORE)
    message_of: dict[int, Message] = {}
    lines = []
    numbers = count(1)
    for message in _open_to_reading(conversation.user_id, [*before, *fresh]):
        by_user, fresh_one = message.role == Message.Role.USER, message.number > after
        for text, typed in _pieces(message):
            alias, shown = next(numbers), text[:MOST_CHARACTERS]
            message_of[alias] = message
            lines.append(SaidLine(alias, by_user, shown, message.said_at, typed, fresh_one))
    return MessageRange(
        conversation=conversation,
        after=after,
        up_to=fresh[-1].number if fresh else after,
        lines=lines,
        message_of=message_of,
        known=_known(conversation.user_id, lines),
        so_far=_summary_so_far(conversation),
    )


def _readable(messages: list[Message]) -> list[Message]:
    """Those before the first that the rules have yet to read, without answers still to come.

    The rules say what is confidential, so nothing goes out before they have read it.
    """
    unread = (position for position, message in enumerate(messages) if _is_to_be_read(message))
    ready = messages[: next(unread, len(messages))]
    while ready and ready[-1].in_progress:
        ready.pop()
    return ready


def _is_to_be_read(message: Message) -> bool:
    """Whether the rules will still come to it; what they failed on too often is left out."""
    if message.role != Message.Role.USER or message.learned_at is not None:
        return False
    return Work.objects.filter(
        user_id=message.user_id,
        kind=message_learning.KIND,
        subject=message.pk,
        attempts__lt=work.MOST_ATTEMPTS,
    ).exists()


def _within_reach(messages: list[Message]) -> list[Message]:
    """As many as fit into one request; always at least one."""
    room = MOST_CHARACTERS
    for position, message in enumerate(messages):
        by_user = message.role == Message.Role.USER
        room -= min(len(message.content), MOST_CHARACTERS if by_user else SHOWN_OF_AN_ANSWER)
        if room < 0 and position:
            return messages[:position]
    return messages


def _open_to_reading(user_id: UUID, messages: list[Message]) -> Iterator[Message]:
    """Without what must stay in its conversation, and without every answer that may repeat it.

    What recall does not hold was said while memory was off, or could not be read: left out too.
    """
    keys = [message.pk for message in messages]
    passages = Passage.objects.filter(user_id=user_id, message__in=keys)
    held = set(passages.values_list("message_id", flat=True))
    quotable = Message.objects.quotable_elsewhere(user_id).filter(pk__in=keys)
    open_to_all = set(quotable.values_list("pk", flat=True))
    withheld, unread_from = 0, _first_unindexed_number(user_id, messages)
    for message in messages:
        by_user = message.role == Message.Role.USER
        repeats = message.number == withheld + 1 or message.number > unread_from
        open_here = message.pk in held if by_user else not repeats
        kept_apart = _is_private(message.reading) or (
            by_user and needs_privacy_consent(message.reading)
        )
        if not open_here or message.pk not in open_to_all or kept_apart:
            withheld = message.number if by_user else withheld
        elif message.content.strip() and not message.in_progress:
            yield message


def _first_unindexed_number(user_id: UUID, messages: list[Message]) -> float:
    """The number of the first message of their conversation that recall does not hold; infinite for
    none. Any answer after it may repeat what it says.
    """
    if not messages:
        return inf
    said = Message.objects.for_user(user_id).filter(
        conversation=messages[0].conversation_id, role=Message.Role.USER
    )
    unheld = said.exclude(content="").exclude(
        Exists(Passage.objects.filter(message=OuterRef("pk")))
    )
    first = unheld.aggregate(first=Min("number"))["first"]
    return inf if first is None else float(first)


def _is_private(reading: Reading) -> bool:
    """Whether it speaks of what is kept apart, today or years ago."""
    if reading.private or reading.holds_a_secret:
        return True
    return any(SLOTS[candidate.slot].sensitive for candidate in reading.facts)


def _pieces(message: Message) -> list[tuple[str, bool]]:
    """A message cut where typing and pasting meet: each piece, and whether it was typed."""
    text, index = message.reading.text, 0
    pieces = []
    for span in message.reading.foreign:
        pieces += [
            (text[index : span.start], True),
            (text[max(index, span.start) : span.end], False),
        ]
        index = max(index, span.end)
    pieces.append((text[index:], True))
    return [(piece, typed) for piece, typed in pieces if piece.strip()]


def _known(user_id: UUID, lines: list[SaidLine]) -> list[KnownLine]:
    """What is known and bears most on these lines: facts of the profile, then notes."""
    words = {number for line in lines for number in content_stem_ids(line.text)}
    facts: list[_Entry] = [
        (fact.sentence, None, "")
        for fact in ProfileFact.objects.for_user(user_id)
        .current()
        .defer("embedding")
        .order_by("-last_verified")
    ]
    notes: list[_Entry] = [
        # The gist of a sentence does not keep all of it: what it left out may still be noted.
        (content, pk, "" if mode == Memory.Mode.COMPRESSED else original)
        for content, pk, original, mode in Memory.objects.for_user(user_id)
        .active()
        .exclude(category=Memory.Category.SUMMARY)
        .order_by("-said_at")
        .values_list("content", "pk", "original", "mode")[:NEWEST_NOTES]
    ]
    chosen = _nearest(facts, words)[:MOST_FACTS]
    chosen += _nearest(notes, words)[: MOST_KNOWN - len(chosen)]
    return [KnownLine(alias, *one) for alias, one in enumerate(chosen, start=FIRST_KNOWN)]


def _nearest(entries: list[_Entry], words: set[int]) -> list[_Entry]:
    """Those that share most words with the lines first; among equals the newest, as they come."""
    return sorted(entries, key=lambda entry: -len(words & content_stem_ids(entry[0])))


def _summary_so_far(conversation: Conversation) -> str:
    summary = (
        Memory.objects.for_user(conversation.user_id)
        .active()
        .filter(source_conversation=conversation, category=Memory.Category.SUMMARY)
        .first()
    )
    return summary.content if summary else ""
