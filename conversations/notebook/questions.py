"""One question, answered: the exact fact; else the evidence; else that nothing is found."""

import re
from collections.abc import Callable

from conversations.models import Message
from conversations.notebook import intents, people, shared_lessons, without_model
from conversations.notebook.answer_builder import NOTHING, Answer, day_in_full
from conversations.notebook.message_parts import Part
from conversations.notebook.orders import forgetting, undoing
from conversations.notebook.profile import at_a_time, matters, profile, since_when
from conversations.notebook.said import counts, evidence, overview, recap, talks, upcoming
from conversations.prompt import Prompt
from memory.language import IntentKind, QueryIntent

Answers = Callable[[Prompt, QueryIntent, Answer], bool]
# What is asked of conversations, counts and the notebook as a whole.
_OF_THE_WHOLE: dict[IntentKind, Answers] = {
    IntentKind.UPCOMING: upcoming.list_upcoming,
    IntentKind.RECAP: recap.recap,
    IntentKind.COUNT_TALKS: talks.count,
    IntentKind.LIST_TALKS: talks.list_them,
    IntentKind.SUM_UP: talks.sum_up,
    IntentKind.HOW_OFTEN: counts.how_often,
    IntentKind.LAST: counts.last_or_first,
    IntentKind.FIRST: counts.last_or_first,
    IntentKind.FIRST_TOLD: counts.first_told,
    IntentKind.SAID: overview.what_was_said,
    IntentKind.EVER: counts.ever,
    IntentKind.NOTES: profile.notes,
    IntentKind.OPEN: people.what_is_open,
    IntentKind.KNOW: profile.known_about,
    IntentKind.BEFORE: profile.before,
    IntentKind.SINCE: since_when.since,
    IntentKind.FORGET: undoing.forget,
    IntentKind.TIDY: forgetting.tidy_up,
}
# From here on a question is surely a task, or about the product, whatever was said that is near it.
_SURELY, _SURELY_OF_THE_PRODUCT = 0.45, 0.85
# From here on it is about the product, unless something that was said surely answers it.
_OF_THE_PRODUCT = 0.6
# General knowledge is mistaken for what somebody told, and so has to be likelier than not; where
# nothing that was told comes near, so likely.
_LIKELY, _PERHAPS = 0.55, 0.15
# What is asked of one's own was told, or is not known here.
_OF_ONES_OWN = re.compile(r"\b(?:my|our|mine|ours)\b", re.IGNORECASE)
# Only what is nearly an example is a greeting in the form of a question: "How are you?"
_CERTAINLY = 0.5


def answer_question(prompt: Prompt, part: Part, answer: Answer) -> None:
    """Answer one part of a message that asks; `prompt` is as if nothing else had been asked."""
    query_intent = prompt.question.reading.intent
    if _exactly(prompt, query_intent, answer):
        return
    intent = part.intent
    if intent is None or not intent.is_help:
        sure = intent.name if intent is not None and intent.score >= _SURELY else ""
        _from_what_was_said(prompt, part, sure, answer)
        return
    if intents.is_foreign(part.text) and evidence.Search(prompt, answer).show():
        return
    # Whether it is about the product, whatever of it.
    helps = intents.probability_of(intents.answers(), part.text)
    if helps >= _SURELY_OF_THE_PRODUCT:
        _help(prompt, intent.name, answer)
    elif evidence.Search(prompt, answer).show(surely=True):
        return
    elif helps >= _OF_THE_PRODUCT:
        _help(prompt, intent.name, answer)
    else:
        _from_what_was_said(prompt, part, "", answer)


def _from_what_was_said(prompt: Prompt, part: Part, sure: str, answer: Answer) -> None:
    intent, search = part.intent, evidence.Search(prompt, answer)
    if sure == "task":
        without_model.takes_a_model(prompt, answer)
    elif search.show(surely=sure == "knowledge"):
        return
    elif _takes_a_model(part):
        without_model.takes_a_model(prompt, answer)
    elif intent is not None and intent.name in people.KINDS and intent.score >= _CERTAINLY:
        people.line_for(prompt, part.text, intent.name, answer)
    else:
        _not_surely(prompt, part, search, answer)


def _takes_a_model(part: Part) -> bool:
    """Whether it is a task, or asks about the world and not about what is one's own."""
    intent = part.intent
    if intent is None or intent.name not in without_model.TASKS:
        return False
    likely = intents.probability_of(without_model.TASKS, part.text) >= _LIKELY
    return likely and (intent.name == "task" or not _OF_ONES_OWN.search(part.text))


def _may_be_of_the_world(part: Part) -> bool:
    """Whether what nothing comes near may be asked of the world: "What's the weather?"."""
    may_be = intents.probability_of(without_model.TASKS, part.text) >= _PERHAPS
    own = _OF_ONES_OWN.search(part.text) or intents.is_foreign(part.text)
    return may_be and not own


def _not_surely(prompt: Prompt, part: Part, search: evidence.Search, answer: Answer) -> None:
    """Name what was said in confidence and may answer, as a link; else say that it is not known."""
    if apart := search.find_in_confidence():
        _name_in_confidence(apart, answer)
    elif evidence.show_from_this_talk(prompt, answer):
        return
    elif _may_be_of_the_world(part):
        without_model.takes_a_model(prompt, answer)
    else:
        answer.say(NOTHING)


def _name_in_confidence(message: Message, answer: Answer) -> None:
    where = f"[on {day_in_full(message.said_at)}]({message.get_absolute_url()})"
    answer.say(f"What you said in confidence {where} may answer it; it is shown only there.")


def _help(prompt: Prompt, name: str, answer: Answer) -> None:
    without_model.help_with(name, answer)
    if name == "cohort":
        shared_lessons.best(prompt, answer)


def _exactly(prompt: Prompt, intent: QueryIntent | None, answer: Answer) -> bool:
    """What the notebook knows to the letter: conversations, counts, times, facts."""
    whole = _OF_THE_WHOLE.get(intent.kind) if intent is not None else None
    if intent is not None and whole is not None and whole(prompt, intent, answer):
        return True
    if matters.about_oneself(prompt, answer) or at_a_time.held_then(prompt, answer):
        return True
    return bool(prompt.asked_slots) and (
        profile.age(prompt, answer) or profile.about_the_person(prompt, answer)
    )
