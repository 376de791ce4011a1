"""What somebody may work as, by what they say of their own work; asked about before it counts.

Only what they assert of themselves, now and in their own words, is looked at: whether a clause is
denied, past, supposed, asked or somebody else's is decided where clauses are read, once, for all
readers. A persona is matched by its industry and by its role; one of the two alone is no match.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from memory.language.engine import clause_guards, clauses, predicates
from memory.language.engine.clause_guards import Verdict
from memory.language.engine.clauses import Subject
from memory.language.engine.predicates import Mode
from memory.language.origin import Origin
from memory.language.reading import Reading
from memory.language.text import embeddings
from personas.models import Persona

_OWN = {Subject.SELF, Subject.WE}
# What is mine and not somebody: "my job is", not "my sister is".
_MY_WORK = re.compile(
    r"my (?:\w+ )?(?:job|role|work|position|field|business|career|company|team|industry)\b",
    re.IGNORECASE,
)
# Without such a word a clause is not about work, and nothing is looked up.
_WORK = re.compile(
    r"\b(?:work\w*|job|jobs|role|roles|career|industry|business|compan(?:y|ies)|teams?|manag\w+|analys\w+"
    r"|plan\w*|research\w*|responsible|surveys?|clients?|stores?|sites?|brands?|portfolio|campaigns?|media"
    r"|real estate|insights|locations?|leases?|tenants?|restaurants?)\b",
    re.IGNORECASE,
)
_INDUSTRY, _ROLE, _MEANING = 0.45, 0.4, 0.15


@dataclass(frozen=True)
class Match:
    """A persona that somebody may belong to; how sure that is, 0..1."""

    persona: Persona
    confidence: float


def own_work(said: Reading) -> str:
    """What a message asserts about its writer's work at present, in their words; '' for nothing."""
    own = (said.masked[start:end] for start, end in _own_clauses(said))
    text = ". ".join(own)
    return text if _WORK.search(text) else ""


def matches(personas: Iterable[Persona], text: str) -> list[Match]:
    """The personas whose industry and role a text speaks of, the surest first."""
    found = [Match(persona, sure) for persona in personas if (sure := _confidence(persona, text))]
    return sorted(found, key=lambda match: -match.confidence)


def is_near(persona: Persona, text: str) -> bool:
    """Whether a text speaks of its industry or of its role."""
    return _speaks_of(text, tuple(persona.industry_cues)) or _speaks_of(
        text, tuple(persona.role_cues)
    )


def _own_clauses(said: Reading) -> Iterator[tuple[int, int]]:
    for start, end, mark in said.sentences:
        before = None
        parts = clauses.clauses(said.masked, start, end)
        for clause, verdict in zip(
            parts, clause_guards.judge(said.masked, parts, mark), strict=True
        ):
            before = predicates.parse(said.masked, clause, before)
            asserted = verdict in (Verdict.CLEAR, Verdict.SUBORDINATE)
            own = clause.subject in _OWN or (
                clause.subject is Subject.MY and _MY_WORK.match(said.masked, clause.body)
            )
            typed = said.origin_of(clause.start, clause.end) == Origin.TYPED
            if asserted and own and typed and before.mode is Mode.NOW and "?" not in mark:
                yield clause.start, clause.end


def _confidence(persona: Persona, text: str) -> float:
    industry = _speaks_of(text, tuple(persona.industry_cues))
    role = _speaks_of(text, tuple(persona.role_cues))
    if not (industry and role):
        return 0.0
    return round(_INDUSTRY + _ROLE + _MEANING * _nearness(persona.description, text), 2)


def _speaks_of(text: str, cues: tuple[str, ...]) -> bool:
    pattern = _pattern(cues)
    return bool(pattern and pattern.search(text))


def _nearness(description: str, text: str) -> float:
    one, other = embeddings.unit_vector(description), embeddings.unit_vector(text)
    return 0.0 if one is None or other is None else max(0.0, float(one @ other))


@lru_cache(maxsize=256)
def _pattern(cues: tuple[str, ...]) -> re.Pattern[str] | None:
    """Any of some words, whether a hyphen or a space stands between them."""
    if not cues:
        return None
    ways = (r"[\s-]".join(map(re.escape, re.split(r"[\s-]+", cue.strip()))) for cue in cues)
    return re.compile(rf"\b(?:{'|'.join(ways)})\b", re.IGNORECASE)
