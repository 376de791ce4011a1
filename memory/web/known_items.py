"""Facts and memories as one list of sentences, for clients that do not distinguish them."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.utils.timezone import now

from memory.core.persistence_gate import Refused
from memory.core.scope import Scope
from memory.facts import revision
from memory.language.reading import Reading
from memory.models import VALUE_LENGTH, Memory, MemoryQuerySet, ProfileFact
from memory.notes import note_store
from memory.retrieval import relevance
from memory.retrieval.note_search import FITS_FROM
from memory.slots import asked_about

_IN_USE = (Memory.Status.ACTIVE, Memory.Status.WAITING)


class NoValue(Refused):
    """The text contains no value for the fact; the message says how to write one."""


@dataclass(frozen=True)
class KnownItem:
    """A current fact, or a memory that is active or waits for approval."""

    row: ProfileFact | Memory

    @property
    def id(self) -> UUID:
        """The id of the fact or memory."""
        return self.row.pk

    @property
    def text(self) -> str:
        """The item as a sentence: 'Works at Google'."""
        return self.row.sentence if isinstance(self.row, ProfileFact) else self.row.content

    @property
    def kind(self) -> str:
        """'fact' or 'memory', as in the API."""
        return "fact" if isinstance(self.row, ProfileFact) else "memory"

    @property
    def category(self) -> str:
        """The slot of a fact, or the category of a memory."""
        return self.row.slot if isinstance(self.row, ProfileFact) else self.row.category

    @property
    def status(self) -> str:
        """'active', or 'waiting' for a memory that waits for approval."""
        return "active" if isinstance(self.row, ProfileFact) else self.row.status

    @property
    def conversation_id(self) -> UUID | None:
        """The id of the conversation in which the item was said; None if it was not said in one."""
        return self.row.source_conversation_id

    @property
    def created_at(self) -> datetime:
        """When the item was saved."""
        return self.row.created_at

    @property
    def updated_at(self) -> datetime:
        """When the item was last changed."""
        return self.row.updated_at


def list_known_items(user_id: UUID) -> list[KnownItem]:
    """Return all items of a user, newest first, without summaries of conversations."""
    facts = ProfileFact.objects.for_user(user_id).current().defer("embedding")
    items = [KnownItem(row) for row in (*facts, *_notes(user_id))]
    return sorted(items, key=lambda item: (item.created_at, item.id), reverse=True)


def find_known_item(user_id: UUID, pk: UUID) -> KnownItem | None:
    """Return the item with this id, or the one that replaced it; None if there is none."""
    row: ProfileFact | Memory | None
    row = ProfileFact.objects.for_user(user_id).filter(pk=pk).first()
    while isinstance(row, ProfileFact) and row.status != ProfileFact.Status.CURRENT:
        row = ProfileFact.objects.for_user(user_id).filter(replaces=row).first()
    if row is not None:
        return KnownItem(row)
    row = Memory.objects.for_user(user_id).filter(pk=pk).first()
    while isinstance(row, Memory) and row.status not in _IN_USE:
        row = row.superseded_by
    return None if row is None or row.category == Memory.Category.SUMMARY else KnownItem(row)


def ids_over_time(user_id: UUID, pk: UUID) -> set[UUID]:
    """Return the ids of all earlier and later versions of an item; empty for an unknown id."""
    facts, notes = ProfileFact.objects.for_user(user_id), Memory.objects.for_user(user_id)
    if not (facts.filter(pk=pk).exists() or notes.filter(pk=pk).exists()):
        return set()
    pairs = [
        {*pair}
        for pair in (
            *facts.filter(replaces__isnull=False).values_list("pk", "replaces_id"),
            *notes.filter(superseded_by__isnull=False).values_list("pk", "superseded_by_id"),
        )
    ]
    known: set[Any] = {pk}
    size = 0
    while len(known) > size:
        size = len(known)
        known = known.union(*(pair for pair in pairs if known & pair))
    return known


def search_known_items(
    user_id: UUID, query: str, *, at_least: float | None = None
) -> list[tuple[KnownItem, float]]:
    """Return the items that match a query, with scores of 0 to 1, best first.

    Without `at_least`, the threshold is that of the search on the page.
    """
    question = relevance.read_question(query, now())
    items = {item.id: item for item in list_known_items(user_id)}
    scope = Scope(user_id, None, None, question.asked_at)
    texts = relevance.fit_of_texts([item.text for item in items.values()], question)
    fits = dict(zip(items, texts, strict=True))
    facts = [item.row for item in items.values() if isinstance(item.row, ProfileFact)]
    asked = relevance.score_facts(facts, question, asked_about(query))
    scored = {fact.fact.pk: fact.score.similarity for fact in asked}
    scored |= {note.id: note.score.similarity for note in relevance.score_notes(scope, question)}
    least = FITS_FROM if at_least is None else at_least
    best = {pk: max(fit, scored.get(pk, 0.0)) for pk, fit in fits.items()}
    matches = [(items[pk], fit) for pk, fit in best.items() if fit >= least]
    return sorted(matches, key=lambda pair: (-pair[1], -pair[0].id.int))


def reword_known_item(item: KnownItem, text: str) -> KnownItem:
    """Change the text of an item; the old text stays in the history.

    Raises Refused if the text may not be saved, and NoValue if it contains no value for the fact.
    """
    if isinstance(item.row, Memory):
        return KnownItem(note_store.rewrite(item.row, text))
    return KnownItem(revision.rewrite(item.row, _value_in(text, item.row)))


def remove_known_item(item: KnownItem) -> None:
    """Retract an item; the user can restore it."""
    if isinstance(item.row, Memory):
        note_store.remove_note(item.row)
    else:
        revision.retract(item.row)


def _notes(user_id: UUID) -> MemoryQuerySet:
    rows = Memory.objects.for_user(user_id)
    rows = rows.active() | rows.waiting()
    return rows.exclude(category=Memory.Category.SUMMARY).defer("embedding", "terms")


def _value_in(text: str, fact: ProfileFact) -> str:
    """Return the value that a text states for the slot of a fact. Raises NoValue."""
    stated_value = " ".join(text.split()).rstrip(".")
    stated = (read.value for read in Reading(text).facts if read.slot == fact.slot)
    for value in (*_told_as(stated_value, fact), *stated):
        if len(value) > VALUE_LENGTH:
            raise NoValue(f"Say it in {VALUE_LENGTH} characters or fewer.")
        return value
    example = fact.kind.note.format(value="…")
    raise NoValue(f"I can’t tell the new value from this. Write it like “{example}”.")


def _told_as(text: str, fact: ProfileFact) -> Iterator[str]:
    """Yield the value in a text that has the form of the slot's sentence."""
    for template in filter(None, (fact.kind.note, fact.kind.statement)):
        before, _, after = template.rstrip(".").partition("{value}")
        value = text[len(before) : len(text) - len(after)].strip()
        whole = template.rstrip(".").format(value=value)
        if value and (before or after) and whole.casefold() == text.casefold():
            yield value
