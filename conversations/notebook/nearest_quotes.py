"""Everything else that is asked: the nearest notes and messages, if they speak of it at all."""

import re
from collections.abc import Sequence
from datetime import date

from django.utils.timezone import localtime

from accounts import words
from conversations.markdown import literal
from conversations.models import Message
from conversations.notebook.answer_builder import (
    CANNOT,
    NOTHING,
    Answer,
    line,
    unless_said,
    used_message,
    used_note,
)
from conversations.notebook.said import events
from conversations.notebook.said.events import Looked
from conversations.notebook.steps import none_answers
from conversations.prompt import Prompt
from memory.language.dates import time_expressions
from memory.language.queries import speech_acts
from memory.models import Memory
from memory.notes import note_extraction
from memory.retrieval.relevance import ScoredNote

PERSONAL = re.compile(r"\b(i|i'm|i've|me|my|mine|we|our|us)\b", re.IGNORECASE)
# How much of a question that asks for anything at all a sentence must speak of, and a note that is
# near enough in meaning.
_FLOOR = 0.7
_NOTE_FLOOR = 0.5
# The same of a note that is not near in meaning: it was worth noting, so less is asked than of what
# was only said.
_NOTE_ALONE = 0.65
# Where so many sentences fit all but as well as the best, the words pick out no answer.
_TOO_MANY = 4
_AS_WELL = 0.9
# So much is told where nothing but a time is asked about.
_MOST_THEN = 5
# What the profile would know is not guessed from words that only come near.
_SLOT_FLOOR = 0.75


def from_what_was_said(prompt: Prompt, made: Answer) -> None:
    """Quote what bears on the question, or say that nothing does."""
    if not (of_that_time(prompt, made) or quote(prompt, made, count=3)):
        none_answers(made)
        made.say(NOTHING if PERSONAL.search(prompt.read_as) else CANNOT)


def of_that_time(prompt: Prompt, made: Answer) -> bool:
    """ "What did I do last May?" asks for whatever there was: what was told then, in its order, and
    notes of what happened then; False where something else is asked, or nothing is found.
    """
    spans = time_expressions.spans(prompt.read_as, localtime(prompt.question.said_at))
    if not spans or events.asked(prompt, prompt.read_as).words:
        return False
    told = [
        (one, max(parts, key=note_extraction.significance))
        for one in events.look(prompt, made, prompt.read_as)
        if _lies_in(spans, localtime(one.passage.message.said_at).date())
        and (parts := [part for part in one.parts if tells(one.passage.message, part)])
    ][:_MOST_THEN]
    quoted = {one.passage.message.pk for one, _ in told}
    notes = [
        note
        for note in sorted(prompt.remembered, key=lambda note: -note.score.total)
        if note.message_id not in quoted
        and _lies_in(spans, note.happened_on or localtime(note.said_at).date())
    ][: _MOST_THEN - len(told)]
    if not told and not notes:
        return False
    when = spans[0].said
    made.say(f"{when[0].upper()}{when[1:]}, as I have it:")
    for one, part in sorted(told, key=lambda found: found[0].passage.message.said_at):
        made.point(line(one.passage.message, part), used_message(one.passage.message))
    for note in notes:
        made.point(_noted(prompt, note), used_note(note))
    return True


def _lies_in(spans: Sequence[time_expressions.Span], day: date) -> bool:
    return any(span.first <= day <= span.last for span in spans)


def _noted(prompt: Prompt, note: ScoredNote) -> str:
    when = words.day(note.said_at, prompt.question.said_at)
    return f"Noted {when}{unless_said(note)}: {literal(note.original or note.content)}"


def quote(prompt: Prompt, made: Answer, count: int) -> bool:
    """Answer with the nearest notes and messages, at most `count`; False when there are none."""
    looked = events.look(prompt, made, prompt.read_as)
    fit = _that_answer(looked, _SLOT_FLOOR if prompt.asked else _FLOOR)
    fit = _without_what_is_over(prompt, fit)
    quoted = {one.passage.message.pk for one in fit}
    fitting = [
        note
        for note in sorted(prompt.remembered, key=lambda note: -note.score.total)
        if note.message_id not in quoted and _speaks_of_it(prompt, note, looked)
    ]
    # A note fits or does not; messages are only the nearest there are.
    notes = fitting[: max(1, count - 1)] if fit else fitting[:count]
    fit = fit[: count - len(notes)]
    if not notes and not fit:
        return False
    several = len(notes) + len(fit) > 1
    made.say("This is the nearest I find in what was said:" if several else "I find this:")
    for note in notes:
        made.point(_noted(prompt, note), used_note(note))
    for one in fit:
        made.point(line(one.passage.message, one.best), used_message(one.passage.message))
    # A note that was taken from a quoted message was as much of use as the message.
    told = {one.passage.message.pk for one in fit}
    made.rest_on(*(used_note(note) for note in prompt.remembered if note.message_id in told))
    return True


def _without_what_is_over(prompt: Prompt, fit: list[Looked]) -> list[Looked]:
    """Without a message whose note gave way to one of another that is told as well."""
    told = {one.passage.message.pk for one in fit}
    told |= {note.message_id for note in prompt.remembered if note.message_id}
    over = Memory.objects.for_user(prompt.question.user_id).filter(
        status=Memory.Status.SUPERSEDED,
        source_message__in=[one.passage.message.pk for one in fit],
        superseded_by__source_message__in=told,
    )
    gone = set(over.values_list("source_message", flat=True)) if fit else set()
    return [one for one in fit if one.passage.message.pk not in gone]


def tells(message: Message, part: str) -> bool:
    """Whether a sentence states something: what only asks the assistant answers nothing."""
    return speech_acts.states(part, message.author)


def _that_answer(looked: list[Looked], floor: float) -> list[Looked]:
    """Those with a sentence, that is no question itself, that speaks of what is asked.

    None where the sentences that fit are many and none stands out: "What is my dream?".
    """
    fits = [
        (one.sought.fits(one.best), one) for one in looked if tells(one.passage.message, one.best)
    ]
    best = max((fit for fit, _ in fits), default=0.0)
    if sum(fit >= _AS_WELL * best for fit, _ in fits) >= _TOO_MANY:
        return []
    return [one for fit, one in fits if fit >= floor]


def _speaks_of_it(prompt: Prompt, note: ScoredNote, looked: list[Looked]) -> bool:
    """Whether a note has enough of the question's words: near in meaning alone is many a note."""
    wanted = looked[0].sought if looked else events.asked(prompt, prompt.read_as)
    shares = wanted.fits(note.original or note.content)
    near = note.score.similarity >= events.NOTE_FITS
    return shares >= (_NOTE_FLOOR if near else _NOTE_ALONE) and len(wanted.words) > 1 - near
