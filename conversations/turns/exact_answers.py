"""Exact answers of the notebook, with or without a language model.

Orders to forget and replies to cards, which change memory, are never left to a model. Questions go
to the model; but if the model is read strictly, those that a fact answers are answered here.
"""

from conversations import notebook
from conversations.llm import trusting
from conversations.models import LearningOutcome
from conversations.notebook import changing, forgetting
from conversations.notebook.answer_builder import Answer
from conversations.prompt import Prompt
from memory.language.queries.query_intent import IntentKind
from memory.operations.checks import Trust

FROM_NOTES = "I answered this from your notebook, without the language model."

_ORDERS = frozenset({IntentKind.FORGET, IntentKind.FORGET_ALL})
# A longer message is no mere yes, no or choice.
_LONGEST_CHOICE = 120


def answer(prompt: Prompt) -> Answer | None:
    """Return the notebook's answer if it is exact, else None; in an `acting_as` transaction."""
    if prompt.client.transcript:
        # The model has begun this answer and waits for results of the client's tools.
        return None
    made = _carry_out_decision(prompt)
    if made is None and _is_exact(prompt):
        made = notebook.compose_answer(prompt)
        made.paragraph(FROM_NOTES)
    return made


def _carry_out_decision(prompt: Prompt) -> Answer | None:
    """Carry out a yes or no to the last card, or an order to forget, and return the answer; else
    None.
    """
    made = Answer()
    if not prompt.memory_on:
        return None
    if forgetting.carry_out_yes_or_no(prompt, made) or changing.change_on_a_yes(prompt, made):
        return made
    if not prompt.notes_read or prompt.question.reading.asks_for_silence:
        return None
    forgets = prompt.question.reading.asks_to_forget
    return made if forgets and forgetting.forget_what_is_named(prompt, made) else None


def _is_exact(prompt: Prompt) -> bool:
    intent = prompt.question.reading.intent
    if intent is not None and intent.kind in _ORDERS:
        return prompt.memory_on or intent.kind is IntentKind.FORGET_ALL
    if not (prompt.memory_on and prompt.notes_read):
        return False
    return _settles(prompt) or (
        _asks_for_a_fact(prompt) and trusting.trust_in_model() is Trust.STRICT
    )


def _asks_for_a_fact(prompt: Prompt) -> bool:
    """Return whether a message is only a question that a current fact answers."""
    known = any(prompt.recall.facts.get(slot) for slot in prompt.asked_slots)
    return known and prompt.question.reading.only_asks


def _settles(prompt: Prompt) -> bool:
    """Return whether the message only settles an open conflict."""
    text = prompt.question.content
    short = len(text) <= _LONGEST_CHOICE and "?" not in text
    return short and any(
        outcome.kind == LearningOutcome.Kind.SETTLED for outcome in prompt.outcomes
    )
