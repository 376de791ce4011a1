"""What somebody asserts of their own work: now, or that it is over; in their own typed words.

Whether a clause is denied, past, supposed, asked or somebody else's is decided where clauses are
read, once, for all readers. Here it is only asked whether it tells of work.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from memory.language.engine import clause_guards, clauses, predicates
from memory.language.engine.clause_guards import Verdict
from memory.language.engine.clauses import Clause, Subject
from memory.language.engine.predicates import Mode, Predicate
from memory.language.lexicons import load_lexicon
from memory.language.origin import Origin
from memory.language.reading import Reading

_OWN = {Subject.SELF, Subject.WE}
# What is mine and not somebody: "my job is", not "my sister is".
_MY_WORK = re.compile(
    r"(?:my|our) (?:\w+ )?(?:job|role|work|position|field|business|career|company|team|industry)\b",
    re.IGNORECASE,
)
# Without such a word nothing is about work, and nothing is looked up.
_WORK = re.compile(
    r"\b(?:work\w*|job|jobs|role|roles|career|industry|business|compan(?:y|ies)|teams?|manag\w+"
    r"|analys\w+|plan\w*|research\w*|responsible|surveys?|clients?|stores?|sites?|brands?|portfolio"
    r"|campaigns?|media|real estate|insights|locations?|leases?|tenants?|restaurants?|products?"
    r"|market\w*|consumers?|shoppers?|chains?|franchis\w+|retail\w*)\b",
    re.IGNORECASE,
)
# "We plan campaigns" is what they do; "we plan to" is not yet.
_PLANS = re.compile(
    r"(?:\W|am|are|re|m|\w+ly|also|always|usually)*plan(?:ning)?\s*|\W*(?:have|ve) planned\s*",
    re.IGNORECASE,
)
_TO_DO = re.compile(r"(?:to|on)\b", re.IGNORECASE)
# What somebody did once is not what they do, but for what began then and goes on.
_DID = re.compile(
    r"(?:\w{2,}(?<!e)ed|did|met|bought|saw|heard|went|took|got|made|led|wrote|found|told|came|sold|built"
    r"|spent|spoke|held|kept|gave|chose|had|thought|knew|ate|sat|left|ran|brought)\b",
    re.IGNORECASE,
)
_BEGAN = re.compile(
    r"(?:joined|started|became|switched|moved (?:in)?to|took over"
    r"|got (?:an?|the|my) (?:\w+ ){0,2}(?:job|role|position))\b",
    re.IGNORECASE,
)
_HAVE = re.compile(r"\b(?:have|has|ve)\b", re.IGNORECASE)
# What people do with the things of a trade, and none of it for a living.
_NO_WORK = re.compile(
    r"(?:read|watch|hear|listen|love|like|hate|enjoy|visit|know|meet|liv|dat|think|wonder|remember|rent|eat"
    r"|smok|shop|learn)(?:e|ing)?\b"
    r"|(?:married|engaged|interested|curious|fascinated|keen)\b"
    rf"|(?:an?|the)\s+(?:\w+\s+)?(?:fan|customer|guest|visitor|student|friend|neighbou?r|smoker"
    rf"|{'|'.join(sorted(load_lexicon('kin')))})\b",
    re.IGNORECASE,
)
_OVER = re.compile(r"\b(?:former|ex|retired)\b", re.IGNORECASE)
_NOT_YET = re.compile(r"\b(?:aspiring|would-be|wannabe|an? future)\b", re.IGNORECASE)
# "I left tobacco", "I left the tobacco industry"; but not "I left the restaurant".
_LEFT = re.compile(
    r"(?:left|quit|retired from|resigned from|got out of|moved on from|stopped (?=\w+ing\b)"
    r"|(?:am|'m) (?:(?:done|finished) with|out of))\b"
    r"(?!\s+(?:the|an?|this|that|my|our)\b(?!.*\b(?:industry|team|business|field|trade|company|job"
    r"|role|position|career|world)\b))",
    re.IGNORECASE,
)
_NO_MORE = re.compile(r"\b(?:any ?more|any longer|no longer|former|ex|retired)\b", re.IGNORECASE)
_WORKS = re.compile(
    r"(?:work|do|did|manag|lead|led|run|ran|handl|plan|employ|look after)\w*\b", re.IGNORECASE
)
# "As a real estate manager for a pizza chain, I ...", or "... how should I ...?".
_AS_A = re.compile(r"\W*(?:(?:speaking|working) )?as an?\s+(?!kid\b|child\b)", re.IGNORECASE)
_ASKS_FOR_ONESELF = re.compile(r"\b(?:should|can|could|do|may) (?:i|we)\b", re.IGNORECASE)
_WOULD = re.compile(
    r"(?:would|'?d|might|could|may)\b(?! (?:like|love|need|want)\b)|wish\w*\b", re.IGNORECASE
)


@dataclass(frozen=True)
class OwnWork:
    """What a message says of its writer's work, in their words; '' for nothing."""

    now: str = ""
    over: str = ""


@dataclass(frozen=True)
class _WorkClause:
    """A clause with what it asserts; `own`: whether it is typed and of its writer."""

    clause: Clause
    predicate: Predicate
    verdict: Verdict
    own: bool


def read_own_work(reading: Reading) -> OwnWork:
    """What it says they do, and what it says they do no longer."""
    now: list[str] = []
    over: list[str] = []
    if not _WORK.search(reading.masked):
        return OwnWork()
    for start, end, mark in reading.sentences:
        told = _work_clauses(reading, start, end, mark)
        now += [
            reading.masked[work_clause.start : work_clause.end]
            for work_clause in _at_present(reading, told, mark)
        ]
        over += [
            reading.masked[work_clause.clause.start : work_clause.clause.end]
            for work_clause in told
            if "?" not in mark and _is_over(reading.masked, work_clause)
        ]
    return OwnWork(". ".join(now), ". ".join(over))


def _work_clauses(reading: Reading, start: int, end: int, mark: str) -> list[_WorkClause]:
    parts = clauses.clauses(reading.masked, start, end)
    verdicts = clause_guards.judge(reading.masked, parts, mark)
    told: list[_WorkClause] = []
    before = None
    for work_clause, verdict in zip(parts, verdicts, strict=True):
        before = predicates.parse(reading.masked, work_clause, before)
        own = work_clause.subject in _OWN or bool(
            work_clause.subject is Subject.MY and _MY_WORK.match(reading.masked, work_clause.body)
        )
        typed = reading.origin_of(work_clause.start, work_clause.end) == Origin.TYPED
        told.append(_WorkClause(work_clause, before, verdict, own and typed))
    return told


def _at_present(reading: Reading, told: Sequence[_WorkClause], mark: str) -> Iterator[Clause]:
    """The clauses that tell what they do, and what they call themselves before one of them."""
    for index, work_clause in enumerate(told):
        if _AS_A.match(reading.masked, work_clause.clause.start, work_clause.clause.end):
            if _calls_themselves(reading, work_clause.clause, told[index + 1 :], mark):
                yield work_clause.clause
        elif "?" not in mark and _is_work(reading.masked, work_clause):
            yield work_clause.clause


def _calls_themselves(
    reading: Reading, work_clause: Clause, after: Sequence[_WorkClause], mark: str
) -> bool:
    """Whether "as a ..." says what the writer is, by what follows it."""
    if not after or reading.origin_of(work_clause.start, work_clause.end) != Origin.TYPED:
        return False
    if _OVER.search(reading.masked, work_clause.start, work_clause.end) or _is_not_yet(
        reading.masked, work_clause
    ):
        return False
    if "?" in mark:
        end = after[-1].clause.end
        return bool(_ASKS_FOR_ONESELF.search(reading.masked, after[0].clause.start, end))
    then = after[0]
    if not (then.own and _is_asserted(then)) or _WOULD.match(reading.masked, then.clause.body):
        return False
    return then.predicate.mode in (Mode.NOW, Mode.UNREAL)


def _is_asserted(work_clause: _WorkClause) -> bool:
    return work_clause.verdict in (Verdict.CLEAR, Verdict.SUBORDINATE)


def _is_work(text: str, one: _WorkClause) -> bool:
    work_clause, index = one.clause, one.predicate.start
    if not (one.own and _is_asserted(one)) or _OVER.search(
        text, work_clause.start, work_clause.end
    ):
        return False
    if _is_not_yet(text, work_clause) or _NO_WORK.match(text, index, work_clause.end):
        return False
    if one.predicate.mode is Mode.UNREAL:
        plans = _PLANS.fullmatch(text, work_clause.body, index)
        return bool(plans) and not _TO_DO.match(text, index, work_clause.end)
    if one.predicate.mode is not Mode.NOW:
        return False
    perfect = _HAVE.search(text, work_clause.body, index)
    did = one.predicate.head == "verb" and not perfect and _DID.match(text, index, work_clause.end)
    return not did or bool(_BEGAN.match(text, index, work_clause.end))


def _is_not_yet(text: str, work_clause: Clause) -> bool:
    return bool(_NOT_YET.search(text, work_clause.start, work_clause.end))


def _is_over(text: str, one: _WorkClause) -> bool:
    """Whether the clause says that work of theirs is over."""
    work_clause, index = one.clause, one.predicate.start
    if not (one.own and _is_asserted(one)) or one.predicate.mode is Mode.UNREAL:
        return False
    if _LEFT.match(text, index, work_clause.end) or _LEFT.match(
        text, work_clause.body, work_clause.end
    ):
        return True
    if one.predicate.head == "be":
        return bool(_NO_MORE.search(text, work_clause.start, work_clause.end))
    denied = one.predicate.mode in (Mode.PAST, Mode.DENIED)
    return denied and bool(_WORKS.match(text, index, work_clause.end))
