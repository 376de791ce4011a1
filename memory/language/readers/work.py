"""Readers for occupations, schooling and languages."""

from __future__ import annotations

import re

from memory.language.grammar.tokens import Tokens
from memory.language.lexicons import lexicon, load_lexicon
from memory.language.readers.phrases import (
    STOP,
    Value,
    after_determiner,
    is_word,
    listed,
    longest_in,
    name_run,
    next_item,
    noun_phrase,
)

_JOB_ENDING = re.compile(
    r"(?:ologist|grapher|smith|keeper|maker|wright|ician|iatrist|therapist|dresser|worker|fighter|"
    r"analyst|engineer|officer|manager|broker|surgeon|planner|trainer|designer|developer|teacher|"
    r"scientist|operator|inspector|instructor|consultant|assistant)$"
)
_NO_JOB = lexicon.word_set("troublemaker matchmaker peacemaker coworker crimefighter")
_PROFESSIONAL = lexicon.word_set("""
player boarder skater surfer gamer runner swimmer rider racer fighter bowler golfer climber skier
snowboarder skateboarder speaker diver
""")
_GRADES = lexicon.word_set("senior junior lead chief vice assistant head software staff team tech")
_GRADED = lexicon.word_set("president lead head staff associate")
_OPINION = lexicon.word_set(
    "my your big bad good great terrible better nice former ex future aspiring appointed made "
    "named elected"
)
_OF = frozenset({"of"})


def is_job(phrase: str) -> bool:
    """Whether a noun phrase names an occupation."""
    head = phrase.lower().split(" of ")[0].split()
    if not head or _OPINION & set(head):
        return False
    last = head[-1].split("-")[-1]
    if last in {"student", "undergrad", "undergraduate"}:
        return False
    if last in lexicon.OCCUPATIONS:
        return last != "model" or len(head) == 1
    if last in _GRADED and (_GRADES & set(head[:-1]) or (last == "head" and " of " in phrase)):
        return True
    if head[0] == "professional" and last in _PROFESSIONAL:
        return True
    return bool(_JOB_ENDING.search(last)) and last not in _NO_JOB


def _job_span(said: Tokens, at: int, stop: int) -> tuple[int, int]:
    while at < stop and (
        said.words[at] in {"a", "an", "the"} or said.words[at].endswith("year-old")
    ):
        at += 1
    return at, noun_phrase(said, at, stop, 5, _OF)


def job(said: Tokens, at: int, stop: int) -> list[Value]:
    """An occupation without its article: "nurse", "Senior Engineer", "head of marketing"."""
    first, end = _job_span(said, at, stop)
    while end > first and not is_job(" ".join(said.words[first:end])):
        end -= 1
    after = said.words[end] if end < stop else ""
    if end == first or after in {"'s", "person", "friend"} or after.endswith("'s"):
        return []
    rest = noun_phrase(said, end, stop, 1)
    goes_on = after in lexicon.WORKPLACES | {"here", "at"} or after.endswith("ing")
    if rest > end and not goes_on:
        return []  # "nurse uniform": the occupation only says which
    return [Value(first, end, said.said(first, end))]


_TELLS_HOW = lexicon.word_set("""
hard boring great fun stressful good bad hell killing easy tough awesome tiring safe new done nice
fine okay ok crazy busy slow secure cool terrible horrible kind remote important interesting
""")
_QUALITY = re.compile(r"(?:ful|ive|ous|less|able|ed|ing)$")


def announced_job(said: Tokens, at: int, stop: int) -> list[Value]:
    """What follows "promoted to" or "I work as": a job even if the list lacks it."""
    first, end = _job_span(said, at, stop)
    value = said.said(first, end)
    if end == first or not value[0].isalpha():
        return []
    known = is_job(value)
    told = said.words[first] in _TELLS_HOW or _QUALITY.search(said.words[end - 1])
    return [] if told and not known else [Value(first, end, value, 1.0 if known else 0.8)]


_SOME_SORT_OF = lexicon.word_set(
    "a an the full time part full-time part-time famous great real and"
)
_LIKE_A_JOB = re.compile(r"\w{3,}(?:er|or|ist|ian|eer|ess|ant|man|woman|pher|yst)$")
_NO_GOAL = load_lexicon("no_goals") - {"president"}


def hoped_job(said: Tokens, at: int, stop: int) -> list[Value]:
    """What somebody would like to become: an occupation, or what sounds like one."""
    first = at
    while first < stop and said.words[first] in _SOME_SORT_OF:
        first += 1
    for end in range(noun_phrase(said, first, stop, 4), first, -1):
        last = said.words[end - 1]
        like_a_job = _LIKE_A_JOB.fullmatch(last) and last not in _NO_GOAL
        if last in lexicon.OCCUPATIONS or is_job(" ".join(said.words[first:end])) or like_a_job:
            return [Value(first, end, said.said(first, end))]
    return []


# --- Schooling -----------------------------------------------------------------------------------

UNIVERSITIES = load_lexicon("universities")
SUBJECTS = load_lexicon("subjects")
_SCHOOLS = lexicon.word_set("university college school highschool institute academy uni")
_OF_A_SCHOOL = frozenset({"of", "at"})


def school(said: Tokens, at: int, stop: int) -> list[Value]:
    """A school by name or kind: "Ohio State", "nursing school", "the university of Leeds"."""
    first = after_determiner(said, at, stop)
    end = noun_phrase(said, first, stop, 5, _OF_A_SCHOOL)
    for n in range(end, first, -1):
        kind = said.words[n - 1]
        if kind in _SCHOOLS and (n - first > 1 or kind != "school"):
            last = end if n < end and said.words[n] == "of" else n
            return [Value(first, last, said.said(first, last))]
        if " ".join(said.words[first:n]) in UNIVERSITIES:
            return [Value(first, n, _school_name(said, first, n))]
    return []


def _school_name(said: Tokens, first: int, end: int) -> str:
    written = said.said(first, end)
    return written.upper() if len(written) <= 4 and end - first == 1 else written


def named_school(said: Tokens, at: int, stop: int) -> list[Value]:
    """What is named where a school must follow: "I go to school at Lincoln"."""
    found = school(said, at, stop)
    end = name_run(said, at, stop, 4)
    if found or end == at or said.words[at] in lexicon.PLACES:
        return found
    return [Value(at, end, said.said(at, end))]


def subject(said: Tokens, at: int, stop: int) -> list[Value]:
    """A subject of study, with the school where it is named: "physics at ETH"."""
    first = after_determiner(said, at, stop)
    end = longest_in(said, first, stop, SUBJECTS, 3)
    if end == first:
        return []
    if end < stop and said.words[end] == "and":
        more = longest_in(said, end + 1, stop, SUBJECTS, 3)
        end = more if more > end + 1 else end
    if end + 1 < stop and said.words[end] == "at":
        named = school(said, end + 1, stop) or named_school(said, end + 1, stop)
        end = named[0].stop if named else end
    return [Value(first, end, said.said(first, end))]


def studied(said: Tokens, at: int, stop: int) -> list[Value]:
    """A subject, or whatever is named where one must follow: "majoring in folklore"."""
    found = subject(said, at, stop)
    first = after_determiner(said, at, stop)
    end = noun_phrase(said, first, stop, 3)
    if found or end == first or said.words[first] in {"order", "few"}:
        return found
    return [Value(first, end, said.said(first, end), 0.9)]


_DEGREES = lexicon.word_set(
    "phd doctorate masters master's master bachelors bachelor's bachelor mba associate's "
    "associates "
    "degree bsc msc ba bs ma diploma certificate ged degrees minor major"
)


def degree(said: Tokens, at: int, stop: int) -> list[Value]:
    """A degree with its subject: "a masters degree in botany"."""
    first = after_determiner(said, at, stop)
    kinds = [n for n in range(first, min(stop, first + 4)) if said.words[n] in _DEGREES]
    if not kinds or noun_phrase(said, first, stop, 5) <= kinds[0]:
        return []
    end = kinds[0] + 1
    while end < stop and said.words[end] in _DEGREES:
        end += 1
    if end + 1 < stop and said.words[end] in {"in", "of"}:
        named = subject(said, end + 1, stop)
        end = named[0].stop if named else max(end, noun_phrase(said, end + 1, stop, 3))
    return [Value(first, end, said.said(first, end))]


_QUALIFIERS = lexicon.word_set(
    "fluent native some a bit of little basic conversational good decent broken both mostly "
    "only in "
    "also bad perfect intermediate my mainly and how to speak"
)


def languages(said: Tokens, at: int, stop: int) -> list[Value]:
    """Known languages of a list: "German, English and some French"."""
    found: list[Value] = []
    while at < stop:
        while at < stop and said.words[at] in _QUALIFIERS:
            at += 1
        if at >= stop or said.words[at] not in lexicon.LANGUAGES:
            break
        found.append(Value(at, at + 1, said.words[at].capitalize()))
        end = at + 1
        while end < stop and said.words[end] in {"fluently", "natively", "well"}:
            end += 1
        at = next_item(said, end, stop)
        if at == end:
            break
    return found


_TECHNOLOGIES = load_lexicon("technologies")


def technologies(said: Tokens, at: int, stop: int) -> list[Value]:
    """Known tools of programming, of a list: "Python and Rust"."""
    return listed(said, at, stop, _technology)


def _technology(said: Tokens, at: int, stop: int) -> Value | None:
    end = longest_in(said, at, stop, _TECHNOLOGIES, 3)
    if said.words[at] in {"go", "r"} and said.is_capital(at):
        end = at + 1
    ends = word_before_stop(said, end, stop) or said.words[end] in {"and", "or"}
    return Value(at, end, said.said(at, end)) if end > at and ends else None


def word_before_stop(said: Tokens, at: int, stop: int) -> bool:
    """Whether a value may end at ``at``: the clause ends there, or a word that belongs to none."""
    if at >= stop or not is_word(said, at):
        return True
    return said.words[at] in STOP and said.words[at] not in {"is", "are", "was"}
