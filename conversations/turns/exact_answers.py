"""What the notebook answers exactly, with a language model or without one.

A model may misread a note that stands before it, and calls no tool that it does not understand. So
what changes memory at a word, and what a single line of the profile says, is left to the rules:
orders to forget, a yes or no to what is asked, and questions for one's own facts.
"""

from conversations import notebook
from conversations.models import LearningOutcome
from conversations.notebook.answer_builder import Answer
from conversations.notebook.orders import changing, forgetting, undoing
from conversations.prompt import Prompt
from memory.language import ALL_SLOTS, IntentKind, only_asks_about_author
from memory.slots import SLOTS

FROM_NOTES = "This is from your notes, without the language model."

_ORDERS = frozenset({IntentKind.FORGET, IntentKind.FORGET_ALL})
# Slots of many values that a question for "my favourite ..." or "my skills" may mean only in part.
_LOOSE = frozenset(
    """likes dislikes interests possessions preferences constraints current_project expertise
    career_goal""".split()
)
# A longer message says more than a yes, a no or a choice.
_LONGEST_CHOICE = 120


def answer(prompt: Prompt) -> Answer | None:
    """The notebook's answer where it is exact, in the person's open block; else None."""
    made = _carry_out_decision(prompt)
    if made is None and _is_exact(prompt):
        made = notebook.compose_answer(prompt)
        made.paragraph(FROM_NOTES)
    return made


def _carry_out_decision(prompt: Prompt) -> Answer | None:
    """A yes or no to the card beneath the last answer, or an order to forget what is named."""
    made = Answer()
    if not prompt.memory_on:
        return None
    if undoing.carry_out_yes_or_no(prompt, made) or changing.change_on_a_yes(prompt, made):
        return made
    if not prompt.notes_read or prompt.question.reading.asks_for_silence:
        return None
    forgets = prompt.question.reading.asks_to_forget
    return made if forgets and forgetting.forget(prompt, made) else None


def _is_exact(prompt: Prompt) -> bool:
    intent = prompt.question.reading.intent
    if intent is not None and intent.kind in _ORDERS:
        return prompt.memory_on or intent.kind is IntentKind.FORGET_ALL
    if not (prompt.memory_on and prompt.notes_read):
        return False
    return _settles(prompt) or _asks_for_facts(prompt)


def _settles(prompt: Prompt) -> bool:
    """Whether it answered the question about two values, and says no more than that."""
    text = prompt.question.content
    short = len(text) <= _LONGEST_CHOICE and "?" not in text
    return short and any(
        outcome.kind == LearningOutcome.Kind.SETTLED for outcome in prompt.outcomes
    )


def _asks_for_facts(prompt: Prompt) -> bool:
    """Whether it asks for what the profile holds, and for nothing else."""
    if not prompt.asked_slots or not only_asks_about_author(prompt.normalized_question):
        return False
    if prompt.asked_slots == (ALL_SLOTS,):
        return bool(prompt.recall.facts)
    known = {*prompt.recall.overrides, *prompt.recall.facts}
    strict = all(not SLOTS[slot].many or slot not in _LOOSE for slot in prompt.asked_slots)
    return strict and not known.isdisjoint(prompt.asked_slots)
