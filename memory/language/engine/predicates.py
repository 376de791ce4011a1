"""What a predicate asserts: now, in the past, denied, or not real at all.

The parser strips adverbs and auxiliaries, so that "I'm no longer working at", "I used to work at"
and "I work at" all reach the patterns as a verb and a mode.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from memory.language.engine.clauses import Clause, Subject
from memory.language.engine.time_frames import EVENTS, Frame, of_words
from memory.language.grammar.verbs import SAME_IN_BOTH, is_past
from memory.language.lazy_pattern import compile_lazily


class Mode(StrEnum):
    """How the clause holds."""

    NOW = "now"
    PAST = "past"
    DENIED = "denied"
    UNREAL = "unreal"


@dataclass(frozen=True)
class Predicate:
    """``head`` is "be" or "verb"; ``start`` is where the rest begins; ``changed``: it is new."""

    head: str
    mode: Mode
    start: int
    changed: bool = False


_ADVERB = compile_lazily(
    r"(?:really|even|sometimes|occasionally|generally|primarily|constantly|normally|typically|"
    r"frequently|honestly|just|currently|presently|now|also|still|actually|always|usually|"
    r"often|mostly|"
    r"mainly|"
    r"totally|absolutely|definitely|truly|personally|recently|only|both|simply|kind of|kinda|"
    r"especially|realy|reallly|rly|rlly|truely|deeply|dearly|secretly|greatly|certainly|surely|"
    r"seriously|"
    r"literally|quite|particularly|thoroughly|recent|regularly|"
    r"almost always|soo+|sure|admittedly|tend to|happen to|get to|"
    r"sort of|finally|already|originally|lately|proudly|obviously|basically|mostly|officially|"
    r"do(?! not| n't)|so|too|very much|all|as you know|myself)\b,?\s+",
    re.IGNORECASE,
)
_STEPS: tuple[tuple[str, re.Pattern[str]], ...] = (
    (
        "past",
        compile_lazily(
            r"(?:used? to(?:\s+be\b)?|was|were|had(?: been)?|'d been|formerly|"
            r"previously|once)\b\s*(?:an ex-)?",
            re.IGNORECASE,
        ),
    ),
    (
        "unreal",
        compile_lazily(
            r"(?:'d|d|would|might|may|could|should|shall|will|'ll|ll|must|can(?! not|not|'t)|want|"
            r"wants|"
            r"wanted|wanna|wish|wished|hope|hoped|gonna|going to|going(?= \w+ing)|plan|planning|"
            r"planned|"
            r"consider|considering|thinking|think|dream|dreamed|dreaming|aspire|hoping|wishing|"
            r"looking|try|trying|tried|need|supposed|about to|almost|nearly|pretend|pretending|"
            r"decided|wonder|wondering|expect|applied|applying|interviewing|interviewed|doubt|"
            r"better|rather|feel like|felt like|may be|intend|turned down|declined|rejected|"
            r"refused)\b\s*",
            re.IGNORECASE,
        ),
    ),
    (
        "denied",
        compile_lazily(
            r"(?:don't|dont|do not|don t|didn't|did not|can't|cant|can not|cannot|no longer|"
            r"never|not|ain't|haven't|have not|wouldn't|won't|couldn't|hardly|rarely|seldom|"
            r"scarcely|"
            r"wasn't|was not|barely|far from|anything but)\b\s*",
            re.IGNORECASE,
        ),
    ),
    ("be", compile_lazily(r"(?:'m|m|'?am|'re|are|is)(?= |n't|$)\s*", re.IGNORECASE)),
    (
        "perfect",
        compile_lazily(
            r"(?:'ve|ve|have|has)\s+(?=(?:\w+ly |always |just |also |never |"
            r"not )*(?:been|\w+ed|taught|"
            r"spoken|driven|gone|known|grown|had|got|taken|left|become|begun|not)\b)",
            re.IGNORECASE,
        ),
    ),
    ("been", compile_lazily(r"been\s+", re.IGNORECASE)),
)
# Verbs whose simple past says that it is over. "studied" or "moved" say something lasting.
_PAST_VERB = compile_lazily(
    r"(?:worked|lived|loved|liked|enjoyed|hated|drove|owned|spoke|preferred|disliked|adored|lost|"
    r"ran|played|resided|dated|quit|retired from|gave up|stopped|resigned|"
    r"outgrew|outgrown|went off|fell out of|(?:grew|grown|got|gotten) (?:tired|sick|bored|out) of|"
    r"got (?:fired|laid off))\b",
    re.IGNORECASE,
)
_LASTING = compile_lazily(
    r"\b(?:for|since|always|over|(?<!in )the past|almost|more than|about|ever|all my life|"
    r"my (?:whole|"
    r"entire) life)\b",
    re.IGNORECASE,
)
# "Since 2019, I have lived ...": before its clause, and "from 2019 on".
_SINCE_THEN = compile_lazily(
    r"\b(?:since\s+(?:[\w']+\s+){0,3}[\w']+\s*,?\s+(?:i|we)(?:'ve|\s+have)\b"
    r"|from\s+[\w ]{3,20}\s+(?:on|onwards?)\b)",
    re.IGNORECASE,
)
_BEFORE = 30
"""Characters before a clause in which "since" may still bound it."""
_OVER = compile_lazily(
    r"\b(?:any ?more|any longer|until (?:last|recently|\d{4})|till last|(?<!from )back then|"
    r"in the past|as a (?:kid|child)|(?<!from )(?<!since )when i was|growing up|before that|"
    r"formerly|previously|no longer$)\b",
    re.IGNORECASE,
)
# Said of a beginning to come: "I start at Lidl in May".
_BEGINS = compile_lazily(r"(?:start|begin|join|move|relocate|switch)(?:ing)?\b", re.IGNORECASE)
# Of anything but the person, the first verb that has a tense.
_TENSED = compile_lazily(
    r"\b(?:(?P<over>used? to)|(?P<was>was|were|had)|is|are|has|have|does|do|will|would|can)\b",
    re.IGNORECASE,
)
_CHANGED = compile_lazily(
    r"\b(?:now(?! and)|these days|nowadays|as of (?:today|now)|since (?:last|yesterday)|"
    r"starting (?:today|now)|from now on)\b(?! (?:at|on) (?:home|the))",
    re.IGNORECASE,
)
_RIGHT_NOW = compile_lazily(r"\b(?:right|for|until|just|up to) now\b", re.IGNORECASE)


BEYOND = 7
"""Characters of the next clause in which "since" may still bound this one."""


def parse(
    text: str, clause: Clause, before: Predicate | None, frame: Frame | None = None
) -> Predicate:
    """The predicate of a clause; ``before`` is that of the clause it may continue.

    ``frame`` is what :func:`.time_frames.frames` says of it, where its sentence is at hand.
    """
    index, head, mode, perfect = clause.body, "verb", Mode.NOW, False
    mode = _carried(text, clause, before) or mode
    for _ in range(8):
        adverb = _ADVERB.match(text, index, clause.end)
        if adverb:
            index = adverb.end()
            continue
        step = _step(text, index, clause.end)
        if step is None:
            break
        kind, index = step
        if kind == "be":
            head = "be"
        elif kind in {"perfect", "been"}:
            perfect = True
            head = "be" if kind == "been" else head
        else:
            if kind == "past" and _WAS.match(text[clause.body : index].strip()):
                head = "be"
            if kind == "denied" and _NOT_ONLY.match(text, index, clause.end):
                continue
            mode = _stronger(mode, Mode(kind))
        if mode is Mode.UNREAL:
            break
    mode = _settle(text, clause, (index, mode, "" if perfect else head), frame)
    return Predicate(head, mode, index, _is_change(text, clause))


# "I don't just like it" and "I can't not like it" deny nothing.
_WAS = compile_lazily(r"(?:was|were|had been|.*\bbe$)", re.IGNORECASE)
_NOT_ONLY = compile_lazily(r"(?:just|only|merely|simply)\b(?! (?:yet|now))", re.IGNORECASE)


def _carried(text: str, clause: Clause, before: Predicate | None) -> Mode | None:
    """The second verb of "I used to work and live in" or "I want to move and work at"."""
    if before is None or not clause.inherits or before.mode is Mode.NOW:
        return None
    if before.mode is Mode.DENIED and not clause.lead.startswith("or"):
        return None
    word = _WORD.match(text, clause.body, clause.end)
    if before.mode is Mode.UNREAL and word and is_past(word[0].lower()):
        return None  # "I might go and finished school in May"
    if clause.lead.startswith("but") or re.search(r"\bnow\b", clause.openers):
        return None  # "I used to have a cat but now have a dog"
    return before.mode


def _step(text: str, index: int, end: int) -> tuple[str, int] | None:
    for kind, pattern in _STEPS:
        match = pattern.match(text, index, end)
        if match and match.end() > index:
            return kind, match.end()
    return None


def _stronger(old: Mode, new: Mode) -> Mode:
    """Unreal beats everything; "did not use to" stays denied."""
    if Mode.UNREAL in {old, new}:
        return Mode.UNREAL
    if old is Mode.DENIED:
        return Mode.NOW if new is Mode.DENIED else old
    return new


def _settle(text: str, clause: Clause, said: tuple[int, Mode, str], frame: Frame | None) -> Mode:
    """The mode that the words after the verb leave it; no head stands for the perfect."""
    index, mode, head = said
    if frame is None:
        frame = of_words(text, clause.start, clause.end)
    if mode is not Mode.NOW:
        return mode
    if clause.subject not in {Subject.SELF, Subject.WE}:
        return _of_another(text, clause, frame)
    rest = text[index : min(clause.end, index + 400)]
    past_verb = _PAST_VERB.match(rest)
    if not head:
        lasts = _LASTING.search(text, clause.body, clause.end + BEYOND) or _SINCE_THEN.search(
            text, max(0, clause.start - _BEFORE), clause.end
        )
        return Mode.PAST if past_verb and not lasts else mode
    word = _WORD.match(rest)
    verb = word[0].lower() if word else ""
    if frame is Frame.AHEAD and _BEGINS.match(rest):
        return Mode.UNREAL
    then = frame is Frame.ERA and (is_past(verb) or verb in SAME_IN_BOTH)
    behind = frame is Frame.BEHIND and is_past(verb) and verb not in EVENTS
    return Mode.PAST if past_verb or then or behind or _OVER.search(rest) else mode


_WORD = compile_lazily(r"[a-z']+", re.IGNORECASE)


def _of_another(text: str, clause: Clause, frame: Frame) -> Mode:
    """The mode of a clause about anything else: "my hobby used to be chess" is over."""
    verb = _TENSED.search(text, clause.body, min(clause.end, clause.body + 80))
    then = verb is not None and verb["was"] and frame >= Frame.BEHIND
    return Mode.PAST if verb is not None and (verb["over"] or then) else Mode.NOW


def _is_change(text: str, clause: Clause) -> bool:
    """Whether the clause says that this is new: "I work at Microsoft now"."""
    stretch = text[clause.start : min(clause.end, clause.start + 400)]
    return bool(_CHANGED.search(_RIGHT_NOW.sub("", stretch)))
