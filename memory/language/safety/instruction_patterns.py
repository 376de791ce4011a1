"""How people write when they give an assistant orders: `instructions.toml` as patterns, by kind.

They name classes (a verb of forgetting with a word for what was said before), in English, German,
Spanish and French, with the nearest words of some neighbours. What the trained classifier
(`safety.classifier`) refuses by itself needs no pattern, unless it must be known to be grave.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from memory.language.lazy_pattern import compile_lazily
from memory.language.safety.pattern_file import PatternFile


class Kind(StrEnum):
    """What is wrong with a text that must not be kept."""

    OVERRIDE = "override"
    """It sets aside what was said or ruled before."""
    ROLE = "role"
    """It makes the assistant somebody else."""
    LEAK = "leak"
    """It asks for the assistant's own instructions."""
    HIDDEN = "hidden"
    """It hides its words from the eye, or hides an order in markup."""
    FRAME = "frame"
    """It imitates the frame of a prompt: system lines, speakers, a scene to go on with."""
    WORDS = "words"
    """It puts words into the assistant's mouth."""
    SHAPING = "shaping"
    """It slips something into an answer, or spoils it."""
    OTHERS = "others"
    """It serves somebody else: sells, links, sends data away, keeps something from the person."""
    MATERIAL = "material"
    """It is material to answer from, and nothing the person says."""
    TASK = "task"
    """It is a task to be done now, and nothing to remember."""
    LEARNED = "learned"
    """It reads like such texts without matching a rule."""


@dataclass(frozen=True)
class Rule:
    """A pattern of one kind; `told`: its verb must be an order, not something somebody does."""

    kind: Kind
    pattern: re.Pattern[str]
    told: bool = False


_FILE = PatternFile("instructions.toml")
_GRAVEST_FIRST = (Kind.OVERRIDE, Kind.ROLE, Kind.LEAK, Kind.FRAME, Kind.WORDS, Kind.OTHERS,
                  Kind.MATERIAL, Kind.SHAPING, Kind.TASK)  # fmt: skip


def any_of(name: str) -> str:
    """The words of the list of that name, as a part of a pattern: one of them."""
    return _FILE.any_of(name)


def pattern(name: str) -> re.Pattern[str]:
    """The pattern of that name, compiled when it is first used."""
    return compile_lazily(_FILE.part(name))


def patterns(name: str) -> tuple[re.Pattern[str], ...]:
    """The patterns about answers of the list of that name."""
    return tuple(compile_lazily(_FILE.composed(one)) for one in _FILE.sections["answers"][name])


def _rules() -> Iterator[Rule]:
    for kind in _GRAVEST_FIRST:
        for how in ("told", "any"):
            for written in _FILE.sections[kind].get(how, ()):
                composed = compile_lazily(_FILE.composed(written), re.DOTALL | re.MULTILINE)
                yield Rule(kind, composed, told=how == "told")


RULES = tuple(_rules())
"""Read against folded text, the gravest kinds first: the first that speaks names the reason."""
