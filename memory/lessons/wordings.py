"""Comparing the texts of lessons: same text, or similar wording.

Only lessons with the same text are the same, because supporters have read exactly these words.
Similar ones are proposed and never merged, because a single word ("never", "after") can reverse the
meaning.
"""

from collections.abc import Iterable, Iterator, Sequence
from uuid import NAMESPACE_URL, UUID, uuid5

import numpy as np
from django.conf import settings

from memory.language.text import dedup, terms
from memory.lessons import cohort
from memory.models import Lesson, LessonSupport

# Words that can reverse a lesson; lessons that differ in them are not similar.
_TURNING = frozenset("before after first last more less fewer above below only always".split())


def lesson_id(scope: str, key: str, text: str) -> UUID:
    """Return the id of the lesson with this text; the same for all contributors."""
    return uuid5(NAMESPACE_URL, f"lesson text:{scope}:{key}:{same_text(text)}")


def same_text(text: str) -> str:
    """Return a text's form for comparison, without case, extra spaces and closing punctuation.

    Punctuation within the text stays: "Do not compare. Before ranking, ask." is not "Do not compare
    before ranking. Ask."
    """
    return " ".join(text.casefold().split()).rstrip(" .!;:,")


def other_wordings(user_id: UUID, supports: Sequence[LessonSupport]) -> dict[UUID, Lesson]:
    """Return a similar visible lesson for each of the user's hidden lessons, by lesson id.

    Must run in the user's transaction.
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
    """Yield groups of two or more similar lessons of one scope and key, in the given order.

    A lesson is in at most one group.
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
    """Return whether two lessons have similar embeddings and nearly the same words."""
    if first.embedding is None or second.embedding is None:
        return False
    nearness = np.dot(np.asarray(first.embedding, float), np.asarray(second.embedding, float))
    return bool(nearness >= settings.COHORT["same_lesson"]) and says_nearly_the_same(
        first.text, second.text
    )


def says_nearly_the_same(first: str, second: str) -> bool:
    """Return whether two texts agree in all that affects meaning: numbers, negations, order."""
    mine, theirs = terms.split_words(first), terms.split_words(second)
    if (set(mine) ^ set(theirs)) & _TURNING:
        return False
    both = set(mine) & set(theirs)
    in_order = [word for word in mine if word in both] == [word for word in theirs if word in both]
    return in_order and dedup.says_the_same(first, second, loosely=True)


def _first_similar(lesson: Lesson, candidates: Iterable[Lesson]) -> Lesson | None:
    return next((other for other in candidates if is_similar(lesson, other)), None)
