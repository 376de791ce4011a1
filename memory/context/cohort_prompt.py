"""The part of a prompt about the user's work: their memory blocks, and the lessons of their role.

Empty for users without a persona or who opted out. Lessons are general advice and not about the
user, so they have their own fence.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from uuid import UUID

from django.conf import settings

from memory.blocks.private_blocks import BlockLabel
from memory.context.prompt_items import PromptItem
from memory.core.statements import SendStatement
from memory.language.message_provenance import without_tags
from memory.language.text import terms
from memory.lessons import cohort, workflows
from memory.lessons.cohort import CohortLesson, CohortLessons
from personas import membership
from personas.models import Persona

EXPERIENCE_TAG, WORK_TAG = "experience", "work"
# The share of the part that the user's own blocks may take.
_OWN = 0.5
# The least nearness of a lesson that shares a subject with the question.
_SAME_SUBJECT = 0.6


@dataclass(frozen=True)
class CohortContext:
    """A user's lessons, best first for a question, and the texts of their memory blocks.

    `nearness` has the similarity of each lesson to the question, 0..1; `member_of` are handles of
    the user's personas.
    """

    lessons: tuple[CohortLesson, ...] = ()
    nearness: tuple[float, ...] = ()
    blocks: tuple[tuple[str, str], ...] = ()
    member_of: tuple[str, ...] = ()

    def chosen(self) -> list[CohortLesson]:
        """Return the lessons that fit into a prompt, best first."""
        most = settings.COHORT["prompt_characters"]
        return cohort.within(self.lessons, most - len(self._own_blocks()))

    def text(self) -> str:
        """Return both parts as fenced text for a prompt; '' if both are empty."""
        own = self._own_blocks()
        parts = [f"<{WORK_TAG}>\n{own}\n</{WORK_TAG}>"] if own else []
        if lines := "\n".join(without_tags(cohort.as_line(lesson)) for lesson in self.chosen()):
            parts.append(f"<{EXPERIENCE_TAG}>\n{lines}\n</{EXPERIENCE_TAG}>")
        return "\n".join(parts)

    def near(self, from_: float) -> list[CohortLesson]:
        """Return the lessons with at least this nearness to the question."""
        pairs = zip(self.lessons, self.nearness, strict=True)
        return [lesson for lesson, near in pairs if near >= from_]

    def _own_blocks(self) -> str:
        if not self.blocks:
            return ""
        room = int(settings.COHORT["prompt_characters"] * _OWN) // len(self.blocks)
        return "\n".join(f"{label}: {without_tags(text)[:room]}" for label, text in self.blocks)


NO_COHORT_CONTEXT = CohortContext()


def read_cohort_context_later(
    user_id: UUID, question: str, send: SendStatement
) -> Callable[[], CohortContext]:
    """Send the query for lessons and blocks; return a function for the result."""
    learned = cohort.learned_later(user_id, send)

    def read() -> CohortContext:
        cohort_lessons = learned()
        own = tuple(
            (str(label), cohort_lessons.blocks[label])
            for label in BlockLabel
            if cohort_lessons.blocks.get(label)
        )
        lessons, nearness = _for_question(cohort_lessons, question)
        return CohortContext(lessons, nearness, own, cohort_lessons.member_of)

    return read


def lesson_item(lesson: CohortLesson) -> PromptItem:
    """Return a lesson as an item that an answer can name as a source."""
    return PromptItem(what="lesson", id=lesson.id, heading="", line=lesson.text, prose=lesson.text)


def _for_question(
    cohort_lessons: CohortLessons, question: str
) -> tuple[tuple[CohortLesson, ...], tuple[float, ...]]:
    """Return the lessons with their nearness to a question, sorted by weight and nearness."""
    if not cohort_lessons.lessons:
        return (), ()
    mine = [
        persona
        for persona in membership.recognisable()
        if persona.handle in cohort_lessons.member_of
    ]
    subjects = _subjects(mine, question)
    question_vector, *lesson_vectors = terms.meaning_vectors(
        [question, *(lesson.text for lesson in cohort_lessons.lessons)]
    )
    near = [
        max(
            _SAME_SUBJECT if subjects and subjects & _subjects(mine, lesson.text) else 0.0,
            0.0 if question_vector is None or vector is None else float(question_vector @ vector),
        )
        for lesson, vector in zip(cohort_lessons.lessons, lesson_vectors, strict=True)
    ]
    best = sorted(
        zip(cohort_lessons.lessons, near, strict=True),
        key=lambda pair: -pair[0].weight * (1.0 + pair[1]),
    )
    return tuple(lesson for lesson, _ in best), tuple(nearness for _, nearness in best)


def _subjects(personas: Iterable[Persona], text: str) -> set[str]:
    """Return the subjects of some personas that a text mentions."""
    return {name for persona in personas for name in workflows.subjects_in(persona, text)}
