"""Patterns: which words, at which place of a clause, state a fact of which slot.

They are data, one TOML file a theme in :mod:`memory.language.patterns`; this module reads them. An
entry is named for its slot and what it hears, ``["employer.work_at"]``, and has

``at``
    where it is tried: after ``I`` and the auxiliaries, after ``I am``, at ``my``, at the beginning
    of any ``clause``, ``anywhere`` in one, or ``given``: like anywhere, and where it is taken for
    granted ("when my dog barks"). Several are separated by commas.
``says``
    the canonical words (:mod:`.tokens`), as a regular expression in which a blank also lets adverbs
    pass, ``~work`` is any form of a verb, ``{name}`` a named part, and ``@reader`` a value;
    ``@slot=reader`` is a value of another slot, ``@past.slot=reader`` one that is over.
``unless``
    what must not follow where the value begins.
``note``
    how the value is written, with ``{value}`` and the names of groups.
``trust``, ``confidence``, ``kind``, ``modes``, ``negated``, ``slot``
    see :class:`Pattern`.
``hears``
    example sentences, each with the value that it finds: "I have asthma => asthma". A test tries
    each of them, and those of one clause also supposed, asked and in somebody else's mouth.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any, Literal, cast

from memory.language.engine.predicates import Mode
from memory.language.engine.prefilter import SIZE, Letters, needed
from memory.language.grammar.verbs import forms
from memory.language.lazy_pattern import compile_lazily

Kind = Literal["statement", "correction", "transition", "past", "denial", "ended"]
"""How a value is said. "ended" says that the one that is held is over, and does not name it."""

EXPLICIT = 0.90
"""Trust at birth of what is typed and explicit."""
IMPLIED_TRUST = 0.70
"""Trust at birth of what follows from something else that was said."""
WEAK = 0.65
"""Trust at birth of what is most often meant, though not said: "I swim", "my car"."""
NOTICED_TRUST = 0.60
"""Trust at birth of what is only mentioned."""

_TRUSTS = {"explicit": EXPLICIT, "implied": IMPLIED_TRUST, "weak": WEAK, "noticed": NOTICED_TRUST}

ADVERBS = (
    "really|very|even|just|also|still|actually|always|usually|often|mostly|mainly|totally|too|so|"
    "absolutely|definitely|truly|personally|recently|only|both|simply|especially|currently|now|"
    "particularly|regularly|sometimes|kind of|sort of|quite|pretty|super|all|already|finally|"
    "occasionally|generally|honestly|secretly|literally|probably|certainly|sure|rather|lately|ever"
)
_BLANK = f" (?:(?:{ADVERBS}) )*"


class Anchor(StrEnum):
    """Where in a clause a pattern is tried."""

    I_AM = "I am"
    I = "I"  # noqa: E741  # the word that patterns name it by
    MY = "my"
    CLAUSE = "clause"
    ANYWHERE = "anywhere"
    GIVEN = "given"


@dataclass(frozen=True)
class Place:
    """A value in a pattern: which slot it fills, which reader takes it out, how it is said."""

    slot: str
    reader: str
    kind: Kind | None


@dataclass(frozen=True)
class Pattern:
    """One way of saying one thing: words, values, words, ... in turn.

    ``parts`` are the words before each value, and after the last one. ``letters`` are those that
    the first words cannot do without, see :mod:`..engine.prefilter`. ``modes`` are the modes of
    the predicate in which it speaks; ``denies`` says that its own words deny; ``negated`` is the
    slot that its denial fills ("I don't like tea" is a dislike); ``asked`` that it holds in a
    question too ("can I bring my dog?"). ``kind`` overrides the one that the mode implies.
    """

    name: str
    anchors: frozenset[Anchor]
    parts: tuple[re.Pattern[str], ...]
    letters: Letters
    places: tuple[Place, ...]
    trust: float
    confidence: float
    kind: Kind | None
    modes: frozenset[Mode]
    negated: str
    unless: re.Pattern[str] | None
    note: str
    asked: bool
    denies: bool
    hears: tuple[str, ...]

    @property
    def holds(self) -> bool:
        """Whether it holds whatever its clause says: "I would miss Oslo, where I live"."""
        return {Mode.DENIED, Mode.UNREAL} <= self.modes

    @property
    def slot(self) -> str:
        """The slot of the name."""
        return self.name.partition(".")[0]


_PLACE = re.compile(
    r"@(?:(?P<kind>past|denial|transition)\.)?(?:(?P<slot>[a-z_]+)=)?(?P<reader>[a-z_]+)"
)
_VERB = re.compile(r"~([a-z]+)")
_CLASS_OR_BLANK = re.compile(r"\[[^\]]*\]| \??")
_BLANKS = {" ": _BLANK, " ?": f"(?:{_BLANK})?"}
_NAMED = re.compile(r"\{([a-z_]+)\}")
# Characters of nobody: each stands for adverbs, a named part or a verb while letters are found.
_STAND_INS = 0xE000
_ADVERBS_HERE = chr(_STAND_INS)
_SHORT_BLANKS = {" ": f" {_ADVERBS_HERE}", " ?": _ADVERBS_HERE}


class PatternFile:
    """The patterns of one TOML file, in its order."""

    def __init__(self, path: Path, named: dict[str, str]) -> None:
        """Read a file; ``named`` are the parts that all files share."""
        content: dict[str, Any] = tomllib.loads(path.read_text("utf-8"))
        self._named = named | content.pop("parts", {})
        self._known: dict[str, Letters] = {}
        self.patterns = tuple(self._pattern(name, entry) for name, entry in content.items())

    def _pattern(self, name: str, entry: dict[str, Any]) -> Pattern:
        says, slot = entry["says"].strip(), entry.get("slot", name.partition(".")[0])
        places = tuple(
            Place(match["slot"] or slot, match["reader"], cast("Kind | None", match["kind"]))
            for match in _PLACE.finditer(says)
        )
        words = [part.lstrip() for part in _PLACE.sub("\0", says).split("\0")]
        words[-1] = f"{words[-1]} " if words[-1] else ""
        trust = entry.get("trust", "explicit")
        return Pattern(
            name=name,
            anchors=frozenset(Anchor(part.strip()) for part in entry["at"].split(",")),
            parts=tuple(compile_lazily(self._compiled(part, n)) for n, part in enumerate(words)),
            letters=self._letters(next((part for part in words if part), "")),
            places=places,
            trust=_TRUSTS[trust] if isinstance(trust, str) else trust,
            confidence=entry.get("confidence", 0.9),
            kind=entry.get("kind"),
            modes=frozenset(Mode(part) for part in entry.get("modes", "now past denied").split()),
            negated=entry.get("negated", ""),
            unless=compile_lazily(self._compiled(f"(?:{entry['unless']}) ", 0))
            if "unless" in entry
            else None,
            note=entry.get("note", ""),
            asked=entry.get("asked", False),
            denies=entry.get("denies", False),
            hears=tuple(entry.get("hears", ())),
        )

    def _letters(self, words: str) -> Letters:
        """What words need, by what stands in the file: written out they are forty times as long."""
        named: dict[str, Letters] = {_ADVERBS_HERE: None}

        def stand_in(match: re.Match[str]) -> str:
            character = chr(_STAND_INS + len(named))
            named[character] = self._letters_of(match[0])
            return character

        words = _VERB.sub(stand_in, _NAMED.sub(stand_in, words))
        words = _CLASS_OR_BLANK.sub(lambda match: _SHORT_BLANKS.get(match[0], match[0]), words)
        return needed(words, named)

    def _letters_of(self, name: str) -> Letters:
        if name not in self._known:
            self._known[name] = (
                frozenset({form[:SIZE] if len(form) >= SIZE else "" for form in forms(name[1:])})
                if name.startswith("~")
                else self._letters(self._named[name[1:-1]])
            )
        letters = self._known[name]
        return None if letters is None or "" in letters else letters

    def _compiled(self, words: str, number: int) -> str:
        """A part of a pattern as a regular expression over :attr:`Tokens.line`."""
        while _NAMED.search(words):
            words = _NAMED.sub(lambda match: f"(?:{self._named[match[1]]})", words)
        words = _VERB.sub(lambda match: f"(?:{'|'.join(forms(match[1]))})", words)
        if not words:
            return ""
        words = _CLASS_OR_BLANK.sub(lambda match: _BLANKS.get(match[0], match[0]), words)
        return words if number else rf"(?<!\S)(?:(?:{ADVERBS}) )*{words}"


FOLDER = Path(__file__).parents[1] / "patterns"


def shared_parts(theme: str) -> dict[str, str]:
    """The named parts of one file of patterns."""
    content = tomllib.loads((FOLDER / f"{theme}.toml").read_text("utf-8"))
    return dict(content["parts"])


def read_patterns(folder: Path = FOLDER) -> tuple[Pattern, ...]:
    """All patterns below a folder; the parts that they share stand in ``parts.toml``."""
    named = tomllib.loads((folder / "parts.toml").read_text("utf-8"))
    files = sorted(path for path in folder.glob("*.toml") if path.name != "parts.toml")
    return tuple(pattern for path in files for pattern in PatternFile(path, named).patterns)
