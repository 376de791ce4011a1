"""Searching a user's memories by words or meaning, category and status, in a chosen order.

Used by page and API. Functions return ids, because some filters (duplicates, junk) are not database
queries.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from functools import reduce
from operator import and_
from urllib.parse import urlencode
from uuid import UUID

from django.conf import settings
from django.db.models import Case, F, IntegerField, Q, Value, When
from django.db.models.functions import Coalesce
from django.utils.timezone import now

from memory.core.scope import Scope
from memory.maintenance import lifecycle
from memory.models import Memory, MemoryQuerySet
from memory.retrieval import relevance

# Memories with a lower score match only if they contain all words of the query.
FITS_FROM = 0.25
LONGEST_QUERY = 200
_UNSEEN = re.compile(r"[\x00-\x1f\x7f]+")

Status = Memory.Status
HELD = (Status.ACTIVE, Status.PAUSED)
GONE = (Status.SUPERSEDED, Status.MERGED, Status.RETIRED, Status.REMOVED, Status.DECLINED)

SHOWS = {
    "": "In use or paused",
    "resting": "Paused or faded",
    "gone": "No longer in use",
    "never-used": "Not used yet",
    "stale": "Not mentioned for a long time",
    "junk": "Too short",
    "duplicates": "Almost the same",
}
SORTS = {"": "Most used", "newest": "Newest", "sure": "Most certain"}


@dataclass(frozen=True)
class NoteQuery:
    """Filters of the memory search. Invalid values are ignored."""

    query: str = ""
    kind: str = ""
    show: str = ""
    sort: str = ""

    @classmethod
    def read(cls, given: Mapping[str, str]) -> "NoteQuery":
        """Return the filters given in the query string of a URL."""
        kind, show, sort = given.get("kind", ""), given.get("show", ""), given.get("sort", "")
        return cls(
            query=clean_query(given.get("q", "")),
            kind=kind if kind in Memory.Category.values else "",
            show=show if show in SHOWS else "",
            sort=sort if sort in SORTS else "",
        )

    @property
    def is_narrowed(self) -> bool:
        """Whether any filter is set."""
        return bool(self.query or self.kind or self.show)

    def address(self, **more: object) -> str:
        """Return the filters as a query string, without empty ones."""
        values = {"q": self.query, "kind": self.kind, "show": self.show, "sort": self.sort, **more}
        return urlencode({name: value for name, value in values.items() if value})


def clean_query(query: str) -> str:
    """Return a query without control characters, cut to `LONGEST_QUERY` characters."""
    return " ".join(_UNSEEN.sub(" ", query).split())[:LONGEST_QUERY]


def find_notes(user_id: UUID, query: NoteQuery) -> list[UUID]:
    """Return the ids of the matching memories, in order."""
    rows = _narrowed(user_id, query.show)
    if query.kind:
        rows = rows.filter(category=query.kind)
    if query.query and not query.sort:
        return matching(user_id, rows, query.query)
    ordered = list(_ordered(rows, query.sort).values_list("pk", flat=True))
    if query.query:
        matches = set(matching(user_id, rows, query.query))
        return [pk for pk in ordered if pk in matches]
    return ordered


def matching(user_id: UUID, rows: MemoryQuerySet, query: str) -> list[UUID]:
    """Return the ids of memories that match by words or meaning, best first.

    Memories that are not active match by words only.
    """
    question = relevance.read_question(query, now())
    scored = relevance.score_notes(Scope(user_id, None, None, question.asked_at), question)
    fits = {note.id: note.score.similarity for note in scored}
    holds_all = reduce(and_, (Q(content__icontains=word) for word in query.split()))
    with_words = set(rows.filter(holds_all).values_list("pk", flat=True))
    near = {pk for pk, fit in fits.items() if fit >= FITS_FROM}
    notes = rows.filter(pk__in=with_words | near).values_list("pk", flat=True)
    return sorted(notes, key=lambda pk: (-fits.get(pk, 0.0), pk not in with_words, -pk.int))


def shown_notes(user_id: UUID) -> MemoryQuerySet:
    """Return a user's memories with everything that pages show, without the search columns."""
    notes = Memory.objects.for_user(user_id)
    notes = notes.select_related("source_conversation", "source_message", "superseded_by")
    return notes.defer(
        "embedding",
        "terms",
        "superseded_by__embedding",
        "superseded_by__terms",
        "source_message__content",
        "source_message__recalled",
    )


def waiting(user_id: UUID) -> MemoryQuerySet:
    """Return the memories that wait for approval, ordered by conversation."""
    waits = shown_notes(user_id).waiting()
    waits = waits.select_related("ends", "replaces").defer("replaces__embedding", "replaces__terms")
    return waits.order_by("source_conversation_id", "said_at")


def _ordered(rows: MemoryQuerySet, sort: str) -> MemoryQuerySet:
    paused_last = Case(
        When(status=Status.PAUSED, then=Value(1)), default=Value(0), output_field=IntegerField()
    )
    by = {
        "newest": [F("said_at").desc()],
        "sure": [paused_last.asc(), F("trust").desc(), F("said_at").desc()],
    }
    most_used = [paused_last.asc(), F("uses").desc(), F("priority").desc(), F("said_at").desc()]
    return rows.order_by(*by.get(sort, most_used), "-pk")


def _narrowed(user_id: UUID, show: str) -> MemoryQuerySet:
    """Return the memories of one of SHOWS; quality filters cover active ones without summaries."""
    rows = Memory.objects.for_user(user_id)
    counted = rows.active().exclude(category=Memory.Category.SUMMARY)
    match show:
        case "resting":
            faded = Q(status=Status.ACTIVE, faded_at__isnull=False)
            narrowed = rows.filter(faded | Q(status=Status.PAUSED))
        case "gone":
            narrowed = rows.filter(status__in=GONE)
        case "never-used":
            narrowed = counted.filter(uses=0)
        case "stale":
            since = now() - timedelta(days=int(settings.MEMORY["stale_days"]))
            last = Coalesce("last_used_at", "said_at")
            narrowed = counted.annotate(last=last).filter(last__lt=since)
        case "junk":
            poor = [n.pk for n in counted.only("content", "trust") if lifecycle.is_junk(n)]
            narrowed = counted.filter(pk__in=poor)
        case "duplicates":
            groups = lifecycle.groups_alike(lifecycle.mergeable(user_id))
            narrowed = counted.filter(pk__in=[note.pk for group in groups for note in group])
        case _:
            narrowed = rows.filter(status__in=HELD)
    return narrowed
