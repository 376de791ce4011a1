"""What other rooms may use of what people in one role learn from each other.

Sharing a lesson: `contribute_lesson`, `check_lesson`, `decide_lesson_for`, `field_terms_of`,
`LessonSource`, `NotShared`; the guard: `check_shareable` with `ShareVerdict`.

Reading lessons: `CohortLesson`, `cohort_block`, `COHORT_PURPOSE`; out of a conversation:
`workflow_lessons` of `ToolRequest`s.

Taking one's support back: `find_matching_support`, `erase_support`, `opt_out`.

Who somebody works as: `matching_personas`, `is_near_persona`, `read_own_work`,
`known_role_answer`, `take_role_answer`.

Upkeep: `LESSONS_UPKEEP`, `count_answer`.
"""

from .cohort import COHORT_PURPOSE as COHORT_PURPOSE
from .cohort import CohortLesson as CohortLesson
from .cohort import cohort_block as cohort_block
from .contribution import LessonSource as LessonSource
from .contribution import NotShared as NotShared
from .contribution import check_lesson as check_lesson
from .contribution import contribute_lesson as contribute_lesson
from .contribution import decide_lesson_for as decide_lesson_for
from .contribution import erase_support as erase_support
from .contribution import field_terms_of as field_terms_of
from .contribution import find_matching_support as find_matching_support
from .contribution import opt_out as opt_out
from .discovery import is_near_persona as is_near_persona
from .discovery import matching_personas as matching_personas
from .experience_days import count_answer as count_answer
from .guard import ShareVerdict as ShareVerdict
from .guard import check_shareable as check_shareable
from .own_work import read_own_work as read_own_work
from .role_answers import known_role_answer as known_role_answer
from .role_answers import take_role_answer as take_role_answer
from .upkeep import LESSONS_UPKEEP as LESSONS_UPKEEP
from .workflows import ToolRequest as ToolRequest
from .workflows import workflow_lessons as workflow_lessons
