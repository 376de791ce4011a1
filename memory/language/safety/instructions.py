"""Detecting texts that try to instruct the assistant: memories are data, never orders.

Checked in this order: hidden text (`safety.obfuscation`), rules for orders that the classifier
misses (`instructions.toml`), sentences that begin with an order's verb, the trained classifier
(`safety.classifier`). A user's standing wishes ("always use metric units", "call me Captain") may
be stored.
"""

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from memory.language.budget import apply_budget
from memory.language.lazy_pattern import compile_lazily
from memory.language.lexicons import load_lexicon
from memory.language.safety import classifier, obfuscation
from memory.language.safety.obfuscation import fold_text
from memory.language.safety.pattern_file import PatternFile

WISHES = PatternFile("wishes.toml")
"""How people say what shall not be noted, told on, or hold for longer."""
OFF_THE_RECORD = WISHES.compiled("off_the_record")


class Kind(StrEnum):
    """The kind of an instruction that may not be stored."""

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
    """It spoils an answer."""
    OTHERS = "others"
    """It serves somebody else."""
    MATERIAL = "material"
    """It is material to answer from, and nothing the person says."""
    TASK = "task"
    """It is a task to be done now, and nothing to remember."""
    LEARNED = "learned"
    """It reads like such texts without matching a rule."""


_GRAVE = frozenset({Kind.OVERRIDE, Kind.ROLE, Kind.LEAK, Kind.HIDDEN, Kind.FRAME, Kind.WORDS,
                    Kind.OTHERS})  # fmt: skip
_BENEFIT_OF_DOUBT = 1.5
"""Log-odds more that the judge must find where people speak of themselves or their ways."""


@dataclass(frozen=True)
class Verdict:
    """Whether a text is refused; `score` from 0 (plain) to 1 (surely an instruction)."""

    refused: bool
    reason: Kind | None = None
    score: float = 0.0

    @property
    def grave(self) -> bool:
        """Whether nothing may be learned from the whole text."""
        return self.reason in _GRAVE


@dataclass(frozen=True)
class _Rule:
    """A pattern of one kind; `ordered`: its verb must be an order, not somebody's action."""

    kind: Kind
    pattern: re.Pattern[str]
    ordered: bool


_FILE = classifier.INSTRUCTIONS
_GRAVEST_FIRST = (Kind.OVERRIDE, Kind.ROLE, Kind.LEAK, Kind.FRAME, Kind.WORDS, Kind.OTHERS,
                  Kind.MATERIAL, Kind.SHAPING, Kind.TASK)  # fmt: skip
# Program code is full of "print" and "return"; these kinds are refused even in code.
_EVEN_IN_PROGRAMS = frozenset({Kind.OVERRIDE, Kind.ROLE, Kind.LEAK})


def _rules() -> Iterator[_Rule]:
    for kind in _GRAVEST_FIRST:
        for how in ("told", "any"):
            for written in _FILE.sections[kind].get(how, ()):
                pattern = compile_lazily(_FILE.composed(written), re.DOTALL | re.MULTILINE)
                yield _Rule(kind, pattern, ordered=how == "told")


RULES = tuple(_rules())
"""Read against folded text, the gravest kinds first: the first that speaks names the reason."""


def _wish(name: str) -> re.Pattern[str]:
    return compile_lazily(_FILE.part(name))


_STANDING, _OWN, _STYLE = _wish("standing"), _wish("own"), _wish("style")
_FOR_OTHERS, _OF_ONESELF = _wish("for_others"), _wish("of_oneself")
_TO_NOTE, _PLAN_OR_REPORT = _wish("to_note"), _wish("plan_or_report")
_SOMEBODY_DOES, _ORDERED = _wish("somebody_does"), _wish("ordered")
# Where a description of oneself ends and a demand begins.
_THEREFORE = re.compile(
    r"[;:\u2013\u2014\n]|,?\s+(?:(?:and|but)\s+)?\b(?:so|therefore|hence|thus|please|"
    r"(?:that's|that is|which is) why|because of (?:that|this|which))\b(?! (?:that|much|many)\b),?",
    re.IGNORECASE,
)
_CLAUSE = re.compile(r"\w[^.!?:\n]*")


def instructs(text: str) -> Verdict:
    """Return whether a text may not be stored because it instructs the assistant. Never raises.

    Reads the text within the budget. A refusal names the gravest kind.
    """
    verdict = judge_instruction_by_rule(text)
    if verdict.refused:
        return verdict
    odds = classifier.score(apply_budget(text)[0])
    folded = fold_text(text)
    doubtful = any(pattern.search(folded) for pattern in (_STANDING, _STYLE, _OF_ONESELF))
    learned = odds >= classifier.REFUSAL_THRESHOLD + (_BENEFIT_OF_DOUBT if doubtful else 0.0)
    return Verdict(learned, Kind.LEARNED if learned else None, round(1 / (1 + math.exp(-odds)), 3))


def has_instruction_clause(text: str) -> bool:
    """Return whether a clause of a text is an instruction, even if the rest is about oneself.

    Stricter than `instructs`: no higher threshold for texts about oneself.
    """
    clauses = [
        clause for clause in _THEREFORE.split(apply_budget(text)[0]) if len(clause.split()) > 1
    ]
    return any(
        judge_instruction_by_rule(clause).refused
        or classifier.score(clause) >= classifier.REFUSAL_THRESHOLD
        for clause in dict.fromkeys((text, *clauses))
        if clause.strip()
    )


@lru_cache(maxsize=8)
def judge_instruction_by_rule(text: str) -> Verdict:
    """Return the verdict by rules alone, without the trained classifier; cached."""
    text, _ = apply_budget(text)
    concealed = obfuscation.concealed(text)
    if concealed.unreadable:
        return Verdict(refused=True, reason=Kind.HIDDEN, score=1.0)
    reason = _broken_rule(text)
    if reason is None and any(_broken_rule(inner) for inner in concealed.texts):
        reason = Kind.HIDDEN
    return Verdict(reason is not None, reason, float(reason is not None))


def _broken_rule(text: str) -> Kind | None:
    """Return the kind of the first rule that matches, else None."""
    folded, prose = fold_text(text), fold_text(obfuscation.without_programs(text))
    if _PRAISES_A_NAME.search(text):
        return Kind.SHAPING
    if _dictates(obfuscation.without_programs(text)):
        return Kind.WORDS
    for rule in RULES:
        if _speaks(rule, folded if rule.kind in _EVEN_IN_PROGRAMS else prose):
            return rule.kind
    return Kind.TASK if _orders_something(prose) else None


def _speaks(rule: _Rule, folded: str) -> bool:
    return any(
        not (rule.ordered and _is_done_by_somebody(folded, match.start(), match[0]))
        and not _is_a_wish(rule.kind, folded, match.start(), match.end())
        for match in rule.pattern.finditer(folded)
    )


def _is_done_by_somebody(folded: str, start: int, matched: str) -> bool:
    if not matched[:1].isalpha():
        # The pattern itself matches the start of the sentence.
        return False
    before = folded[max(0, start - 60) : start]
    return bool(_SOMEBODY_DOES.search(before)) and not _ORDERED.search(before)


def _is_a_wish(kind: Kind, folded: str, start: int, end: int) -> bool:
    """Return whether a match is a user's wish how things are done, or to keep a secret.

    Always False for other grave kinds.
    """
    if kind is Kind.OTHERS:
        return OFF_THE_RECORD.search(folded[start:end]) is not None
    if kind not in {Kind.TASK, Kind.SHAPING}:
        return False
    first = max(folded.rfind(mark, 0, start + 1) for mark in ".!?\n") + 1
    stops = [index for mark in ".!?\n" if (index := folded.find(mark, end)) >= 0]
    sentence = folded[first : min(stops, default=len(folded))]
    if kind is Kind.TASK:
        clause = _CLAUSE.search(folded, start)
        others = clause is not None and _is_for_others(folded, *clause.span())
        return others or bool(_STANDING.search(sentence))
    return not _FOR_OTHERS.search(sentence) and _is_ones_way(sentence)


def _is_ones_way(sentence: str) -> bool:
    """Return whether a sentence says how the user likes things done."""
    return any(pattern.search(sentence) for pattern in (_STANDING, _OWN, _STYLE))


def _is_for_others(prose: str, start: int, end: int) -> bool:
    """Return whether an order is to take a note, is on somebody's list, or is reported."""
    noting = _TO_NOTE.search(prose[start:end].rstrip())
    return bool(noting or _PLAN_OR_REPORT.search(prose[max(0, start - 120) : start].rstrip()))


# --- Sentences that begin with an order's verb ---------------------------------------------------
#
# Verbs of living and feeling are not listed, because users leave out "I" ("work at a bank", "love
# dogs").

_ORDERS = load_lexicon("order_verbs")
# Verbs that are also nouns or self-descriptions: an order only with an object.
_WITH_OBJECT = load_lexicon("order_verbs_with_object")
_OBJECT = re.compile(
    r"(?:an?|the|this|that|these|those|your|all|every|each|any|some|it|them|him|only|as|whether|"
    r"how|what|why|which|with|between|two|three|five|ten|\d+|false|fake|wrong|incorrect|misleading|"
    r"die|das|den|der|dem|dies\w*|alle\w*|jede\w*|deine?\w*|eine?\w*|drei|zwei|"
    r"el|la|los|las|un|una|unos|unas|tus?|todo\w*|tres|dos|le|les|une?|des|ton|ta|tes|tout\w*)$"
)
# "Schreiben Sie": a German polite order. "Können Sie" asks.
_POLITE = re.compile(
    r"^(?!(?:konnen|konnten|haben|hatten|sind|waren|wissen|mochten|kennen|wollen|werden|wurden|"
    r"glauben|denken|finden|meinen|durfen)\b)[a-z]+en sie\b"
)
_SENTENCE = re.compile(r"[^.!?\n;:]+[.!?;:]?")


def _orders_something(prose: str) -> bool:
    """Return whether a sentence is an order that is not about how the user likes things done."""
    for match in _SENTENCE.finditer(prose):
        sentence = match[0].strip()
        if sentence.endswith("?") or not _is_order(sentence):
            continue
        if _is_for_others(prose, *match.span()):
            continue
        if _FOR_OTHERS.search(sentence) and not _STANDING.search(sentence):
            return True
        if not _is_ones_way(sentence):
            return True
    return False


def _is_order(sentence: str) -> bool:
    """Return whether a sentence, normalised by `fold_text`, begins like an order."""
    words = classifier.without_lead(classifier.WORD.findall(sentence[:200]))
    # "Lass uns morgen weiterreden": "let us", not an order.
    if len(words) < 2 or (words[0] == "lass" and words[1] in {"uns", "mich"}):
        return False
    if words[0] in _ORDERS or _POLITE.match(" ".join(words)):
        return True
    return words[0] in _WITH_OBJECT and bool(_OBJECT.match(words[1]))


# --- Orders in the form of wishes ----------------------------------------------------------------
#
# "I like answers that mention Acme first" has the form of "I like answers that are short"; only the
# first dictates content: a name to praise, an address, a risk to conceal.

# The dot of an address or title does not end a sentence.
_END = re.compile(r"(?<=[.!?])(?<!\b[DM]r\.)(?<!\bMrs\.)(?=\s|$|[\"')])|\n")
_LONGEST_STRETCH = 600
# Characters before a dictated part in which a denial counts.
_BEFORE = 60
_ABOUT_ANSWERS, _WISHED = _wish("about_answers"), _wish("wished")
_SILENCED, _DENIED = _wish("silenced"), _wish("denied")
_NAMED_BY_ONESELF, _PRAISES_A_NAME = _wish("named_by_oneself"), _wish("praises_a_name")
_DICTATED = tuple(
    compile_lazily(_FILE.composed(written)) for written in _FILE.sections["answers"]["dictated"]
)


def _dictates(text: str) -> bool:
    """Return whether a sentence of a text dictates what answers say."""
    return any(
        _dictates_in(sentence[start : start + _LONGEST_STRETCH].strip())
        for sentence in _END.split(obfuscation.straight(text))
        for start in range(0, len(sentence), _LONGEST_STRETCH)
    )


def _dictates_in(sentence: str) -> bool:
    wishes = _ABOUT_ANSWERS.search(sentence) and _WISHED.search(sentence)
    if not wishes or sentence.endswith("?"):
        return False
    silenced = _SILENCED.search(sentence)
    if silenced is not None and not _is_denied(sentence, silenced.start()):
        return True
    return any(
        not _is_denied(sentence, match.start()) and not _is_ones_own(sentence, match)
        for pattern in _DICTATED
        if (match := pattern.search(sentence)) is not None
    )


def _is_denied(sentence: str, position: int) -> bool:
    return bool(_DENIED.search(sentence[max(0, position - _BEFORE) : position]))


def _is_ones_own(sentence: str, match: re.Match[str]) -> bool:
    """Return whether a dictated name is the user's own name, or that of somebody close."""
    return bool(_NAMED_BY_ONESELF.search(sentence[max(0, match.start() - 30) : match.end()]))
