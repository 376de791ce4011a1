"""Patterns about employers, jobs and fields of work."""

from __future__ import annotations

import re

from memory.language import corrections
from memory.language.engine.pattern import (
    IMPLIED,
    Pattern,
    capital_follows,
    next_word,
    pattern,
)
from memory.language.lexicons import lexicon
from memory.language.patterns.work import departments
from memory.language.values import jobs, readers, schooling

_WORK = r"(?:work(?:ing|ed)?|employed)"
_JOB_WORD = (
    r"(?:job|boss|manager|team|colleagues?|co-?workers?|desk|role|position|internship|lab|work|"
    r"shift|gig|career)"
)
_SOMEHOW = (
    r"(?:(?:full|part)[- ]time|mostly|now|over|down|up|out|here|back|nights|days|weekends|evenings|"
    r"mornings|remotely|currently|primarily|online|freelance|right|two jobs|long hours|hard|a "
    r"lot|for a living|"
    r"\d+\s+(?:days|hours)\s+a\s+week|(?:the\s+)?(?:\w+\s+)?shifts?|as well|also|myself|too)"
)
_IS = r"(?:\s+is|'s|:)\s+(?:actually\s+|now\s+|currently\s+)?"


def _names_job(match: re.Match[str]) -> bool:
    return jobs.is_job(match["job"]) and not _MAKES_IT.match(match["job"])


# "I'm building an assistant for doctors": what is made is no job.
_MAKES_IT = re.compile(r"\w+ing\s+(?:an?|the|my|our)\s", re.IGNORECASE)


def _names_company(match: re.Match[str]) -> bool:
    """Whether a company follows: "joined google", but not "joined a gym"."""
    return capital_follows(match) or next_word(match) in lexicon.KNOWN_ORGS


def _left_company(match: re.Match[str]) -> bool:
    """In "left X for Y" one of the two must look like a company, and none may be a place."""
    if "location" in {corrections.kind_of(match["old"]), corrections.kind_of(next_word(match))}:
        return False
    return capital_follows(match) or match["old"].lower() in lexicon.KNOWN_ORGS


def _switched_company(match: re.Match[str]) -> bool:
    if schooling.to_another(match):
        return False
    value = match.string[match.end() : match.end() + 40].strip()
    return capital_follows(match) and not jobs.is_job(value) and not _PRODUCT.search(match[0])


# "Switched from Microsoft Word to Google Docs" tells a tool.
_PRODUCT = re.compile(r"\bfrom\s+[A-Z]\w+\s+(?:[A-Z]\w+|\d+)\s+to\s+$")


def _left_for_good(match: re.Match[str]) -> bool:
    """Whether a company was left: "left" alone needs a name, people also leave the house."""
    told = " at " in match[0] or " from " in match[0] or _names_company(match)
    back = _BACK_SOON.match(match.string, match.end())
    return told and not back and next_word(match) not in lexicon.PLACES


_BACK_SOON = re.compile(
    r"[\w&']+(?: [A-Z][\w&']*)?\s+(?:early|for\s+(?:lunch|dinner|christmas|easter|"
    r"the\s+(?:day|weekend|week|holidays))|(?:at|around)\s+\d)\b"
)


def _with_company(match: re.Match[str]) -> bool:
    """Whether "work with" takes a name: people also work with children."""
    if match[0].rstrip().endswith("4"):  # "work 4 tesla", not "work 4 days"
        return bool(readers.firm(match.string, match.end(), match.end() + 60))
    if not match[0].rstrip().lower().endswith("with"):
        return departments.is_no_part(match)
    if next_word(match) in lexicon.GIVEN_NAMES:  # "I work with Paul", but "with Morgan Stanley"
        return bool(readers.known_firm(match.string, match.end(), match.end() + 60))
    return capital_follows(match) or next_word(match) in lexicon.KNOWN_ORGS


def _new_place(match: re.Match[str]) -> bool:
    """Whether "I'm at X" says "now": without it, X may be a cafe."""
    known = lexicon.GIVEN_NAMES if match[0].lower().startswith("with") else lexicon.OUTLETS
    if next_word(match) in known:
        return False  # "I'm with Anna now", "I'm at Starbucks now"
    after = match.string[match.end() : match.end() + 60]
    if _NOW_I_AM.search(match.string, max(0, match.start() - 80), match.start()):
        return True
    return match.string[: match.start()].lower().rstrip().endswith(" now") or bool(
        re.match(r"[\w&' ]{1,40}?\s(?:now|these days)\b(?! for an?\b)", after)
    )


# "I used to work at IBM but now I'm at Oracle".
_NOW_I_AM = re.compile(
    r"\b(?:work\w*|job|employed|was|be|been)\s+(?:\w+\s+){0,4}?(?:at|for|with)\s[^.?!]{2,50}\bnow,?\s+"
    r"i(?:'m|\s+am|m)\s+$",
    re.IGNORECASE,
)


def _known_firm(match: re.Match[str]) -> bool:
    """Whether what follows "volunteer at" is a firm or a kind of workplace."""
    found = readers.known_firm(match.string, match.end(), match.end() + 60)
    return bool(found) or capital_follows(match)


_WORK_DEEDS = re.compile(
    r"(?:do|doing|help\w*|creat\w+|design\w*|develop\w*|program\w*|cod(?:e|ing)|writ(?:e|ing)|"
    r"edit\w*|"
    r"sell\w*|driv(?:e|ing)|clean\w*|cook\w*|clerk\w*|manag\w+|deliver\w*|consult\w*|model\w*|"
    r"perform\w*|"
    r"research\w*|test\w*|answer\w*|tak(?:e|ing) care|handle|make|build|fix|repair|audit\w*|"
    r"nurse|teach|"
    r"bartend\w*|waitress\w*|wait tables|serve|serving|guard|(?:un)?load(?:ing)?|stock(?:ing)?|"
    r"pack(?:ing)?|sort(?:ing)?|bag(?:ging)?|greet(?:ing)?|deal|mop|train|coach|flip|wash|"
    r"look after|give tours|supervise|inspect|assemble|weld|translate|process|wait on|"
    r"an? \w+(?: \w+)?|the \w+(?: \w+)?)\b",
    re.IGNORECASE,
)
_MAKING = re.compile(
    r"\b(?:creating|writing|designing|developing|making|editing|"
    r"delivering)\b",
    re.IGNORECASE,
)
_PLACES_TO_VISIT = re.compile(
    r"\b(?:shop\w*|eat\w*|buy\w*|bought|go|going|went|meet\w*|saw|fan|customer|"
    r"regular)\b",
    re.IGNORECASE,
)


def _does_for_work(match: re.Match[str]) -> bool:
    """Whether what is done for or at a firm is work: "i do marketing for", not "i shop at"."""
    deed = match.string[max(0, match.start() - 3) : match.end()]
    at_work = _WORK_DEEDS.match(match[0]) or deed.lower().startswith("do ") or _MAKING.search(deed)
    before = match.string[max(0, match.start() - 25) : match.start()]
    return bool(at_work) and not _PLACES_TO_VISIT.search(deed) and "volunteer" not in before + deed


def _not_on_a_task(match: re.Match[str]) -> bool:
    """Whether "on a" leads to a workplace ("on a cruise ship"), not to what is being worked on."""
    if not re.search(r"\bon\s+$", match[0], re.IGNORECASE):
        return True
    place = (
        r"an?\s+(?:\w+\s+){0,2}(?:farm|ranch|ship|boat|rig|railroad|dock|base|set|line|site|"
        r"vineyard|orchard|island)\b"
    )
    return bool(re.match(place, match.string[match.end() :], re.IGNORECASE))


def _own_news(match: re.Match[str]) -> bool:
    """Whether a new job is the person's own: nobody else stands before it."""
    before = re.split(r"[.?!]", match.string[max(0, match.start() - 50) : match.start()])[-1]
    return not re.search(
        r"\b(?:he|she|they|you|wife|husband|mom|mum|dad|brother|sister|son|daughter|friend|if|want|"
        r"need|looking|wish|hope)\b",
        before,
        re.IGNORECASE,
    )


_MY_JOB_AT = r"(?:my|the|an?)\s+(?:[\w-]+\s+){0,2}?(?:job|position|role|post|gig)\s+(?:at|with)\s+"
_ONE = r"(?:one|another(?:\s+one)?|an?\s+(?:[\w-]+\s+){0,2}?(?:one|job|position|role|post|gig))"
_GAVE_UP = re.compile(
    r"\b(?:left|quit|leaving|quitting|lost|resigned\s+from|gave\s+up|given\s+up|traded|swapped|"
    r"fired\s+from|laid\s+off\s+from)\s+$",
    re.IGNORECASE,
)


def _not_given_up(match: re.Match[str]) -> bool:
    """Whether no word before says that the job was left."""
    return not _GAVE_UP.search(match.string, max(0, match.start() - 20), match.start())


_INTERNSHIP_AT = (
    r"\b(?:my|an?|the|this|did|doing|interning|intern)\s+(?:\w+\s+)?(?:(?:internship|"
    r"apprenticeship|residency|fellowship)\s+)?(?:at|for|with)\s+"
)
_LONG_OVER = re.compile(
    r"[^.?!]{2,40}?\b(?:in\s+(?:19|20)\d\d|last\s+(?:summer|year|winter|spring|fall|autumn)|years?\s+ago|"
    r"was|back\s+(?:then|in))\b",
    re.IGNORECASE,
)


def _is_internship(match: re.Match[str]) -> bool:
    return "intern" in match[0].lower() or "ship" in match[0].lower()


def _long_over(match: re.Match[str]) -> bool:
    """Whether the words after say that it was in a time gone by."""
    return bool(_LONG_OVER.match(match.string, match.end()))


EMPLOYER: tuple[Pattern, ...] = (
    pattern(
        "employer.work_at",
        "verb be",
        rf"(?:{_WORK}\s+(?!hard\s+at\b)(?:{_SOMEHOW}\s+){{0,2}}(?:at|for|with|@|4)|employed\s+by)\s+",
        readers.organisation,
        confidence=0.95,
        check=_with_company,
    ),
    pattern(
        "employer.work_as_at",
        "verb be",
        rf"{_WORK}\s+as\s+(?:an?\s+|the\s+)?(?:[\w'-]+\s+"
        rf"){{1,5}}?"
        r"(?:at|for)\s+",
        readers.organisation,
        confidence=0.95,
    ),
    pattern(
        "employer.started_as_at",
        "verb be",
        r"(?:started|began|hired|joined|taken\s+on|got\s+hired|promoted|freelance|intern(?:ing)?|"
        r"volunteer(?:ing)?|clerk|waitress|bartend)\s+(?:(?:working|out|back|"
        r"on)\s+)?(?:as\s+(?:an?\s+|the\s+)?"
        r"(?:[\w'-]+\s+){1,4}?)?(?:at|for|with)\s+",
        readers.organisation,
        confidence=0.85,
        check=_known_firm,
        trust=IMPLIED,
        modes="now",
    ),
    pattern(
        "employer.interned",
        "verb",
        r"(?:interned|volunteered|freelanced|apprenticed|temped)\s+(?:\w+\s+)?(?:at|for|with)\s+",
        readers.organisation,
        confidence=0.85,
        kind="past",
        modes="now past",
        trust=IMPLIED,
        check=_known_firm,
    ),
    pattern(
        "employer.for_known",
        "verb be",
        r"(?:(?!not\b|it\b|never\b|want\b|like\b|love\b|wait\w*\b|look\w*\b)[\w-]+\s+){1,6}?"
        r"(?:for|at|with|in)\s+(?!the\s+(?:gym|zoo|movies|bar|mall|park|library|casino|school)\b)",
        readers.known_firm,
        confidence=0.7,
        trust=IMPLIED,
        modes="now",
        check=_does_for_work,
    ),
    pattern(
        "employer.work_at_any",
        "verb be",
        rf"{_WORK}\s+(?:{_SOMEHOW}\s+){{0,2}}(?:at|for|in|on(?=\s+an?\s))\s+(?=(?:an?|the)\s)",
        readers.any_workplace,
        confidence=0.75,
        trust=IMPLIED,
        check=lambda m: _not_on_a_task(m) and departments.is_no_part(m),
    ),
    pattern(
        "employer.work_in_at",
        "verb be",
        rf"(?:do\s+)?{_WORK}\s*,?\s+(?:in\s+(?:the\s+)?[\w ]{{2,30}}?\s+)?at\s+(?=an?\s|[a-z])",
        readers.organisation,
        confidence=0.85,
        trust=IMPLIED,
        check=lambda m: " in " in m[0] or "," in m[0],
    ),
    pattern(
        "employer.internship",
        "given",
        _INTERNSHIP_AT,
        readers.known_firm,
        confidence=0.7,
        trust=IMPLIED,
        check=lambda m: _is_internship(m) and not _long_over(m),
    ),
    pattern(
        "employer.did_internship",
        "given",
        _INTERNSHIP_AT,
        readers.known_firm,
        confidence=0.7,
        trust=IMPLIED,
        kind="past",
        check=lambda m: _is_internship(m) and _long_over(m),
    ),
    pattern(
        "employer.new_job_colon",
        "given",
        r"\bnew\s+(?:job|role|position|"
        r"gig)\s*[:,-]+\s*(?:as\s+)?(?:an?\s+)?(?:[\w'-]+\s+){1,4}?(?:at|for|with)\s+",
        readers.organisation,
        kind="transition",
        confidence=0.85,
        check=_own_news,
    ),
    pattern(
        "employer.job_at",
        "be",
        r"(?:an?\s+|the\s+)?(?P<job>(?:[\w'-]+\s+){1,5}?)(?:at|for"
        r"|with)\s+",
        readers.organisation,
        check=_names_job,
    ),
    pattern(
        "employer.work_in",
        "verb be",
        rf"{_WORK}\s+in\s+(?=(?:an?|the)\s)",
        readers.workplace,
        confidence=0.8,
        check=departments.is_no_part,
    ),
    pattern(
        "employer.my_employer",
        "my",
        rf"my\s+(?:current\s+|new\s+)?(?:employer|"
        rf"company){_IS}(?:called\s+)?",
        readers.organisation,
    ),
    pattern(
        "employer.left_for",
        "verb",
        r"(?:left|quit|switched|moved|went|changed|"
        rf"transferred)\s+(?:{_MY_JOB_AT})?"
        r"(?:from\s+)?(?P<old>[^,.;]{1,40}?)\s+(?:for|to join|and joined)"
        r"\s+",
        readers.organisation,
        kind="transition",
        modes="now",
        check=_left_company,
    ),
    pattern(
        "employer.left_for_one",
        "verb",
        r"(?:left|quit|gave\s+up|resigned\s+from|traded|swapped)\s+"
        rf"(?:{_MY_JOB_AT}[^,.;]{{1,40}}?\s+(?:to\s+join|for\s+{_ONE}\s+(?:at|with))|"
        rf"[^,.;]{{1,40}}?\s+for\s+{_ONE}\s+(?:at|with))\s+",
        readers.organisation,
        kind="transition",
        modes="now past",
        check=_names_company,
    ),
    pattern(
        "employer.switched",
        "verb",
        r"switched\s+(?:jobs\s+)?from\s+[^,.;]{1,40}?\s+to\s+",
        readers.organisation,
        kind="transition",
        modes="now",
        check=_switched_company,
    ),
    pattern(
        "employer.left",
        "verb",
        r"(?:left|quit|resigned from|lost|retired from|"
        r"got (?:fired|laid off) from|gave up)\s+(?:my\s+(?:old\s+)?(?:job|position|role)"
        r"\s+(?:at|with)\s+)?",
        readers.organisation,
        kind="past",
        modes="now past",
        check=_left_for_good,
    ),
    pattern(
        "employer.fired",
        "be verb",
        r"(?:was\s+)?(?:fired|laid off|let go)\s+(?:from|by)\s+",
        readers.organisation,
        kind="past",
        modes="now past",
    ),
    pattern(
        "employer.joined",
        "verb",
        r"(?:joined)\s+(?:the team at\s+)?",
        readers.organisation,
        kind="transition",
        modes="now",
        check=_names_company,
    ),
    pattern(
        "employer.started_at",
        "verb",
        r"(?:started|began|start)\s+(?:(?:a|my)\s+(?:new\s+"
        r")?job|working|work)?\s*(?:at|for|with)\s+",
        readers.organisation,
        kind="transition",
        modes="now",
        check=lambda m: m[0].lower().startswith(("started", "began")),
    ),
    pattern(
        "employer.got_job",
        "verb",
        r"(?:got|landed|accepted|took|found|have|'ve got)\s+"
        r"(?:an?|my|the)\s+"
        r"(?P<new>new\s+)?(?:[\w-]+\s+){0,2}?(?:job|position|role|offer|internship)\s+(?:at"
        r"|with)\s+",
        readers.organisation,
        modes="now",
        check=lambda m: "offer" not in m[0],
    ),
    pattern(
        "employer.hired",
        "be verb",
        r"(?:got\s+|been\s+|was\s+|just\s+)*(?:hired|recruited)\s+(?:by|at|with)\s+",
        readers.organisation,
        kind="transition",
        modes="now past",
    ),
    pattern(
        "employer.no_longer_at",
        "be",
        r"(?:at|with|part\s+of)\s+(?!the\b|an?\b)",
        readers.known_firm,
        modes="denied",
        confidence=0.8,
        check=lambda m: "no longer" in m.string[max(0, m.start() - 12) : m.start()].lower(),
    ),
    pattern(
        "employer.at_now",
        "be",
        r"(?:at|with)\s+(?-i:(?=[A-Z]))",
        readers.organisation,
        check=_new_place,
        kind="transition",
        modes="now",
        confidence=0.75,
    ),
    pattern(
        "employer.new_job",
        "my",
        r"my\s+(?:new|current)\s+(?:job|employer|company|"
        r"workplace)\s+is\s+(?:at|with)?\s*",
        readers.organisation,
        kind="transition",
        confidence=0.8,
        check=capital_follows,
    ),
    pattern(
        "employer.my_boss_at",
        "any",
        rf"\b(?:my|our)\s+(?:current\s+|new\s+"
        rf")?{_JOB_WORD}\s+(?:here\s+)?at\s+",
        readers.organisation,
        trust=IMPLIED,
        confidence=0.75,
        check=_not_given_up,
    ),
    pattern(
        "employer.my_old_boss_at",
        "any",
        rf"\bmy\s+(?:old|former|previous|last|first|ex)"
        rf"[- ]{_JOB_WORD}\s+at\s+",
        readers.organisation,
        trust=IMPLIED,
        confidence=0.75,
        kind="past",
    ),
)


def _nothing_more(text: str, start: int, end: int) -> list[readers.Found]:
    """The word before ``start``: the verb that says it all."""
    begin = text.rfind("teach", 0, start)
    return [readers.Found(begin, start, text[begin:start].strip())] if begin >= 0 else []


JOB: tuple[Pattern, ...] = (
    pattern(
        "job_title.teaches",
        "verb be",
        r"(?:teach|teaching)\s+(?=(?:kindergarten|\w+\s+grade(?:rs)?|at\b|in an?\b|elementary|"
        r"middle school|high school|preschool|special|college|"
        r"art|music|math|maths|history|science|english|spanish|french|biology|chemistry|"
        r"physics|piano|yoga|dance|dancing|ballet|swimming|"
        r"classes|students|kids|children|school|for a living)\b)"
        r"(?!(?:kids|children)\s+(?:how\s+)?to\s)",
        _nothing_more,
        modes="now",
        trust=IMPLIED,
        confidence=0.75,
        shape=lambda _m, _v: "teacher",
    ),
    pattern(
        "job_title.new_job_colon",
        "given",
        r"\bnew\s+(?:job|role|position|gig)\s*[:,-]+\s*(?:as\s+)?(?=\w)",
        jobs.job,
        kind="transition",
        confidence=0.85,
        check=_own_news,
    ),
    pattern(
        "job_title.i_am_a",
        "be",
        r"(?=(?:an?|the)\s)(?!(?:an?|the)\s+(?:former|ex)\b)"
        r"(?![^.?!,]{2,40}\s(?:for|as) (?:a|my) hobby\b)",
        jobs.job,
        check=lambda m: not departments.names_a_firm(m),
    ),
    pattern("job_title.former", "be", r"(?:an?|the)\s+(?:former|ex)[\s-]+", jobs.job, kind="past"),
    pattern(
        "job_title.i_am",
        "be",
        r"(?=\w)",
        jobs.job,
        confidence=0.75,
        check=lambda m: not re.match(r"(?:an?|the)\s", m.string[m.end() :], re.IGNORECASE),
    ),
    pattern(
        "job_title.work_as",
        "verb be",
        rf"{_WORK}\s+(?:[\w-]+\s+)?as\s+(?:an?\s+|the\s+)?",
        jobs.announced_job,
        confidence=0.95,
    ),
    pattern(
        "job_title.work_at_as",
        "verb be",
        rf"{_WORK}\s+(?:at|for|with|in)\s+"
        rf"[^,.;]{{1,40}}?\s+as\s+(?=(?:an?|the)\s)",
        jobs.announced_job,
        confidence=0.95,
    ),
    pattern(
        "job_title.promoted",
        "verb be",
        r"(?:got\s+|was\s+|been\s+)?promoted\s+(?:from\s+"
        r"[^,.;]{1,40}?\s+)?to\s+",
        jobs.announced_job,
        kind="transition",
        modes="now past",
        confidence=0.95,
    ),
    pattern(
        "job_title.promoted_from",
        "verb be",
        r"(?:got\s+|was\s+|been\s+)?promoted\s+from\s+(?:being\s+)?(?=[^,.;]{1,40}?\s+to\s)",
        jobs.announced_job,
        kind="past",
        modes="now past",
    ),
    pattern(
        "job_title.became",
        "verb",
        r"(?:(?:just|recently)\s+)?(?:became|got hired as|was hired as|started as|"
        r"started working as|"
        r"(?:got|started|found|landed|took|have)\s+(?:an?|my)\s+(?:new\s+)?(?:job|position|"
        r"role|career|gig)\s+as)\s+(?:an?\s+|the\s+)?",
        jobs.job,
        kind="transition",
        modes="now",
    ),
    pattern("industry.work_in", "verb be", rf"{_WORK}\s+in\s+(?:the\s+)?", readers.industry),
)

PATTERNS: tuple[Pattern, ...] = (*EMPLOYER, *JOB)
