"""An entry in plain sentences: for its owner's page, and to compare its compact form with."""

from datetime import date, datetime
from functools import singledispatch
from typing import Any

from accounts.support.formatting import listed
from memory.namespaces import schemas
from memory.namespaces.codes import PATTERN_CODES
from memory.namespaces.schemas import Entry


@singledispatch
def prose(entry: Entry) -> str:
    """The sentences for an entry. Raises TypeError for a schema that has none."""
    raise TypeError(f"{type(entry).__name__} has no sentences.")


@prose.register
def _(entry: schemas.RegisteredEntry) -> str:
    told = entry.model_dump(mode="json", exclude_none=True, exclude_defaults=True)
    return _sentences(*(f"{name}: {_in_words(value)}" for name, value in told.items()))


def _in_words(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return ", ".join(value) if isinstance(value, list) else str(value)


def _day(day: date | datetime | None, before: str = "on ") -> str:
    return f"{before}{day.day} {day:%B %Y}" if day else ""


def _times_in_words(times: int) -> str:
    return "once" if times == 1 else f"{times} times"


def _code_in_words(code: str, text: str | None) -> str:
    return text or PATTERN_CODES.get(code) or code.replace("_", " ")


def _sentences(*parts: str) -> str:
    told = [part[:1].upper() + part[1:] for part in parts if part]
    return " ".join(part if part.endswith((".", "?", "!")) else f"{part}." for part in told)


@prose.register
def _(entry: schemas.Session) -> str:
    return _sentences(
        f"the session is held at the level of {entry.level.value}",
        f"it is at turn {entry.turn}",
        f"its active threads are {listed(entry.threads)}" if entry.threads else "",
        f"it is about {entry.subject}" if entry.subject else "",
    )


@prose.register
def _(entry: schemas.HistoryItem) -> str:
    return _sentences(
        f"the session {_day(entry.day)} had {entry.turns} turns",
        f"it was about {listed(entry.topics)}" if entry.topics else "",
        f"it was decided to {listed(entry.decisions)}" if entry.decisions else "",
        entry.summary,
    )


@prose.register
def _(entry: schemas.Pattern) -> str:
    last = _day(entry.last_seen, ", most recently on ")
    return _sentences(
        _code_in_words(entry.code, entry.text),
        f"this was seen {_times_in_words(entry.seen)}{last}",
        f"the strength of the pattern is {entry.strength:.2f}",
    )


@prose.register
def _(entry: schemas.Coaching) -> str:
    state = "this is in use" if entry.active else "this is not in use at present"
    return _sentences(_code_in_words(entry.code, entry.text), state)


@prose.register
def _(entry: schemas.Signal) -> str:
    where = f"at turn {entry.turn} the person {entry.kind.words}"
    return _sentences(where, f"the strength of this signal is {entry.strength:.2f}")


@prose.register
def _(entry: schemas.FastState) -> str:
    return _sentences(
        f"the conversation is at turn {entry.turn}",
        f"it is about {entry.subject}" if entry.subject else "",
        f"the last message was answered by {entry.route.words}" if entry.route else "",
        f"the person {listed([one.words for one in entry.signals])}" if entry.signals else "",
    )


@prose.register
def _(entry: schemas.SlowState) -> str:
    return _sentences(
        f"the person committed to this: {entry.commitment}",
        f"it was decided to {listed(entry.decisions)}" if entry.decisions else "",
        _day(entry.review_on, "this is looked at again on "),
    )


@prose.register
def _(entry: schemas.Lane) -> str:
    return _sentences(
        f"the line of work called {entry.name} is {entry.state.value}",
        f"its goal is: {entry.goal}" if entry.goal else "",
        f"the next step is: {entry.next_step}" if entry.next_step else "",
    )


@prose.register
def _(entry: schemas.ConsentPreference) -> str:
    wish = "agreed to" if entry.allowed else "does not agree to"
    return _sentences(f"the person {wish} this: {entry.subject}", _day(entry.day, "said so on "))


@prose.register
def _(entry: schemas.GateTransition) -> str:
    gate = entry.gate.replace("_", " ")
    moment = f"{_day(entry.at)} at {entry.at:%H:%M}"
    return _sentences(
        f"{moment} the gate {gate} went from {entry.before.value} to {entry.after.value}",
        f"the reason was: {entry.reason}" if entry.reason else "",
    )


@prose.register
def _(entry: schemas.Strategy) -> str:
    return _sentences(
        _code_in_words(entry.code, entry.text),
        f"this worked {_times_in_words(entry.worked)} and failed {_times_in_words(entry.failed)}",
    )


@prose.register
def _(entry: schemas.Escalation) -> str:
    way = f"from {entry.before.words} to {entry.after.words}"
    return _sentences(
        _code_in_words(entry.code, None),
        f"the answer was handed on {way} {_times_in_words(entry.seen)}",
        entry.outcome.words,
    )


@prose.register
def _(entry: schemas.Routing) -> str:
    signals = [one.words for one in entry.signals]
    return _sentences(
        f"at turn {entry.turn} the message was answered by {entry.route.words}",
        f"the strategy was: {_code_in_words(entry.strategy, None)}",
        f"the person {listed(signals)}" if signals else "",
        f"the confidence of this decision was {entry.confidence:.2f}",
        entry.outcome.words,
    )


@prose.register
def _(entry: schemas.LearnedPattern) -> str:
    signals = [one.words for one in entry.signals]
    return _sentences(
        f"when the person {listed(signals)}, the message was answered by {entry.route.words}"
        if signals
        else f"the message was answered by {entry.route.words}",
        entry.outcome.words,
        f"this was seen {_times_in_words(entry.seen)}",
        f"the strength of the pattern is {entry.strength:.2f}",
    )


@prose.register
def _(entry: schemas.Feedback) -> str:
    about = entry.about.replace("_", " ")
    return _sentences(
        f"{_day(entry.day, 'on ')} the person gave feedback about {about}".strip(),
        entry.outcome.words,
        entry.text or "",
    )


@prose.register
def _(entry: schemas.Generalization) -> str:
    patterns = [code.replace("_", " ") for code in entry.codes]
    return _sentences(
        entry.text,
        f"this is what the patterns {listed(patterns)} have in common" if patterns else "",
        f"it was seen {_times_in_words(entry.seen)}, with a strength of {entry.strength:.2f}",
    )


@prose.register
def _(entry: schemas.NorthStar) -> str:
    return _sentences(entry.text, _day(entry.since, "so since "))


@prose.register
def _(entry: schemas.Priority) -> str:
    until = _day(entry.until, ", until ")
    return _sentences(f"priority number {entry.rank}{until}: {entry.text}")


@prose.register
def _(entry: schemas.Person) -> str:
    traits = listed([one.words for one in entry.traits])
    last = _day(entry.last_mentioned, ", most recently on ")
    return _sentences(
        f"{entry.name} is {entry.relation.words}{f' who {traits}' if traits else ''}",
        f"{entry.name} was mentioned {_times_in_words(entry.mentioned)}{last}",
        entry.note or "",
    )


@prose.register
def _(entry: schemas.Fact) -> str:
    slot = entry.slot.replace("_", " ")
    return _sentences(
        f"the person's {slot} is {entry.value}",
        f"this was last confirmed {_day(entry.last_verified)}, with a trust of {entry.trust:.2f}",
        "it is disputed" if entry.disputed else "",
    )


@prose.register
def _(entry: schemas.Note) -> str:
    return _sentences(
        f"{_day(entry.day)} the person said, with a trust of {entry.trust:.2f}: {entry.text}"
    )


@prose.register
def _(entry: schemas.Block) -> str:
    return entry.text
