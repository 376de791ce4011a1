"""Answering one question: the exact fact, else a quote, else that nothing is known."""

from collections.abc import Callable

from django.urls import reverse

from conversations.markdown import literal
from conversations.notebook import lists, profile, quotes, reminders, standard_answers
from conversations.notebook.answer_builder import NOTHING, NOTHING_ELSE, Answer
from conversations.notebook.message_parts import OF_THE_PRODUCT, REMINDERS, TASK, Part
from conversations.prompt import Prompt
from memory.context.cohort_prompt import lesson_item
from memory.language.queries.query_intent import IntentKind, QueryIntent
from memory.slots import GROUPS, SLOTS

Answers = Callable[[Prompt, QueryIntent, Answer], bool]
# Questions about conversations, days, and everything that is known.
_OF_THE_WHOLE: dict[IntentKind, Answers] = {
    IntentKind.UPCOMING: lists.list_upcoming,
    IntentKind.LIST_TALKS: lists.list_talks,
    IntentKind.SAID: quotes.said_about,
    IntentKind.NOTES: profile.known_about,
    IntentKind.OPEN: standard_answers.what_is_open,
    IntentKind.KNOW: profile.known_about,
    IntentKind.BEFORE: profile.held_before,
    IntentKind.SINCE: profile.since,
}
# The subject of a question whose topic is unknown.
_DEFAULT_TOPIC = "what_can_you_do"
# Least similarity of a lesson to the message, and how many lessons are shown.
_NEAR, _MOST_LESSONS = 0.35, 3


def answer_question(prompt: Prompt, part: Part, answer: Answer) -> None:
    """Answer one question of a message; `prompt` is as if nothing else had been asked."""
    if _answer_exactly(prompt, answer):
        return
    if part.topic == REMINDERS:
        reminders.answer_wish(prompt, answer)
    elif not part.text.endswith("?") and reminders.say_where_it_is_listed(prompt, answer):
        return
    elif part.topic:
        answer.say(standard_answers.help_on(part.topic))
        if part.topic == "cohort":
            show_lessons(prompt, answer, counting_most=True)
    elif part.kind == TASK and (part.is_sure or not part.text.endswith("?")):
        standard_answers.takes_a_model(prompt, answer)
    elif not _asks_who_they_are(prompt) and _from_what_was_said(prompt, answer):
        return
    elif part.kind == TASK:
        standard_answers.takes_a_model(prompt, answer)
    elif part.is_sure and part.kind == OF_THE_PRODUCT:
        answer.say(standard_answers.help_on(_DEFAULT_TOPIC))
    else:
        # Facts that the message itself states are shown by its chips.
        answer.say(NOTHING_ELSE if prompt.outcomes else NOTHING)


def _answer_exactly(prompt: Prompt, answer: Answer) -> bool:
    """Answer from conversations, days or facts if known exactly; return False otherwise."""
    intent = prompt.question.reading.intent
    whole = _OF_THE_WHOLE.get(intent.kind) if intent is not None else None
    if intent is not None and whole is not None and whole(prompt, intent, answer):
        return True
    if quotes.show_plans(prompt, answer) or profile.held_then(prompt, answer):
        return True
    answered = bool(prompt.asked_slots) and profile.about_the_person(prompt, answer)
    if answered:
        quotes.add_note(prompt, answer)
    return answered


def _asks_who_they_are(prompt: Prompt) -> bool:
    """Return whether the question asks only for a name, an age and the like, which a message about
    somebody else does not answer.
    """
    slots = [SLOTS[slot] for slot in prompt.asked_slots if slot in SLOTS]
    return bool(slots) and all(slot.group == next(iter(GROUPS)) for slot in slots)


def _from_what_was_said(prompt: Prompt, answer: Answer) -> bool:
    """Quote the message that surely answers, or link to a confidential one."""
    return quotes.show(prompt, answer) or quotes.name_in_confidence(prompt, answer)


def show_lessons(prompt: Prompt, answer: Answer, *, counting_most: bool = False) -> None:
    """Show lessons of the user's persona: relevant to the message, or (`counting_most`) the ones
    with most support; nothing if there are none.
    """
    lessons = prompt.cohort.lessons if counting_most else prompt.cohort.near(_NEAR)
    if lessons:
        useful = f"Others in [your role]({reverse('memory:cohort')}) found this useful:"
        answer.paragraph("This may help right now:" if counting_most else useful)
    for lesson in lessons[:_MOST_LESSONS]:
        answer.point(literal(lesson.text), lesson_item(lesson))
