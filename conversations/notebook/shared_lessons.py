"""What others in the person's role found useful, beneath an answer that it bears on."""

from django.urls import reverse

from conversations.markdown import literal
from conversations.notebook.answer_builder import Answer
from conversations.prompt import Prompt
from memory.context import cohort_prompt

# How near in meaning a lesson has to be, and how many are told.
_NEAR = 0.35
_MOST = 3


def show(prompt: Prompt, made: Answer) -> bool:
    """Tell the lessons of the person's role that bear on what they said; False where none does."""
    lessons = prompt.cohort.near(_NEAR)[:_MOST]
    if not lessons:
        return False
    made.paragraph(f"Others in [your role]({reverse('memory:cohort')}) found this useful:")
    for lesson in lessons:
        made.point(literal(lesson.text), cohort_prompt.used(lesson))
    return True
