"""Everything else that is asked: the nearest notes and messages, if they speak of it at all."""

import re

from accounts import words
from conversations.markdown import literal
from conversations.offline import events
from conversations.offline.events import Looked
from conversations.offline.made import (
    CANNOT,
    NOTHING,
    Answer,
    line,
    used_message,
    used_note,
)
from conversations.prompt import Prompt

PERSONAL = re.compile(r"\b(i|i'm|i've|me|my|mine|we|our|us)\b", re.IGNORECASE)
# How much of a question that asks for anything at all a sentence must speak of.
_FLOOR = 0.6
# What the profile would know is not guessed from words that only come near.
_SLOT_FLOOR = 0.75


def from_what_was_said(prompt: Prompt, made: Answer) -> None:
    """Quote what bears on the question, or say that nothing does."""
    if not quote(prompt, made, count=3):
        made.say(NOTHING if PERSONAL.search(prompt.question.content) else CANNOT)


def quote(prompt: Prompt, made: Answer, count: int) -> bool:
    """Answer with the nearest notes and messages, at most `count`; False when there are none."""
    looked = events.look(prompt, made, prompt.question.content)
    floor = _SLOT_FLOOR if prompt.asked else _FLOOR
    fit = [one for one in looked if _answers(one, floor)]
    quoted = {one.passage.message.pk for one in fit}
    fitting = [
        note
        for note in sorted(prompt.remembered, key=lambda note: -note.score.total)
        if note.score.similarity >= events.NOTE_FITS and note.message_id not in quoted
    ]
    # A note fits or does not; messages are only the nearest there are.
    notes = fitting[: max(1, count - 1)] if fit else fitting[:count]
    fit = fit[: count - len(notes)]
    if not notes and not fit:
        return False
    several = len(notes) + len(fit) > 1
    made.say("This is the nearest I find in what was said:" if several else "I find this:")
    for note in notes:
        when = words.day(note.said_at, prompt.question.said_at)
        made.point(f"Noted {when}: {literal(note.original or note.content)}", used_note(note))
    for one in fit:
        made.point(line(one.passage.message, one.best), used_message(one.passage.message))
    # A note that was taken from a quoted message was as much of use as the message.
    told = {one.passage.message.pk for one in fit}
    made.rest_on(*(used_note(note) for note in prompt.remembered if note.message_id in told))
    return True


def _answers(one: Looked, floor: float) -> bool:
    """Whether a sentence of it, that is no question itself, speaks of what is asked."""
    best = one.best
    return one.sought.fits(best) >= floor and not best.endswith("?")
