"""Readers for occupations, ages and dates."""

from __future__ import annotations

import re

from memory.language.lexicons import lexicon
from memory.language.values.readers import Found, phrase

_JOB_KEEP = frozenset({"of"})


# Endings that only occupations have.
_BY_ENDING = re.compile(
    r"(?:ologist|grapher|smith|keeper|maker|wright|ician|iatrist|therapist|dresser|worker|fighter|"
    r"analyst|engineer|officer|manager|broker|surgeon|planner|trainer|designer|developer|teacher|"
    r"scientist|operator|inspector|instructor|consultant|assistant)$"
)
_PROFESSIONALS = lexicon.word_set("""
player boarder skater surfer sportsman sportswoman gamer runner swimmer rider racer fighter bowler
golfer climber skier snowboarder skateboarder speaker collector gambler matchmaker volunteer diver
""")
_NO_JOB = frozenset(
    {"troublemaker", "matchmaker", "peacemaker", "coworker", "crimefighter", "innkeeper's"}
)


_LED = frozenset({"team", "tech", "technical", "project", "group"})


def is_job(words_of: str) -> bool:
    """Whether a noun phrase names an occupation."""
    head = re.split(r"\s+of\s+", words_of.lower().strip())[0].split()
    if not head or set(head) & {"my", "your", "big", "bad", "good", "great", "terrible", "better"}:
        return False
    last = head[-1].split("-")[-1]
    if last in {"student", "undergrad", "undergraduate"}:
        return False  # an education, not a job
    if last in lexicon.OCCUPATIONS:
        return last != "model" or len(head) == 1
    if (_BY_ENDING.search(last) and last not in _NO_JOB) or (last == "tech" and len(head) > 1):
        return True
    titled = {"senior", "junior", "lead", "chief", "vice", "assistant", "head", "software", "staff"}
    if head[0] == "professional" and last in _PROFESSIONALS:
        return True
    return (
        (last == "lead" and bool(_LED & set(head[:-1])))
        or (
            bool(titled & set(head[:-1]))
            and last in {"president", "lead", "head", "staff", "associate"}
        )
        or (head == ["head"] and " of " in words_of)
    )


_BEFORE_JOB = re.compile(r"(?:an?|the)\s+(?:\d\d[ -]+years?[ -]+old\s+)?", re.IGNORECASE)


def job(text: str, start: int, end: int) -> list[Found]:
    """An occupation, article and age left out: "nurse", "Senior Engineer", "head of marketing"."""
    article = _BEFORE_JOB.match(text, start, end)
    span = phrase(text, article.end() if article else start, end, 5, _JOB_KEEP)
    if span is None or not is_job(text[span[0] : span[1]]):
        return []
    return [Found(*span, text[span[0] : span[1]])]


# "My job is demanding": how it is and not what it is.
_TELLS_HOW = lexicon.word_set("""
hard boring great fun stressful good bad hell killing very so at easy tough awesome really tiring
safe new done nice fine okay ok crazy busy slow secure cool terrible horrible pretty kind too okay
""")
_HOW_IT_IS = re.compile(r"(?:ing|ful|ive|ous|less|able|ed)$")


def announced_job(text: str, start: int, end: int) -> list[Found]:
    """What follows "promoted to" or "my job title is": a job even if the list lacks it."""
    article = re.compile(r"(?:an?|the)\s+", re.IGNORECASE).match(text, start, end)
    span = phrase(text, article.end() if article else start, end, 5, _JOB_KEEP)
    if span is None:
        return []
    value = text[span[0] : span[1]]
    told = set(value.lower().split()) & _TELLS_HOW or _HOW_IT_IS.search(value.lower())
    if (told and not is_job(value)) or not re.match(r"[^\W\d_]", value):
        return []
    return [Found(*span, value, 1.0 if is_job(value) else 0.8)]


_AGE = re.compile(
    r"(?P<age>\d{1,3}|(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)(?:[- ](?:one|two|"
    r"three|four|five|six|seven|eight|nine))?|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|"
    r"nineteen)(?P<unit>[ -]?(?:years?|yrs?|yo)\b(?:[ -]?(?:old|young|of age)\b)?|\s+yo\b|[mf]\b)?"
    r"(?=\s*(?:$|[.,!;)\u2592]|and\b|but\b|now\b|today\b|btw\b|yesterday\b|last\b|this\b|in\b|\w))",
    re.IGNORECASE,
)
# What makes a number something else: "5 minutes away", "30 days sober", "10 in a row".
_NO_AGE = re.compile(
    r"(?:into|away|from|late|behind|older|younger|sober|clean|ago|to go|in (?!(?:a|two|"
    r"\w+ (?:days|weeks|months)|january|march|april|may|june|july|\w+ber)))",
    re.IGNORECASE,
)
_AFTER_AGE = re.compile(
    r"[.,!;)\u2592]|(?:and|but|now|today|btw|yesterday|last|this|male|female)\b", re.IGNORECASE
)
_BARE_YEARS = frozenset({"year", "years", "yr", "yrs"})


def age(text: str, start: int, end: int) -> list[Found]:
    """An age in years between 5 and 115, as digits."""
    found = _AGE.match(text, start, end)
    if not found or re.match(r"[.,]\d", text[found.end() :]):
        return []  # "18,000 euros", "40.5 weeks"
    unit = (found["unit"] or "").lower().strip(" -")
    rest = text[found.end() : end].lstrip()
    if unit in {"m", "f"}:
        plain = not re.match(r"away|tall|long|deep|high|from (?:here|there)", rest, re.IGNORECASE)
    elif unit in _BARE_YEARS:
        plain = not re.match(r"\w", rest)  # "12 years a slave"
    else:
        plain = not _NO_AGE.match(rest) and bool(unit or not rest or _AFTER_AGE.match(rest))
    years = _years(found["age"])
    return [Found(*found.span("age"), str(years))] if plain and 5 <= years <= 115 else []


def plain_age(text: str, start: int, end: int) -> list[Found]:
    """A number that what stands around it makes an age: "at 67 I still run"."""
    found = re.compile(r"\d\d").match(text, start, end)
    return [Found(*found.span(), found[0])] if found else []


def _years(text: str) -> int:
    if text.isdecimal():
        return int(text)
    return sum(lexicon.NUMBER_WORDS.get(part, 0) for part in re.split(r"[- ]", text.lower()))


_MONTH = "|".join(sorted(lexicon.MONTHS, key=len, reverse=True))
_DATE = re.compile(
    rf"(?:on\s+)?(?:the\s+)?(?P<date>(?:{_MONTH})\.?\s+(?:the\s+)?\d{{1,2}}(?:st|nd|rd|th)?"
    rf"(?:,?\s+\d{{4}})?|\d{{1,2}}(?:st|nd|rd|th)?\s+(?:of\s+)?(?:{_MONTH})\b(?:,?\s+\d{{4}})?"
    r"|\d{4}-\d{2}-\d{2}|\d{1,2}[/.]\d{1,2}[/.]\d{2,4})",
    re.IGNORECASE,
)


# Feasts that fall on the same day each year.
_FEASTS = {
    "halloween": "31 October", "christmas day": "25 December", "christmas eve": "24 December",
    "christmas": "25 December", "xmas": "25 December", "boxing day": "26 December",
    "new year's eve": "31 December", "new years eve": "31 December", "nye": "31 December",
    "new year's day": "1 January", "new years day": "1 January", "new year's": "1 January",
    "valentine's day": "14 February", "valentines day": "14 February",
    "valentine's": "14 February", "valentines": "14 February", "leap day": "29 February",
    "april fools' day": "1 April", "april fool's day": "1 April", "april fools day": "1 April",
    "april fools": "1 April", "st patrick's day": "17 March", "st patricks day": "17 March",
    "st. patrick's day": "17 March", "independence day": "4 July",
}  # fmt: skip
_FEAST = re.compile(
    rf"(?:on\s+)?(?P<feast>{'|'.join(sorted(_FEASTS, key=len, reverse=True))})\b"
    # "On Christmas Island", "near Halloween".
    r"(?!\s+(?:island|week|time|season|break|month)\b)",
    re.IGNORECASE,
)


def month(text: str, start: int, end: int) -> list[Found]:
    """A month by itself: "July"."""
    found = re.compile(rf"(?:{_MONTH})\b(?!\s+\d)", re.IGNORECASE).match(text, start, end)
    return [Found(*found.span(), found[0].capitalize())] if found else []


def day_or_month(text: str, start: int, end: int) -> list[Found]:
    """A day of the year, or only its month."""
    return date(text, start, end) or month(text, start, end)


def date(text: str, start: int, end: int) -> list[Found]:
    """A day of a month, with or without its year, as written (month capitalised)."""
    feast = _FEAST.match(text, start, end)
    if feast:
        return [Found(*feast.span("feast"), _FEASTS[feast["feast"].lower()])]
    found = _DATE.match(text, start, end)
    if not found:
        return []
    value = re.sub(
        rf"\b(?:{_MONTH})\b", lambda m: m[0].capitalize(), found["date"], flags=re.IGNORECASE
    )
    return [Found(found.start("date"), found.end("date"), value)]


_JOB_LIKE = re.compile(r"\w{3,}(?:er|or|ist|ian|eer|ess|ant|ent|man|woman|pher|ess|yst)$")
_NO_GOAL = lexicon.word_set("""
better father mother parent grandparent brother sister other another together never ever winner
different president's confident patient student millionaire independent person man woman owner
partner dinner later forever sober number longer stronger closer under after over summer winter
water healthier bigger older younger taller smaller richer smarter happier thinner fitter slower
faster nicer kinder calmer wiser tougher bitter clever lawn-mower monster lover hater loner
believer supporter listener talker reader smoker drinker survivor sinner teenager christian
vegetarian ant pregnant present elephant giant absent content silent president permanent vacant
restaurant client adolescent current decent innocent violent
""") - {"owner"}


def hoped_job(text: str, start: int, end: int) -> list[Found]:
    """What somebody would like to become: known occupations and what sounds like one."""
    article = re.compile(
        r"(?:(?:an?|the|and)\s+)?(?:(?:full|part)[- ]time\s+)?", re.IGNORECASE
    ).match(text, start, end)
    span = phrase(text, article.end() if article else start, end, 4)
    if span is None:
        return []
    parts = text[span[0] : span[1]].split()
    for most in range(len(parts), 0, -1):
        last = parts[most - 1].lower()
        if last in lexicon.OCCUPATIONS or (_JOB_LIKE.fullmatch(last) and last not in _NO_GOAL):
            value = " ".join(parts[:most])
            stop = text.find(parts[most - 1], span[0] + max(0, len(value) - len(last))) + len(last)
            return [Found(span[0], stop, value)]
    return []
