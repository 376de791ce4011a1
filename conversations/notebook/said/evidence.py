"""What was said that answers a question: the sentences themselves, with their day and a link.

Whether anything answers at all is judged before it is shown: by a classifier that reads question
and message together, and by what they share (`nearness`). Where nothing does, nothing is shown.
"""

import copy
import re
from collections.abc import Collection, Sequence
from uuid import UUID

from django.db.models import F
from django.utils.text import capfirst
from django.utils.timezone import localtime

from accounts.support import formatting
from conversations.learning import related_messages
from conversations.markdown import literal
from conversations.models import Message
from conversations.notebook import answer_types, intents
from conversations.notebook.answer_builder import (
    Answer,
    after,
    line,
    said_here,
    unless_said,
    used_message,
    used_note,
)
from conversations.notebook.said.found_messages import look_up, read_together
from conversations.notebook.said.nearness import Evidence, Sought, sought_by
from conversations.notebook.steps import none_answers
from conversations.prompt import Prompt
from conversations.search import message_recall
from conversations.search.message_recall import Wanted
from memory.language import (
    content_words,
    explain_refusal,
    is_correction,
)
from memory.models import Memory
from memory.notes import significance_of
from memory.retrieval import ScoredNote

# How many messages are shown at most, and how many of what may answer.
_SHOWN, _MOST_NEAR = 5, 3
# What fits as well as the first of these answers (`Evidence.fit`), where it should be sure, as well
# as the second; from the third on it may be an answer, and is shown as such. Chosen on questions of
# six people (docs/decisions/0041).
_ANSWERS, _SURELY, _MAY = 6.4, 8.3, 2.0
# What speaks of all that is asked answers, unless this is less probable than so.
_ALL, _POSSIBLY = 0.9, 0.3
# What speaks of so much of a question in another language answers it.
_MOST_OF_IT = 0.7
# Beside the best a message is shown from here on (one in ten of these answers), unless it is so
# far behind it.
_BESIDE, _FAR_BEHIND = 4.0, 4.0
# In the conversation itself half is enough, and so many sentences are shown.
_HALF, _MOST_HERE = 0.5, 3
# What moves or puts right something is shown from this share of the question on.
_SHARES = 0.3
# What has none of its words is looked for among so many of the likest.
_ALIKE = 24
# What ends the best of them is looked for among so many that are like it.
_LATER = 6
OUTDATED = " · you said otherwise later"
UNSURE = "I find nothing that surely answers this. The nearest I have:"
_ASKS_WHEN = re.compile(r"\W*(?:and )?when\b|\W*what (?:day|date)\b", re.IGNORECASE)


class Search:
    """What was said that bears on one question: looked up once, and shown as far as it answers."""

    def __init__(self, prompt: Prompt, made: Answer) -> None:
        self.prompt, self.made = prompt, made
        self.sought = sought_by(prompt)
        self.found = look_up(prompt, self.sought, made)
        self._read: list[Evidence] | None = None

    def show(self, lead: str = "The closest I have:", *, surely: bool = False) -> bool:
        """Show what answers the question; False, with nothing said, where nothing surely does.
        `surely`: only what answers it with more certainty than usual.
        """
        prompt, sought, made = self.prompt, self.sought, self.made
        if sought.spans and not sought.words:
            return _of_that_time(sought, self.found, made)
        found = [one for one in self._nearest() if _of_its_time(one)]
        notes = _notes(prompt, sought, found)
        if sought.spans and not (found or notes):
            # A month is easily remembered wrong: what is of another time says so.
            found, lead = self._nearest(), f"Nothing {_in_words(sought)}. The closest I have:"
        found = _of_its_kind(prompt.read_as, found)
        if not any(_answers(one, surely=surely) for one in found):
            found = []
        found = _worth_showing(prompt, found, _BESIDE)
        if not (found or notes):
            none_answers(made)
            return False
        best, found = found[:1], _with_what_followed(prompt, found)
        found = [*self._ending(best, found), *found]
        outdated = _outdated(prompt.read_as, found)
        found.sort(key=lambda one: one.message.pk in outdated)
        if _ASKS_WHEN.match(prompt.read_as):
            _say_the_day(found, made)
        made.say(lead)
        _point_at(found, made, outdated)
        for note in notes:
            made.point(_noted(prompt, note), used_note(note))
        _rest_on_their_notes(prompt, found, made)
        return True

    def show_nearest(self, lead: str = UNSURE, least: float = _MAY) -> bool:
        """Show what comes near and may not answer, and say so; False where nothing comes near."""
        foreign = intents.is_foreign(self.sought.asked)
        near = [
            one
            for one in self._nearest()
            if one.fit >= least and (one.cover >= _HALF or not foreign)
        ]
        if not near:
            return False
        self.made.say(lead)
        shown = _worth_showing(self.prompt, near, least)[:_MOST_NEAR]
        _point_at(_with_what_followed(self.prompt, shown), self.made)
        return True

    def _ending(self, best: list[Evidence], found: list[Evidence]) -> list[Evidence]:
        """What was said later than the best and ends or corrects it, in words that may not be those
        of the question; without what is found anyway.
        """
        if not best or not best[0].message.is_stated_by_owner:
            return []
        question = copy.copy(self.prompt.question)
        question.content = best[0].quote
        there = {one.message.pk for one in found}
        later = [
            one
            for passage in message_recall.passages(question, _LATER)
            if (one := Evidence(passage.message, self.sought)).parts
            and one.message.is_stated_by_owner
            and one.message.said_at > best[0].message.said_at
            and one.message.pk not in there
        ]
        return best[0].ended_by(later)

    def find_in_confidence(self) -> Message | None:
        """The message that may answer best of those that are quoted in their own conversations."""
        found = message_recall.passages(self.prompt.question, _ALIKE, Wanted.ELSEWHERE)
        near = read_together(self.prompt, [Evidence(one.message, self.sought) for one in found])
        best = max(near, key=lambda one: one.fit, default=None)
        return best.message if best is not None and _answers(best) else None

    def _nearest(self) -> list[Evidence]:
        """What was found by words or by meaning, the nearest read together with the question."""
        if self._read is None:
            there = {one.message.pk for one in self.found}
            found = message_recall.passages(self.prompt.question, _ALIKE, Wanted.MEANING)
            more = [Evidence(one.message, self.sought) for one in found]
            more = [one for one in more if one.parts and one.message.pk not in there]
            self._read = read_together(self.prompt, [*self.found, *more])
        return self._read


def show_from_this_talk(prompt: Prompt, made: Answer) -> bool:
    """Show what was said in this conversation that speaks of half the question or more and may
    answer it: also what is quoted nowhere else. False, with nothing said, where nothing does.
    """
    sought = sought_by(prompt)

    def speaks_of_it(text: str) -> bool:
        covers = bool(sought.words) and sought.cover(text) >= _HALF
        answers = covers and sought.probability(text) >= _POSSIBLY
        return answers and not explain_refusal(text)

    return said_here(prompt, made, "In this conversation you said:", speaks_of_it, _MOST_HERE)


# --- Looking -------------------------------------------------------------------------------------


def _of_its_time(one: Evidence) -> bool:
    """Whether it was said in the time that is asked about, or tells of it."""
    said_on = localtime(one.message.said_at).date()
    return one.sought.means(said_on) or (one.told is not None and one.tells_of_its_time)


def _answers(one: Evidence, *, surely: bool = False) -> bool:
    """Whether it is taken for an answer; nothing is to a question without a word of its own, and to
    one in another language, whose meaning is not known, what speaks of most of it.
    """
    if not one.sought.words:
        return False
    if intents.is_foreign(one.sought.asked):
        return one.cover >= _MOST_OF_IT
    tells_all = one.cover >= _ALL and one.probability >= _POSSIBLY
    return one.fit >= (_SURELY if surely else _ANSWERS) or (tells_all and not surely)


def _of_its_kind(question: str, found: list[Evidence]) -> list[Evidence]:
    """Those that tell the kind of thing that is asked for, or change it: "the viewing is off"."""
    texts, nearness = [one.in_context for one in found], [one.cover for one in found]
    fits = answer_types.of_its_kind(question, texts, nearness)
    return [one for one, fit in zip(found, fits, strict=True) if fit or one.changes]


def _worth_showing(prompt: Prompt, found: list[Evidence], least: float) -> list[Evidence]:
    """The nearest, those of whom it is asked first, without what is far behind, said twice, or
    given way to another of them.
    """

    def place(one: Evidence) -> tuple[bool, float]:
        return answer_types.is_of_another(prompt.read_as, one.in_context), -one.fit

    near = _near(sorted(_without_what_is_over(prompt, found), key=place), least)
    once = list({" ".join(content_words(one.quote)): one for one in reversed(near)}.values())[::-1]
    shown = once[:_SHOWN]
    return _changes_first(prompt.read_as, shown)


def _changes_first(question: str, shown: list[Evidence]) -> list[Evidence]:
    """What moves or puts right another of them stands right before that, where it may tell what is
    asked for; right behind it where it tells something else of it.
    """
    ordered = list(shown)
    for one in sorted(shown, key=lambda one: one.message.said_at):
        others = [other for other in ordered if _corrects(one, other)]
        if others:
            ordered.remove(one)
            at = min(map(ordered.index, others))
            ordered.insert(at if one.may_tell(question) else at + 1, one)
    return ordered


def _corrects(one: Evidence, other: Evidence) -> bool:
    """Whether one is told to correct another, or moves or puts right what it says."""
    if one.message.corrects_id:
        return one.message.corrects_id == other.message.pk
    return _changes_it(one, [other])


def _near(found: list[Evidence], least: float) -> list[Evidence]:
    """The best of them, and what may hold the answer beside it or changes one of these."""
    best = max((one.fit for one in found), default=0.0)
    least = min(best, max(least, best - _FAR_BEHIND))
    near = [one for one in found if one.fit >= least]
    return [one for one in found if one in near or _changes_it(one, near)]


def _changes_it(one: Evidence, others: Sequence[Evidence]) -> bool:
    """Whether it moves or puts right what another says, of which the question speaks."""
    if not one.changes or one.sought.cover(one.in_context, literally=True) < _SHARES:
        return False
    return any(
        other.message.said_at < one.message.said_at and other.changed_by(one) for other in others
    )


def _with_what_followed(prompt: Prompt, found: list[Evidence]) -> list[Evidence]:
    """With the messages that correct what answers of these, each before what it corrects, or right
    after them only add to them, each behind.
    """
    told = list(found)
    quoted = {one.message.pk for one in found[:1]}
    quoted |= {one.message.pk for one in found if _answers(one)}
    for message in related_messages.corrections_and_additions(prompt.question, quoted):
        at = next(
            place
            for place, one in enumerate(told)
            if related_messages.belongs_to(message, one.message)
        )
        added = Evidence(message, told[at].sought)
        # What only asks answers nothing.
        if not added.parts or added.message.pk in {one.message.pk for one in told}:
            continue
        first = added.may_tell(prompt.read_as) and _goes_before(added, told[at].message)
        told.insert(at if first else at + 1, added)
    return told


def _outdated(question: str, found: Sequence[Evidence]) -> set[UUID]:
    """The messages (their keys) of what a later one of these ends or corrects, in what is asked
    for: what somebody else wrote ends nothing.
    """
    own = [one for one in found if one.message.is_stated_by_owner]
    own.sort(key=lambda one: one.message.said_at)
    ends = [one for one in own if one.may_tell(question)]
    told = {one.message.corrects_id for one in ends if one.message.corrects_id}
    ended = {
        one.message.pk
        for one in own
        if one.ended_by([later for later in ends if later.message.said_at > one.message.said_at])
    }
    return ended | {one.message.pk for one in own if one.message.pk in told}


def _goes_before(added: Evidence, message: Message) -> bool:
    """Whether what belongs to a message corrects it, and does not only add to it."""
    if added.changes or added.message.corrects_id == message.pk:
        return True
    corrects = is_correction(added.message.content, [message.content])
    return corrects and not added.says_the_same_of_another(message)


def _without_what_is_over(prompt: Prompt, found: list[Evidence]) -> list[Evidence]:
    """Without a message whose note gave way to one of another that is told as well."""
    if not found:
        return []
    told = {one.message.pk for one in found}
    told |= {note.message_id for note in prompt.remembered if note.message_id}
    over = (
        Memory.objects.for_user(prompt.question.user_id)
        .filter(
            status=Memory.Status.SUPERSEDED,
            source_message__in=[one.message.pk for one in found],
            superseded_by__source_message__in=told,
        )
        .exclude(superseded_by__source_message=F("source_message"))
    )
    gone = set(over.values_list("source_message", flat=True))
    return [one for one in found if one.message.pk not in gone]


def _notes(prompt: Prompt, sought: Sought, found: Sequence[Evidence]) -> list[ScoredNote]:
    """Notes that were written by hand, or whose message may not be quoted here, and answer it."""
    messages = {one.message.pk for one in found}
    return [
        note
        for note in sorted(prompt.remembered, key=lambda note: -note.score.total)
        if note.category != "summary"
        and note.message_id not in messages
        and note.message_id != prompt.question.pk
        and sought.means(note.happened_on or localtime(note.said_at).date())
        and sought.cover(note.original or note.content) >= _HALF
        and sought.probability(note.original or note.content) >= _HALF
    ][:2]


def _of_that_time(sought: Sought, everything: Sequence[Evidence], made: Answer) -> bool:
    """ "What did I do last May?" asks for whatever there was: what was told of it, in its order."""
    told = [(one, max(one.parts, key=significance_of)) for one in everything if _of_its_time(one)][
        : _SHOWN + 1
    ]
    if not told:
        return False
    made.say(f"{capfirst(_in_words(sought))}, as I have it:")
    for one, part in sorted(told, key=lambda pair: pair[0].message.said_at):
        made.point(line(one.message, part), used_message(one.message))
    return True


def _in_words(sought: Sought) -> str:
    """The time that a question names: "in May 2026"."""
    return sought.spans[0].said


# --- Telling -------------------------------------------------------------------------------------


def _say_the_day(found: Sequence[Evidence], made: Answer) -> None:
    """The day itself, where the nearest of them names one exactly, or what moves it: "the boiler is
    put off to Thursday" need not say that it was to be serviced.
    """
    first = next((one for one in found[:1] if one.changes or one.told is not None), None)
    if first is None or not (first.changes or first.probability >= _HALF):
        return
    told = first.told
    if told is not None and first.tells_of_its_time and not told.year_is_guessed:
        made.say(f"{capfirst(told.in_words if told.exactly else f'about {told.in_words}')}.")


def _point_at(
    found: Sequence[Evidence], made: Answer, outdated: Collection[UUID] = frozenset()
) -> None:
    """A line each; what does not say of whom it speaks, with what was said before it."""
    shown = {part for one in found for part in one.parts}
    for one in found:
        mark = OUTDATED if one.message.pk in outdated else ""
        before = "" if one.goes_on_from in shown else one.goes_on_from
        made.point(f"{_line(one)}{after(before)}{mark}", used_message(one.message))


def _line(one: Evidence) -> str:
    # Without a year its days are told from the day on which it was said: a reader must reckon.
    # Of several days that it names, the reader knows which is asked for.
    relative = one.tells_one_day and not re.search(r"\b(?:19|20)\d\d\b", one.quote)
    told = one.told if relative else None
    # Which spring "in spring" is, is a guess.
    sure = told is not None and told.exactly and not told.year_is_guessed
    days = f" ({told.in_words})" if told is not None and sure else ""
    return f"{line(one.message, one.quote)}{days}"


def _noted(prompt: Prompt, note: ScoredNote) -> str:
    when = formatting.day(note.said_at, prompt.question.said_at)
    return f"Noted {when}{unless_said(note)}: {literal(note.original or note.content)}"


def _rest_on_their_notes(prompt: Prompt, found: Sequence[Evidence], made: Answer) -> None:
    """A note that was taken from a quoted message was as much of use as the message."""
    quoted = {one.message.pk for one in found}
    made.rest_on(*(used_note(note) for note in prompt.remembered if note.message_id in quoted))
