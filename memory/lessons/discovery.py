"""Guessing a user's personas from what they say about their work, before they are asked.

Only typed current statements about the user are used (`own_work`). A match needs both the industry
and the role.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from memory.language.text import embeddings
from personas.models import Persona

_INDUSTRY, _ROLE, _MEANING = 0.45, 0.4, 0.15


@dataclass(frozen=True)
class Match:
    """A possible persona and its confidence, 0..1."""

    persona: Persona
    confidence: float


def matching_personas(personas: Iterable[Persona], text: str) -> list[Match]:
    """Return the personas whose industry and role a text mentions, best first."""
    matches = [Match(persona, sure) for persona in personas if (sure := _confidence(persona, text))]
    return sorted(matches, key=lambda match: -match.confidence)


def is_near_persona(persona: Persona, text: str) -> bool:
    """Return whether a text mentions the industry or the role of a persona."""
    return _speaks_of(text, persona.industry_cues) or _speaks_of(text, persona.role_cues)


def _confidence(persona: Persona, text: str) -> float:
    if not (_speaks_of(text, persona.industry_cues) and _speaks_of(text, persona.role_cues)):
        return 0.0
    return round(_INDUSTRY + _ROLE + _MEANING * _nearness(persona.description, text), 2)


def _speaks_of(text: str, cues: Iterable[str]) -> bool:
    pattern = _pattern(tuple(cues))
    return bool(pattern and pattern.search(text))


def _nearness(description: str, text: str) -> float:
    description_vector, text_vector = (
        embeddings.embed_as_array(description),
        embeddings.embed_as_array(text),
    )
    return (
        0.0
        if description_vector is None or text_vector is None
        else max(0.0, float(description_vector @ text_vector))
    )


@lru_cache(maxsize=256)
def _pattern(cues: tuple[str, ...]) -> re.Pattern[str] | None:
    """Return a pattern for any of some terms, with hyphens or spaces between words, or None."""
    if not cues:
        return None
    ways = (r"[\s-]".join(map(re.escape, re.split(r"[\s-]+", _of_one(cue)))) for cue in cues)
    return re.compile(rf"\b(?:{'|'.join(ways)})(?:e?s)?\b", re.IGNORECASE)


def _of_one(cue: str) -> str:
    """Return a term in the singular: 'cigar' for 'cigars'; 'business' stays."""
    cue = cue.strip()
    return cue[:-1] if cue.endswith("s") and not cue.endswith("ss") else cue
