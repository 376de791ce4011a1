"""One question, answered: the exact fact; else the evidence; else that nothing is found."""

from collections.abc import Callable

from conversations.notebook import people, shared_lessons, without_model
from conversations.notebook.answer_builder import NOTHING, Answer
from conversations.notebook.message_parts import Part
from conversations.notebook.orders import forgetting, undoing
from conversations.notebook.profile import at_a_time, matters, profile, since_when
from conversations.notebook.said import counts, evidence, recap, talks
from conversations.prompt import Prompt
from memory.language.queries.query_intent import Kind, QueryIntent

Answers = Callable[[Prompt, QueryIntent, Answer], bool]
# What is asked of conversations, counts and the notebook as a whole.
_OF_THE_WHOLE: dict[Kind, Answers] = {
    Kind.RECAP: recap.recap,
    Kind.COUNT_TALKS: talks.count,
    Kind.LIST_TALKS: talks.list_them,
    Kind.SUM_UP: talks.sum_up,
    Kind.HOW_OFTEN: counts.how_often,
    Kind.LAST: counts.last_or_first,
    Kind.FIRST: counts.last_or_first,
    Kind.FIRST_TOLD: counts.first_told,
    Kind.SAID: counts.what_was_said,
    Kind.EVER: counts.ever,
    Kind.NOTES: profile.notes,
    Kind.OPEN: people.what_is_open,
    Kind.KNOW: profile.known_about,
    Kind.BEFORE: profile.before,
    Kind.SINCE: since_when.since,
    Kind.FORGET: undoing.forget,
    Kind.TIDY: forgetting.tidy_up,
}
# From here on a question is surely about the product, or a task, whatever was said that is near it.
_SURELY = 0.45
# Only what is nearly an example is a greeting in the form of a question: "How are you?"
_CERTAINLY = 0.5


def answer(prompt: Prompt, part: Part, made: Answer) -> None:
    """Answer one part of a message that asks; `prompt` is as if nothing else had been asked."""
    wish = prompt.question.reading.intent
    if _exactly(prompt, wish, made):
        return
    intent = part.intent
    sure = intent.name if intent is not None and intent.score >= _SURELY else ""
    if intent is not None and sure and intent.is_help:
        _help(prompt, intent.name, made)
    elif sure == "task":
        without_model.takes_a_model(prompt, made)
        evidence.show(prompt, made, lead="What I have that bears on it:")
    elif evidence.show(prompt, made, wholly=sure == "knowledge"):
        return
    elif intent is not None and intent.is_help:
        _help(prompt, intent.name, made)
    elif intent is not None and intent.name in without_model.TASKS:
        without_model.takes_a_model(prompt, made)
    elif intent is not None and intent.name in people.KINDS and intent.score >= _CERTAINLY:
        people.line_for(prompt, part.text, intent.name, made)
    else:
        made.say(NOTHING)


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
