"""Removing erased data from restored histories and from rows of earlier stores."""

from collections.abc import Collection, Iterable, Iterator
from functools import partial
from typing import Any
from uuid import UUID

from django.db.models import Q, QuerySet
from django.utils.timezone import now

from memory.deletion.redaction_terms import RedactionTerms
from memory.deletion.sought import ErasurePart, ErasureTarget, texts_in_json
from privacy.legacy.stores import text_of
from privacy.models import LegacyRow, RestoredLine

_LABELS = ("conversations.message", "memory.profilefact", "memory.memory")
# Tables whose rows may repeat any sentence of their conversation.
_OF_ALL = ("conversations", "conversation_compacts")


def holding(*, user_id: UUID, target: ErasureTarget, **kwargs: Any) -> list[ErasurePart]:
    """Return the original rows that repeat a sentence of an erased conversation."""
    if not target.sentences:
        return []
    telling = [row.pk for row in _with_words(user_id) if target.is_in(*_texts(row))]
    return [ErasurePart("legacy", len(telling), partial(_redact_keys, user_id, telling))]


def blank(
    *, user_id: UUID, words: Collection[RedactionTerms], subjects: Collection[UUID], **kwargs: Any
) -> None:
    """Remove erased words from the restored lines and original rows about the erased subjects."""
    lines = RestoredLine.objects.filter(user_id=user_id, redacted_at=None)
    slots = {terms.slot for terms in words} | {""}
    telling = [
        line.pk
        for line in lines.filter(slot__in=slots).iterator(500)
        if any(_line_tells(terms, line) for terms in words)
    ]
    lines.filter(Q(subject__in=subjects) | Q(pk__in=telling)).update(
        before="", after="", why="", redacted_at=now()
    )
    _redact(_naming(user_id, subjects))
    telling = [
        row.pk
        for row in _with_words(user_id)
        if any(terms.occur_in(*_texts(row)) for terms in words)
    ]
    _redact_keys(user_id, telling)


def forget_messages(
    *,
    user_id: UUID,
    conversation: UUID,
    messages: Collection[UUID],
    whole: bool = False,
    **kwargs: Any,
) -> None:
    """Redact the original rows of deleted messages, and those that summarise their conversation."""
    _redact(_naming(user_id, messages))
    here = LegacyRow.objects.filter(user_id=user_id, conversation=conversation)
    _redact(here if whole else here.filter(table__in=_OF_ALL))
    if whole:
        here.update(conversation=None)


def _line_tells(terms: RedactionTerms, line: RestoredLine) -> bool:
    sides = [*line.before.split(" / "), *line.after.split(" / ")]
    of_the_slot = terms.slot == line.slot and any(terms.match_value(side) for side in sides)
    return of_the_slot or terms.occur_in(line.before, line.after, line.why)


def _with_words(user_id: UUID) -> Iterator[LegacyRow]:
    return LegacyRow.objects.filter(user_id=user_id, redacted_at=None).iterator(500)


def _naming(user_id: UUID, keys: Iterable[UUID]) -> QuerySet[LegacyRow]:
    names = [f"{label} {key}" for key in keys for label in _LABELS]
    rows = LegacyRow.objects.filter(user_id=user_id)
    return rows.filter(Q(made__overlap=names) | Q(joined__overlap=names))


def _texts(row: LegacyRow) -> list[str]:
    """Return all texts in a row, including those stored as bytes."""
    odd = [text_of(row.original, name) for name, value in row.original.items() if value]
    return [*texts_in_json(row.original), *odd, row.value]


def _redact_keys(user_id: UUID, keys: Collection[UUID]) -> None:
    _redact(LegacyRow.objects.filter(user_id=user_id, pk__in=keys))


def _redact(rows: QuerySet[LegacyRow]) -> None:
    """Clear the content of rows, but keep their origin, so that they are not migrated again."""
    rows.filter(redacted_at=None).update(
        original={}, value="", made=[], joined=[], redacted_at=now()
    )
