"""Tools that forget facts and memories: each previews first and waits for approval."""

from datetime import timedelta
from typing import Annotated, Any, Literal
from urllib.parse import urlencode
from uuid import UUID

from django.conf import settings
from django.db.models import Q
from django.urls import reverse
from django.utils.timezone import localdate, now
from pydantic import BaseModel, Field, WithJsonSchema

from conversations.tools import visibility
from conversations.tools.tool import Arguments, NotThere, Result, Tool, ToolContext
from conversations.tools.visibility import count_in_words
from memory import manager
from memory.manager import consolidate_notes, notes_to_merge
from memory.models import Memory, ProfileFact
from memory.notes.note_store import notes_from_same_words, remove_note
from memory.retrieval.note_search import NoteQuery, find_notes

Status = ProfileFact.Status
# Most items per call, so that a user can read the preview.
_MOST = 100
_Ids = {"type": "array", "items": {"type": "string", "format": "uuid"}}


class DeletionResult(Result):
    """What would be forgotten, or was (`done`). `arguments` are the tool arguments of exactly this
    call. Everything can be restored, at the URL `link`.
    """

    done: bool
    link: str
    arguments: dict[str, Any]


class NamedNote(BaseModel):
    """A memory: id, text and URL."""

    id: UUID
    text: str
    link: str


# --- Cleaning up ---------------------------------------------------------------------------------

Kind = Literal["duplicates", "stale", "low_priority"]


class RetiredNote(NamedNote):
    """A memory that is retired, and the reason."""

    why: Kind


class MergedNotes(BaseModel):
    """Memories that say the same as one that stays."""

    stays: NamedNote
    go: list[NamedNote]


class Cleanup(DeletionResult):
    """The memories to retire or merge. `left_out`: how many more there are beyond the limit."""

    duplicates: list[MergedNotes]
    going: list[RetiredNote]
    left_out: int

    def in_words(self) -> str:
        """Return the result in words: '3 memories would be retired', '3 memories retired'."""
        count = len(self.going) + sum(len(group.go) for group in self.duplicates)
        if not count:
            return "nothing to tidy up"
        counted = count_in_words(count, "memory", "memories")
        return f"{counted} {'retired' if self.done else 'would be retired'}"


class CleanupArguments(Arguments):
    """Which kinds of memories to clean up."""

    kinds: list[Kind] = Field(
        default=["duplicates", "stale", "low_priority"],
        min_length=1,
        max_length=3,
        description="duplicates: memories that say nearly the same are merged. stale: neither "
        "mentioned nor used for a long time. low_priority: faded, or with little "
        "content.",
    )
    only: Annotated[list[UUID] | None, WithJsonSchema(_Ids)] = Field(
        None,
        max_length=10 * _MOST,
        description="Tidy only these memories, by the ids that an earlier answer listed.",
    )


def would_clean_up(context: ToolContext, arguments: CleanupArguments) -> Cleanup:
    """Return what a cleanup would change; nothing is changed."""
    visible = set(visibility.notes(context).active().values_list("pk", flat=True))
    if arguments.only is not None:
        visible &= set(arguments.only)
    groups = notes_to_merge(context.user_id, visible) if "duplicates" in arguments.kinds else []
    rest = visible - {note.pk for group in groups for note in group}
    going = _poor(context, arguments, rest)
    shown, alike = going[:_MOST], groups[:_MOST]
    ids = [note.pk for group in alike for note in group] + [note.pk for note, _ in shown]
    return Cleanup(
        done=False,
        link=reverse("memory:memories"),
        arguments={"kinds": list(arguments.kinds), "only": [str(pk) for pk in ids]},
        duplicates=[
            MergedNotes(stays=_as_named_note(first), go=[_as_named_note(other) for other in others])
            for first, *others in alike
        ],
        going=[
            RetiredNote(id=note.pk, text=note.content, link=note.get_absolute_url(), why=why)
            for note, why in shown
        ],
        left_out=len(going) - len(shown) + sum(len(group) - 1 for group in groups[_MOST:]),
    )


def clean_up(context: ToolContext, arguments: CleanupArguments) -> Cleanup:
    """Merge duplicate memories and retire the others; all of it can be undone on the page."""
    cleanup = would_clean_up(context, arguments)
    alike = {note.id for group in cleanup.duplicates for note in (group.stays, *group.go)}
    consolidate_notes(context.user_id, now(), only=alike)
    for note in visibility.notes(context).filter(pk__in=[note.id for note in cleanup.going]):
        remove_note(note)
    return cleanup.model_copy(update={"done": True})


def _poor(
    context: ToolContext, arguments: CleanupArguments, among: set[UUID]
) -> list[tuple[Memory, Kind]]:
    """Return the memories of little use, and why. Never manual, core or new ones, summaries, or
    those about a coming day.
    """
    why: dict[UUID, Kind] = {}
    if "stale" in arguments.kinds:
        for pk in find_notes(context.user_id, NoteQuery(show="stale")):
            why[pk] = "stale"
    if "low_priority" in arguments.kinds:
        for pk in find_notes(context.user_id, NoteQuery(show="junk")):
            why.setdefault(pk, "low_priority")
        low = Memory.objects.for_user(context.user_id).filter(priority=Memory.Priority.LOW)
        for pk in low.values_list("pk", flat=True):
            why.setdefault(pk, "low_priority")
    rows = (
        Memory.objects.for_user(context.user_id)
        .active()
        .filter(pk__in=why.keys() & among)
        .exclude(
            Q(source=Memory.Source.MANUAL)
            | Q(priority=Memory.Priority.CORE)
            | Q(category=Memory.Category.SUMMARY)
            | Q(said_at__gt=context.asked_at - timedelta(days=settings.MEMORY["fresh_days"]))
            | Q(happened_on__isnull=False, happened_on__gte=localdate(context.asked_at))
        )
        .defer("embedding", "terms")
    )
    return [(note, why[note.pk]) for note in rows.order_by("priority", "said_at", "pk")]


def _as_named_note(note: Memory) -> NamedNote:
    return NamedNote(id=note.pk, text=note.content, link=note.get_absolute_url())


# --- Forgetting ----------------------------------------------------------------------------------


class AlsoForgotten(BaseModel):
    """One more fact or memory that is forgotten."""

    kind: Literal["fact", "note"]
    id: UUID
    text: str


class ForgetResult(DeletionResult):
    """The fact or memory to forget, and `further` ones. also: memories from the same words,
    forgotten too. instead: values in open conflict, which become current.
    """

    kind: Literal["fact", "note"]
    id: UUID
    text: str
    also: list[str]
    instead: list[str]
    further: list[AlsoForgotten]

    def in_words(self) -> str:
        """Return the result in words: '1 fact would be forgotten', '1 memory forgotten'."""
        kinds = [self.kind, *(item.kind for item in self.further)]
        counts = [
            count_in_words(kinds.count(kind), singular, plural)
            for kind, singular, plural in (
                ("fact", "fact", "facts"),
                ("note", "memory", "memories"),
            )
            if kind in kinds
        ]
        return f"{' and '.join(counts)} {'forgotten' if self.done else 'would be forgotten'}"


class ForgetArguments(Arguments):
    """Which facts or memories to forget."""

    fact_id: UUID = Field(description="Id of a fact or memory, as returned by a search.")
    further: Annotated[list[UUID] | None, WithJsonSchema(_Ids)] = Field(
        None,
        max_length=_MOST,
        description="Ids of further facts or memories to forget with the same approval.",
    )


def would_forget(context: ToolContext, arguments: ForgetArguments) -> ForgetResult:
    """Return what would be forgotten; nothing is changed."""
    return _preview(*_all_of(context, arguments))


def forget(context: ToolContext, arguments: ForgetArguments) -> ForgetResult:
    """Retract facts and memories; they can be restored on their page."""
    going = _all_of(context, arguments)
    result = _preview(*going)
    # A fact takes along the memories from its words; those that were named are retracted first.
    for kept in sorted(going, key=lambda row: isinstance(row, ProfileFact)):
        manager.retract(kept, ended=True)
    return result.model_copy(update={"done": True})


def _all_of(context: ToolContext, arguments: ForgetArguments) -> list[ProfileFact | Memory]:
    first = _get_fact_or_note(context, arguments.fact_id)
    others = dict.fromkeys(pk for pk in arguments.further or () if pk != first.pk)
    # Past facts stay in the history, unless all of their slot are forgotten.
    with_past = first.slot if isinstance(first, ProfileFact) else ""
    return [first, *(_get_fact_or_note(context, pk, with_past) for pk in others)]


def can_go(fact: ProfileFact) -> bool:
    """Return whether the fact is current, or was past when it was told; facts that ended later stay
    as history.
    """
    told_as_over = fact.was_over and fact.source_message_id is not None
    return fact.status == Status.CURRENT or (fact.status == Status.PAST and told_as_over)


def _get_fact_or_note(context: ToolContext, pk: UUID, with_past: str = "") -> ProfileFact | Memory:
    """Return the fact or memory with this id, or a past fact if its slot is `with_past`. Raises
    NotThere.
    """
    fact = ProfileFact.objects.for_user(context.user_id).filter(pk=pk).first()
    ended = fact is not None and fact.status == Status.PAST and fact.slot == with_past
    row: ProfileFact | Memory | None = (
        fact if fact is not None and (can_go(fact) or ended) else None
    )
    row = row or visibility.notes(context).shown().filter(pk=pk).first()
    if row is None:
        raise NotThere(
            "I can’t find a fact or memory with this id. It may already have been forgotten; "
            "find_personal_variables and recall_memories return the ids."
        )
    return row


def _preview(kept: ProfileFact | Memory, *others: ProfileFact | Memory) -> ForgetResult:
    facts = [row for row in (kept, *others) if isinstance(row, ProfileFact)]
    named = {row.pk for row in (kept, *others)}
    arguments: dict[str, Any] = {"fact_id": str(kept.pk)}
    if others:
        arguments["further"] = [str(row.pk) for row in others]
    first, *further = (_as_forgotten(row) for row in (kept, *others))
    return ForgetResult(
        done=False,
        link=_way_back(kept, *others),
        arguments=arguments,
        **first.model_dump(),
        also=[words for fact in facts for words in _made_of_the_same(fact, named)],
        instead=[words for fact in facts for words in _standing_against(fact)],
        further=further,
    )


def _as_forgotten(kept: ProfileFact | Memory) -> AlsoForgotten:
    if isinstance(kept, Memory):
        return AlsoForgotten(kind="note", id=kept.pk, text=kept.content)
    text = kept.in_words if can_go(kept) else f"Earlier {kept.kind.noun}: {kept.value}"
    return AlsoForgotten(kind="fact", id=kept.pk, text=text)


def _way_back(*going: ProfileFact | Memory) -> str:
    """Return the URL where the items can be restored: the profile for facts, else the memories."""
    facts = [row for row in going if isinstance(row, ProfileFact)]
    first = going[0]
    alone = first if len(going) == 1 and isinstance(first, ProfileFact) else None
    if alone is not None and alone.status == Status.PAST and alone.source_message is not None:
        return alone.source_message.get_absolute_url()
    page = reverse("memory:profile" if facts else "memory:memories")
    return f"{page}?{urlencode([('gone', row.pk) for row in facts or going])}"


def _made_of_the_same(fact: ProfileFact, named: set[UUID]) -> list[str]:
    """Return the texts of the memories from the same words as the fact, except those in `named`."""
    rows = notes_from_same_words(fact).exclude(pk__in=named)
    return list(rows.values_list("content", flat=True)[:_MOST])


def _standing_against(fact: ProfileFact) -> list[str]:
    entries = fact.disputed_by.select_related("new_fact")
    rivals = [entry.new_fact for entry in entries if entry.is_open]
    return [rival.sentence for rival in rivals]


TOOLS = (
    Tool(
        name="memory_cleanup",
        purpose="Tidy the memories: merge those that say the same thing, and retire those that are "
        "stale or of low priority. The person is asked first. Use it when they ask to "
        "clean up.",
        arguments=CleanupArguments,
        run=clean_up,
        asks_first=True,
        foresee=would_clean_up,
    ),
    Tool(
        name="forget_fact",
        purpose="Forget a fact or memory, by its id. The person is asked first. Use it for"
        " 'forget that I like olives', after finding the id.",
        arguments=ForgetArguments,
        run=forget,
        asks_first=True,
        foresee=would_forget,
    ),
)
