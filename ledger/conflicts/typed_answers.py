"""Reading a typed message as the answer to a question about two values: "Google", "the old one".

The whole message has to match one of a few patterns. In doubt the conflict stays open.
"""

import re
from collections.abc import Collection, Iterable, Sequence
from datetime import date, datetime, timedelta

from django.utils.timezone import localtime

from ledger.conflicts import auto_settling
from ledger.conflicts.resolution import Answer
from ledger.models import Contradiction, Resolution
from memory.facts.start_dates import precision_of
from memory.language.dates.time_expressions import TimeSpan, find_stated_times

Method = Resolution.Method
_LONGEST = 160
# What plain answers never contain: a question, a quotation, a list, a second line.
_NO_ANSWER = re.compile(r"[?\"“”„«»>*\n]")
_LEAD = (
    r"(?:(?:yes|yeah|yep|yup|no|nope|nah|na|ok|okay|well|actually|sorry|oh|hm+|um|right|correct"
    r"|definitely)"
    r"(?:\s*[,.!:]\s*|\s+))*"
)
_TAIL = (
    r"(?:\s*,?\s*(?P<now>now|nowadays|these days|currently|at the moment)\b)?"
    r"(?:\s*,?\s*(?:please|pls|plz|thanks|thx|thank you|sorry|definitely|of course|for sure))*"
)
# How an answer may begin, by slot; '' for any slot.
_BEGINS = {
    "": r"it's|it is|that's|that is|keep|take|i choose|i mean|i meant|still|it's still|it is still",
    "employer": r"i(?: still| now)? work (?:at|for|with)|i'm (?:at|with)|i am (?:at|with)|"
    r"my employer is",
    "location": r"i(?: still| now)? live in|i'm(?: still| now)? living in|i'm based in|my city is",
    "name": r"my name is|i'm|i am",
    "preferred_name": r"call me|i'm called|i go by",
    "job_title": r"i'm an?|i am an?|i work as an?|my job is|i'm|i am",
}
_ONE = r"(?: one| value| job| place| city)?"
_NUMBER = r"(?:number|no\.?|nr\.?|option) ?"
_NEW_ONE = (
    rf"(?:the (?:new|newer|latter){_ONE}|(?:the )?(?:second|2nd)(?: of (?:them|the two)|{_ONE})"
    rf"|{_NUMBER}(?:2|two))"
)
_OLD_ONE = (
    rf"(?:the (?:old|older|former|previous|earlier){_ONE}"
    rf"|(?:the )?(?:first|1st)(?: of (?:them|the two)|{_ONE})|{_NUMBER}(?:1|one)"
    r"|(?:what|the one) you (?:had|have))"
)
_RIGHT = r"\s+is (?:right|correct|true|the right one|the correct one|the current one)"
_IS_RIGHT = rf"(?P<right>{_RIGHT})?"
# What else may be said of a chosen value: "The bungalow in Ludlow is the right one".
_SAID_OF_IT = r"(?:the|my|our) (?:[\w'-]+ ){1,3}(?:in|at|with|of|for|near) "
_IS_WRONG = (
    r"\s+(?:is|was)(?: (?:wrong|not right|incorrect|not correct|a mistake|outdated|over|"
    r"no longer right|no longer true|not true)|n't (?:right|correct|true))"
)
_NOT = r"not(?: at| in| for)?\s+"
_LEFT = r"(?:i don't|i do not|i no longer) (?:work (?:at|for)|live in)\s+"
_GONE = (
    r"i(?:'ve|'d| have| had)?(?: just| already)?"
    r" (?:left|quit|resigned from|moved (?:away|out) (?:from|of))\s+"
)
# "Both are true" means a sequence only with times: a single-valued slot has one value at a time.
_BOTH = r"(?:they(?: a|')re )?both(?: of them)?(?: (?:are|were))?(?: (?:true|right|correct))?"
_WAS_THERE = r"i (?:worked (?:at|for)|lived in)\s+"


def read(
    text: str,
    entries: Sequence[Contradiction],
    said_at: datetime,
    said_before: Collection[str] = (),
) -> tuple[Contradiction, Answer] | None:
    """Return the conflict that a message answers, and the answer; None if it is not clear.

    `entries` are the open conflicts the conversation asked about lately, with both facts loaded;
    `said_before` the user's messages since then, whose repetition is not an answer.
    """
    if len(text) > _LONGEST or _NO_ANSWER.search(text.strip()):
        return None
    message = _plain(text)
    if message in {_plain(before) for before in said_before}:
        return None
    matches = [
        (entry, parsed)
        for entry in entries
        if (parsed := _answer_for_entry(message, entry, said_at)) is not None
    ]
    if len(matches) != 1:
        return None
    entry, answer = matches[0]
    if len(entries) > 1 and not _names_a_value(message, entry):
        return None
    return entry, answer


def _plain(text: str) -> str:
    return " ".join(text.casefold().replace("’", "'").split()).strip(" .!…,")


def _names_a_value(message: str, entry: Contradiction) -> bool:
    sides = (entry.old_fact.value, entry.new_fact.value)
    return any(re.search(_word_pattern(side), message) for side in sides)


def _word_pattern(value: str) -> str:
    return rf"(?<![^\W_]){re.escape(_plain(value))}(?![^\W_])"


# As the first word of a value these are ambiguous: "New York", "the first one".
_SAYS_MORE = frozenset(
    "about current first former latter last never next number option other previous right second"
    " since still that the then there these this until what when where wrong".split()
)


def _value_pattern(value: str, other: str) -> str:
    """Return a regex of the names of a value: in full, by its first word if that differs from the
    other value ("Nordkai" for "Nordkai Logistics"), or by its only differing word ("Pixel" for "cat
    Pixel").
    """
    full = _word_pattern(value)
    first, *more = re.findall(r"[^\W_]+", _plain(value)) or [""]
    apart = [word for word in (first, *more) if not re.search(_word_pattern(word), _plain(other))]
    if more and first not in apart and len(apart) == 1 and apart[0] not in _SAYS_MORE:
        return rf"(?:{full}|{_word_pattern(apart[0])})"
    short = len(first) >= 5 and first.isalpha() and first not in _SAYS_MORE
    if not more or not short or re.search(_word_pattern(first), _plain(other)):
        return full
    return rf"(?:{full}|{_word_pattern(first)})"


def _answer_for_entry(message: str, entry: Contradiction, said_at: datetime) -> Answer | None:
    """Return how the whole message answers a conflict; None if it does not."""
    old_value, new_value = entry.old_fact.value, entry.new_fact.value
    if _plain(old_value) == _plain(new_value):
        return _like_or_dislike_answer(message, entry, said_at)
    old, new = _value_pattern(old_value, new_value), _value_pattern(new_value, old_value)
    begins = rf"(?:(?:{_BEGINS['']}|{_BEGINS.get(entry.slot, _BEGINS[''])})\s+)?"
    if match := _match_choice(message, begins, (new, _NEW_ONE), (old, _OLD_ONE)):
        return _new_value_answer(entry, said_at, match.groupdict())
    if match := _match_ended(message, old):
        return _new_value_answer(entry, said_at, {**match.groupdict(), "left": "left"})
    both = entry.both_can_hold and _first_full_match((_BOTH,), message)
    if both or _match_choice(message, begins, (old, _OLD_ONE), (new, _NEW_ONE)):
        return Answer(Method.DISMISS if both else Method.KEEP_OLD)
    if match := _match_sequence(message, begins, old, new):
        return _new_value_answer(entry, said_at, {**match.groupdict(), "now": "now"})
    return None


# Likes against dislikes: the thing does not tell the sides apart, only the verb does.
_STILL = r"(?:(?:do|still|really|actually|just)\s+)*"
_FOND = rf"(?:i {_STILL}(?:like|love|enjoy) {{thing}}|likes?(?: {{thing}})?)"
_AVERSE = (
    rf"(?:i {_STILL}(?:hate|dislike|can't stand|don't like|do not like|don't love|"
    rf"do not love) {{thing}}"
    r"(?P<left>\s+(?:any ?more|any longer))?|i no longer (?:like|love|enjoy) {thing}"
    r"|dislikes?(?: {thing})?)"
)


def _like_or_dislike_answer(message: str, entry: Contradiction, said_at: datetime) -> Answer | None:
    """Return the answer to a conflict between liking and disliking a thing ("I do like it")."""
    thing = rf"(?:it|them|that|{_word_pattern(entry.old_fact.value)})"
    fond, averse = _FOND.replace("{thing}", thing), _AVERSE.replace("{thing}", thing)
    old, new = (averse, fond) if entry.old_fact.slot == "dislikes" else (fond, averse)
    begins = rf"(?:(?:{_BEGINS['']})\s+)?"
    if match := _first_full_match((rf"{begins}{_NEW_ONE}", new), message):
        return _new_value_answer(entry, said_at, match.groupdict())
    return (
        Answer(Method.KEEP_OLD)
        if _first_full_match((rf"{begins}{_OLD_ONE}", old), message)
        else None
    )


def _match_choice(
    message: str, begins: str, chosen: tuple[str, str], left: tuple[str, str]
) -> re.Match[str] | None:
    """Match a choice: the value, the value as opposed to the other, or the other called wrong.

    Each side is a pair of regexes: its value, and other expressions for it.
    """
    (value, value_alias), (other, other_alias) = chosen, left
    # The time after 'since' is matched lazily and has to be a complete time.
    since = r"(?:\s*,?\s*(?:but\s+)?(?:only\s+|just\s+)?\bsince\s+(?P<since>[\w ,.-]{2,40}?))?"
    shapes = (
        rf"{begins}(?:still\s+)?(?:{value}|{value_alias}){_IS_RIGHT}{since}",
        rf"{begins}{value}\s*,?\s*(?:and\s+)?{_NOT}{other}",
        rf"(?!.*{other}){_SAID_OF_IT}{value}(?P<right>{_RIGHT})",
        rf"{_NOT}{other}(?:\s*,?\s*(?:but\s+)?{begins}{value})?",
        rf"(?:{other}|{other_alias}){_IS_WRONG}",
        rf"{_LEFT}{other}(?P<left>\s+any ?more)?",
    )
    return _first_full_match(shapes, message)


def _match_ended(message: str, old: str) -> re.Match[str] | None:
    """Match that the old value has ended: "I left Microsoft in March"."""
    when = r"(?:\s+(?:in\s+|on\s+|since\s+)?(?P<since>[\w ,.-]{2,40}?))?"
    long = r"(?:\s+for (?:about |over |almost )?(?:\w+ ){1,2}(?:years?|months?|weeks?))?"
    shapes = (
        rf"{_GONE}{old}{when}",
        rf"before (?:that|this|then)\s*,?\s+{_WAS_THERE}{old}{long}",
        rf"{_WAS_THERE}{old}{long}\s+before (?:that|this|then)",
    )
    return _first_full_match(shapes, message)


def _match_sequence(message: str, begins: str, old: str, new: str) -> re.Match[str] | None:
    """Match both values in order: "Microsoft until March, then Google"."""
    after = r"\s*,?\s*(?:and\s+)?(?:then|now|since then)?\s*"
    shapes = (
        rf"{begins}{old}\s+until\s+(?P<since>[\w ,.-]{{2,40}}?){after}{new}(?:\s+since then)?",
        rf"{begins}{old}\s+before\s*,?\s*(?:and\s+)?(?:now\s+)?{new}",
        rf"{begins}(?:first\s+)?{old}\s*,?\s*then\s+{new}",
        rf"{begins}{new}\s+now\s*,?\s*(?:and\s+)?{old}\s+before",
        rf"{_BOTH}\s*,?\s*(?:but\s+)?(?:one after (?:the other|another)|in turn)",
    )
    return _first_full_match(shapes, message)


def _first_full_match(shapes: Iterable[str], message: str) -> re.Match[str] | None:
    """Return the first regex match that covers the whole message."""
    matches = (re.fullmatch(rf"{_LEAD}{shape}{_TAIL}", message) for shape in shapes)
    return next((match for match in matches if match), None)


def _new_value_answer(
    entry: Contradiction, said_at: datetime, groups: dict[str, str | None]
) -> Answer | None:
    """Return the answer that chooses the new value: a change on the stated day, the suggested one
    or today; or a correction if the message states no change.

    "Google is right" does what the button with these words does.
    """
    today = localtime(said_at).date()
    if groups.get("since"):
        named = _time(str(groups["since"]), said_at)
        if named is None:
            return None
        return _change(min(named.first, today), precision_of(named))
    suggestion = None if groups.get("right") else auto_settling.suggest(entry)
    if suggestion is not None and suggestion.method == Method.TIMELINE and suggestion.since:
        return _change(min(suggestion.since, today))
    if groups.get("now") or groups.get("left"):
        return _change(today)
    return Answer(Method.KEEP_NEW)


def _change(since: date, exactly: str = "") -> Answer:
    until = since - timedelta(days=1)
    return Answer(Method.TIMELINE, until=until, since=since, precision=exactly)


def _time(words: str, said_at: datetime) -> TimeSpan | None:
    """Return the time that the words state, None if they state anything else."""
    for phrase in (words, f"in {words}"):
        spans = find_stated_times(phrase, localtime(said_at))
        if len(spans) == 1:
            rest = phrase.replace(spans[0].words, " ", 1).split()
            return spans[0] if set(rest) <= {"the", "of", "in", "on"} else None
    return None
