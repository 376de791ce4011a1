"""'Where did I work in 2012?': what held at a time that a question names, from the timeline."""

import re
from collections.abc import Iterable
from datetime import date

from django.urls import reverse
from django.utils.timezone import localtime

from conversations.markdown import literal
from conversations.notebook.answer_builder import Answer
from conversations.notebook.profile.profile import slots_of, strands_of
from conversations.prompt import Prompt
from ledger.history.timeline import SlotHistory, Span
from memory.language import TimeSpan, find_asked_times

_DOES = (
    r"(?P<about>work|working|worked|employed|live|living|lived|reside|based|drive|driving|drove)"
    r"(?: (?:for|at|as|in|with))?"
)
_ASKED = tuple(
    re.compile(form, re.IGNORECASE)
    for form in (
        rf"(?:where|who|whom|what|for whom|which \w+|what \w+|for which \w+|in which \w+) "
        rf"(?:did|was|were|had|have) (?:i|we) (?:use to |been )?{_DOES},? (?P<when>.+)",
        rf"where (?:i|we) (?:used to |was |were )?{_DOES},? (?P<when>.+)",
        r"(?:what|where|who|which)(?:'s| is| was) my (?P<about>[\w ]{2,20}?),? (?P<when>(?:in|back"
        r"|during|last|around)\b.+)",
        rf"(?P<when>(?:in|back in|during|around|last) [\w ]{{3,20}}?),? (?:where|who) (?:did|was"
        rf"|were) (?:i|we) {_DOES}",
    )
)


def held_then(prompt: Prompt, answer: Answer) -> bool:
    """Say what held at the time that is named; False where nothing is known of it."""
    core = prompt.question.reading.core
    match = next((f for form in _ASKED if (f := form.fullmatch(core))), None)
    if match is None:
        return False
    named = _times(match["when"], prompt)
    if len(named) != 1:
        return False
    today = localtime(prompt.question.said_at).date()
    told = False
    for strand in strands_of(prompt, answer, slots_of(match["about"])):
        spans = list(_spans_at(strand, named[0])) or _until_later(strand, named[0].last)
        if spans:
            values = "; ".join(f"{literal(span.value)}, {span.words(today)}" for span in spans)
            unknown = spans[0].begins_unknown and not _ended_in(spans[0], named[0])
            since = " Since when is not known to me." if unknown else ""
            when = "" if unknown else f" {named[0].said}"
            answer.say(f"Your {strand.slot.noun}{when}: {values}.{since}", *(s.fact for s in spans))
            told = True
    if told:
        answer.say(f"So it stands on [your timeline]({reverse('ledger:timeline')}).")
    return told


def _times(when: str, prompt: Prompt) -> list[TimeSpan]:
    """The times that are named; 'work in 2012' has given its 'in' to the work."""
    asked_at = localtime(prompt.question.said_at)
    return find_asked_times(when, asked_at) or find_asked_times(f"in {when}", asked_at)


def _spans_at(strand: SlotHistory, asked: TimeSpan) -> Iterable[Span]:
    """The values of which it is known that they held then, at least for a part of it."""
    for span in strand.spans:
        if span.begins_unknown:
            if _ended_in(span, asked):
                yield span
        elif span.first <= asked.last and (span.end is None or span.end >= asked.first):
            yield span


def _ended_in(span: Span, asked: TimeSpan) -> bool:
    ends = span.end is not None and not span.ends_unknown
    return ends and asked.first <= (span.end or date.max) <= asked.last


def _until_later(strand: SlotHistory, day: date) -> list[Span]:
    """Where no value is known for that day: the next one, which ended later and began at a time
    that nobody knows.
    """
    later = [
        span
        for span in strand.spans
        if not span.ends_unknown and (span.first > day or (span.end or date.max) > day)
    ]
    return later[:1] if later and later[0].begins_unknown else []
