"""What others in the person's role found useful, beneath an answer that it bears on."""

from collections.abc import Iterable

from django.urls import reverse

from conversations.markdown import literal
from conversations.notebook.answer_builder import Answer
from conversations.prompt import Prompt
from memory.context import lesson_item
from memory.lessons import CohortLesson

# How near in meaning a lesson has to be, and how many are told of these and of the best.
_NEAR = 0.35
_MOST, _BEST = 3, 5


def show(prompt: Prompt, answer: Answer) -> bool:
    """Tell the lessons of the person's role that bear on what they said; False where none does."""
    lessons = prompt.cohort.near(_NEAR)[:_MOST]
    if lessons:
        answer.paragraph(f"Others in [your role]({reverse('memory:cohort')}) found this useful:")
        _list(lessons, answer)
    return bool(lessons)


def best(prompt: Prompt, answer: Answer) -> None:
    """Tell the lessons that count most, whatever was asked; nothing where there are none."""
    if lessons := prompt.cohort.lessons[:_BEST]:
        answer.paragraph("What counts most for you now:")
        _list(lessons, answer)


def _list(lessons: Iterable[CohortLesson], answer: Answer) -> None:
    for lesson in lessons:
        answer.point(literal(lesson.text), lesson_item(lesson))
