"""Same text or similar wording of lessons.

Only the same text is the same lesson: whoever supports it has read or written these words in this
order. Similar ones are asked about and never merged, because a single word ("never", "after") can
reverse the meaning.
"""

from collections.abc import Iterable, Iterator, Sequence
from uuid import NAMESPACE_URL, UUID, uuid5

import numpy as np
from django.conf import settings

from memory.language.text import dedup, terms
from memory.lessons import cohort
from memory.models import Lesson, LessonSupport

# Words that turn what a lesson says: two lessons that do not share them are two.
_TURNING = frozenset("before after first last more less fewer above below only always".split())


def lesson_id(scope: str, key: str, text: str) -> UUID:
    """Return the id of the lesson with this text, the same for everybody who writes it."""
    return uuid5(NAMESPACE_URL, f"lesson text:{scope}:{key}:{same_text(text)}")


def same_text(text: str) -> str:
    """Return what two spellings of one text share: capitals, spaces and closing marks do not count.

    Marks within a text do: "Do not compare. Before ranking, ask." is not "Do not compare before
    ranking. Ask."
    """
    return " ".join(text.casefold().split()).rstrip(" .!;:,")


def other_wordings(user_id: UUID, supports: Sequence[LessonSupport]) -> dict[UUID, Lesson]:
    """Return, by id of the user's own lessons that others cannot read, a similar visible lesson.

    In the user's open block. They read its text in full before they support it.
    """
    hidden = [support.lesson for support in supports if not support.lesson.visible]
    if not hidden:
        return {}
    mine = {support.lesson_id for support in supports}
    visible = cohort.readable(user_id).exclude(pk__in=mine).order_by("-supporters", "pk")
    candidates = list(visible.filter(embedding__isnull=False))
    pairs = ((lesson.pk, _first_similar(lesson, candidates)) for lesson in hidden)
    return {key: other for key, other in pairs if other is not None}


def groups_of_similar(lessons: Iterable[Lesson]) -> Iterator[list[Lesson]]:
    """Yield groups of similar lessons of one scope and key, in the given order.

    Each group has at least two; a lesson is in one group at most.
    """
    waiting = [lesson for lesson in lessons if lesson.embedding is not None]
    while waiting:
        first, *others = waiting
        here = (first.scope, first.key)
        similar = [
            other
            for other in others
            if (other.scope, other.key) == here and is_similar(first, other)
        ]
        if similar:
            yield [first, *similar]
        grouped = {lesson.pk for lesson in similar}
        waiting = [lesson for lesson in others if lesson.pk not in grouped]


def is_similar(first: Lesson, second: Lesson) -> bool:
    """Return whether two lessons are near in meaning and nearly the same in words."""
    if first.embedding is None or second.embedding is None:
        return False
    nearness = np.dot(np.asarray(first.embedding, float), np.asarray(second.embedding, float))
    return bool(nearness >= settings.COHORT["same_lesson"]) and says_nearly_the_same(
        first.text, second.text
    )


def says_nearly_the_same(first: str, second: str) -> bool:
    """Return whether two texts agree in everything that affects meaning: numbers,
    negations, order.
    """
    mine, theirs = terms.split_words(first), terms.split_words(second)
    if (set(mine) ^ set(theirs)) & _TURNING:
        return False
    both = set(mine) & set(theirs)
    in_order = [word for word in mine if word in both] == [word for word in theirs if word in both]
    return in_order and dedup.says_the_same(first, second, loosely=True)


def _first_similar(lesson: Lesson, candidates: Iterable[Lesson]) -> Lesson | None:
    return next((other for other in candidates if is_similar(lesson, other)), None)
