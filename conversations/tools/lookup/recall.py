"""Tools that find messages and memories: by subject, and by time."""

from collections.abc import Iterable
from datetime import datetime
from functools import reduce
from operator import or_
from typing import Literal
from uuid import UUID

from django.db.models import Q
from django.utils.timezone import localtime
from pydantic import BaseModel, Field

from conversations.models import Message
from conversations.search.message_recall import shares_words, tells_nothing
from conversations.tools import visibility
from conversations.tools.arguments import InTime, Period, Sought, Words
from conversations.tools.tool import Arguments, Result, Tool, ToolContext, ToolRefused
from conversations.tools.visibility import ConversationRef
from memory.core.scope import Scope
from memory.facts.day_precision import beginning_of_day
from memory.language.origin import Origin
from memory.language.text.terms import content_words
from memory.models import Memory
from memory.retrieval.note_search import FITS_FROM
from memory.retrieval.passage_index import TimeQuery, said_between
from memory.retrieval.passage_search import Hit, search_passages
from memory.retrieval.relevance import (
    ScoredNote,
    ScoredQuote,
    read_question,
    relevance_of,
    score_notes,
    score_quotes,
)

_MOST = 30
# More is retrieved than returned, because some results may not be shown here.
_SPARE = 30
# How many passages are retrieved to find conversations, or to filter by time.
LOOKED_AT = 150
# Least share of the question's words (or similar words) in a text that is about the question.
SPEAKS_OF = 0.4

SaidBy = Literal["person", "assistant", "anyone"]


# --- By subject ----------------------------------------------------------------------------------


class RecalledItem(BaseModel):
    """A message, or a memory. `why`: the factors of its score, mostly 0..1. `text` is what the
    speaker said; pasted text and unchecked claims are separate.
    """

    kind: Literal["message", "note"]
    id: UUID
    speaker: str
    text: str
    pasted_text: str
    unchecked_claim: str
    at: datetime
    link: str
    conversation: ConversationRef | None
    score: float
    why: dict[str, float]


class RecallResult(Result):
    """What is relevant to a question, in the order asked for."""

    found: list[RecalledItem]

    def in_words(self) -> str:
        """Return the result in words: '4 found'."""
        return f"{len(self.found)} found" if self.found else "nothing found"


class RecallArguments(Arguments):
    """What to search for."""

    query: Sought = Field(
        description="A question or a few words: 'the hotel in Lisbon', 'when does the lease end'."
    )
    said_by: SaidBy = Field("person", description="Whose messages to search.")
    limit: int = Field(8, ge=1, le=_MOST, description="Largest number of results.")


def recall(context: ToolContext, arguments: RecallArguments) -> RecallResult:
    """Return messages and memories relevant to a question, best first."""
    asked_at = localtime(context.asked_at)
    question = read_question(arguments.query, asked_at)
    hits = hits_of(context, arguments.query, arguments.limit + _SPARE, arguments.said_by)
    seen = quotable_of(context, hits)
    quotes = score_quotes([hit for hit in hits if hit.message_id in seen], question)
    candidates = [_from_quote(context, quote, seen[quote.hit.message_id]) for quote in quotes]
    if arguments.said_by != "assistant":
        scope = Scope(context.user_id, context.conversation_id, context.message_id, asked_at)
        notes = score_notes(scope, question)
        # A message says more than the memory made from it.
        candidates += _from_notes(context, [note for note in notes if note.message_id not in seen])
    items = sorted(filter(_may_be_shown, candidates), key=lambda item: -item.score)
    return RecallResult(found=items[: arguments.limit])


def _may_be_shown(item: RecalledItem) -> bool:
    """Return whether any text of the item may be shown here."""
    return bool(item.text or item.pasted_text or item.unchecked_claim)


def hits_of(context: ToolContext, query: str, count: int, said_by: SaidBy) -> list[Hit]:
    """Return search hits that share words or a date with `query` and are not only questions."""
    asked_at, but = localtime(context.asked_at), context.message_id
    private = visibility.is_asked_in_private(context)
    hits = search_passages(
        context.user_id, query, k=count, asked_at=asked_at, but=but, in_private=private
    )
    return [hit for hit in hits if _bears_on_it(hit) and _is_by(said_by, hit)]


def _bears_on_it(hit: Hit) -> bool:
    return shares_words(hit) and not (hit.by_user and tells_nothing(hit))


def _is_by(said_by: SaidBy, hit: Hit) -> bool:
    """Return whether a hit is by the wanted speaker; named speakers of replayed dialogues are
    neither the user nor the assistant.
    """
    by_person = hit.by_user or bool(hit.speaker)
    return said_by == "anyone" or by_person == (said_by == "person")


def quotable_of(context: ToolContext, hits: Iterable[Hit]) -> dict[UUID, Message]:
    """Return by id the messages of the hits that may be quoted here."""
    return visibility.messages(context).in_bulk([hit.message_id for hit in hits])


def _from_quote(context: ToolContext, scored: ScoredQuote, message: Message) -> RecalledItem:
    why = {factor.name: round(factor.adds, 3) for factor in scored.reasons[:4]}
    return _remembered(context, message, scored.score.total, scored.score.explained() | why)


def _remembered(
    context: ToolContext, message: Message, score: float, why: dict[str, float]
) -> RecalledItem:
    quote = visibility.quote(context, message)
    shared = quote.model_dump(exclude={"number", "said_at"})
    return RecalledItem(kind="message", at=quote.said_at, score=round(score, 4), why=why, **shared)


def _from_notes(context: ToolContext, notes: Iterable[ScoredNote]) -> list[RecalledItem]:
    """Return the memories as items, without those made from the question itself."""
    fit = {
        note.id: note
        for note in notes
        if note.score.similarity >= FITS_FROM
        and (note.message_id is None or note.message_id != context.message_id)
    }
    rows = visibility.notes(context).select_related("source_conversation").in_bulk(list(fit))
    return [
        _as_item(context, rows[pk], note.score.total, note.score.explained())
        for pk, note in fit.items()
        if pk in rows
    ]


def _as_item(
    context: ToolContext, note: Memory, score: float, why: dict[str, float]
) -> RecalledItem:
    return RecalledItem(
        kind="note",
        id=note.pk,
        speaker="notes",
        **_noted_as(note),
        at=(beginning_of_day(note.happened_on) or note.said_at),
        link=note.get_absolute_url(),
        conversation=visibility.place_seen(context, note.source_conversation),
        score=round(score, 4),
        why=why,
    )


def _noted_as(note: Memory) -> dict[str, str]:
    """Return a memory's text under the key for its standing: said, pasted, or claimed."""
    texts = dict.fromkeys(("text", "pasted_text", "unchecked_claim"), "")
    pasted, claims = note.origin == Origin.PASTED, bool(note.claim)
    place = "pasted_text" if pasted else "unchecked_claim" if claims else "text"
    return texts | {place: note.content}


# --- By time -------------------------------------------------------------------------------------


class RecallAtTimeArguments(InTime):
    """What to search for, and when it was said."""

    query: Words = Field("", description="What it was about; leave out for everything from then.")
    order: Literal["newest", "oldest", "best"] = Field(
        "newest", description="Order of the results; best: closest first."
    )
    said_by: SaidBy = Field("person", description="Whose messages to search.")
    limit: int = Field(12, ge=1, le=_MOST, description="Largest number of results.")


def recall_then(context: ToolContext, arguments: RecallAtTimeArguments) -> RecallResult:
    """Return the messages of a period, and the memories of events in that period."""
    time = arguments.period(context)
    if not time:
        raise ToolRefused(
            "Give a time: 'when', such as 'last week', or 'since' and 'until' as days."
        )
    if arguments.query:
        items = _search_period(context, arguments, time)
    else:
        items = [
            _remembered(context, message, 0.0, {})
            for message in _messages_of_period(context, arguments, time)
        ]
    allowed = filter(_may_be_shown, items + _notes_of_period(context, arguments, time))
    # Each item once, in the order of the first occurrence.
    items = list({item.id: item for item in reversed(list(allowed))}.values())[::-1]
    if arguments.order == "best" and arguments.query:
        items.sort(key=lambda item: -item.score)
    else:
        items.sort(key=lambda item: item.at, reverse=arguments.order != "oldest")
    return RecallResult(found=items[: arguments.limit])


def _messages_of_period(
    context: ToolContext, arguments: RecallAtTimeArguments, time: Period
) -> list[Message]:
    """Return the newest or oldest messages of the period that are relevant to the query."""
    question = read_question(arguments.query, localtime(context.asked_at))
    looked_for = TimeQuery(
        since=time.since,
        until=time.until,
        numbers=question.numbers,
        by_person=None if arguments.said_by == "anyone" else arguments.said_by == "person",
        but_conversations=visibility.hidden(context),
    )
    message_ids = [
        message_id
        for message_id, text in said_between(
            context.user_id, looked_for, LOOKED_AT, oldest_first=arguments.order == "oldest"
        )
        if message_id != context.message_id
        and (not question.numbers or relevance_of(text, question) >= SPEAKS_OF)
    ]
    seen = visibility.messages(context).in_bulk(message_ids)
    return [seen[message_id] for message_id in message_ids if message_id in seen][: arguments.limit]


def _search_period(
    context: ToolContext, arguments: RecallAtTimeArguments, time: Period
) -> list[RecalledItem]:
    """Return the matches in a period, by retrieval and by plain words, as retrieval returns only
    the newest messages with a common word.

    In chronological order only direct matches count, not neighbouring messages.
    """
    question = read_question(arguments.query, localtime(context.asked_at))
    hits = [
        hit
        for hit in hits_of(context, arguments.query, LOOKED_AT, arguments.said_by)
        if time.holds(hit.said_at)
        and (arguments.order == "best" or relevance_of(hit.text, question) >= SPEAKS_OF)
    ]
    seen = quotable_of(context, hits)
    quotes = score_quotes([hit for hit in hits if hit.message_id in seen], question)
    best = [_from_quote(context, quote, seen[quote.hit.message_id]) for quote in quotes]
    return best + [
        _remembered(context, message, 0.0, {})
        for message in _messages_of_period(context, arguments, time)
    ]


def _notes_of_period(
    context: ToolContext, arguments: RecallAtTimeArguments, time: Period
) -> list[RecalledItem]:
    """Return the memories of events in that period, whenever they were told."""
    if arguments.said_by == "assistant":
        return []
    rows = visibility.notes(context).active().filter(happened_on__isnull=False)
    if time.since:
        rows = rows.filter(happened_on__gte=localtime(time.since).date())
    if time.until:
        rows = rows.filter(happened_on__lt=localtime(time.until).date())
    words = content_words(arguments.query)
    if words:
        rows = rows.filter(reduce(or_, (Q(content__icontains=word) for word in words)))
    order = "happened_on" if arguments.order == "oldest" else "-happened_on"
    notes = rows.select_related("source_conversation").order_by(order, "-pk")[: arguments.limit]
    return [_as_item(context, note, 0.0, {}) for note in notes]


TOOLS = (
    Tool(
        name="recall_memories",
        purpose="Find what the person said before about something, and memories about it. "
        "Use it whenever the answer may be in earlier conversations.",
        arguments=RecallArguments,
        run=recall,
    ),
    Tool(
        name="recall_memories_with_time",
        purpose="Find what was said in a given period. Use it for 'what did I say about the garden "
        "in March?' or 'what did we talk about last week?'.",
        arguments=RecallAtTimeArguments,
        run=recall_then,
    ),
)
