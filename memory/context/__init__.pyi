"""What other rooms may use of what a prompt gets of what is remembered.

The conversation so far: `read_talk`, `ConversationHistory`, `Turn`.

What is chosen for a prompt: `choose_for_prompt` gives a `PromptMemory` (`NO_PROMPT_MEMORY` for
none) of `PromptItem`s, each of an `ItemKind`; `CORE_SLOTS`, `FACT_FITS_FROM`, `default_tokens`.

What others in a role learned: `read_cohort_context_later`, `CohortContext`, `NO_COHORT_CONTEXT`,
`lesson_item`; `WORK_TAG` and `EXPERIENCE_TAG` fence it in the prompt.
"""

from .cohort_prompt import EXPERIENCE_TAG as EXPERIENCE_TAG
from .cohort_prompt import NO_COHORT_CONTEXT as NO_COHORT_CONTEXT
from .cohort_prompt import WORK_TAG as WORK_TAG
from .cohort_prompt import CohortContext as CohortContext
from .cohort_prompt import lesson_item as lesson_item
from .cohort_prompt import read_cohort_context_later as read_cohort_context_later
from .prompt_items import CORE_SLOTS as CORE_SLOTS
from .prompt_items import ItemKind as ItemKind
from .prompt_items import PromptItem as PromptItem
from .prompt_memory import FACT_FITS_FROM as FACT_FITS_FROM
from .prompt_memory import NO_PROMPT_MEMORY as NO_PROMPT_MEMORY
from .prompt_memory import PromptMemory as PromptMemory
from .prompt_memory import choose_for_prompt as choose_for_prompt
from .prompt_memory import default_tokens as default_tokens
from .turn_context import ConversationHistory as ConversationHistory
from .turn_context import Turn as Turn
from .turn_context import read_talk as read_talk
