"""The responder without a language model: it answers from the notebook, and says when it cannot.

Every sentence is built from what is stored: what was just noted, what is known, what was said. What
is asked, `memory.language.queries.query_intent` reads; each subject here answers its own kinds and
says False for what it has no answer to, so that the next may try.
"""

import re
from collections.abc import Callable

from django.urls import reverse

from conversations.learning import amended_facts, sensitive_consent
from conversations.models import LearningOutcome
from conversations.notebook import forget_intents, nearest_quotes, noted, small_talk, without_notes
from conversations.notebook.answer_builder import Answer, line, used_message
from conversations.notebook.profile import (
    at_a_time,
    favourites,
    own_words,
    parts,
    profile,
    since_when,
    still,
)
from conversations.notebook.said import (
    choices,
    counts,
    destinations,
    events,
    people,
    recap,
    talks,
    things,
    who_is,
)
from conversations.notebook.without_notes import NOTES_UNREAD
from conversations.prompt import Prompt
from memory.language.queries.query_intent import Kind, QueryIntent

__all__ = ["NOTES_UNREAD", "Answer", "answer"]

MYSELF = (
    "I am Throughline. I take notes as we talk and show you each one; I answer from those notes "
    "and from what was said before, and I ask when two notes disagree. Without a language "
    "model I cannot help beyond that."
)
FORGETTING = (
    "I did not note that. To remove something I have noted, open [your profile]({profile}) and "
    "press Forget this."
)
FORGETTING_ALL = (
    "I can forget everything at once, and never do it by a word in a conversation. "
    "[Forget everything]({page}) says what goes and what stays, and asks you to type it; until "
    "then nothing has changed."
)
MEMORY_IS_OFF = (
    "Memory is off: I note nothing, and I use nothing that I noted before. Without a language "
    "model there is little else I can do. You can turn memory on again under "
    "[Memories]({memories})."
)
_MYSELF = re.compile(
    r"^\s*(help|who are you|what are you|what can you do|what do you do|what(?:'s| is) your name|"
    r"are you (?:a |an )?(?:human|robot|bot|person|real|machine)|how (?:do you|does this) work|"
    r"how are you(?: doing)?(?: today)?)\s*[?.!]*\s*$",
    re.IGNORECASE,
)
_QUESTION = re.compile(
    r"\?\s*$|^\s*(who|what|when|where|which|why|how|whose|do|does|did|is|are|was|were|can|could|"
    r"tell me|remind me)\b",
    re.IGNORECASE,
)

Answers = Callable[[Prompt, QueryIntent, Answer], bool]
# Asked before the profile: these are about talks, times and several things.
_FIRST: dict[Kind, Answers] = {
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
    Kind.OPEN: small_talk.what_is_open,
    Kind.KNOW: profile.known_about,
    Kind.BEFORE: profile.before,
    Kind.SINCE: since_when.since,
    Kind.FORGET: small_talk.forget,
    Kind.TIDY: forget_intents.tidy_up,
}


def _which(prompt: Prompt, wish: QueryIntent, made: Answer) -> bool:
    """Things of a kind that is known, else the sentences that come nearest."""
    return things.which(prompt, wish, made) or events.which(prompt, wish, made)


def _who(prompt: Prompt, wish: QueryIntent, made: Answer) -> bool:
    """Who somebody is, where a sentence says so; else the sentences that name somebody."""
    return who_is.defined(prompt, wish, made) or events.who(prompt, wish, made)


# Asked after it: what the profile knows, it knows better.
_TOLD = (destinations.where_to, choices.chosen, things.one, own_words.told, people.told)
_THEN: dict[Kind, Answers] = {
    Kind.WHEN: events.when,
    Kind.SINCE: events.when,
    Kind.WHO: _who,
    Kind.WHICH: _which,
}


def answer(prompt: Prompt) -> Answer:
    """Answer from what is stored, in the person's open block."""
    made = Answer()
    said = prompt.question.reading
    wish = said.intent
    if wish is not None and wish.kind is Kind.FORGET_ALL:
        made.say(FORGETTING_ALL.format(page=reverse("conversations:forget_everything")))
        return made
    if not prompt.memory_on:
        made.say(MEMORY_IS_OFF.format(memories=reverse("memory:memories")))
        return made
    if small_talk.decided(prompt, made):
        return made
    if reply := "" if prompt.notes else sensitive_consent.reply(prompt.question):
        made.say(reply)
        return made
    if wish is not None and wish.kind is Kind.NEVER_MIND:
        made.say("All right.")
    elif wish is not None and wish.kind is Kind.FORGET:
        small_talk.forget(prompt, wish, made)
    elif _MYSELF.match(said.text):
        made.say(MYSELF)
    elif not prompt.notes_read:
        without_notes.from_the_talk_alone(prompt, made)
    elif said.asks_to_forget:
        _let_go(prompt, made)
    else:
        noted.acknowledge(prompt, made)
        _reply(prompt, wish, made)
        _tell_what_was_put_right(prompt, made)
    return made


def _tell_what_was_put_right(prompt: Prompt, made: Answer) -> None:
    """Beside what is quoted, the message after it that corrects it."""
    noted_from = {note.id: note.message_id for note in prompt.remembered}
    rests_on = {noted_from.get(one.id, one.id) for one in made.used if one.what != "fact"}
    said = [pk for pk in rests_on if pk is not None]
    found = amended_facts.after(prompt.question, said) if said else []
    fresh = [one for one in found if one.pk not in rests_on]
    if fresh:
        made.paragraph("You put that right just after:")
    for message in fresh:
        made.point(line(message), used_message(message))


def _let_go(prompt: Prompt, made: Answer) -> None:
    said = prompt.question.reading
    if forget_intents.forget(prompt, made):
        return
    if said.asks_for_silence and not said.only_asks:
        small_talk.keep_quiet(prompt, made)
    else:
        made.say(FORGETTING.format(profile=reverse("memory:profile")))


def _reply(prompt: Prompt, wish: QueryIntent | None, made: Answer) -> None:
    if parts.about_oneself(prompt, made) or still.still(prompt, made):
        return
    if wish is not None and _answers(_FIRST, prompt, wish, made):
        return
    if at_a_time.held_then(prompt, made) or favourites.favourite(prompt, made):
        return
    if prompt.asked and (own_words.age(prompt, made) or profile.about_the_person(prompt, made)):
        return
    if any(told(prompt, made) for told in _TOLD):
        return
    if wish is not None and _answers(_THEN, prompt, wish, made):
        return
    _quote(prompt, wish, made)


def _quote(prompt: Prompt, wish: QueryIntent | None, made: Answer) -> None:
    """Where nothing is known that answers: what was said that comes near, if anything is asked."""
    asks = prompt.asked or wish is not None or _QUESTION.search(prompt.read_as)
    told_in_private = any(note.kind == LearningOutcome.Kind.KEPT for note in prompt.notes)
    if asks and told_in_private:
        # What was just told here is not denied in the same breath.
        nearest_quotes.quote(prompt, made, count=3)
    elif asks:
        nearest_quotes.from_what_was_said(prompt, made)
    elif not made.pieces:
        small_talk.small_talk(prompt, made)


def _answers(table: dict[Kind, Answers], prompt: Prompt, wish: QueryIntent, made: Answer) -> bool:
    answers = table.get(wish.kind)
    return answers is not None and answers(prompt, wish, made)
