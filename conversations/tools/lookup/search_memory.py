"""The tool that searches facts, memories and messages with filters; offered to language models
instead of the single look-up tools.
"""

from datetime import date, datetime
from typing import Any, Literal
from uuid import UUID

from django.utils.timezone import localtime
from pydantic import BaseModel, ConfigDict, Field, model_validator

from conversations.models import Message
from conversations.search.message_recall import shares_words, tells_nothing
from conversations.tools import visibility
from conversations.tools.arguments import OptionalId, Period, Time, Words, period
from conversations.tools.lookup import facts
from conversations.tools.lookup.recall import LOOKED_AT, SPEAKS_OF
from conversations.tools.tool import Arguments, Result, Tool, ToolContext
from memory.core.scope import Scope
from memory.models import Memory
from memory.retrieval.note_search import FITS_FROM
from memory.retrieval.passage_index import TimeQuery, said_between
from memory.retrieval.passage_search import search_passages
from memory.retrieval.relevance import ScoredNote, read_question, relevance_of, score_notes

_MOST = 20
# Longest message that is returned whole, in characters.
_LONGEST_TEXT = 1200
Kind = Literal["facts", "notes", "messages", "all"]


class FoundThing(BaseModel):
    """A fact, memory or message. `speaker`: person, assistant, or a name in a replayed dialogue."""

    id: UUID
    kind: Literal["fact", "note", "message"]
    speaker: str
    date: date
    text: str


class FoundThings(Result):
    """Results: facts, then memories, then messages; of each kind the best first."""

    found: list[FoundThing]

    def in_words(self) -> str:
        """Return the result in words: '4 found'."""
        return f"{len(self.found)} found" if self.found else "nothing found"

    def for_model(self) -> dict[str, Any]:
        """Return the text of each item, the speaker if not the user, and the time."""
        usual = {"kind": "message", "speaker": "person"}
        return {
            "found": [
                {
                    name: value
                    for name, value in result.model_dump().items()
                    if usual.get(name) != value
                }
                for result in self.found
            ]
        }


class SearchMemoryArguments(Arguments):
    """What to search for."""

    model_config = ConfigDict(extra="forbid", populate_by_name=True)

    query: Words = Field(
        "", description="A question or a few words; leave it out for all of a period."
    )
    kind: Kind = Field(
        "all", description="What to search: facts, notes (memories), messages or all."
    )
    since: Time = Field(
        "", alias="from", description="First day, such as 2025-03-14, or words such as 'last week'."
    )
    until: Time = Field("", alias="to", description="Last day, in the same form as `from`.")
    conversation: OptionalId = Field(
        None, description="Id of a conversation, or of a message in it."
    )
    speaker: Words = Field(
        "",
        description="Who said it: 'person', 'assistant', 'anyone' or a name in a dialogue that was "
        "played back; default: anyone but the assistant.",
    )
    limit: int = Field(8, ge=1, le=_MOST, description="Largest number of results of each kind.")

    @model_validator(mode="after")
    def _look_for_something(self) -> "SearchMemoryArguments":
        if not (self.query or self.since or self.until or self.conversation):
            raise ValueError("Name something to look for, a day, or a conversation")
        return self


def search(context: ToolContext, arguments: SearchMemoryArguments) -> FoundThings:
    """Search facts, memories and messages, as far as `arguments` ask for them."""
    time = period(context, arguments.since, arguments.until)
    results: list[FoundThing] = []
    wanted = arguments.kind
    of_person = arguments.speaker.lower() in ("", "person")
    if wanted in ("facts", "all") and of_person and not arguments.conversation:
        results += _facts(context, arguments, time)
    messages: list[FoundThing] = []
    if wanted in ("messages", "all"):
        messages = _messages(context, arguments, time)
    if wanted in ("notes", "all") and of_person:
        results += _notes(context, arguments, time, {message.id for message in messages})
    return FoundThings(found=[*results, *messages])


# --- Facts ---------------------------------------------------------------------------------------


def _facts(
    context: ToolContext, arguments: SearchMemoryArguments, time: Period
) -> list[FoundThing]:
    """Return facts that are or were true; with a period those of the period."""
    if not arguments.query and arguments.kind == "all":
        return []
    known = facts.find_facts(
        context, facts.WhichFacts(query=arguments.query, past=True, limit=arguments.limit)
    )
    return [
        FoundThing(
            id=fact.id,
            kind="fact",
            speaker="person",
            date=localtime(fact.since).date(),
            text=_fact_in_words(fact),
        )
        for fact in known.facts
        if _overlaps(fact, time)
    ]


def _overlaps(fact: facts.KnownFact, time: Period) -> bool:
    begins_later = time.until is not None and fact.since >= time.until
    ended_before = time.since is not None and fact.until is not None and fact.until < time.since
    return not (begins_later or ended_before)


def _fact_in_words(fact: facts.KnownFact) -> str:
    if fact.disputed:
        return f"Not settled: {' or '.join([fact.sentence, *fact.against])}"
    until = f" (until {localtime(fact.until).date()})" if fact.until else ""
    elsewhere = " (not in this conversation)" if fact.gives_way else ""
    return f"{fact.sentence}{until}{elsewhere}"


# --- Memories ------------------------------------------------------------------------------------


def _notes(
    context: ToolContext, arguments: SearchMemoryArguments, time: Period, shown: set[UUID]
) -> list[FoundThing]:
    """Return the matching memories, except those whose message is in `shown`."""
    asked_at = localtime(context.asked_at)
    scope = Scope(context.user_id, context.conversation_id, context.message_id, asked_at)
    scored = score_notes(scope, read_question(arguments.query, asked_at))
    talk = _conversation(context, arguments)
    fit = [
        note
        for note in scored
        if (not arguments.query or note.score.similarity >= FITS_FROM)
        and _is_in(note, time)
        and (talk is None or note.conversation_id == talk)
        and (note.message_id is None or note.message_id not in {context.message_id, *shown})
    ]
    fit.sort(
        key=lambda note: (-note.score.total if arguments.query else 0, -note.said_at.timestamp())
    )
    rows: dict[UUID, Memory] = visibility.notes(context).in_bulk([note.id for note in fit])
    return [_as_found(note) for note in fit if note.id in rows][: arguments.limit]


def _is_in(note: ScoredNote, time: Period) -> bool:
    """Return whether a memory was told in, or is about, a period."""
    happened = note.happened_on
    at = note.said_at
    return time.holds(at) or (
        happened is not None
        and time.holds(datetime.combine(happened, datetime.min.time(), localtime(at).tzinfo))
    )


def _as_found(note: ScoredNote) -> FoundThing:
    text = visibility.shortened(note.original or note.content, _LONGEST_TEXT)
    marks = {"pasted": "In a text they pasted: ", "claim": "Unchecked: "}
    return FoundThing(
        id=note.id,
        kind="note",
        speaker="person",
        date=note.happened_on or localtime(note.said_at).date(),
        text=marks.get(note.standing.value, "") + text,
    )


# --- Messages ------------------------------------------------------------------------------------


def _messages(
    context: ToolContext, arguments: SearchMemoryArguments, time: Period
) -> list[FoundThing]:
    """Return the messages relevant to the query, best first; without a query those of a period or
    conversation, newest first.
    """
    talk = _conversation(context, arguments)
    ids = _relevant(context, arguments, time, talk) if arguments.query else []
    if time:
        ids += [pk for pk in _of_time(context, arguments, time) if pk not in ids]
    rows = visibility.messages(context)
    if context.message_id is not None:
        rows = rows.exclude(pk=context.message_id)
    if not arguments.query and not time:
        newest = rows.filter(conversation=talk).order_by("-number")[:LOOKED_AT]
        there = {message.pk: message for message in newest}
    else:
        there = rows.in_bulk(ids)
    results = []
    for pk in ids or there:
        message = there.get(pk)
        if message is not None and (talk is None or message.conversation_id == talk):
            result = _as_found_message(context, message)
            if result.text and _is_by(arguments.speaker, message):
                results.append(result)
        if len(results) >= arguments.limit:
            break
    return results


def _relevant(
    context: ToolContext, arguments: SearchMemoryArguments, time: Period, talk: UUID | None
) -> list[UUID]:
    hits = search_passages(
        context.user_id,
        arguments.query,
        k=LOOKED_AT,
        asked_at=localtime(context.asked_at),
        but=context.message_id,
        conversation=talk,
        in_private=visibility.is_asked_in_private(context),
    )
    return [
        hit.message_id
        for hit in hits
        if time.holds(hit.said_at)
        and shares_words(hit)
        and not (hit.by_user and tells_nothing(hit))
    ]


def _of_time(context: ToolContext, arguments: SearchMemoryArguments, time: Period) -> list[UUID]:
    question = read_question(arguments.query, localtime(context.asked_at))
    looked_for = TimeQuery(
        since=time.since,
        until=time.until,
        numbers=question.numbers,
        by_person=None,
        but_conversations=visibility.hidden(context),
    )
    return [
        pk
        for pk, text in said_between(context.user_id, looked_for, LOOKED_AT, oldest_first=False)
        if not question.numbers or relevance_of(text, question) >= SPEAKS_OF
    ]


def _is_by(wanted: str, message: Message) -> bool:
    """Return whether a message is by the wanted speaker; without one, by anyone but the
    assistant.
    """
    by_assistant = message.role == Message.Role.ASSISTANT and not message.author
    match wanted.lower():
        case "" | "anyone":
            return bool(wanted) or not by_assistant
        case "person":
            return message.role == Message.Role.USER
        case "assistant":
            return by_assistant
    return message.author.lower().startswith(wanted.lower())


def _as_found_message(context: ToolContext, message: Message) -> FoundThing:
    quote = visibility.quote(context, message, _LONGEST_TEXT)
    pasted = f"In a text they pasted: {quote.pasted_text}" if quote.pasted_text else ""
    claim = f"Unchecked: {quote.unchecked_claim}" if quote.unchecked_claim else ""
    return FoundThing(
        id=message.pk,
        kind="message",
        speaker=quote.speaker,
        date=localtime(message.said_at).date(),
        text=" ".join(filter(None, (quote.text, claim, pasted))),
    )


def _conversation(context: ToolContext, arguments: SearchMemoryArguments) -> UUID | None:
    """Return the id of the named conversation, or of the conversation of the named message. Raises
    ToolRefused.
    """
    if arguments.conversation is None:
        return None
    return visibility.talk(context, arguments.conversation).pk


TOOLS = (
    Tool(
        name="search_memory",
        purpose="Find facts about the person (past ones too), memories, and messages word for "
        "word. Use it whenever what you were given does not contain the answer.",
        arguments=SearchMemoryArguments,
        run=search,
    ),
)
