"""When a clause holds, told by its own words for a time and by the words that frame it.

"In my twenties", "when I lived in Bergen" and "as a child" name an era that is closed, whatever is
told of it; "ten years ago" and "before the move" lie behind, though what was begun then may last;
"next month" lies ahead. What stands beside a clause without a verb, or only says when, frames it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import IntEnum

from memory.language.engine.clauses import Clause, Subject
from memory.language.grammar.verbs import is_past
from memory.language.lazy_pattern import compile_lazily
from memory.language.lexicons import load_lexicon


class Frame(IntEnum):
    """What the words for a time say; of two the higher one counts."""

    NONE = 0
    AHEAD = 1
    BEHIND = 2
    ERA = 3


_LONG = r"(?:years?|months?|decades?|weeks?|summers?|winters?|semesters?|seasons?)"
_DAYS = (
    r"(?:\w+ )?(?:childhood|youth|teens|(?:twen|thir|for|fif|six|seven|eigh|nine)ties|[1-9]0'?s|"
    r"prime|(?:school|college|student|university|uni|army|navy|bachelor|teenage|younger|early|old) "
    r"(?:days|years|time)|first marriage|studies|apprenticeship)"
)
_AGE = (
    r"(?:kid|child|boy|girl|baby|toddler|teen\w*|youngster|youth|student|undergrad|freshman|"
    r"young \w+)"
)
_OLD = r"(?:previous|former|earlier|past|last|prior|old)"
_POST = r"(?:life|job|role|career|marriage|position|company|firm)"
_NEARLY = r"(?:(?:about|over|almost|nearly|more than) )?"
_ERA = compile_lazily(
    rf"\b(?:as an? (?:\w+ )?{_AGE}|growing up|back (?:then|when|in (?:the|those|my|our|\d))|"
    r"in (?:those|the (?:good )?old|olden) days|at (?:the|that) time(?! of)|in (?:the|my|our) past|"
    r"there was a time|in (?:high|primary|middle|elementary) school|"
    rf"(?:in|during|through|throughout) (?:my|our|the) {_DAYS}|in (?:an?|my|our) {_OLD} {_POST}|"
    r"(?:when|while) (?:i|we) (?:was|were)|(?:long|ages|a lifetime) ago|a long time ago|"
    rf"for {_NEARLY}(?:\w+ ){{0,2}}?(?:{_LONG}|while|time))\b",
    re.IGNORECASE,
)
_BEHIND = compile_lazily(
    rf"\b(?:{_LONG} (?:ago|back|earlier)|in (?:19|20)\d\d|from (?:19|20)\d\d (?:to|until)|"
    rf"last {_LONG}|(?:until|till|up to)(?! (?:now|today|date|this))|previously|formerly|"
    r"before (?:that|then|the|my|our|i|we|\w+ing)|(?<!at )(?<!just )once(?! (?:an?|per|every|in|or "
    r"twice|again|more|i|we|you|the|it|they|my)\b)|"
    r"at (?:the age of )?(?:\d\d?|\w+teen|twelve|twenty|six|eight|ten))\b|(?<=\w)(?<!any) before$",
    re.IGNORECASE,
)
_NAMED_TIME = (
    r"(?:january|february|march|april|may|june|july|august|september|october|november|december|"
    r"spring|summer|autumn|fall|winter|monday|tuesday|wednesday|thursday|friday|saturday|sunday)"
)
_AHEAD = compile_lazily(
    rf"\bnext (?:{_LONG}|term|{_NAMED_TIME})\b|\b(?:tomorrow|soon|some ?day|one day)\b|"
    rf"\bin (?:an?|the|two|three|four|\d+|a few|a couple of) {_LONG}\b|"
    rf"\b(?:in|on|from|this|by|come) (?:the )?{_NAMED_TIME}\b",
    re.IGNORECASE,
)
# What began then lasts: "since I was a kid", "the songs from when I was young", "ever since".
_FROM_THEN = compile_lazily(r"\b(?:since|from|like|than)(?: \w+)? $", re.IGNORECASE)
# A connecting word that was cut off from its clause: "when" of "when I lived there".
_LOOSE = compile_lazily(r"\W*(?:\w+ )?(?:when|while|before|until|till)\s*", re.IGNORECASE)
_SAYS_WHEN = compile_lazily(
    r"(?:(?:but|and|back|even) )*(?:when|while|as long as|(?P<edge>before|until|till))\b"
    r"(?:.*?\b(?:i|we|my \w+|they|he|she)\b (?:\w+ly |still |first |just )?(?P<verb>[\w']+))?",
    re.IGNORECASE,
)
EVENTS = load_lexicon("lasting_verbs")
"""Verbs whose simple past tells of what may still hold: "I moved there two years ago"."""


def of_words(text: str, start: int, end: int) -> Frame:
    """The frame that words for a time in a stretch of text name."""
    for frame, pattern in ((Frame.ERA, _ERA), (Frame.BEHIND, _BEHIND), (Frame.AHEAD, _AHEAD)):
        match = pattern.search(text, start, end)
        if match and not _FROM_THEN.search(text[max(start, match.start() - 12) : match.start()]):
            return frame
    return Frame.NONE


def frames(text: str, parts: Sequence[Clause]) -> list[Frame]:
    """The frame of each clause of a sentence, by its own words and by those beside it."""
    loose = [_LOOSE.fullmatch(text, part.start, part.end) is not None for part in parts]
    own = [of_words(text, part.start, part.end) for part in parts]
    when = [_frame_of_time_clause(text, parts, at, loose) for at in range(len(parts))]
    found: list[Frame] = []
    for index, part in enumerate(parts):
        beside = [own[index], *when[index + 1 : index + 2]]
        if index and not (part.lead.startswith("but") or "now" in part.openers):
            leads = parts[index - 1].subject is Subject.NONE and not loose[index - 1]
            beside += [when[index - 1], own[index - 1] if leads else Frame.NONE]
            beside += [found[-1] if part.inherits else Frame.NONE]
        found.append(max(beside))
    return found


def _frame_of_time_clause(
    text: str, parts: Sequence[Clause], index: int, loose: Sequence[bool]
) -> Frame:
    """The frame of a clause that says when another one holds; NONE for one that does not."""
    first = index - 1 if index and loose[index - 1] else index
    last = index + 1 if loose[index] and index + 1 < len(parts) else index
    said = f"{parts[first].lead} {text[parts[first].start : parts[last].end]}".strip()
    match = _SAYS_WHEN.match(said)
    verb = (match["verb"] or "").lower() if match else ""
    if not match or not is_past(verb):
        return Frame.NONE
    return Frame.BEHIND if match["edge"] or verb in EVENTS else Frame.ERA
