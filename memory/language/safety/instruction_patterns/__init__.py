"""How people write when they give an assistant orders: the patterns, by kind and language.

Every pattern is read against folded text (`instructions.fold`): lower case, without accents,
straight quotes. They name classes (a verb of forgetting with a word for what was said before), in
English, German, Spanish and French, with the nearest words of some neighbours. A pattern that is
told only when nobody is the subject of its verb ("I forget everything") is marked `told`.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from memory.language.lazy_pattern import lazy_pattern
from memory.language.safety.instruction_patterns import (
    leak,
    override,
    prompt_frames,
    role,
    scripted_answers,
    shaping,
    tasks,
    third_parties,
)


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


def _rules(kind: Kind, patterns: tuple[tuple[str, bool], ...]) -> Iterator[Rule]:
    for pattern, told in patterns:
        yield Rule(kind, lazy_pattern(pattern, re.DOTALL | re.MULTILINE), told)


RULES: tuple[Rule, ...] = (
    *_rules(Kind.OVERRIDE, override.PATTERNS),
    *_rules(Kind.ROLE, role.PATTERNS),
    *_rules(Kind.LEAK, leak.PATTERNS),
    *_rules(Kind.FRAME, prompt_frames.PATTERNS),
    *_rules(Kind.WORDS, scripted_answers.PATTERNS),
    *_rules(Kind.OTHERS, third_parties.PATTERNS),
    *_rules(Kind.MATERIAL, prompt_frames.MATERIAL),
    *_rules(Kind.SHAPING, shaping.PATTERNS),
    *_rules(Kind.TASK, tasks.PATTERNS),
)
"""The gravest kinds first: the first rule that speaks names the reason."""
