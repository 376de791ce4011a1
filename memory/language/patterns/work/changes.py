"""Patterns about what has come to an end or given way: an employer, a home, a trade, a name.

A plain statement of the new value is read in the modules of its theme. Here stand the wordings in
which the change itself is said ("I traded Rome for Lisbon"), and endings that name no value ("they
let me go"): of these the kind is "ended", and whatever is held of the slot is meant.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from memory.language import corrections
from memory.language.engine.pattern import IMPLIED, Pattern, capital_follows, pattern
from memory.language.lexicons import lexicon
from memory.language.values import jobs, places, readers
from memory.language.values.readers import Found

_NOT_NOW = re.compile(
    r"\b(?:ago|once|when (?:i|we)|back (?:in|then)|in (?:19|20)\d\d|first|old|previous|last job|"
    r"dreams?|for (?:the|an?|one) (?:day|night|week|weekend|evening|game)|"
    r"of the (?:year|month))\b",
    re.IGNORECASE,
)
# What makes a beginning a plan, a wish or a story.
_NOT_YET = re.compile(
    r"\b(?:tomorrow|next|soon|will|would|could|might|can't wait|wish(?! me)|hope|ago|opened|"
    r"opening|posting|offer\w*|interview\w*|available|advertised|sounds?|looks?|if)\b",
    re.IGNORECASE,
)
_OCCASIONS = lexicon.word_set("""
christmas easter ramadan hanukkah diwali thanksgiving halloween carnival pentecost
monday tuesday wednesday thursday friday saturday sunday
""") | frozenset(lexicon.MONTHS)


def _rest(match: re.Match[str]) -> str:
    """What follows in the same sentence."""
    return re.split(r"[.?!\n]", match.string[match.end() : match.end() + 80])[0]


def _before(match: re.Match[str]) -> str:
    """The words before; few, so that time stays linear."""
    return match.string[max(0, match.start() - 60) : match.start()]


def _successor(match: re.Match[str]) -> str:
    """The name that follows, as far as capitals go on; a name in small letters by its list."""
    found = re.match(r"[\w&'-]+(?: [A-Z][\w&'-]+)*", match.string[match.end() :])
    return found[0] if found else ""


def _is_named(match: re.Match[str]) -> bool:
    """Whether a proper name follows: by its capital, or because it is on a list."""
    word = _successor(match)
    named = capital_follows(match) or bool(corrections.kind_of(word))
    return named and word.lower() not in _OCCASIONS


def _between(slot: str) -> Callable[[re.Match[str]], bool]:
    """A check whether "from X to Y" leads from one value of the slot to another.

    One of the two must be known as one, and the other must not be known as anything else; both
    must be names: "left my job working for Google" leads nowhere.
    """

    def check(match: re.Match[str]) -> bool:
        old = match["old"].strip()
        kind = corrections.kind_of(old)
        kinds = {kind, corrections.kind_of(_successor(match))}
        return kinds - {""} == {slot} and bool(kind or old[0].isupper()) and _is_named(match)

    return check


def _given_up(
    pattern: str, check: Callable[[re.Match[str]], bool]
) -> Callable[[re.Match[str]], bool]:
    """A check whether the words from the match on lead from the value that follows to another."""
    whole = re.compile(pattern, re.IGNORECASE)

    def told(match: re.Match[str]) -> bool:
        change = whole.match(match.string, match.start())
        return change is not None and check(change)

    return told


def _between_jobs(match: re.Match[str]) -> bool:
    old = re.sub(r"^(?:being\s+)?(?:an?\s+|the\s+)?", "", match["old"].strip())
    return jobs.is_job(old) or bool(jobs.job(match.string, match.end(), match.end() + 60))


def _known_or_capital_place(match: re.Match[str]) -> bool:
    """Whether a place follows that has a name: "settled in quickly" names none."""
    known = any(
        one.value.split(",")[0].lower() in lexicon.PLACES
        for one in places.place(match.string, match.end(), match.end() + 40)
    )
    return known or (capital_follows(match) and _is_named(match))


def _is_place_now(match: re.Match[str]) -> bool:
    return _known_or_capital_place(match) and bool(
        re.search(r"\bnow\b", match[0] + _rest(match), re.IGNORECASE)
    )


def _moved_in(match: re.Match[str]) -> bool:
    """Whether somebody also lives there, and did not only buy or land there."""
    lives = re.search(r"\b(?:moved in|live (?:there|here)|stayed)\b", _rest(match), re.IGNORECASE)
    stay = re.search(r"\bfor (?:an?|the) ", _rest(match))
    return _known_or_capital_place(match) and bool(lives) and not stay


def _begun(match: re.Match[str]) -> bool:
    """Whether a first day or a new job is there, and not only ahead, on offer or long past."""
    return not _NOT_YET.search(_rest(match))


def _now_at_work(match: re.Match[str]) -> bool:
    """Whether "I'm at X now" tells a job: of a shop it may tell where somebody stands."""
    found = readers.firm(match.string, match.end(), match.end() + 40)
    return bool(
        found
        and found[0].value.lower() not in lexicon.OUTLETS
        and re.match(
            r"\s*(?:now|these days|nowadays)\b(?!\s+for\s+an?\b)",
            match.string[found[0].end : match.end() + 60],
        )
    )


def _after_a_change_of_job(match: re.Match[str]) -> bool:
    """Whether "it's Intel now" follows on "I changed companies"."""
    before = re.split(r"[.?!]", _before(match))[-1]
    now = re.search(r"\bnow\b", _rest(match), re.IGNORECASE)
    return bool(now and _CHANGED_JOB.search(before))


_CHANGED_JOB = re.compile(
    r"(?:^|\b(?:i|i've|ive)\s+)(?:(?:have|just|recently|finally)\s+)*(?:changed|switched)\s+"
    r"(?:my\s+)?(?:jobs?|company|companies|employers?)\b",
    re.IGNORECASE,
)


# "I worked at IBM, now at Oracle".
_WORKED_THERE = re.compile(
    r"\b(?:worked|used\s+to\s+work|previously|formerly)\s+(?:\w+\s+){0,4}?(?:at|for|with)\s"
    r"[\w&' ]{2,30}?\s*,?\s+(?:but\s+|and\s+)?$",
    re.IGNORECASE,
)
_ONLY_THERE = re.compile(
    r"^\W*(?:i\s+(?:was|used\s+to\s+be)\s+)?(?:(?:was|used\s+to\s+be|formerly|previously|once|ex)[\s-]+)?"
    r"(?:(?:at|with)\s+)?(?P<firm>[\w&']+(?:\s[\w&']+){0,2}?)\s*,?\s+(?:but\s+|and\s+)?$",
    re.IGNORECASE,
)


def _was_elsewhere(match: re.Match[str]) -> bool:
    """Whether "now at X" follows on another firm; in a shop one may only be."""
    before = _before(match)
    only = _ONLY_THERE.match(before) if match.start() == len(before) else None
    firm = only["firm"].lower() if only else ""
    another = firm in lexicon.KNOWN_ORGS and firm not in lexicon.OUTLETS
    return bool(_CHANGED_JOB.search(before) or _WORKED_THERE.search(before) or another)


def _for_months(match: re.Match[str]) -> bool:
    """Whether somebody has "been at X" for as long as one is in a job, not for an afternoon."""
    been = re.search(r"\bbeen\s+(?:\w+\s+)?$", _before(match), re.IGNORECASE)
    return bool(been and _SINCE_LONG.search(_rest(match)))


_SINCE_LONG = re.compile(
    rf"\b(?:since\s+(?:(?:early|late|mid|last|the|this)\s+)*(?:{'|'.join(lexicon.MONTHS)}|"
    r"(?:19|20)\d\d|spring|summer|autumn|fall|winter|year|month)\b|"
    r"for\s+[\w ]{1,20}?(?:months?|years?|weeks?)\b)",
    re.IGNORECASE,
)


def _of_now(match: re.Match[str]) -> bool:
    return not _NOT_NOW.search(match[0] + _rest(match))


def _suffered(match: re.Match[str]) -> bool:
    """Whether it was done to the person: "was let go", not "let go of the rope"."""
    done = re.search(r"\b(?:was|were|been|got|getting|get)\s+(?:\w+\s+)?$", match.string[
        max(0, match.start() - 20) : match.end()
    ], re.IGNORECASE)  # fmt: skip
    return bool(done) and _of_now(match)


_JUST = r"(?:(?:have|has|had|just|recently|finally|also|both|all)\s+)*"
_THEY = r"(?:they|(?:my|our|the)\s+(?:boss|manager|company|employer|firm|work|bosses))"
_DISMISSED = (
    r"(?:let\s+me\s+go(?!\s+(?:to|with|out|on|home|in|there|early|first|alone|back|"
    r"through|ahead)\b)|"
    r"laid\s+me\s+off|fired\s+me(?!\s+up\b)|sacked\s+me|made\s+me\s+redundant)"
)
_DISMISSAL = re.compile(rf"(?P<firm>[\w&'. -]{{2,30}}?)\s+{_JUST}{_DISMISSED}\b", re.IGNORECASE)
_WENT = r"(?:went|gone|moved|changed|switched|transferred|transitioned|jumped|retrained)"
_GAVE = r"(?:swapped|traded|exchanged|left|quit|gave\s+up)"
_CAREERS = r"(?:over\s+|jobs\s+|careers?\s+|professions?\s+)?"
_FROM = rf"{_WENT}\s+{_CAREERS}from\s+"
_FROM_TO = rf"{_FROM}(?P<old>[^,.;]{{1,40}}?)\s+(?:in)?to\s+(?:being\s+)?"
_FOR = rf"{_GAVE}\s+(?P<old>[^,.;]{{1,40}}?)\s+for\s+"


def _who_dismissed(text: str, start: int, end: int) -> list[Found]:
    """The "Microsoft" of "Microsoft laid me off"."""
    found = _DISMISSAL.match(text, start, end)
    return [Found(*found.span("firm"), readers.capitalise(found["firm"]))] if found else []


EMPLOYER: tuple[Pattern, ...] = (
    pattern(
        "employer.moved_to",
        "verb",
        r"(?:moved|transferred|jumped\s+ship|(?:changed|switched)\s+(?:jobs|companies|employers))"
        r"\s+(?:over\s+)?to\s+",
        readers.firm,
        kind="transition",
        modes="now",
        trust=IMPLIED,
        confidence=0.8,
        check=lambda m: not re.search(r"\b(?:for|with|after|my)\b", _rest(m)),
    ),
    pattern(
        "employer.from_to", "verb", _FROM_TO, readers.organisation,
        kind="transition", modes="now", check=_between("employer"),
    ),
    pattern(
        "employer.from", "verb", _FROM, readers.organisation,
        kind="past", modes="now", check=_given_up(_FROM_TO, _between("employer")),
    ),
    pattern(
        "employer.traded", "verb", _FOR, readers.organisation,
        kind="transition", modes="now past", check=_between("employer"), trust=IMPLIED,
    ),
    pattern(
        "employer.been_at", "be", r"(?:at|with)\s+", readers.firm,
        modes="now", trust=IMPLIED, confidence=0.8, check=_for_months,
    ),
    pattern(
        "employer.at_firm_now", "be", r"(?:at|with)\s+(?-i:(?=[a-z]))", readers.firm,
        kind="transition", modes="now", trust=IMPLIED, confidence=0.75, check=_now_at_work,
    ),
    pattern(
        "employer.first_day",
        "open",
        r"(?:(?:today|it)(?:'s|\s+is|\s+was)\s+|i\s+(?:just\s+)?(?:had|finished|survived)\s+)?"
        r"(?:my\s+)?(?:very\s+)?first\s+(?:day|week|shift|month)\s+(?:at|with)\s+",
        readers.firm,
        kind="transition",
        trust=IMPLIED,
        confidence=0.75,
        check=_begun,
    ),
    pattern(
        "employer.new_job_at",
        "open",
        r"(?:an?\s+|my\s+)?(?:brand[- ])?new\s+(?:job|role|gig|position)\s+(?:at|with)\s+",
        readers.organisation,
        kind="transition",
        trust=IMPLIED,
        confidence=0.75,
        check=_begun,
    ),
    pattern(
        "employer.it_is_now", "open", r"(?:it's|it\s+is|its)\s+", readers.firm,
        kind="transition", trust=IMPLIED, confidence=0.75, check=_after_a_change_of_job,
    ),
    pattern(
        "employer.changed_to", "any", r"\b(?:now|currently)\s+(?:at|with|for)\s+", readers.firm,
        kind="transition", trust=IMPLIED, confidence=0.75,
        check=_was_elsewhere,
    ),
    pattern(
        "employer.before_now",
        "open",
        r"(?:i\s+(?:was|used\s+to\s+be)\s+)?(?:(?:was|used\s+to\s+be|formerly|previously|once|ex)[\s-]+)?"
        r"(?:(?:at|with)\s+)?(?=[\w&' ]{2,30}?\s*,?\s+(?:but\s+|and\s+)?now\s+"
        r"(?:i'?m\s+|i\s+am\s+)?(?:at|with)\s)",
        readers.firm_before_now,
        kind="past",
    ),
    pattern(
        "employer.back_at", "open", r"(?:i'?m\s+)?back\s+(?:at|with)\s+", readers.firm,
        kind="transition", trust=IMPLIED, confidence=0.75,
        check=lambda m: bool(_SINCE_LONG.search(_rest(m))),
    ),
    pattern(
        "employer.taken_on",
        "open",
        rf"(?:{_THEY}\s+{_JUST}(?:took\s+me\s+on|hired\s+me)|i\s+(?:was|got|have\s+been)\s+taken\s+"
        r"on)\s+(?:at|by)\s+",
        readers.organisation,
        kind="transition",
        check=_of_now,
    ),
    pattern(
        "employer.have_new", "verb", r"(?:have|got|found)\s+an?\s+new\s+employer\s*[,:-]\s*",
        readers.organisation, kind="transition", modes="now", check=_is_named,
    ),
    pattern(
        "employer.is_my_new",
        "open",
        r"(?=[\w&'-]+(?:\s[\w&'-]+){0,2}\s+is\s+(?:now\s+)?my\s+(?:new|current)\s+"
        r"(?:employer|company|workplace)\b)",
        readers.organisation,
        kind="transition",
    ),
    pattern(
        "employer.firm_is",
        "verb",
        r"work(?:ing)?\s+(?:for|at)\s+(?:now\s+)?is\s+(?:now\s+)?(?:called\s+)?",
        readers.organisation,
        modes="now",
        check=_is_named,
    ),
    pattern(
        "employer.dismissed_by",
        "open",
        rf"(?=[\w&'. -]{{2,30}}?\s{_JUST}{_DISMISSED}\b)(?!{_THEY}\b)",
        _who_dismissed,
        kind="past",
    ),
    pattern(
        "employer.dismissed_at", "open", rf"{_THEY}\s+{_JUST}{_DISMISSED}\s+(?:at|from)\s+",
        readers.organisation, kind="past",
    ),
    pattern(
        "employer.time_over",
        "my",
        r"my\s+(?:time|job|contract|career|chapter|stint|days|years|employment)\s+(?:at|with)\s+"
        r"(?=[^,.;]{2,40}?\b(?:over|ended|finished|done|expired|r[au]n\s+out|c[ao]me\s+to\s+an\s+"
        r"end)\b(?!\s+for\s+(?:today|now|the)))",
        readers.known_firm,
        kind="past",
    ),
    pattern(
        "employer.last_day",
        "my",
        r"my\s+(?:very\s+)?last\s+(?:day|shift|week)\s+(?:at|with)\s+(?=[^,.;]{2,30}?\s+was\b)",
        readers.organisation,
        kind="past",
    ),
)  # fmt: skip

ENDED: tuple[Pattern, ...] = (
    pattern(
        "employer.dismissed", "open", rf"{_THEY}\s+{_JUST}",
        readers.choice(rf"{_DISMISSED}(?!\s+(?:at|from)\b)"), kind="ended", check=_of_now,
    ),
    pattern(
        "employer.was_dismissed",
        "be verb",
        r"(?:(?:was|been|got|just|recently)\s+)*",
        readers.choice(
            r"(?:laid off|let go|fired|sacked|made redundant)\b(?!\s+(?:from|by|at|up|of|to)\b)"
        ),
        kind="ended",
        modes="now past",
        check=_suffered,
    ),
    pattern(
        "employer.job_lost",
        "verb",
        r"(?:lost|quit|left|resigned\s+from|gave\s+up|walked\s+out\s+of)\s+",
        readers.choice(
            r"my (?:day |office )?(?:job|position)\b"
            r"(?!\s+(?:at|with|as|of|in\s+the|application|offer)\b)"
        ),
        kind="ended",
        modes="now past",
        check=_of_now,
    ),
    pattern(
        "employer.out_of_work",
        "be",
        r"(?=\w)",
        readers.choice(
            r"(?:(?:in[ -])?between jobs|unemployed|jobless|retired(?!\s+from)|"
            r"out of (?:work|a job)(?!\s+(?:by|early|late|at\s+(?:\d|noon|five|six))\b))\b"
        ),
        kind="ended",
        modes="now",
    ),
    pattern(
        "employer.retired", "verb", r"(?=\w)",
        readers.choice(r"(?:retired|resigned)\b(?!\s+(?:from|to|as|myself|my|the|an?|it)\b)"),
        kind="ended", modes="now past",
    ),
    pattern(
        "employer.works_no_more", "verb be", r"(?=\w)",
        readers.choice(
            r"work(?:ing)?\s+(?:any ?more|any longer)\b(?!\s+(?:today|tonight|on|at|this)\b)"
        ),
        kind="ended", modes="denied",
    ),
)  # fmt: skip

LOCATION: tuple[Pattern, ...] = (
    pattern(
        "location.traded", "verb", _FOR, places.place,
        kind="transition", modes="now past", check=_between("location"),
    ),
    pattern(
        "location.settled",
        "verb",
        r"(?:(?:re)?settled|made\s+(?:my|our)\s+home|set\s+up\s+home|ended\s+up\s+living)\s+"
        r"(?:down\s+|here\s+)?in\s+",
        places.place,
        kind="transition",
        modes="now",
        check=_known_or_capital_place,
    ),
    pattern(
        "location.new_city",
        "given",
        r"\b(?:my|our)\s+new\s+(?:home(?:\s?town|\s+city)?|city|town|address)\s*"
        r"(?:(?:is|,|:)\s+)(?:now\s+)?(?:in\s+)?",
        places.place,
        kind="transition",
        check=_known_or_capital_place,
    ),
    pattern(
        "location.new_flat",
        "open",
        r"(?:an?\s+|my\s+|our\s+)?new\s+(?:flat|house|apartment|place|home|condo|studio|room)\s+in\s+",
        places.place,
        kind="transition",
        trust=IMPLIED,
        confidence=0.8,
        check=_moved_in,
    ),
    pattern(
        "location.moved_in_with", "verb", r"moved\s+(?:back\s+)?in\s+with\s+[\w' ]{2,30}?\s+in\s+",
        places.place, kind="transition", modes="now", check=_known_or_capital_place,
    ),
    pattern(
        "location.resident",
        "be",
        r"(?:an?\s+)?(?:(?:new|proud|official)\s+)*(?:residents?\s+of\s+|"
        r"(?=[^\W\d_][\w' -]{1,25}?\s+(?:resident|local)\b))",
        places.place,
        modes="now",
        confidence=0.85,
        check=_known_or_capital_place,
    ),
    pattern(
        "location.is_my_new",
        "open",
        r"(?=[\w&'-]+(?:\s[\w&'-]+){0,2}\s+is\s+(?:now\s+)?my\s+(?:new\s+home(?:\s?town)?|"
        r"new\s+city|home\s+now)\b)",
        places.place,
        kind="transition",
        check=_known_or_capital_place,
    ),
    pattern(
        "location.home_is", "open", r"home\s+is\s+(?:now\s+)?(?:in\s+)?", places.place,
        kind="transition", check=_is_place_now,
    ),
    pattern(
        "location.call_home", "verb", r"call\s+(?=[^,.;]{2,30}?\s+(?:my\s+|our\s+)?home\b)",
        places.place, modes="now", check=_known_or_capital_place,
    ),
    pattern(
        "location.moved_in",
        "verb",
        r"(?:ended\s+up\s+in\s+|(?:bought|rented|found|got)\s+(?:an?|our|my|the)\s+"
        r"(?:\w+\s+){0,2}?(?:flat|house|apartment|place|home|condo|studio|room)\s+in\s+)",
        places.place,
        kind="transition",
        modes="now",
        trust=IMPLIED,
        confidence=0.8,
        check=_moved_in,
    ),
)  # fmt: skip

JOB: tuple[Pattern, ...] = (
    pattern(
        "job_title.from_to", "verb", _FROM_TO, jobs.announced_job,
        kind="transition", modes="now", check=_between_jobs,
    ),
    pattern(
        "job_title.from", "verb", rf"{_FROM}(?:being\s+)?", jobs.job,
        kind="past", modes="now", check=_given_up(_FROM_TO, _between_jobs),
    ),
    pattern(
        "job_title.become", "verb", r"become\s+(?:an?\s+|the\s+)?", jobs.job,
        kind="transition", modes="now",
        check=lambda m: _before(m).lower().rstrip().endswith(("ve", "have", "just")),
    ),
    pattern(
        "job_title.was_made",
        "be",
        r"(?:made|named|appointed|elected)\s+(?:the\s+|an?\s+)?"
        r"(?![^.?!]{2,40}\bof the (?:year|month|week)\b)",
        jobs.job,
        kind="transition",
        modes="now past",
        check=_of_now,
    ),
    pattern(
        "job_title.made_me",
        "open",
        rf"{_THEY}\s+{_JUST}(?:(?:made|named|appointed|promoted)\s+me\s+(?:to\s+)?|gave\s+me\s+"
        r"the\s+(?:role|job|position)\s+of\s+)(?:the\s+|an?\s+)?",
        jobs.job,
        kind="transition",
        check=_of_now,
    ),
    pattern(
        "job_title.title_changed",
        "my",
        r"my\s+(?:job\s+)?(?:title|role|position|job)\s+(?:has\s+|was\s+|got\s+|just\s+)*changed\s+"
        r"(?:from\s+[^,.;]{1,40}?\s+)?to\s+(?:an?\s+|the\s+)?",
        jobs.job,
        kind="transition",
    ),
    pattern(
        "job_title.stopped",
        "verb",
        r"(?:stopped|quit|gave\s+up)\s+(?:being|working\s+as)\s+(?:an?\s+|the\s+)?",
        jobs.job,
        kind="past",
        modes="now past",
    ),
)  # fmt: skip

_KIND_OF_NAME = r"(?:full\s+|first\s+|real\s+|legal\s+|last\s+)?"


def _i_changed_it(match: re.Match[str]) -> bool:
    """Whether the clause before, cut off at "my name", says who changed it."""
    return bool(
        re.search(r"\bi\s+(?:(?:have|just|\w+ly)\s+)*changed\s+$", _before(match), re.IGNORECASE)
    )


NAMES: tuple[Pattern, ...] = (
    pattern(
        "name.changed_to", "my", rf"my\s+{_KIND_OF_NAME}name\s+(?:from\s+[^,.;]{{1,40}}?\s+)?to\s+",
        readers.person, kind="transition", check=_i_changed_it,
    ),
    pattern(
        "name.was_changed",
        "my",
        rf"my\s+{_KIND_OF_NAME}name\s+(?:(?:has|was|been|got|\w+ly)\s+)*changed\s+to\s+",
        readers.person,
        kind="transition",
    ),
)  # fmt: skip

PATTERNS: tuple[Pattern, ...] = (*EMPLOYER, *ENDED, *LOCATION, *JOB, *NAMES)
