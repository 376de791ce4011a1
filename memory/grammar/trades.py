"""Families about work that is told by what one does, or in passing: "I fix cars for a living".

Where a job or a firm names itself, it is read in :mod:`memory.grammar.work`; kinds of workplaces
are read in :mod:`memory.grammar.workplaces`.
"""

from __future__ import annotations

import re

from memory.grammar import jobs, lexicon, lists, pursuits, readers, wording
from memory.grammar.family import IMPLIED, WEAK, Family, family
from memory.grammar.readers import Found

_FOR_PAY = (
    r"(?:for a living|as a living|as a (?:job|profession|career)|as my (?:day )?job|for my job|"
    r"to pay (?:the|my) (?:bills|rent)|to make ends meet|"
    r"for (?:some )?extra (?:cash|money)|to make (?:some )?extra (?:cash|money|income))"
)
# Verbs that name no trade: "work for a living", "what I do for a living".
_NO_DEED = (
    r"(?!(?:do|does|doing|work|working|be|am|have|having|get|getting|go|going|need|want|like|love|"
    r"enjoy|hate|use|try|live|living|know|think|say|guess|it|that|this|hustle|struggle|\w+ed)\b)"
)


def _in_ing(value: str) -> str:
    """ "Fix cars" as a trade is written: "fixing cars"."""
    first, *rest = value.split(" ")
    if not first.endswith("ing") or len(first) < 6:
        first = wording.gerund(first)
    return " ".join([first, *rest])


def _trade(_match: re.Match[str], value: str) -> str:
    return _in_ing(value)


def _before_here(text: str, start: int, end: int) -> list[Found]:
    """An occupation that stands alone before "here" or "by trade": "engineer here"."""
    found = _TRADE_HERE.match(text, start, end)
    if not found or not jobs.is_job(found["job"]):
        return []
    return [Found(*found.span("job"), found["job"])]


_TRADE_HERE = re.compile(
    r"(?:an?\s+)?(?P<job>[\w-]+(?:\s[\w-]+){0,2}?)\s+"
    r"(?:here(?=\s*(?:$|[.,!]|and\b|too\b))|by\s+(?:day|trade|profession|training)\b)",
    re.IGNORECASE,
)


def _job_first(text: str, start: int, end: int) -> list[Found]:
    """The occupation that a stretch begins with, whatever it goes on with: "lawyer pays well"."""
    article = _ARTICLE.match(text, start, end)
    tokens = readers.words(text, article.end() if article else start, end)[:4]
    for most in range(len(tokens), 0, -1):
        value = text[tokens[0].start() : tokens[most - 1].end()]
        if jobs.is_job(value) and not set(value.lower().split()) & readers.STOP:
            return [Found(tokens[0].start(), tokens[most - 1].end(), value)]
    return []


_ARTICLE = re.compile(r"an?\s+", re.IGNORECASE)
_OTHERS = re.compile(
    r"\b(?:he|she|they|you|who|her|his|wife|husband|mom|mum|mother|dad|father|brother|sister|"
    r"son|daughter|friend|boyfriend|girlfriend|uncle|aunt|cousin|used to|want|wants|wish|hope|"
    r"if|was|were|dream|imagine|would|not|never|someday)\b",
    re.IGNORECASE,
)


def _own(match: re.Match[str]) -> bool:
    """Whether nobody else and nothing unreal stands before, in the same sentence."""
    before = re.split(r"[.?!]", match.string[max(0, match.start() - 45) : match.end()])[-1]
    return not _OTHERS.search(before)


_BUSINESS = re.compile(r"[\w-]+(?:\s[\w-]+)?\s+business\b", re.IGNORECASE)


def _kind_of_business(text: str, start: int, end: int) -> list[Found]:
    """A business with what it is about: "cleaning business"."""
    found = _BUSINESS.match(text, start, end)
    if not found or set(found[0].lower().split()) & readers.STOP:
        return []
    return [Found(*found.span(), found[0])]


# Places where people spend their days without working there.
_LEISURE = lexicon.word_set(
    "gym library bar club mall museum zoo pub cafe café casino park theater theatre cinema home "
    "arcade aquarium shelter church resort hotel hostel market hospital school college university"
)


def _day_workplace(text: str, start: int, end: int) -> list[Found]:
    """The workplace in which days are spent, unless people spend them there for pleasure."""
    found = readers.workplace_kind(text, start, end)
    return [one for one in found if one.value.lower().split()[-1] not in _LEISURE]


# Dressed as a nurse, treated like one, good as one, or one that was: nobody's trade.
_NOT_AS = re.compile(
    r"\b(?:dress\w*|costum\w*|disguis\w*|go|goes|went|going|see|sees|saw|treat\w*|play\w*|"
    r"cast|days|act\w*|start\w*|pos\w+|as \w+|same|such|known|far|soon|long|much|well|good|years|"
    r"him|her|them|you|me|myself)\s*$|"
    r"\b(?:look\w*|works?|working|job|jobs|position|role|appl\w+|train\w*|study\w*|used|before|when|kid|child|retired|quit|went|go|going|dress\w*|halloween|had|was)\b",
    re.IGNORECASE,
)


def _is_so_as_one(match: re.Match[str]) -> bool:
    """Whether "I see that a lot as a nurse" is said by one."""
    before = re.split(r"[.?!]", match.string[max(0, match.start() - 60) : match.start()])[-1]
    own = re.search(r"\b(?:i|i'm|im|my|me)\b", before, re.IGNORECASE)
    return bool(own) and _own(match) and not _NOT_AS.search(before)


_ANSWERS = re.compile(
    r"\W*(?:(?:yes|yeah|yep|well|oh|just|only|i'm|haha|lol|mostly|currently|actually)\W+)*",
    re.IGNORECASE,
)


def _stands_alone(match: re.Match[str]) -> bool:
    """Whether a message opens with an occupation and nothing else: "mechanic. and you?"."""
    text = match.string
    opens = _ANSWERS.fullmatch(text, 0, match.start())
    named = text[match.end() :].split(" ")[0].lower() in lexicon.GIVEN_NAMES  # "Harry Potter"
    return bool(opens) and not named and not _WONDERS.match(text, match.end())


_WONDERS = re.compile(
    r"[^.!,?]*\?|(?:never|doctor|sir|mister|dear|other|better|means?|like|the)\b", re.IGNORECASE
)

_TRADE_IS = (
    r"[\w-]+(?:\s(?!is\b)[\w-]+){0,2}\s+is\s+(?:my\s+(?:field|profession|trade|career|occupation|"
    r"line\s+of\s+work|day\s+job|job)\b|how\s+i\s+(?:make|earn)\s+(?:a|my)\s+living|"
    r"what\s+i\s+do\s+for\b)"
)


def _before_is(text: str, start: int, end: int) -> list[Found]:
    """What stands before "is my job": "social work"."""
    stop = text.lower().find(" is ", start, end)
    value = text[start:stop] if stop > start else ""
    return [Found(start, stop, value)] if re.fullmatch(r"[\w -]{2,40}", value) else []


_PAYS = r"(?:hired\s+me|employs\s+me|pays\s+me|pays\s+(?:my|the)\s+(?:bills|rent))\b"


# Trades that are named by what is done, and who does it.
_BY_DEED = {
    "nursing": "nurse", "teaching": "teacher", "accounting": "accountant", "acting": "actor",
    "cooking": "cook", "welding": "welder", "plumbing": "plumber", "farming": "farmer",
    "tutoring": "tutor", "bartending": "bartender", "waitressing": "waitress", "banking": "banker",
    "baking": "baker", "engineering": "engineer", "consulting": "consultant",
    "journalism": "journalist", "carpentry": "carpenter", "nannying": "nanny",
    "programming": "programmer", "editing": "editor", "lawyering": "lawyer",
    "translating": "translator", "photography": "photographer", "policing": "police officer",
}  # fmt: skip
_CHANGE = (
    r"(?:switched|moved|went|gone|changed|transitioned|retrained|shifted)\s+"
    r"(?:over\s+|jobs\s+|careers?\s+)?from\s+"
)
_DEED_TO_DEED = re.compile(
    rf"{_CHANGE}(?P<old>[a-z]+)\s+(?:in)?to\s+(?P<new>[a-z]+)\b"
    r"(?!\s+(?:as\s+a\s+hobby|at\s+home|for\s+fun|\w+ing\b))",
    re.IGNORECASE,
)


def _between_deeds(match: re.Match[str]) -> bool:
    """Whether the words from the match on lead from one trade to another."""
    found = _DEED_TO_DEED.match(match.string, match.start())
    return bool(found and {found["old"].lower(), found["new"].lower()} <= _BY_DEED.keys())


def _who_does_it(_match: re.Match[str], value: str) -> str:
    return _BY_DEED[value.lower()]


_ONE_DEED = readers.choice(rf"(?:{'|'.join(_BY_DEED)})\b")
# "Previously a chef, now a baker".
_NOW_ANOTHER = re.compile(
    r"[^.?!]{2,40}?\b(?P<now>now|today|these\s+days)\s+(?:i'?m\s+)?(?:an?\s+)?\w", re.IGNORECASE
)
_WAS_ONE = re.compile(
    r"(?:^|[.?!\n]|\bi(?:'m|\s+am|\s+was)?)\W*(?:(?:i|was|once|an?|i'm)\s+)*"
    r"(?:previously|formerly|former|ex|once|used\s+to\s+be|was)\b[^.?!]{2,50}$",
    re.IGNORECASE,
)


def _job_before_now(text: str, start: int, end: int) -> list[Found]:
    """The "chef" of "previously a chef, now a baker"."""
    now = _NOW_ANOTHER.match(text, start)
    return _job_first(text, start, now.start("now")) if now else []


def _was_another(match: re.Match[str]) -> bool:
    """Whether the sentence began with what the person was before."""
    return bool(_WAS_ONE.search(match.string, max(0, match.start() - 80), match.start()))


FAMILIES: tuple[Family, ...] = (
    family(
        "job_title.after_name",
        "be",
        r"(?-i:(?=[A-Z]))[^\W\d_]+(?:\s(?-i:[A-Z])[^\W\d_]+)?\s*,\s+(?=an?\s)",
        _job_first,
        modes="now",
        confidence=0.85,
    ),
    family(
        "job_title.deed_to_deed",
        "verb",
        rf"{_CHANGE}[a-z]+\s+(?:in)?to\s+",
        _ONE_DEED,
        kind="transition",
        modes="now",
        trust=IMPLIED,
        confidence=0.8,
        check=_between_deeds,
        shape=_who_does_it,
    ),
    family(
        "job_title.from_deed",
        "verb",
        _CHANGE,
        _ONE_DEED,
        kind="past",
        modes="now",
        trust=IMPLIED,
        confidence=0.8,
        check=_between_deeds,
        shape=_who_does_it,
    ),
    family(
        "job_title.before_now",
        "open",
        r"(?:(?:previously|formerly|once|used\s+to\s+be)\s+(?=an?\s)|former\s+|ex[- ])",
        _job_before_now,
        kind="past",
    ),
    family(
        "job_title.now_another",
        "any",
        r"\b(?:now|today|these\s+days)\s+(?:i'?m\s+)?(?:an?\s+)?(?=[a-z])",
        jobs.job,
        kind="transition",
        confidence=0.85,
        check=_was_another,
    ),
    family(
        "job_title.for_pay",
        "verb",
        rf"{_NO_DEED}(?=[\w' -]{{3,50}}?\s{_FOR_PAY}\b)",
        pursuits.doing,
        modes="now",
        trust=IMPLIED,
        confidence=0.8,
        shape=_trade,
    ),
    family(
        "job_title.pay_for",
        "given",
        rf"\bfor\s+a\s+living\s*,?\s+i\s+{_NO_DEED}",
        pursuits.doing,
        trust=IMPLIED,
        confidence=0.8,
        check=_own,
        shape=_trade,
    ),
    family(
        "job_title.paid_to",
        "given",
        r"\b(?:i\s+(?:get|am|actually get)\s+paid\s+(?:\w+ly\s+)?to|(?:pays?|paying)\s+me\s+to)"
        rf"\s+{_NO_DEED}",
        pursuits.doing,
        trust=IMPLIED,
        confidence=0.75,
        check=_own,
        shape=_trade,
    ),
    family(
        "job_title.my_job_is_to",
        "my",
        r"my\s+(?:day\s+|main\s+|current\s+)?job\s+is\s+(?:just\s+|mostly\s+|basically\s+)?to\s+"
        rf"{_NO_DEED}",
        pursuits.doing,
        trust=IMPLIED,
        confidence=0.75,
        shape=_trade,
    ),
    family(
        "job_title.here",
        "open",
        r"(?=(?:an?\s+)?[\w-]+(?:\s[\w-]+){0,2}?\s+(?:here|by\s+(?:day|trade|profession|"
        r"training))\b)(?!the\b|my\b|i\b|we\b|you\b)",
        _before_here,
        trust=IMPLIED,
        confidence=0.75,
    ),
    family(
        "job_title.as_one",
        "given",
        r"(?:^|[.!?]\s+|\b(?:well|yes|yeah|and|but|so|because)\s+|,\s*)as (?=an?\s+"
        r"[\w-]+(?:\s[\w-]+){0,2}?\s*[, ]\s*(?:i|my|we)\b)",
        _job_first,
        trust=IMPLIED,
        confidence=0.75,
        check=_own,
    ),
    family(
        "job_title.as_one_last",
        "given",
        r"\bas (?=an?\s+(?:[\w-]+\s+){0,2}?[\w-]+\s*(?:$|[.!]))",
        jobs.job,
        trust=WEAK,
        confidence=0.7,
        check=_is_so_as_one,
    ),
    family(
        "job_title.alone",
        "open",
        r"(?=(?:[\w-]{3,}\s){0,2}[\w-]*(?:er|or|ist|ian|eer|ant|ess|man|woman|nurse|cook|chef|"
        r"mechanic|clerk|model|pilot|guard|tech|dj)\s*(?:$|[.!,]))",
        jobs.job,
        trust=WEAK,
        confidence=0.65,
        check=_stands_alone,
    ),
    family(
        "job_title.is_my_trade",
        "open",
        rf"(?=(?!(?:it|that|this|which|what|he|she|my|your|his|her|family|not|if)\b){_TRADE_IS})",
        _before_is,
        trust=IMPLIED,
        confidence=0.75,
    ),
    family(
        "industry.freelance",
        "verb be",
        r"(?:doing\s+)?(?:some\s+)?(?=(?:freelance|contract|commercial)\s+(?!work\b))",
        lists.short(2),
        modes="now",
        trust=IMPLIED,
        confidence=0.75,
        check=lambda m: "do" in m[0].lower() or m.string[: m.start()].lower().endswith("do "),
    ),
    family(
        "job_title.being",
        "given",
        r"\bbeing\s+(?=an?\s+(?:[\w-]+\s+){1,3}?(?:is|pays|takes|keeps|gets|means|requires|makes|"
        r"sucks|can\s+be|has)\b(?!\s+(?:my|a|the)\s+(?:\w+\s+)?(?:dream|goal|wish|plan)\b))",
        _job_first,
        trust=IMPLIED,
        confidence=0.75,
        check=_own,
    ),
    family(
        "employer.has_me",
        "given",
        r"\b(?:the|my|our)\s+(?!(?:company|firm|business|job|office)\b)"
        r"(?=(?:\w+\s+){1,3}?(?:has\s+me\s+working|keeps\s+(?:me|us)\s+busy|"
        rf"{_PAYS}))",
        readers.workplace_kind,
        trust=IMPLIED,
        confidence=0.75,
        check=_own,
    ),
    family(
        "employer.pays",
        "open",
        rf"(?=[\w&']+(?:\s[\w&']+)?\s+(?:just\s+)?{_PAYS})",
        readers.known_firm,
        trust=IMPLIED,
        confidence=0.75,
    ),
    family(
        "employer.own_business",
        "verb",
        r"(?:run|own|have|operate|started|opened|manage)\s+(?:an?\s+|my\s+|our\s+)(?:own\s+)?"
        r"(?:small\s+|little\s+|successful\s+|new\s+)*"
        r"(?=[\w-]+(?:\s[\w-]+)?\s+business\b)(?!(?:small|family|little|own|big|new)\s+business\b)",
        _kind_of_business,
        modes="now",
        trust=IMPLIED,
        confidence=0.75,
    ),
    family(
        "employer.days_at",
        "verb",
        r"spend\s+(?:all\s+|most\s+of\s+|my\s+|the\s+|every\s+|whole\s+|long\s+)*(?:days?|nights?|"
        r"weekdays|weeknights|hours)\s+(?:[\w]+\s+){0,4}?(?:at|in)\s+(?=an?\s|my\s)",
        _day_workplace,
        modes="now",
        trust=WEAK,
        confidence=0.7,
    ),
)
