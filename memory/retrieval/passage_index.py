"""Indexing messages for search: one passage per message, updated when the message changes."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from datetime import datetime
from typing import Any
from uuid import UUID

from django.contrib.postgres.fields import ArrayField
from django.db.models import Func, Subquery, TextField, Value
from django.db.models.expressions import CombinedExpression
from django.db.models.functions import Coalesce

from accounts.database.isolation import acting_as
from memory.core.statements import array_literal, fetch_rows
from memory.language.dates import asked_times
from memory.language.reading import Reading
from memory.language.safety import secrets
from memory.language.text import terms
from memory.models import Passage
from memory.notes import note_extraction, significance
from memory.retrieval.measures import PassageMarks

# The number of messages written per statement.
INDEX_BATCH = 200
# Further words are not indexed, as nobody would search for them.
MOST_TERMS = 2_000
# A standing wish of the speaker: how to do things, now and later.
_STANDING = re.compile(
    r"\b(?:i(?: would|'d)? (?:really )?prefer|i(?:'d| would) rather|my preference|always|never"
    r"|from now on|whenever i|every time i|when i ask|make sure (?:to|you)"
    r"|i (?:like|love|enjoy|hate|dislike|want)|instead of|rather than)\b"
)
_OF_SPEAKER = re.compile(r"\b(?:i|my|we|our)\b")
# From this significance on, a sentence will still matter later.
_MATTERS = 0.6
# In characters. A longer text is mostly not talk: how personal it is hardly counts in its score,
# and reading it would take long.
_TALK = 2_000


@dataclass(frozen=True)
class SaidMessage:
    """A message to be indexed; `speaker` is '' in a chat, a name in an imported dialogue."""

    user_id: UUID
    conversation_id: UUID
    message_id: UUID
    number: int
    text: str
    said_at: datetime
    by_user: bool
    speaker: str = ""


def index_message(message: SaidMessage, reading: Reading) -> None:
    """Index a message or update its passage. Must run in the user's transaction.

    `reading` is the reading of the message's text.
    """
    if message.text.strip():
        index_read_messages([(message, reading)])


def index_messages(pair: Sequence[SaidMessage]) -> int:
    """Index many messages of one user; return how many were written.

    Empty texts are skipped, passages of known messages are overwritten. Must run in the user's
    transaction.
    """
    fitting = [(message, Reading(message.text)) for message in pair if message.text.strip()]
    for start in range(0, len(fitting), INDEX_BATCH):
        index_read_messages(fitting[start : start + INDEX_BATCH])
    return len(fitting)


def reindex_passages(user_id: UUID) -> int:
    """Index all passages of a user again from their texts; return how many.

    For updates that extract more from a text. Each batch has its own transaction, so call this
    outside of any.
    """
    with acting_as(user_id):
        ids = list(Passage.objects.filter(user_id=user_id).values_list("pk", flat=True))
    return sum(
        _write_anew(user_id, ids[index : index + INDEX_BATCH])
        for index in range(0, len(ids), INDEX_BATCH)
    )


def _write_anew(user_id: UUID, ids: Sequence[UUID]) -> int:
    with acting_as(user_id):
        # Locked, so that a message deleted in the meantime is not indexed again.
        passages = Passage.objects.filter(user_id=user_id, pk__in=ids).select_for_update()
        return index_messages(
            [
                SaidMessage(
                    **{each.name: getattr(passage, each.name) for each in fields(SaidMessage)}
                )
                for passage in passages
            ]
        )


@dataclass(frozen=True)
class TimeQuery:
    """A search by time alone: from `since` on, before `until`; None for no limit.

    Messages must have one of the words with `numbers`, if any. `by_person`: True for messages of
    the user or named speakers of imported dialogues, False for the assistant's, None for all.
    """

    since: datetime | None
    until: datetime | None
    numbers: Sequence[int] = ()
    by_person: bool | None = None
    but_conversations: Sequence[UUID] = ()


def said_between(
    user_id: UUID, wanted: TimeQuery, count: int, *, oldest_first: bool = False
) -> list[tuple[UUID, str]]:
    """Return ids and texts of the messages of a period, latest first.

    Must run in the user's transaction.
    """
    statement = _BETWEEN.replace("desc", "asc") if oldest_first else _BETWEEN
    values = {
        "user": user_id,
        "since": wanted.since,
        "until": wanted.until,
        "words": " | ".join(lexeme_of(user_id, number) for number in wanted.numbers),
        "by_person": wanted.by_person,
        "but": array_literal(wanted.but_conversations),
        "count": count,
    }
    return [(message_id, text) for message_id, text in fetch_rows(statement, values)]


_BETWEEN = """
select message_id, text from memory_passage
where user_id = %(user)s
  and said_at >= coalesce(%(since)s::timestamptz, '-infinity')
  and said_at < coalesce(%(until)s::timestamptz, 'infinity')
  and (%(words)s::text = '' or words @@ nullif(%(words)s::text, '')::tsquery)
  and (%(by_person)s::bool is null or (by_user or speaker <> '') = %(by_person)s::bool)
  and conversation_id <> all(%(but)s::text::uuid[])
order by said_at desc, number desc limit %(count)s::int
"""


def mark_of(user_id: UUID) -> str:
    """Return the prefix of a user's lexemes: eight hexadecimal digits of the user's id.

    Two users may share a prefix; this only costs time, because every search also filters by user.
    """
    return user_id.hex[-8:]


def lexeme_of(user_id: UUID, number: int) -> str:
    """Return the lexeme of a word number in the user's part of the index."""
    return f"{mark_of(user_id)}{number & 0xFFFFFFFF:08x}"


def index_read_messages(read: Sequence[tuple[SaidMessage, Reading]]) -> None:
    """Index many non-empty messages of one user, with secrets masked."""
    passages = [
        (replace(message, text=secrets.mask_secrets(message.text)), reading)
        for message, reading in read
    ]
    places = (
        Passage.objects.filter(user_id=passages[0][0].user_id).order_by("-place").values("place")
    )
    newest = Coalesce(Subquery(places[:1]), 0)
    meanings = terms.meaning_vectors([message.text for message, _ in passages])
    rows = [
        _passage(*pair, newest + offset, meaning)
        for offset, (pair, meaning) in enumerate(zip(passages, meanings, strict=True), start=1)
    ]
    made_anew = [
        field.attname
        for field in Passage._meta.concrete_fields
        if not field.generated and field.attname not in ("id", "message_id", "user_id", "place")
    ]
    Passage.objects.bulk_create(
        rows,
        update_conflicts=True,
        # A key that holds the owner: tables in partitions have no others.
        unique_fields=["user", "conversation", "number"],
        update_fields=made_anew,
    )


def _passage(
    message: SaidMessage,
    reading: Reading,
    place: CombinedExpression,
    meaning: terms.Float32Array | None,
) -> Passage:
    numbers = [terms.stem_id(word) for word in terms.content_words(message.text)][:MOST_TERMS]
    lexemes = sorted({lexeme_of(message.user_id, number) for number in numbers})
    words: Any = Func(
        Value(lexemes, output_field=ArrayField(TextField())), function="array_to_tsvector"
    )
    return Passage(
        user_id=message.user_id,
        conversation_id=message.conversation_id,
        message_id=message.message_id,
        number=message.number,
        place=place,
        speaker=message.speaker,
        by_user=message.by_user,
        said_at=message.said_at,
        text=message.text,
        marks=marks_of(reading),
        words=words,
        **terms.columns(numbers, meaning),
    )


def marks_of(reading: Reading) -> PassageMarks:
    """Return the marks of a message for ranking."""
    text, marks = reading.text, PassageMarks(0)
    if text.rstrip().endswith("?"):
        marks |= PassageMarks.ASKS
    if asked_times.tells_when(text):
        marks |= PassageMarks.TELLS_WHEN
    lower = text.lower().replace("’", "'")
    if _STANDING.search(lower):
        marks |= PassageMarks.STANDING
    if _OF_SPEAKER.search(lower):
        marks |= PassageMarks.OF_SPEAKER
    if len(text) <= _TALK and significance.greatest_significance(reading) >= _MATTERS:
        # A question may be significant and still state nothing.
        asks = PassageMarks.ASKS in marks
        if not asks or note_extraction.is_noteworthy(reading):
            marks |= PassageMarks.MATTERS
    return marks
