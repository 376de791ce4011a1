"""One question, answered: the exact fact; else the evidence; else that nothing is found."""

import re
from collections.abc import Callable

from conversations.models import Message
from conversations.notebook import intents, people, shared_lessons, without_model
from conversations.notebook.answer_builder import NOTHING, Answer, on
from conversations.notebook.message_parts import Part
from conversations.notebook.orders import forgetting, undoing
from conversations.notebook.profile import at_a_time, matters, profile, since_when
from conversations.notebook.said import counts, evidence, overview, recap, talks, upcoming
from conversations.prompt import Prompt
from memory.language import IntentKind, QueryIntent

Answers = Callable[[Prompt, QueryIntent, Answer], bool]
# What is asked of conversations, counts and the notebook as a whole.
_OF_THE_WHOLE: dict[IntentKind, Answers] = {
    IntentKind.UPCOMING: upcoming.coming,
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
# What fits a question about the world as well as this is shown beside it.
_MUCH = 5.0
# What is asked of one's own was told, or is not known here.
_OF_ONES_OWN = re.compile(r"\b(?:my|our|mine|ours)\b", re.IGNORECASE)
# Only what is nearly an example is a greeting in the form of a question: "How are you?"
_CERTAINLY = 0.5


def answer(prompt: Prompt, part: Part, made: Answer) -> None:
    """Answer one part of a message that asks; `prompt` is as if nothing else had been asked."""
    wish = prompt.question.reading.intent
    if _exactly(prompt, wish, made):
        return
    intent = part.intent
    if intent is None or not intent.is_help:
        sure = intent.name if intent is not None and intent.score >= _SURELY else ""
        _from_what_was_said(prompt, part, sure, made)
        return
    if intents.is_foreign(part.text) and evidence.Search(prompt, made).show():
        return
    # Whether it is about the product, whatever of it.
    helps = intents.probability_of(intents.answers(), part.text)
    if helps >= _SURELY_OF_THE_PRODUCT:
        _help(prompt, intent.name, made)
    elif evidence.Search(prompt, made).show(surely=True):
        return
    elif helps >= _OF_THE_PRODUCT:
        _help(prompt, intent.name, made)
    else:
        _from_what_was_said(prompt, part, "", made)


def _from_what_was_said(prompt: Prompt, part: Part, sure: str, made: Answer) -> None:
    intent, said = part.intent, evidence.Search(prompt, made)
    if sure == "task":
        without_model.takes_a_model(prompt, made)
        said.show("What I have that bears on it:", asked=False)
    elif said.show(surely=sure == "knowledge"):
        return
    elif _takes_a_model(part):
        without_model.takes_a_model(prompt, made)
        said.show_nearest("What I have that comes near it:", _MUCH, asked=False)
    elif intent is not None and intent.name in people.KINDS and intent.score >= _CERTAINLY:
        people.line_for(prompt, part.text, intent.name, made)
    else:
        _not_surely(prompt, part, said, made)


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


def _not_surely(prompt: Prompt, part: Part, said: evidence.Search, made: Answer) -> None:
    """What was said in confidence and may answer, as a link; what comes near; else that nothing
    does.
    """
    if apart := said.find_in_confidence():
        _name_in_confidence(apart, made)
    elif said.show_nearest() or evidence.show_from_this_talk(prompt, made):
        return
    elif _may_be_of_the_world(part):
        without_model.takes_a_model(prompt, made)
    elif apart := said.find_in_confidence(near=True):
        _name_in_confidence(apart, made)
    else:
        made.say(NOTHING)


def _name_in_confidence(message: Message, made: Answer) -> None:
    where = f"[on {on(message.said_at)}]({message.get_absolute_url()})"
    made.say(f"What you said in confidence {where} may answer it; it is shown only there.")


def _help(prompt: Prompt, name: str, made: Answer) -> None:
    without_model.help_with(name, made)
    if name == "cohort":
        shared_lessons.best(prompt, made)


def _exactly(prompt: Prompt, wish: QueryIntent | None, made: Answer) -> bool:
    """What the notebook knows to the letter: conversations, counts, times, facts."""
    whole = _OF_THE_WHOLE.get(wish.kind) if wish is not None else None
    if wish is not None and whole is not None and whole(prompt, wish, made):
        return True
    if matters.about_oneself(prompt, made) or at_a_time.held_then(prompt, made):
        return True
    return bool(prompt.asked) and (
        profile.age(prompt, made) or profile.about_the_person(prompt, made)
    )
