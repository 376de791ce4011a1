"""Finding memories that a later sentence ends or updates, by a trained classifier.

"The party is on the 21st now" replaces "The party is on the 14th". The older memory's row stays and
can be restored.
"""

from pgvector.django import CosineDistance

from memory.core.scope import Scope
from memory.language.classifiers.statement_pairs import find_ending
from memory.language.text.embeddings import embed
from memory.models import Memory

_NEAREST = 4
"""Notes that are read with a sentence, the nearest in meaning."""
_SURELY = 0.8
"""From this probability on a sentence ends or changes a note."""


def notes_ended_by(scope: Scope, sentence: str) -> list[Memory]:
    """Return the active memories of other messages that a sentence ends or changes.

    Never one that was written by hand or has the highest priority.
    """
    vector = embed(sentence)
    if vector is None:
        return []
    rows = Memory.objects.for_user(scope.user_id).active().exclude(priority=Memory.Priority.CORE)
    rows = rows.exclude(source=Memory.Source.MANUAL).exclude(category=Memory.Category.SUMMARY)
    rows = rows.exclude(source_message=scope.message_id)
    rows = rows.filter(said_at__lte=scope.said_at, embedding__isnull=False)
    nearest = rows.annotate(far=CosineDistance("embedding", vector)).order_by("far")[:_NEAREST]
    return [
        note for note in nearest if find_ending(note.original or note.content, [sentence], _SURELY)
    ]
