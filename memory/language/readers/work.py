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


def _job_span(tokens: Tokens, index: int, stop: int) -> tuple[int, int]:
    while index < stop and (
        tokens.words[index] in {"a", "an", "the"} or tokens.words[index].endswith("year-old")
    ):
        index += 1
    return index, noun_phrase(tokens, index, stop, 5, _OF)


def job(tokens: Tokens, index: int, stop: int) -> list[Value]:
    """An occupation without its article: "nurse", "Senior Engineer", "head of marketing"."""
    first, end = _job_span(tokens, index, stop)
    while end > first and not is_job(" ".join(tokens.words[first:end])):
        end -= 1
    after = tokens.words[end] if end < stop else ""
    if end == first or after in {"'s", "person", "friend"} or after.endswith("'s"):
        return []
    rest = noun_phrase(tokens, end, stop, 1)
    goes_on = after in lexicon.WORKPLACES | {"here", "at"} or after.endswith("ing")
    if rest > end and not goes_on:
        return []  # "nurse uniform": the occupation only says which
    return [Value(first, end, tokens.said(first, end))]


_TELLS_HOW = lexicon.word_set("""
hard boring great fun stressful good bad hell killing easy tough awesome tiring safe new done nice
fine okay ok crazy busy slow secure cool terrible horrible kind remote important interesting
""")
_QUALITY = re.compile(r"(?:ful|ive|ous|less|able|ed|ing)$")


def announced_job(tokens: Tokens, index: int, stop: int) -> list[Value]:
    """What follows "promoted to" or "I work as": a job even if the list lacks it."""
    first, end = _job_span(tokens, index, stop)
    value = tokens.said(first, end)
    if end == first or not value[0].isalpha():
        return []
    known = is_job(value)
    told = tokens.words[first] in _TELLS_HOW or _QUALITY.search(tokens.words[end - 1])
    return [] if told and not known else [Value(first, end, value, 1.0 if known else 0.8)]


_SOME_SORT_OF = lexicon.word_set(
    "a an the full time part full-time part-time famous great real and"
)
_LIKE_A_JOB = re.compile(r"\w{3,}(?:er|or|ist|ian|eer|ess|ant|man|woman|pher|yst)$")
_NO_GOAL = load_lexicon("no_goals") - {"president"}


def hoped_job(tokens: Tokens, index: int, stop: int) -> list[Value]:
    """What somebody would like to become: an occupation, or what sounds like one."""
    first = index
    while first < stop and tokens.words[first] in _SOME_SORT_OF:
        first += 1
    for end in range(noun_phrase(tokens, first, stop, 4), first, -1):
        last = tokens.words[end - 1]
        like_a_job = _LIKE_A_JOB.fullmatch(last) and last not in _NO_GOAL
        if last in lexicon.OCCUPATIONS or is_job(" ".join(tokens.words[first:end])) or like_a_job:
            return [Value(first, end, tokens.said(first, end))]
    return []


# --- Schooling -----------------------------------------------------------------------------------

UNIVERSITIES = load_lexicon("universities")
SUBJECTS = load_lexicon("subjects")
_SCHOOLS = lexicon.word_set("university college school highschool institute academy uni")
_OF_A_SCHOOL = frozenset({"of", "at"})


def school(tokens: Tokens, index: int, stop: int) -> list[Value]:
    """A school by name or kind: "Ohio State", "nursing school", "the university of Leeds"."""
    first = after_determiner(tokens, index, stop)
    end = noun_phrase(tokens, first, stop, 5, _OF_A_SCHOOL)
    for n in range(end, first, -1):
        kind = tokens.words[n - 1]
        if kind in _SCHOOLS and (n - first > 1 or kind != "school"):
            last = end if n < end and tokens.words[n] == "of" else n
            return [Value(first, last, tokens.said(first, last))]
        if " ".join(tokens.words[first:n]) in UNIVERSITIES:
            return [Value(first, n, _school_name(tokens, first, n))]
    return []


def _school_name(tokens: Tokens, first: int, end: int) -> str:
    written = tokens.said(first, end)
    return written.upper() if len(written) <= 4 and end - first == 1 else written


def named_school(tokens: Tokens, index: int, stop: int) -> list[Value]:
    """What is named where a school must follow: "I go to school at Lincoln"."""
    found = school(tokens, index, stop)
    end = name_run(tokens, index, stop, 4)
    if found or end == index or tokens.words[index] in lexicon.PLACES:
        return found
    return [Value(index, end, tokens.said(index, end))]


def subject(tokens: Tokens, index: int, stop: int) -> list[Value]:
    """A subject of study, with the school where it is named: "physics at ETH"."""
    first = after_determiner(tokens, index, stop)
    end = longest_in(tokens, first, stop, SUBJECTS, 3)
    if end == first:
        return []
    if end < stop and tokens.words[end] == "and":
        more = longest_in(tokens, end + 1, stop, SUBJECTS, 3)
        end = more if more > end + 1 else end
    if end + 1 < stop and tokens.words[end] == "at":
        named = school(tokens, end + 1, stop) or named_school(tokens, end + 1, stop)
        end = named[0].stop if named else end
    return [Value(first, end, tokens.said(first, end))]


def studied(tokens: Tokens, index: int, stop: int) -> list[Value]:
    """A subject, or whatever is named where one must follow: "majoring in folklore"."""
    found = subject(tokens, index, stop)
    first = after_determiner(tokens, index, stop)
    end = noun_phrase(tokens, first, stop, 3)
    if found or end == first or tokens.words[first] in {"order", "few"}:
        return found
    return [Value(first, end, tokens.said(first, end), 0.9)]


_DEGREES = lexicon.word_set(
    "phd doctorate masters master's master bachelors bachelor's bachelor mba associate's "
    "associates "
    "degree bsc msc ba bs ma diploma certificate ged degrees minor major"
)


def degree(tokens: Tokens, index: int, stop: int) -> list[Value]:
    """A degree with its subject: "a masters degree in botany"."""
    first = after_determiner(tokens, index, stop)
    kinds = [n for n in range(first, min(stop, first + 4)) if tokens.words[n] in _DEGREES]
    if not kinds or noun_phrase(tokens, first, stop, 5) <= kinds[0]:
        return []
    end = kinds[0] + 1
    while end < stop and tokens.words[end] in _DEGREES:
        end += 1
    if end + 1 < stop and tokens.words[end] in {"in", "of"}:
        named = subject(tokens, end + 1, stop)
        end = named[0].stop if named else max(end, noun_phrase(tokens, end + 1, stop, 3))
    return [Value(first, end, tokens.said(first, end))]


_QUALIFIERS = lexicon.word_set(
    "fluent native some a bit of little basic conversational good decent broken both mostly "
    "only in "
    "also bad perfect intermediate my mainly and how to speak"
)


def languages(tokens: Tokens, index: int, stop: int) -> list[Value]:
    """Known languages of a list: "German, English and some French"."""
    found: list[Value] = []
    while index < stop:
        while index < stop and tokens.words[index] in _QUALIFIERS:
            index += 1
        if index >= stop or tokens.words[index] not in lexicon.LANGUAGES:
            break
        found.append(Value(index, index + 1, tokens.words[index].capitalize()))
        end = index + 1
        while end < stop and tokens.words[end] in {"fluently", "natively", "well"}:
            end += 1
        index = next_item(tokens, end, stop)
        if index == end:
            break
    return found


_TECHNOLOGIES = load_lexicon("technologies")


def technologies(tokens: Tokens, index: int, stop: int) -> list[Value]:
    """Known tools of programming, of a list: "Python and Rust"."""
    return listed(tokens, index, stop, _technology)


def _technology(tokens: Tokens, index: int, stop: int) -> Value | None:
    end = longest_in(tokens, index, stop, _TECHNOLOGIES, 3)
    if tokens.words[index] in {"go", "r"} and tokens.is_capital(index):
        end = index + 1
    ends = word_before_stop(tokens, end, stop) or tokens.words[end] in {"and", "or"}
    return Value(index, end, tokens.said(index, end)) if end > index and ends else None


def word_before_stop(tokens: Tokens, index: int, stop: int) -> bool:
    """Whether a value may end at ``index``: the clause ends there, or a word of no value."""
    if index >= stop or not is_word(tokens, index):
        return True
    return tokens.words[index] in STOP and tokens.words[index] not in {"is", "are", "was"}
