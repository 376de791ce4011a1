"""Families about employers, jobs and fields of work."""

from __future__ import annotations

import re

from memory.grammar import jobs, lexicon, readers
from memory.grammar.family import IMPLIED, Family, capital_follows, family, next_word

_WORK = r"(?:work(?:ing|ed)?|employed)"
_JOB_WORD = r"(?:job|boss|manager|team|colleagues?|co-?workers?|desk|role|position|internship|lab)"
_IS = r"(?:\s+is|'s|:)\s+(?:actually\s+|now\s+|currently\s+)?"


def _self_employed(_match: re.Match[str], _value: str) -> str:
    return "self-employed"


def _names_job(match: re.Match[str]) -> bool:
    return jobs.is_job(match["job"])


def _names_company(match: re.Match[str]) -> bool:
    """Whether a company follows: "joined google", but not "joined a gym"."""
    return capital_follows(match) or next_word(match) in lexicon.KNOWN_ORGS


def _left_company(match: re.Match[str]) -> bool:
    """In "left X for Y" one of the two must look like a company."""
    return capital_follows(match) or match["old"].lower() in lexicon.KNOWN_ORGS


def _switched_company(match: re.Match[str]) -> bool:
    value = match.string[match.end() : match.end() + 40].strip()
    return capital_follows(match) and not jobs.is_job(value)


def _left_for_good(match: re.Match[str]) -> bool:
    """Whether a company was left: "left" alone needs a name, people also leave the house."""
    return " at " in match[0] or " from " in match[0] or capital_follows(match)


def _with_company(match: re.Match[str]) -> bool:
    """Whether "work with" takes a name: people also work with children."""
    if not match[0].rstrip().lower().endswith("with"):
        return True
    return capital_follows(match) or next_word(match) in lexicon.KNOWN_ORGS


def _new_place(match: re.Match[str]) -> bool:
    """Whether "I'm at X" says "now": without it, X may be a cafe."""
    after = match.string[match.end() : match.end() + 60]
    return match.string[: match.start()].lower().rstrip().endswith(" now") or bool(
        re.match(r"[\w&' ]{1,40}?\s(?:now|these days)\b", after)
    )


EMPLOYER: tuple[Family, ...] = (
    family(
        "employer.work_at",
        "verb be",
        rf"{_WORK}\s+(?:(?:full|part)[- ]time\s+|mostly\s+|"
        rf"now\s+)?"
        r"(?:at|for|with)\s+",
        readers.organisation,
        confidence=0.95,
        check=_with_company,
    ),
    family(
        "employer.work_as_at",
        "verb be",
        rf"{_WORK}\s+as\s+(?:an?\s+|the\s+)?(?:[\w'-]+\s+"
        rf"){{1,5}}?"
        r"(?:at|for)\s+",
        readers.organisation,
        confidence=0.95,
    ),
    family(
        "employer.job_at",
        "be",
        r"(?:an?\s+|the\s+)?(?P<job>(?:[\w'-]+\s+){1,5}?)(?:at|for"
        r"|with)\s+",
        readers.organisation,
        check=_names_job,
    ),
    family(
        "employer.work_in",
        "verb be",
        rf"{_WORK}\s+in\s+(?=(?:an?|the)\s)",
        readers.workplace,
        confidence=0.8,
    ),
    family(
        "employer.myself",
        "verb be",
        rf"{_WORK}\s+for\s+(?=myself)",
        readers.choice("myself"),
        shape=_self_employed,
    ),
    family(
        "employer.self_employed",
        "be",
        r"(?=self[- ]employed)",
        readers.choice("self[- ]employed"),
        shape=_self_employed,
    ),
    family(
        "employer.my_employer",
        "my",
        rf"my\s+(?:current\s+|new\s+)?(?:employer|"
        rf"company){_IS}(?:called\s+)?",
        readers.organisation,
    ),
    family(
        "employer.left_for",
        "verb",
        r"(?:left|quit|switched|moved|went|changed|"
        r"transferred)\s+(?:my job at\s+)?"
        r"(?:from\s+)?(?P<old>[^,.;]{1,40}?)\s+(?:for|to join|and joined)"
        r"\s+",
        readers.organisation,
        kind="transition",
        modes="now",
        check=_left_company,
    ),
    family(
        "employer.switched",
        "verb",
        r"switched\s+(?:jobs\s+)?from\s+[^,.;]{1,40}?\s+to\s+",
        readers.organisation,
        kind="transition",
        modes="now",
        check=_switched_company,
    ),
    family(
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
    family(
        "employer.fired",
        "be verb",
        r"(?:was\s+)?(?:fired|laid off|let go)\s+(?:from|by)\s+",
        readers.organisation,
        kind="past",
        modes="now past",
    ),
    family(
        "employer.joined",
        "verb",
        r"(?:joined)\s+(?:the team at\s+)?",
        readers.organisation,
        kind="transition",
        modes="now",
        check=_names_company,
    ),
    family(
        "employer.started_at",
        "verb",
        r"(?:started|began|start)\s+(?:(?:a|my)\s+(?:new\s+"
        r")?job|working|work)?\s*(?:at|for|with)\s+",
        readers.organisation,
        kind="transition",
        modes="now",
        check=lambda m: m[0].lower().startswith(("started", "began")),
    ),
    family(
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
    family(
        "employer.hired",
        "be verb",
        r"(?:got\s+|been\s+)?(?:hired|recruited)\s+by\s+",
        readers.organisation,
        kind="transition",
        modes="now past",
    ),
    family(
        "employer.at_now",
        "be",
        r"(?:at|with)\s+(?-i:(?=[A-Z]))",
        readers.organisation,
        check=_new_place,
        kind="transition",
        modes="now",
        confidence=0.75,
    ),
    family(
        "employer.new_job",
        "my",
        r"my\s+(?:new|current)\s+(?:job|employer|company|"
        r"workplace)\s+is\s+(?:at|with)?\s*",
        readers.organisation,
        kind="transition",
        confidence=0.8,
        check=capital_follows,
    ),
    family(
        "employer.my_boss_at",
        "any",
        rf"\b(?:my|our)\s+(?:current\s+|new\s+"
        rf")?{_JOB_WORD}\s+(?:here\s+)?at\s+",
        readers.organisation,
        trust=IMPLIED,
        confidence=0.75,
    ),
    family(
        "employer.my_old_boss_at",
        "any",
        rf"\bmy\s+(?:old|former|previous|last|first|ex)"
        rf"[- ]{_JOB_WORD}\s+at\s+",
        readers.organisation,
        trust=IMPLIED,
        confidence=0.75,
        kind="past",
    ),
    family(
        "employer.here_at",
        "any",
        r"\b(?:we|us)\s+(?:here\s+)?at\s+(?-i:(?=[A-Z]))|\bhere\s+"
        r"at\s+(?-i:(?=[A-Z]))",
        readers.organisation,
        trust=IMPLIED,
        confidence=0.6,
        check=capital_follows,
    ),
)


JOB: tuple[Family, ...] = (
    family("job_title.i_am_a", "be", r"(?=(?:an?|the)\s)", jobs.job),
    family(
        "job_title.i_am",
        "be",
        r"(?=\w)",
        jobs.job,
        confidence=0.75,
        check=lambda m: not re.match(r"(?:an?|the)\s", m.string[m.end() :], re.IGNORECASE),
    ),
    family(
        "job_title.work_as",
        "verb be",
        rf"{_WORK}\s+(?:[\w-]+\s+)?as\s+(?:an?\s+|the\s+)?",
        jobs.announced_job,
        confidence=0.95,
    ),
    family(
        "job_title.work_at_as",
        "verb be",
        rf"{_WORK}\s+(?:at|for|with|in)\s+"
        rf"[^,.;]{{1,40}}?\s+as\s+(?=(?:an?|the)\s)",
        jobs.announced_job,
        confidence=0.95,
    ),
    family(
        "job_title.my_job",
        "my",
        rf"my\s+(?:current\s+|new\s+)?(?:job(?:\s+title)?|"
        rf"occupation|profession|title|position|role){_IS}",
        jobs.announced_job,
        confidence=0.85,
    ),
    family(
        "job_title.promoted",
        "verb be",
        r"(?:got\s+|was\s+|been\s+)?promoted\s+(?:from\s+"
        r"[^,.;]{1,40}?\s+)?to\s+",
        jobs.announced_job,
        kind="transition",
        modes="now past",
        confidence=0.95,
    ),
    family(
        "job_title.became",
        "verb",
        r"(?:became|got hired as|was hired as|started as|"
        r"started working as|"
        r"got a job as)\s+(?:an?\s+|the\s+)?",
        jobs.job,
        kind="transition",
        modes="now",
    ),
    family("industry.work_in", "verb be", rf"{_WORK}\s+in\s+(?:the\s+)?", readers.industry),
    family("industry.i_am_in", "be", r"in\s+", readers.industry, confidence=0.7, modes="now"),
)

FAMILIES: tuple[Family, ...] = (*EMPLOYER, *JOB)
