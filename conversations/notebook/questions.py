"""One question, answered: the exact fact; else the evidence; else that nothing is found."""

from collections.abc import Callable

from conversations.models import Message
from conversations.notebook import (
    intents,
    people,
    shared_lessons,
    talks,
    told,
    upcoming,
    without_model,
)
from conversations.notebook.answer_builder import NOTHING, Answer, day_in_full
from conversations.notebook.message_parts import OF_THE_PRODUCT, TASK, Part
from conversations.notebook.orders import forgetting, undoing
from conversations.notebook.profile import at_a_time, profile, since_when
from conversations.prompt import Prompt
from memory.language import IntentKind, QueryIntent
from memory.slots import GROUPS, SLOTS

Answers = Callable[[Prompt, QueryIntent, Answer], bool]
# What is asked of conversations, counts and the notebook as a whole.
_OF_THE_WHOLE: dict[IntentKind, Answers] = {
    IntentKind.UPCOMING: upcoming.list_upcoming,
    IntentKind.LIST_TALKS: talks.list_them,
    IntentKind.SAID: told.said_about,
    IntentKind.NOTES: profile.notes,
    IntentKind.OPEN: people.what_is_open,
    IntentKind.KNOW: profile.known_about,
    IntentKind.BEFORE: profile.before,
    IntentKind.SINCE: since_when.since,
    IntentKind.FORGET: undoing.forget,
    IntentKind.TIDY: forgetting.tidy_up,
}


def answer_question(prompt: Prompt, part: Part, answer: Answer) -> None:
    """Answer one part of a message that asks; `prompt` is as if nothing else had been asked."""
    if _exactly(prompt, prompt.question.reading.intent, answer):
        return
    wanted = part.intent
    if wanted is not None and wanted.is_help:
        _help(wanted.name, prompt, answer)
    elif wanted is not None and wanted.name in people.KINDS:
        people.line_for(prompt, part.text, wanted.name, answer)
    elif part.kind == TASK and (part.is_sure or not part.text.endswith("?")):
        without_model.takes_a_model(prompt, answer)
    elif _asks_who_they_are(prompt) or not _from_what_was_said(prompt, answer):
        _without_an_answer(prompt, part, answer)


def _asks_who_they_are(prompt: Prompt) -> bool:
    """Return whether only a name, an age and the like are asked for: what was said with the name of
    somebody else does not answer that.
    """
    slots = [SLOTS[slot] for slot in prompt.asked_slots if slot in SLOTS]
    return bool(slots) and all(slot.group == next(iter(GROUPS)) for slot in slots)


def _from_what_was_said(prompt: Prompt, answer: Answer) -> bool:
    """Show what surely answers, or name what was said in confidence and may, as a link."""
    if told.show(prompt, answer):
        return True
    apart = told.find_in_confidence(prompt)
    if apart is not None:
        _name_in_confidence(apart, answer)
    return apart is not None


def _without_an_answer(prompt: Prompt, part: Part, answer: Answer) -> None:
    if part.kind == TASK:
        without_model.takes_a_model(prompt, answer)
    elif part.is_sure and part.kind == OF_THE_PRODUCT:
        _help(intents.ANYTHING, prompt, answer)
    else:
        answer.say(NOTHING)


def _name_in_confidence(message: Message, answer: Answer) -> None:
    where = f"[on {day_in_full(message.said_at)}]({message.get_absolute_url()})"
    answer.say(f"What you said in confidence {where} may answer it; it is shown only there.")


def _help(name: str, prompt: Prompt, answer: Answer) -> None:
    without_model.help_with(name, answer)
    if name == "cohort":
        shared_lessons.best(prompt, answer)


def _exactly(prompt: Prompt, intent: QueryIntent | None, answer: Answer) -> bool:
    """What the notebook knows to the letter: conversations, counts, times, facts."""
    whole = _OF_THE_WHOLE.get(intent.kind) if intent is not None else None
    if intent is not None and whole is not None and whole(prompt, intent, answer):
        return True
    if at_a_time.held_then(prompt, answer):
        return True
    if not prompt.asked_slots:
        return False
    if profile.age(prompt, answer):
        return True
    answered = profile.about_the_person(prompt, answer)
    if answered:
        told.add_note(prompt, answer)
    return answered
