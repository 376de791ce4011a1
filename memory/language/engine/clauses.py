"""From a prepared text to clauses that each have one subject and one verb.

A clause knows where its predicate starts, so that patterns are written once, for the predicate,
and "I work at Google and live in Seattle" gives "live in Seattle" its subject back.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from memory.language.lazy_pattern import compile_lazily


class Subject(StrEnum):
    """Whose clause it is."""

    SELF = "self"
    WE = "we"
    MY = "my"
    OTHER = "other"
    NONE = "none"


@dataclass(frozen=True)
class Clause:
    """A stretch ``text[start:end]`` with one subject; ``body`` is where its predicate begins.

    For MY and NONE there is no pronoun to skip, so ``body`` is the first word after the openers.
    ``lead`` is the connecting text before the clause ("because", "if"), lower case; ``glued`` says
    that no punctuation or conjunction separates it from the clause before; ``openers`` holds
    skipped words such as "actually"; ``inherits`` says that the subject was carried over;
    ``implied`` that the person left out the "I" ("Love hiking").
    """

    start: int
    end: int
    body: int
    subject: Subject
    lead: str
    openers: str
    glued: bool
    inherits: bool
    implied: bool = False


# A long run of marks is looked at from its beginning only.
_SENTENCE_END = compile_lazily(
    r"(?<!\bSt)(?<!\bDr)(?<!\bMr)(?<!\bMrs)(?<!\bMs)(?<!\bMt)(?<!\bFt)"
    # "am 3. November", "nicht am 22., sondern": a day's number in German ends nothing.
    r"(?!(?:(?<=\b\d)|(?<=\b\d\d))\.(?:,| (?:Januar|Februar|März|April|Mai|Juni|Juli|August"
    r"|September|Oktober|November|Dezember)\b))"
    r"(?<![.!?]{2})[.!?]++(?=[\s\u2592)\"']|$)|[\n;\u2026]+|(?<=\s)[:;]-?[)D(](?=\s|"
    r"$)|(?<=[a-z]{3})[.!?]++(?=(?:i|i'm|im|my|we|you|it|but|and|[A-Z][a-z']*)\s)"
)

# A verb that may follow "and" without repeating the subject. Base, past and auxiliary forms of the
# verbs that patterns know; "works" and "lives" are left out on purpose: they are somebody else's.
_BARE_VERB = (
    r"(?:am|'m|was|work(?:ed|ing)?(?= (?:(?:full|part)[ -]time )?(?:at|for|as|in|with)\b)|"
    r"live(?:d)? in|"
    r"living in|love|"
    r"hate|"
    r"enjoy|prefer|speak|drive|have|own|study|studied|teach|moved|relocated|joined|left|quit|"
    r"can't|cannot|don't|do not|dislike|adore|like|play|collect|used to|no longer|grew up|"
    r"just (?:moved|started|joined|left|got)|got promoted|recently \w+ed|currently \w+|now \w+|"
    r"also \w+|graduated|attended|dropped out|volunteer|call me|please \w+|want|would|might|"
    r"(?:got|bought|adopted|rescued|ride|run|rent)(?= (?:an?|my|our|two|three|some|\d) )|i)"
)
_PRONOUN = (
    r"(?:i|i'm|im|i've|ive|i'd|i'll|my|mine|our|we|we're|you|you're|he|she|they|it|it's|he's|"
    r"she's|"
    r"they're|this|that's|there|everyone|everybody|people|someone|somebody|nobody)"
)
_CONJUNCTION = r"(?:and|but|or|so|because|since|as|although|though|while|plus|then|yet|however)"
_SUBORDINATE = (
    r"(?:but|because|although|though|whereas|unless|if|whether|when|whenever|which|who|whose|"
    r"where|"
    r"until|before|after|except|however)"
)
_BOUNDARY = compile_lazily(
    r"(?P<punct>\s*(?<![,:()\u2592\u2013\u2014]{3})[,:()\u2592\u2013\u2014]++\s*+|\s+-+\s+)"
    rf"(?P<conj>(?:{_CONJUNCTION}\s+)*)"
    rf"(?=(?:{_PRONOUN}|{_BARE_VERB}|{_SUBORDINATE}|what|how|can|could|do|does|did|will|would|"
    rf"should|are|"
    rf"is|"
    r"any|whats|what's|where|who|actually|not just|name's|call|and you)\b)"
    rf"|\s+(?P<and>{_CONJUNCTION}(?:\s+(?:that|then|also|so|now))?)\s+"
    rf"(?=(?:{_PRONOUN}|{_BARE_VERB}|{_SUBORDINATE})\b)"
    # "Look after" is one verb.
    rf"|(?<!\bthe)(?<!\blook)(?<!\blooks)(?<!\blooked)(?<!\blooking)\s+(?=(?P<sub>{_SUBORDINATE})\s)"
    r"|\s+(?=(?:i|i'm|im|i've|ive|i'd|my name|mine (?:is|are|would be))\s)"
    r"|(?<=\blike)\s+(?=my fav\w*\s(?:\w+\s){0,2}(?:is|are)\b)"
    r"|\s+(?=(?:what is your|what's your|whats|how are you|how about you|what about you|and you|"
    r"do you|are you|have you|where are you|where do you|what do you|how old are)\b)"
    r"|[(\u2592]+|\s-+\s",
    re.IGNORECASE,
)

_OPENER_WORDS = (
    r"hi|hello|hey|hiya|greetings|yes|yeah|yep|yup|no|nope|nah|well|so|ok|okay|oh|ah|wow|cool|"
    r"nice|"
    r"great|thanks|thank you|lol|haha|hmm|um|uh|wait|oops|sorry|correction|actually|honestly|"
    r"really|basically|personally|anyway|btw|by the way|fyi|for the record|tbh|to be honest|"
    r"as i said|like i said|as you know|just so you know|in fact|also|too|plus|and|but|or|because|"
    r"since|as|although|though|then|however|currently|right now|now|nowadays|today|"
    r"these days|at the moment|at present|recently|lately|last (?:week|month|year)|yesterday|"
    r"this (?:week|month|year)|in my (?:free|spare) time|for fun|for a living|on weekends|"
    r"by profession|professionally|good (?:morning|evening|afternoon)|morning|evening|afternoon|"
    r"there|remember(?: that)?|please remember(?: that)?|note(?: that)?|that|i mean|i meant|"
    r"my bad|let me introduce myself|instead|rather|unfortunately|fortunately|luckily|sadly|"
    r"finally|hopefully|maybe|perhaps|ngl|tbf|lmao|"
    r"(?:absolutely|definitely|totally|true|exactly|agreed|of course|for sure|(?:oh )?(?:man|boy)|"
    r"dude|same(?: here)?|me too|awesome|sweet|neat|congrats|omg|aw+)(?=\s*[,!])|"
    r"(?:for|in|during) (?:this|our|the current) (?:chat|conversation|thread|session|discussion)"
)
# Nothing is given back: one word after another is an opener, or is not.
_OPENERS = compile_lazily(
    rf"(?>\s*+[,.:*-]*+\s*+(?:{_OPENER_WORDS})\b(?!')\s*+[,:!()\u2013\u2014-]*+\s*+){{1,8}}",
    re.IGNORECASE,
)
_SELF = compile_lazily(r"(?:i(?=\b|m\b|ve\b)|me(?=,| too))(?!\.\w)\s*", re.IGNORECASE)
_WE = compile_lazily(
    r"(?:we|(?:me|myself) and (?:my|the) [\w']+(?: [\w']+)?(?=\s+(?:live|work|like|love|have|"
    r"own|are|both|moved|run|manage|opened|rent|share))|"
    r"(?:my [\w']+ and (?:me|myself)))\b\s*",
    re.IGNORECASE,
)
_MY = compile_lazily(r"(?:my|our|mine)\b", re.IGNORECASE)
_OTHER = compile_lazily(
    r"(?:you|your|he|his|she|her|they|their|it|its|this|that|these|those|there|who|which|"
    r"someone|"
    r"somebody|everyone|everybody|nobody|people|the|a|an|one|most|many|some|all|both)\b"
    # A name with a verb in the third person: "Nick lives in Rome", "Google makes phones".
    r"|\w[\w'-]*\s+(?:is|was|has|does|lives|works|likes|loves|hates|said|says|speaks|drives)\b",
    re.IGNORECASE,
)
_IMPERATIVE_SELF = compile_lazily(_BARE_VERB + r"\b", re.IGNORECASE)
# Verbs that nobody orders an assistant to do: "Love hiking", "Got two cats", "Working at a bank".
_LEFT_OUT = compile_lazily(
    r"(?:(?:just|only|still|also|mostly|usually|really|always|absolutely|currently|totally)\s+)*"
    r"(?:loves?|enjoy|hate|adore|prefer|(?:work(?:ed|ing)?|employed)\s+(?:at|for|as|in|with)|"
    r"(?:liv(?:e|ing)|staying)\s+(?:in|with\s+(?:my|two|three|a))\b|renting|learning|"
    r"(?:just\s+)?(?:turned|hit)\s+(?=\d|thirty|forty|fifty|sixty)|"
    r"(?:just\s+)?brought\s+home\s+an?|got\s+(?:an?|two|three|four|my|\d)\b|"
    r"have\s+(?:an?(?!\s+(?:good|nice|great|wonderful|fun|blessed|lovely|safe|happy|seat|look))|"
    r"two|three|four|five|my|\d+)\b|graduated\s+(?:from|with)|"
    r"listening\s+to|(?:watching|reading|playing|studying|attending|raising|driving|eating|"
    r"drinking|cooking|making|"
    r"sipping|having)(?=\s)|am|"
    r"no\s+longer|got\s+(?:promoted|hired|laid\s+off|fired)|"
    r"(?:moved|relocated)\s+(?:here\s+)?(?:from|to|back|away|out\s+of)|"
    r"switched\s+(?:jobs\s+|careers\s+)?from|"
    r"joined\s+(?-i:[A-Z])|(?:left|quit)\s+(?:my\s+job|[\w&' ]{2,30}\s+(?:for|to\s+join)\s)|"
    r"started\s+(?:a\s+new|my\s+new|(?:working\s+)?(?:at|as|for)\s)|employed\s+by|"
    r"not\s+(?:an?\s+(?:big\s+|huge\s+)?fan|much\s+of|really\s+into|into|"
    r"(?:really\s+)?an?\s+(?:\w+\s+){1,2}?(?:person|eater|drinker))|"
    r"(?:just\s+|recently\s+|really\s+)?(?:got|getting)\s+into\s+(?!an?\b)|"
    r"used\s+to\s+(?:be|live|work|own|have|drive|teach|study|play)|"
    r"(?:can't|cannot|cant|can not)\s+(?:stand|(?:eat|drink)(?!\s+(?:it|them|that|this|those)\b))|"
    r"(?:do not|don't|dont)\s+(?:really\s+)?"
    r"(?:like|eat|drink|have|own)|(?:just )?bought|huge fan|big fan|been\s+\w+ing|"
    r"(?:adopted|rescued)\s+(?:an?|two|three|my|our)|(?:majoring|majored|settled|stuck|born|raised|"
    r"stationed|been|still|back)\s+(?:(?:and\s+raised|down|here|up|out)\s+)?in|graduated|"
    r"between\s+jobs|(?:unemployed|retired|self[- ]employed)"
    r"(?=\s*(?:$|[.,!])|\s+(?:and|but|now|so|at)\b))\b",
    re.IGNORECASE,
)


_MARK_OR_LINE = compile_lazily(r"[.!?](?=\s|$)|\n")
# "Some things mean much to me, like my bowl": no verb.
_SUCH_AS = compile_lazily(r"like\s+(?:my|our|the|an?|when|how|this|that)\b", re.IGNORECASE)


def find_sentence_spans(text: str) -> Iterator[tuple[int, int, str]]:
    """Spans of sentences and the mark that ends each ("?", "." or "")."""
    start = 0
    for mark in _SENTENCE_END.finditer(text):
        if mark.start() > start:
            yield start, mark.start(), mark[0]
        start = mark.end()
    if start < len(text):
        yield start, len(text), ""


def sentence_around(text: str, start: int, end: int) -> tuple[int, int]:
    """Where the sentence begins and ends, without its mark, in which `text[start:end]` stands."""
    first = max((mark.end() for mark in _MARK_OR_LINE.finditer(text, 0, start)), default=0)
    after = _MARK_OR_LINE.search(text, end)
    return first, after.start() if after else len(text)


def clauses(text: str, start: int, end: int) -> list[Clause]:
    """The clauses of one sentence, in order."""
    result: list[Clause] = []
    index, lead, glued = start, "", False
    for boundary in _BOUNDARY.finditer(text, start, end):
        if boundary.end() <= index:
            continue
        if _OPENERS.fullmatch(text, index, boundary.start()):
            continue  # "No, I live in Portland": the opener belongs to what follows
        if boundary.start() > index:
            result.append(_clause(text, index, boundary.start(), lead, result, glued=glued))
        lead = " ".join(boundary[0].lower().split()).strip(" ,:()\u2592\u2013\u2014-")
        glued = not boundary[0].strip()
        index = boundary.end()
    if index < end:
        result.append(_clause(text, index, end, lead, result, glued=glued))
    return result


def _clause(
    text: str, start: int, end: int, lead: str, before: list[Clause], *, glued: bool
) -> Clause:
    opened = _OPENERS.match(text, start, end)
    body = opened.end() if opened else start
    while body < end and text[body] in " ,.:*-\"'" and not text.startswith("'m", body):
        body += 1
    subject, body, inherits = _subject(text, body, end, before)
    if inherits and not lead and _SUCH_AS.match(text, body, end):
        subject, inherits = Subject.NONE, False
    openers = text[start : opened.end()].lower() if opened else ""
    implied = subject is Subject.NONE and not before and bool(_LEFT_OUT.match(text, body, end))
    if implied:
        subject = Subject.SELF
    return Clause(start, end, body, subject, lead, openers, glued, inherits, implied)


def _subject(text: str, body: int, end: int, before: list[Clause]) -> tuple[Subject, int, bool]:
    for subject, pattern in ((Subject.SELF, _SELF), (Subject.WE, _WE)):
        match = pattern.match(text, body, end)
        if match:
            return subject, match.end(), False
    if _MY.match(text, body, end):
        return Subject.MY, body, False
    if before and _IMPERATIVE_SELF.match(text, body, end):
        return before[-1].subject, body, True
    if _OTHER.match(text, body, end):
        return Subject.OTHER, body, False
    return Subject.NONE, body, False
