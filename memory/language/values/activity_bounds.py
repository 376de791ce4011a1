"""Where a deed ends: with its object, its place and its company."""

from __future__ import annotations

import re

from memory.language.lazy_pattern import lazy_pattern
from memory.language.lexicons import lexicon
from memory.language.values.readers import phrase
from memory.language.values.unusable import NOTHING

# Verbs that say nothing without what they lead to: "to go to the park", "to have a picnic".
_LIGHT = lazy_pattern(
    r"(?:going\s+(?:out\s+)?to(?=\s+(?:the|an?)\s)|"
    r"to\s+(?:go\s+(?:to|on|for|out\s+(?:to|for|with)|in|into|down\s+to|up\s+to)|have|do|"
    r"be(?=\s+(?:in|on|outside|outdoors|alone|"
    r"around|by|at|near|with|active|creative|busy|lazy|home|organized|different)\b)(?:\s+(?:in|"
    r"on|around|by|at|near|with))?|get|take))\s+"
    r"(?:(?:the|a|an|my|some|lots of|a lot of|all)\s+)*",
    re.IGNORECASE,
)
# Heads that say nothing alone: "spending time", "hanging", "walks" want what follows.
_VAGUE = lazy_pattern(
    r"(?:.*\s)?(?:time|hanging(?: out)?|playing(?: around)?|walks?|walking|talking|chatting|"
    r"sitting|standing|lying|laying|staying|relaxing|driving|"
    r"working(?: out)?|outdoors|dealing|looking|spend|hang(?: out)?|play|talk|work|walk|sit|be|"
    r"stand|lie|lay|stay|look|drive|relax|participate|help|helping|volunteer|volunteering|"
    r"read(?:ing)?|learn(?:ing)?|writ(?:e|ing)|eat(?:ing)?|rides?|riding around|sound|smell|"
    r"taste|feel|look|collecting|taking care|things|stuff)$",
    re.IGNORECASE,
)
_PARTICLE = lazy_pattern(
    r"\s+(?:out|outside|outdoors)\b(?!\s+of)|(?:(?<=dress)|(?<=wake)|(?<=ing)) "
    r"up\b(?:\s+(?:early|late)\b)?",
    re.IGNORECASE,
)
_DONE_OUTSIDE = lazy_pattern(
    r"(?:ing|\b(?:play|run|be|go|eat|sit|sleep|hang|walk|read|work|dance|cook|camp|exercise|stay|"
    r"paint|draw|explore|relax|chill|dress|get|head|take))$",
    re.IGNORECASE,
)
_WHEN = (
    r"(?!(?:(?:my|the|a|our|your)\s+)*(?:morning|mornings|evenings?|afternoons?|night|nights|"
    r"weekends?|weekdays?|summer|winter|spring|fall|autumn|free|spare|down|days?|daily|fun|hours|"
    r"now|it|you|that|them|this|once|all|least|times?|year|week)\b)"
)
_COMPANY = lazy_pattern(
    rf"\s+(?:alone\s+)?(?:with|in|on|at|of|by|for|about|to)\s+{_WHEN}(?:(?:my|the|a|an|our|other)"
    r"\s+)*(?=[^\W\d_])",
    re.IGNORECASE,
)
# "Songs from my favourite band", "books about trains": what they are is said after them.
_WORKS = lazy_pattern(
    r"(?:\w+\s)?(?:songs?|music|books?|movies?|films?|shows?|stories|novels|food|documentaries|"
    r"comics|videos?|"
    r"podcasts|poems|articles)",
    re.IGNORECASE,
)
_WHOSE = lazy_pattern(
    rf"\s+(?:from|by|about)\s+{_WHEN}(?:(?:my|the|a|an|our|other)\s+)*(?=[^\W\d_])"
    r"|\s+in\s+(?:the\s+)?(?=(?:\w+\s+)?(?:movies|films|documentaries|video games)\b)"
    r"|\s+on\s+(?=(?:netflix|tv|television|youtube|hulu|hbo|amazon)\b)",
    re.IGNORECASE,
)
OF = frozenset({"of"})
_FRIENDS_TOO = lazy_pattern(
    r"\s+and\s+(?:(?:my|the)\s+)?(?:family|friends|dogs?|cats?|"
    r"kids)\b",
    re.IGNORECASE,
)

# "Playing with my dolls and toys": both are played with.
_BOTH = lazy_pattern(
    rf"{_FRIENDS_TOO.pattern}|\s+and\s+(?:my\s+)?[a-z]+s(?=\s*(?:$|[.,!?]))", re.IGNORECASE
)
# With whom is left out where it would tell of a partner or of children.
_OF_THE_FAMILY = lazy_pattern(
    r"\b(?:sons?|daughters?|husband|wife|hubby|spouse|fianc\w+|boyfriend|girlfriend|(?:grand)?kids?|"
    r"(?:grand)?child(?:ren)?|bab(?:y|ies)|partner)\b",
    re.IGNORECASE,
)
# A deed is whole with where it is done, with whom and what for: "waiting in lines".
_LEADS = r"(?:(?:all|my|the|a|an|our|other|some|lots of|these|those)\s+)*(?=[^\W\d_])"
_NO_TIME = (
    rf"{_WHEN}(?!(?:fun|work|real|sure|example|christmas|breakfast|lunch|dinner|instance|dates?|"
    r"dawn|dusk|sunset|sunrise|noon|midnight)\b|"
    r"(?:[\w']+\s+){0,2}?(?:time|mornings?|evenings?|nights?|weekends?|winter|summer|spring|fall|"
    r"autumn|days?|years?|months?|weeks?|hours?|minutes?)\b)"
)
_GOES_ON = lazy_pattern(
    r"\s+(?:(?:around|out|up|off|down|along)\s+)?(?:with|in|on|at|by|for|about|through|across|"
    rf"along|into|over|off|under|near|around|after|from|of)\s+{_NO_TIME}{_LEADS}",
    re.IGNORECASE,
)
# "To" leads somewhere only after a verb of going or hearing; else it says what for.
_GOES_TO = lazy_pattern(
    rf"\s+(?:(?:up|down|out|over)\s+)?to\s+{_NO_TIME}(?!(?:see|relax|get|go|visit|do|be|make|"
    rf"enjoy|help|keep|eat|have|take|watch|find|clear|stay|work|pass)\b){_LEADS}",
    re.IGNORECASE,
)
_TRAVELS = lazy_pattern(
    r"(?:travel|go|driv|walk|run|hik|fly|listen|danc|sing|rap|talk|writ|rid|bik|swim|sail)"
    r"(?:l?ing|e)?|(?:to )?(?:tak(?:e|ing)|bring(?:ing)?|driv(?:e|ing)|rid(?:e|ing)|"
    r"walk(?:ing)?)\s.+",
    re.IGNORECASE,
)
_HANGING = lazy_pattern(r"\s+(?:around|along|through|across|into|over|under)$", re.IGNORECASE)
_LOOKS = lazy_pattern(r"look(?:ing)?", re.IGNORECASE)
_LOOKS_LIKE = lazy_pattern(rf"\s+(?:like|after|for|at)\s+{_LEADS}", re.IGNORECASE)
_NO_DEED = lexicon.word_set("""
spring king ring string wing sling thing nothing something everything anything evening morning
wedding clothing ceiling darling pudding bling wrestling
""")


# One verb whose object starts with a word that lists leave out: "mowing my lawn".
_TAKEN_OUT = lazy_pattern(
    r"\s(?:out|apart|off|around|together)\b(?!\s+(?:of|here|there)\b)", re.IGNORECASE
)
ALONE = lazy_pattern(
    r"[a-z]+ing|walk|take|make|drive|ride|play(?: with)?|mow|do|help|visit|wash|clean|watch|"
    r"fix|use|"
    r"read|eat|drink|cook|sing|write|paint|draw|build|grow",
    re.IGNORECASE,
)
_BARE = lazy_pattern(r"[a-z]+", re.IGNORECASE)
_OBJECT = lazy_pattern(r"\s+(?:all\s+)?(?:my(?: own)?|the|an?|our|other)\s+(?=\w)", re.IGNORECASE)


def with_company(text: str, span: tuple[int, int], end: int, *, infinitive: bool) -> int:
    """Where a thing ends, its particle or company taken along: "time with my friends"."""
    stop = _with_object(text, span, end, infinitive=infinitive)
    said = text[span[0] : stop].lower().split()
    doing = [word for word in (said[0], *said[-2:]) if GERUND.fullmatch(word)]
    if not infinitive and (not doing or _NO_DEED & set(doing)):
        return stop
    out = _TAKEN_OUT.match(text, stop, end) if len(said) > 1 else None  # "taking the boat out"
    stop = out.end() if out else stop
    too = _BOTH.match(text, stop, end) if "of" in said else None  # "pictures of cats and dogs"
    return _with_place(text, span[0], too.end() if too else stop, end)


def _with_place(text: str, begin: int, stop: int, end: int) -> int:
    """Where a deed ends with what leads on from it: "hiking in the woods", "to look like a cat"."""
    said = text[begin:stop]
    hanging = _HANGING.search(said)
    if hanging:
        whole = _with_place(text, begin, begin + hanging.start(), end)
        return max(stop, whole)
    if _LOOKS.fullmatch(said):  # "after" opens a clause of its own everywhere else
        end = len(text)
    leads = (
        (_LOOKS_LIKE.match(text, stop, end) if _LOOKS.fullmatch(said) else None)
        or (_GOES_TO.match(text, stop, end) if _TRAVELS.fullmatch(said) else None)
        or _GOES_ON.match(text, stop, end)
    )
    whither = phrase(text, leads.end(), end, 4, OF) if leads else None
    if leads is None or whither is None or _OF_THE_FAMILY.search(text, stop, whither[1]):
        return stop
    if text[slice(*whither)].lower().split()[0] in NOTHING:
        return stop
    both = _BOTH if leads[0].lower().split()[0] in {"with", "on", "about"} else _FRIENDS_TOO
    too = both.match(text, whither[1], end)
    return too.end() if too else whither[1]


def _with_object(text: str, span: tuple[int, int], end: int, *, infinitive: bool) -> int:
    """Where a thing ends with its particle, its object or the company it is vague without."""
    stop = span[1]
    particle = _PARTICLE.match(text, stop, end)
    if particle and _DONE_OUTSIDE.search(text, span[0], stop):
        stop = particle.end()
    takes_object = _BARE if infinitive else ALONE
    article = (
        _OBJECT.match(text, stop, end) if takes_object.fullmatch(text, span[0], stop) else None
    )
    taken = phrase(text, article.end(), end, 3) if article else None
    if taken:
        too = _FRIENDS_TOO.match(text, taken[1], end)
        return too.end() if too else taken[1]
    company = _COMPANY.match(text, stop, end) if _VAGUE.fullmatch(text, span[0], stop) else None
    company = company or (
        _WHOSE.match(text, stop, end) if _WORKS.fullmatch(text, span[0], stop) else None
    )
    with_whom = phrase(text, company.end(), end, 4, OF) if company else None
    if not with_whom:
        return stop
    too = _FRIENDS_TOO.match(text, with_whom[1], end)
    return too.end() if too else with_whom[1]


GERUND = lazy_pattern(r"[a-z]{2,}ing\b", re.IGNORECASE)


def deed(text: str, at: int, end: int) -> tuple[int, int] | None:
    """The span of "to go to the park": a verb that says little, with what it leads to."""
    light = _LIGHT.match(text, at, end)
    what = phrase(text, light.end(), end, 3, OF) if light else None
    if what is None or text[slice(*what)].lower().split()[0] in NOTHING:
        return None
    too = _FRIENDS_TOO.match(text, what[1], end)
    return at, _with_place(text, at, too.end() if too else what[1], end)
