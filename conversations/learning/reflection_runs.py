"""A second look at a conversation, by the language model, a little after the turn.

The worker does it. A turn never waits for it, and a model that fails changes nothing: the lines
stay unread, and the work is tried again with fewer of them.
"""

from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import count
from math import inf
from uuid import UUID

import structlog
from django.conf import settings
from django.db import IntegrityError, connection, transaction
from django.db.models import Exists, F, Min, OuterRef

from accounts import work
from accounts.database.isolation import acting_as
from accounts.models import User, Work
from conversations import llm
from conversations.learning import message_learning
from conversations.llm import background
from conversations.models import Conversation, LearningOutcome, Message
from memory.core import allowances, tracing
from memory.core.persistence_gate import Kind, Request, decide
from memory.core.scope import Scope
from memory.core.tracing import Verb
from memory.language import extraction, origin
from memory.language.safety import guard, sensitivity
from memory.language.text.dedup import stems
from memory.models import Memory, Passage, ProfileFact
from memory.notes import note_gate, note_store, reflection, summary_store
from memory.notes.drafts import Draft
from memory.notes.reflection import Known, Line, Reflection
from memory.slots import SLOTS, narrower, same_value

log = structlog.get_logger(__name__)
KIND = "reflect"

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
class _Stretch:
    """What is to be read: the messages after number `after`, up to number `up_to`."""

    conversation: Conversation
    after: int
    up_to: int
    lines: list[Line]
    message_of: dict[int, Message]
    known: list[Known]
    so_far: str


def reflect_soon(user: User, conversation: Conversation) -> None:
    """Ask for a second look, some seconds from now; asking twice is asking once.

    Call it in the person's block, in the transaction that ends an answer. Nothing is asked for
    without a model, or with memory switched off.
    """
    if not llm.configured() or not _may_note(user.pk, conversation.pk):
        return
    work.enqueue_anew(user, KIND, conversation.pk, delay=settings.MEMORY["reflection_delay"])


def reflect_on(held: work.Claim) -> None:
    """The worker's way in: have what is new in one conversation read, and keep what comes of it.

    Raises ModelFailure, and then nothing was changed. Doing it twice is doing it once.
    """
    stretch = _gather(held)
    if stretch is None:
        return
    if not connection.in_atomic_block:
        # The model takes long, and others need the connection meanwhile.
        connection.close()
    with work.keeping(held), tracing.operation(held.user_id, Verb.MODEL, "model"):
        seen = reflection.reflect(
            background.ask,
            stretch.lines,
            stretch.known,
            max(line.said_at for line in stretch.lines).date(),
            so_far=stretch.so_far,
        )
    _keep(held, stretch, seen)


# --- Before the model ----------------------------------------------------------------------------


def _gather(held: work.Claim) -> _Stretch | None:
    """Load what is to be read; None when there is nothing, and then the work is struck off."""
    with acting_as(held.user_id):
        if not work.still_holding(held):
            return None
        conversation = Conversation.objects.for_user(held.user_id).filter(pk=held.subject).first()
        if conversation is None or not llm.configured():
            work.finish(held)
            return None
        if not _may_note(held.user_id, held.subject):
            _pass_over(held.user_id, held.subject)
            work.finish(held)
            return None
        stretch = _next_stretch(conversation, held.attempt)
        if any(line.by_user and line.fresh for line in stretch.lines):
            return stretch
        _move_on(held, stretch)
        return None


def _next_stretch(conversation: Conversation, attempt: int) -> _Stretch:
    # A stretch that failed may have been too long, or hold the one line that a model declines.
    most = max(1, MOST_MESSAGES >> (attempt - 1))
    after = conversation.reflected_up_to
    rows = Message.objects.for_user(conversation.user_id).filter(conversation=conversation)
    fresh = _within_reach(_readable(list(rows.filter(number__gt=after).order_by("number")[:most])))
    before = rows.latest_of(conversation, after + 1, BEFORE)
    message_of: dict[int, Message] = {}
    lines = []
    numbers = count(1)
    for message in _open_to_reading(conversation.user_id, [*before, *fresh]):
        for text, typed in _pieces(message):
            alias = next(numbers)
            message_of[alias] = message
            lines.append(_line(alias, message, text, typed, fresh=message.number > after))
    return _Stretch(
        conversation=conversation,
        after=after,
        up_to=fresh[-1].number if fresh else after,
        lines=lines,
        message_of=message_of,
        known=_known(conversation.user_id, lines),
        so_far=_summary_so_far(conversation),
    )


def _line(alias: int, message: Message, text: str, typed: bool, *, fresh: bool) -> Line:
    by_user = message.role == Message.Role.USER
    return Line(alias, by_user, text[:MOST_CHARACTERS], message.said_at, typed, fresh)


def _readable(messages: list[Message]) -> list[Message]:
    """Those before the first that the rules have yet to read, without answers still to come.

    The rules say what is confidential, so nothing goes out before they have read it.
    """
    unread = (
        place
        for place, message in enumerate(messages)
        if _is_unread(message) and _is_to_be_read(message)
    )
    ready = messages[: next(unread, len(messages))]
    while ready and ready[-1].in_progress:
        ready.pop()
    return ready


def _is_unread(message: Message) -> bool:
    return message.role == Message.Role.USER and message.learned_at is None


def _is_to_be_read(message: Message) -> bool:
    """Whether the rules will still come to it; what they failed on too often is left out."""
    return Work.objects.filter(
        user_id=message.user_id,
        kind=message_learning.KIND,
        subject=message.pk,
        attempts__lt=work.MOST_ATTEMPTS,
    ).exists()


def _within_reach(messages: list[Message]) -> list[Message]:
    """As many as fit into one request; always at least one."""
    room = MOST_CHARACTERS
    for place, message in enumerate(messages):
        by_user = message.role == Message.Role.USER
        room -= min(
            len(message.content), MOST_CHARACTERS if by_user else reflection.SHOWN_OF_AN_ANSWER
        )
        if room < 0 and place:
            return messages[:place]
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
    withheld, unread_from = 0, _said_while_off(user_id, messages)
    for message in messages:
        by_user = message.role == Message.Role.USER
        repeats = message.number == withheld + 1 or message.number > unread_from
        open_here = message.pk in held if by_user else not repeats
        if not open_here or message.pk not in open_to_all or _is_private(message.content):
            withheld = message.number if by_user else withheld
        elif message.content.strip() and not message.in_progress:
            yield message


def _said_while_off(user_id: UUID, messages: list[Message]) -> float:
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


def _is_private(text: str) -> bool:
    """Whether it speaks of what is kept apart, today or years ago."""
    if sensitivity.is_private(text) or guard.holds_a_secret(text):
        return True
    return any(SLOTS[candidate.slot].sensitive for candidate in extraction.extract(text))


def _pieces(message: Message) -> Iterator[tuple[str, bool]]:
    """A message cut where typing and pasting meet: each piece, and whether it was typed."""
    text, at = message.content, 0
    noticed = [text[start:end] for start, end in message.pasted]
    for span in sorted(origin.spans(text, noticed), key=lambda span: span.start):
        yield from _piece(text[at : span.start], typed=True)
        yield from _piece(text[max(at, span.start) : span.end], typed=False)
        at = max(at, span.end)
    yield from _piece(text[at:], typed=True)


def _piece(text: str, *, typed: bool) -> Iterator[tuple[str, bool]]:
    if text.strip():
        yield text, typed


def _known(user_id: UUID, lines: list[Line]) -> list[Known]:
    """What is known and bears most on these lines: facts of the profile, then notes."""
    words = {number for line in lines for number in stems(line.text)}
    facts: list[_Entry] = [
        (fact.kind.note.format(value=fact.value), None, "")
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
    return [Known(alias, *one) for alias, one in enumerate(chosen, start=FIRST_KNOWN)]


def _nearest(entries: list[_Entry], words: set[int]) -> list[_Entry]:
    """Those that share most words with the lines first; among equals the newest, as they come."""
    return sorted(entries, key=lambda entry: -len(words & stems(entry[0])))


def _summary_so_far(conversation: Conversation) -> str:
    summary = (
        Memory.objects.for_user(conversation.user_id)
        .active()
        .filter(source_conversation=conversation, category=Memory.Category.SUMMARY)
        .first()
    )
    return summary.content if summary else ""


# --- After the model -----------------------------------------------------------------------------


def _keep(held: work.Claim, stretch: _Stretch, seen: Reflection) -> None:
    """One transaction: the notes, how far was read, and the end of the work; or none of it."""
    with acting_as(held.user_id):
        # The work's row always before the conversation's: two can never wait for each other.
        if not work.still_holding(held):
            return
        here = (
            Conversation.objects.for_user(held.user_id)
            .select_for_update(no_key=True)
            .filter(pk=held.subject)
            .first()
        )
        if here is None:
            work.finish(held)
            return
        if not _may_note(held.user_id, held.subject):
            _pass_over(held.user_id, held.subject)
            work.finish(held)
            return
        if not _is_still_there(stretch):
            # Words that were taken out meanwhile teach nothing: the rest is read without them.
            work.finish(held)
            work.enqueue(stretch.conversation.user, KIND, held.subject)
            return
        kept = _take_notes(stretch, seen) if here.reflected_up_to == stretch.after else 0
        _move_on(held, stretch)
        log.info(
            "reflected",
            conversation=str(held.subject),
            lines=len(stretch.lines),
            kept=kept,
            dropped=dict(Counter(seen.dropped)),
        )


def _is_still_there(stretch: _Stretch) -> bool:
    """Whether all that was read stands as it was read; whoever takes it out waits for us."""
    read = {message.pk: message.content for message in stretch.message_of.values()}
    rows = Message.objects.for_user(stretch.conversation.user_id).filter(pk__in=read)
    return dict(rows.values_list("pk", "content")) == read


def _take_notes(stretch: _Stretch, seen: Reflection) -> int:
    """Keep each note under the message that says it; returns how many were kept.

    Of a message that was made confidential while the model read it nothing is kept, nor a summary
    that may tell of it.
    """
    withheld = _made_confidential(stretch)
    allowed = allowances.of(stretch.conversation.user_id, stretch.conversation.pk)
    said_by = [(stretch.message_of[noted.line], noted.draft) for noted in seen.notes]
    kept = sum(
        _is_kept(replace(_scope(message), allowed=allowed), message, draft)
        for message, draft in said_by
        if message.pk not in withheld
    )
    if seen.summary and not withheld:
        last = stretch.message_of[stretch.lines[-1].alias]
        with suppress(note_gate.NotKept):
            summary_store.keep(
                replace(_scope(last), allowed=allowed), seen.summary, origin=origin.Origin.MODEL
            )
    return kept


def _made_confidential(stretch: _Stretch) -> set[UUID]:
    read = {message.pk for message in stretch.message_of.values()}
    rows = Message.objects.for_user(stretch.conversation.user_id).filter(pk__in=read)
    return set(rows.filter(confidential=True).values_list("pk", flat=True))


def _is_kept(scope: Scope, message: Message, draft: Draft) -> bool:
    """Keep one note; one that stands in the database's way costs none of the others."""
    fitting = _beside_the_profile(message.user_id, draft)
    if fitting is None:
        return False
    try:
        with transaction.atomic():
            outcome = note_store.keep(scope, replace(fitting, tells=_tells(fitting)))
            if isinstance(outcome, note_store.Kept):
                _show(message, outcome.memory)
            return outcome is not None
    except IntegrityError:
        return False


def _tells(draft: Draft) -> tuple[tuple[str, str], ...]:
    """What the words that a note rests on tell by the rules: a closed kind stays closed."""
    read = [(one.slot, one.value) for one in extraction.extract(draft.original)]
    return (*read, ("", draft.original))


def _show(message: Message, memory: Memory) -> None:
    """Let the note be seen where it was said, with its way to take it back."""
    waits = memory.status == Memory.Status.WAITING
    kind = LearningOutcome.Kind.WAITING if waits else LearningOutcome.Kind.MEMORY
    LearningOutcome.objects.create(
        user_id=message.user_id, message=message, kind=kind, memory=memory
    )


def _beside_the_profile(user_id: UUID, draft: Draft) -> Draft | None:
    """The note as it may stand beside the profile; None when the profile says it already.

    A value for a slot that holds another one stays a sentence: what is only supposed never argues
    with what is known.
    """
    if not draft.slot:
        return draft
    slot = SLOTS[draft.slot]
    facts = ProfileFact.objects.for_user(user_id).current().filter(slot=slot.key)
    for value in facts.values_list("value", flat=True):
        if same_value(slot.key, value, draft.value):
            return None
        if not slot.many:
            known = narrower(slot.key, value, draft.value)
            return None if known else replace(draft, slot="", value="")
    return draft


def _scope(message: Message) -> Scope:
    return Scope(message.user_id, message.conversation_id, message.pk, message.said_at)


def _move_on(held: work.Claim, stretch: _Stretch) -> None:
    """Note how far was read, strike the work off, and ask for another look if more was said."""
    mine = Conversation.objects.for_user(held.user_id).filter(pk=held.subject)
    mine.filter(reflected_up_to__lt=stretch.up_to).update(reflected_up_to=stretch.up_to)
    work.finish(held)
    unread = Message.objects.for_user(held.user_id).filter(
        conversation_id=held.subject, role=Message.Role.USER, number__gt=stretch.up_to
    )
    if unread.exists():
        # What could not be read yet, because something before it is unfinished, can wait a little.
        got_on = stretch.up_to > stretch.after
        delay = 0.0 if got_on else settings.MEMORY["reflection_delay"]
        user = stretch.conversation.user
        work.enqueue(user, KIND, held.subject, delay=delay)


def _may_note(user_id: UUID, conversation_id: UUID) -> bool:
    """Whether the gate lets anything be noted of a conversation."""
    return decide(Request(Kind.NOTE), allowances.of(user_id, conversation_id)).kept


def _pass_over(user_id: UUID, conversation_id: UUID) -> None:
    """Count everything that was said so far as read."""
    Conversation.objects.for_user(user_id).filter(pk=conversation_id).update(
        reflected_up_to=F("last_number")
    )
