"""The input of the model that reads messages: new messages, and what is already known."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import count
from math import inf
from uuid import UUID

from django.db.models import Exists, Min, OuterRef, Q

from accounts import work
from accounts.models import Work
from conversations.learning import message_learning
from conversations.models import Conversation, LearningOutcome, Message
from ledger.models import Contradiction
from memory.language.message_provenance import is_confidential
from memory.language.safety.secrets import find_secret_values, mask_secrets
from memory.language.text.dedup import content_stem_ids
from memory.models import Memory, Passage, ProfileFact
from memory.operations.evidence import KnownItem, SaidLine
from memory.operations.listening import SHOWN_OF_AN_ANSWER, Stretch

# Bounds of one request: messages and characters.
MOST_MESSAGES, MOST_CHARACTERS = 40, 12_000
# How many earlier messages are included as context.
BEFORE = 6
# How many known items are included, and from how many of the newest memories these are chosen.
MOST_FACTS, MOST_NOTES, NEWEST_NOTES = 60, 40, 500

_QUIETLY = 0.5
"""From this probability on the trained reader takes a sentence for one told in confidence."""


@dataclass(frozen=True)
class MessageRange:
    """The messages to read: numbers `after` (exclusive) to `up_to` (inclusive)."""

    conversation: Conversation
    after: int
    up_to: int
    stretch: Stretch
    message_of: dict[int, Message]

    @property
    def fresh(self) -> list[Message]:
        """The user's messages that are read for the first time, in order."""
        lines = [line for line in self.stretch.lines if line.fresh and line.by_user]
        return list(dict.fromkeys(self.message_of[line.alias] for line in lines))


def next_stretch(conversation: Conversation, attempt: int) -> MessageRange:
    """Return the messages after those already read; fewer at each further `attempt`."""
    # The failed messages may have been too long, or contain one that the model refuses to read.
    most = max(1, MOST_MESSAGES >> (attempt - 1))
    after = conversation.reflected_up_to
    rows = Message.objects.of(conversation)
    fresh = _within_reach(_readable(list(rows.filter(number__gt=after).order_by("number")[:most])))
    before = rows.latest_of(conversation, after + 1, BEFORE)
    message_of: dict[int, Message] = {}
    lines: list[SaidLine] = []
    numbers = count(1)
    shown = list(_kept_for_recall(conversation.user_id, [*before, *fresh]))
    secrets = set().union(*(find_secret_values(message.content) for message in shown))
    for message in shown:
        for line in _lines_of(message, numbers, secrets, fresh=message.number > after):
            previous = lines[-1].text if lines else ""
            message_of[line.alias] = message
            lines.append(replace(line, before=previous))
    new = [message for message in fresh if message.role == Message.Role.USER]
    person = _name_of(conversation.user_id)
    known = [*_facts(conversation.user_id, new), *_notes(conversation.user_id, new, lines)]
    known += _questions(conversation.user_id, new)
    ends_at = max((line.said_at for line in lines), default=conversation.started_at)
    stretch = Stretch(lines, known, ends_at, _summary_so_far(conversation), person)
    up_to = fresh[-1].number if fresh else after
    return MessageRange(conversation, after, up_to, stretch, message_of)


def _lines_of(
    message: Message, numbers: Iterator[int], secrets: set[str], *, fresh: bool
) -> Iterator[SaidLine]:
    """Yield the lines of a message, split where typed and pasted text meet; its own secrets and the
    `secrets` of nearby messages are removed.
    """
    by_user = message.role == Message.Role.USER
    confided = by_user and told_in_confidence(message)
    for text, typed in _pieces(message, secrets):
        shown = text[:MOST_CHARACTERS]
        yield SaidLine(
            next(numbers), by_user, shown, message.said_at, typed, fresh, confided=confided
        )


def told_in_confidence(message: Message) -> bool:
    """Return whether a message stays in its conversation: at the user's wish, or because of orders
    to the assistant.
    """
    reading, sentences = message.reading, message.reading.read.sentences
    if reading.is_unreadable or reading.orders_gravely or reading.asks_for_silence:
        return True
    # A request to forget is about earlier messages; a request not to note is about this one.
    if reading.asks_to_forget and all(sentence.kind != "f" for sentence in sentences):
        return True
    return any(sentence.private["quiet"] >= _QUIETLY for sentence in sentences)


def _readable(messages: list[Message]) -> list[Message]:
    """Return the messages before the first one that is not learned from yet, without unfinished
    answers at the end.

    Learning decides what is confidential, so no message is sent to the model before that.
    """
    unread = (position for position, message in enumerate(messages) if _is_to_be_read(message))
    ready = messages[: next(unread, len(messages))]
    while ready and ready[-1].in_progress:
        ready.pop()
    return ready


def _is_to_be_read(message: Message) -> bool:
    """Return whether the message is still to be learned from; False after too many failures."""
    if message.role != Message.Role.USER or message.learned_at is not None:
        return False
    return Work.objects.filter(
        user_id=message.user_id,
        kind=message_learning.KIND,
        subject=message.pk,
        attempts__lt=work.MOST_ATTEMPTS,
    ).exists()


def _within_reach(messages: list[Message]) -> list[Message]:
    """Return as many messages as fit into one request, at least one."""
    room = MOST_CHARACTERS
    for position, message in enumerate(messages):
        by_user = message.role == Message.Role.USER
        room -= min(len(message.content), MOST_CHARACTERS if by_user else SHOWN_OF_AN_ANSWER)
        if room < 0 and position:
            return messages[:position]
    return messages


def _kept_for_recall(user_id: UUID, messages: list[Message]) -> Iterator[Message]:
    """Yield the messages that the chat model may see: finished, indexed and not hidden by the user.
    Answers after a message that is left out are left out too, because they may repeat it.
    """
    keys = [message.pk for message in messages]
    passages = Passage.objects.filter(user_id=user_id, message__in=keys)
    held = set(passages.values_list("message_id", flat=True))
    left_out_from = _first_left_out(user_id, messages)
    for message in messages:
        by_user = message.role == Message.Role.USER
        open_here = message.pk in held if by_user else message.number < left_out_from
        open_here = open_here and not _is_hidden(message)
        if by_user and not open_here:
            left_out_from = min(left_out_from, message.number)
        if open_here and message.content.strip() and not message.in_progress:
            yield message


def _first_left_out(user_id: UUID, messages: list[Message]) -> float:
    """Return the number of the conversation's first user message that is not indexed or repeats
    erased words; infinity for none.
    """
    if not messages:
        return inf
    rows = Message.objects.for_user(user_id).filter(
        conversation=messages[0].conversation_id, role=Message.Role.USER
    )
    held = Exists(Passage.objects.filter(user_id=user_id, message=OuterRef("pk")))
    left_out = rows.exclude(content="").filter(Q(left_out_of_summaries=True) | ~held)
    first = left_out.aggregate(first=Min("number"))["first"]
    return inf if first is None else float(first)


def _is_hidden(message: Message) -> bool:
    """Return whether a message is confidential for another reason than its own words: what it says
    was erased or retracted, or its conversation was private.
    """
    hidden = message.confidential and not is_confidential(message.reading)
    return hidden or message.left_out_of_summaries


def _pieces(message: Message, secrets: set[str]) -> list[tuple[str, bool]]:
    """Split a message into typed and pasted pieces: (text, whether typed)."""
    text, index = mask_secrets(message.reading.text, secrets), 0
    pieces = []
    for span in message.reading.foreign:
        pieces += [
            (text[index : span.start], True),
            (text[max(index, span.start) : span.end], False),
        ]
        index = max(index, span.end)
    pieces.append((text[index:], True))
    return [(piece, typed) for piece, typed in pieces if piece.strip()]


def _facts(user_id: UUID, fresh: list[Message]) -> Iterator[KnownItem]:
    """Yield the current facts, latest first, without the provisional facts of the fresh
    messages.
    """
    read = LearningOutcome.objects.filter(user_id=user_id, message__in=fresh)
    ended = read.filter(kind=LearningOutcome.Kind.ENDED).values("fact")
    changed = read.filter(kind=LearningOutcome.Kind.CONFLICT).values("contradiction__old_fact")
    refined = read.filter(fact__replaces__isnull=False).values("fact__replaces")
    rows = ProfileFact.objects.for_user(user_id).filter(
        Q(status=ProfileFact.Status.CURRENT)
        | Q(pk__in=ended)
        | Q(pk__in=changed)
        | Q(pk__in=refined)
    )
    rows = rows.exclude(source_message__in=fresh).defer("embedding").order_by("-last_verified")
    for number, fact in enumerate(rows[:MOST_FACTS], start=1):
        yield KnownItem(
            f"f{number}", fact.pk, fact.sentence, fact.last_verified, fact.slot, fact.value,
            by_hand=fact.source == ProfileFact.Source.MANUAL,
        )  # fmt: skip


def _notes(user_id: UUID, fresh: list[Message], lines: list[SaidLine]) -> Iterator[KnownItem]:
    """Yield the memories that share most words with the lines, newest first among equals, without
    the provisional memories of the fresh messages.
    """
    words = {number for line in lines for number in content_stem_ids(line.text)}
    taken_over = Q(status=Memory.Status.SUPERSEDED, superseded_by__source_message__in=fresh)
    rows = Memory.objects.for_user(user_id).filter(Q(status=Memory.Status.ACTIVE) | taken_over)
    rows = rows.exclude(category=Memory.Category.SUMMARY)
    # Whoever reads the messages decides anew which memories they give.
    rows = rows.exclude(source_message__in=fresh).defer("terms", "embedding")
    notes = sorted(
        rows.order_by("-said_at")[:NEWEST_NOTES],
        key=lambda note: -len(words & content_stem_ids(note.content)),
    )
    for number, note in enumerate(notes[:MOST_NOTES], start=1):
        yield KnownItem(
            f"n{number}", note.pk, note.content, note.said_at, note.slot, note.value,
            by_hand=note.source == Memory.Source.MANUAL, original=note.original,
        )  # fmt: skip


def _questions(user_id: UUID, fresh: list[Message]) -> Iterator[KnownItem]:
    """Yield the open conflicts that older messages caused."""
    rows = (
        Contradiction.objects.for_user(user_id).open().exclude(new_fact__source_message__in=fresh)
    )
    for number, entry in enumerate(rows.order_by("opened_at"), start=1):
        text = f"{entry.old_fact.sentence} / {entry.new_fact.sentence}"
        yield KnownItem(f"c{number}", entry.pk, text, entry.opened_at, entry.slot)


def _name_of(user_id: UUID) -> str:
    """Return the user's name, '' if unknown."""
    rows = ProfileFact.objects.for_user(user_id).current()
    names = dict(rows.filter(slot__in=("name", "preferred_name")).values_list("slot", "value"))
    return names.get("preferred_name") or names.get("name", "")


def _summary_so_far(conversation: Conversation) -> str:
    summary = (
        Memory.objects.for_user(conversation.user_id)
        .active()
        .filter(source_conversation=conversation, category=Memory.Category.SUMMARY)
        .first()
    )
    return summary.content if summary else ""
