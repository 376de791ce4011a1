"""Whether a text tries to instruct the assistant: a memory is data, and never an order.

Three readings, the cheap ones first: what hides from the eye (`safety.obfuscation`), rules by kind
(`safety.instruction_patterns`), and a small trained classifier for what no rule names
(`safety.classifier`). A person's standing wishes ("always use metric units", "call me Captain") are
theirs to have remembered.
"""

import math
import re
from dataclasses import dataclass
from functools import lru_cache

from memory.language.budget import apply_budget
from memory.language.safety import (
    classifier,
    imperatives,
    obfuscation,
    output_steering,
)
from memory.language.safety.concepts import holds, without, without_strokes
from memory.language.safety.concepts import pattern as concept
from memory.language.safety.instruction_patterns import RULES, Kind, Rule, pattern
from memory.language.safety.obfuscation import fold_text

_BENEFIT_OF_DOUBT = 1.5
"""Log-odds more that the judge must find where people speak of themselves or their ways."""

_GRAVE = frozenset({Kind.OVERRIDE, Kind.ROLE, Kind.LEAK, Kind.HIDDEN, Kind.FRAME, Kind.WORDS,
                    Kind.OTHERS})  # fmt: skip


@dataclass(frozen=True)
class Verdict:
    """Whether a text is kept out; `score` from 0 (plain) to 1 (surely an instruction)."""

    refused: bool
    reason: Kind | None = None
    score: float = 0.0

    @property
    def grave(self) -> bool:
        """Whether nothing at all of the text may be learned, not even a statement beside it."""
        return self.reason in _GRAVE


_STANDING, _OWN, _STYLE = pattern("standing"), pattern("own"), pattern("style")
_FOR_OTHERS, _OF_ONESELF = pattern("for_others"), pattern("of_oneself")
_TO_NOTE, _PLAN_OR_REPORT = pattern("to_note"), pattern("plan_or_report")
_SOMEBODY_DOES, _ORDERED = pattern("somebody_does"), pattern("ordered")
# Where what somebody is ends and what shall be done for it begins.
_THEREFORE = re.compile(
    r"[;:\u2013\u2014\n]|,?\s+(?:(?:and|but)\s+)?\b(?:so|therefore|hence|thus|please|"
    r"(?:that's|that is|which is) why|because of (?:that|this|which))\b(?! (?:that|much|many)\b),?",
    re.IGNORECASE,
)
_PRAISES_A_NAME = pattern("praises_a_name")
_CLAUSE = re.compile(r"\w[^.!?:\n]*")
# Program text is full of "print" and "return"; what overrides or disguises is an order even there.
_EVEN_IN_PROGRAMS = frozenset({Kind.OVERRIDE, Kind.ROLE, Kind.LEAK})


def instructs(text: str) -> Verdict:
    """Whether a text must not be kept as a memory because it instructs. Pure, and never raises.

    Reads what the budget allows. A refused verdict names its kind; the gravest
    kind wins.
    """
    verdict = judge_instruction_by_rule(text)
    if verdict.refused:
        return verdict
    odds = classifier.score(apply_budget(text)[0])
    doubtful = any(pattern.search(fold_text(text)) for pattern in (_STANDING, _STYLE, _OF_ONESELF))
    learned = odds >= classifier.REFUSAL_THRESHOLD + (_BENEFIT_OF_DOUBT if doubtful else 0.0)
    return Verdict(learned, Kind.LEARNED if learned else None, round(1 / (1 + math.exp(-odds)), 3))


def has_instruction_clause(text: str) -> bool:
    """Whether any clause of it instructs, though the rest is about oneself.

    Stricter than `instructs`: nobody who speaks of themselves has the benefit of the doubt here.
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
    """The verdict without the trained judge: all grave kinds, in a fraction of the time.

    The last few are known: a message is looked at from several sides while it is read.
    """
    text, _ = apply_budget(text)
    concealed = obfuscation.concealed(text)
    if concealed.unreadable:
        return Verdict(refused=True, reason=Kind.HIDDEN, score=1.0)
    reason = _broken_rule(text)
    if reason is None and any(_broken_rule(inner) for inner in concealed.texts):
        reason = Kind.HIDDEN
    return Verdict(reason is not None, reason, float(reason is not None))


def _broken_rule(text: str) -> Kind | None:
    """The kind of the first rule that speaks."""
    if _PRAISES_A_NAME.search(text):
        return Kind.SHAPING
    folded, prose = fold_text(text), fold_text(obfuscation.without_programs(text))
    if output_steering.dictates(obfuscation.without_programs(text)):
        return Kind.WORDS
    for rule in RULES:
        if _speaks(rule, folded if rule.kind in _EVEN_IN_PROGRAMS else prose):
            return rule.kind
    if (elsewhere := _foreign_kind(prose)) is not None:
        return elsewhere
    return Kind.TASK if _orders_something(prose) else None


def _orders_something(prose: str) -> bool:
    """Whether a sentence is an order that is not about this person's own ways."""
    for start, end in imperatives.orders(prose):
        sentence = prose[start:end]
        if _is_for_others(prose, start, end):
            continue
        if _FOR_OTHERS.search(sentence) and not _STANDING.search(sentence):
            return True
        if not _is_ones_way(sentence):
            return True
    return False


def _is_for_others(prose: str, start: int, end: int) -> bool:
    """Whether an order is one to take a note, stands on somebody's list, or was somebody else's."""
    noting = _TO_NOTE.search(prose[start:end].rstrip())
    return bool(noting or _PLAN_OR_REPORT.search(prose[max(0, start - 120) : start].rstrip()))


def _speaks(rule: Rule, folded: str) -> bool:
    return any(
        not (rule.told and _is_done_by_somebody(folded, match.start(), match[0]))
        and not _is_a_wish(rule.kind, folded, match.start(), match.end())
        for match in rule.pattern.finditer(folded)
    )


def _is_done_by_somebody(folded: str, start: int, matched: str) -> bool:
    if not matched[:1].isalpha():
        # The pattern itself saw where the sentence begins.
        return False
    before = folded[max(0, start - 60) : start]
    return bool(_SOMEBODY_DOES.search(before)) and not _ORDERED.search(before)


def _is_a_wish(kind: Kind, folded: str, start: int, end: int) -> bool:
    """Whether the sentence says how this person likes things done; grave kinds are never wishes."""
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
    """Whether it says how this person likes things done."""
    return any(one.search(sentence) for one in (_STANDING, _OWN, _STYLE))


# --- Orders in the languages that the English rules do not read ----------------------------------
# An order is a verb as it is said to somebody, at the head of its clause, and with it what makes it
# more than a task: it sets rules aside, holds from now on, keeps something from the person, or
# hands out what is secret.

_CLAUSE_OF_ANY = re.compile(r"[^.!?;:,\n\u2013\u2014]+")
_SENTENCE = re.compile(r"[^.!?\n]+[.!?]?")
_WORD = re.compile(r"\w")
_QUOTED = re.compile(r"\"[^\"\n]{2,}\"|«[^»\n]{2,}»|(?<!\w)'[^'\n]{3,}'(?!\w)")


def _foreign_kind(folded: str) -> Kind | None:
    """The kind of the first sentence of a folded text that is such an order, or None."""
    found = (_of_sentence(match[0]) for match in _SENTENCE.finditer(without_strokes(folded)))
    return next((kind for kind in found if kind is not None), None)


def _of_sentence(plain: str) -> Kind | None:
    if plain.endswith("?"):
        return None
    if _is_said(plain, "override_verb") and holds(plain, "rules_noun"):
        return Kind.OVERRIDE
    if _keeps_from_the_person(plain):
        return Kind.OTHERS
    if _is_said(plain, "reveal_verb") and holds(plain, "secret_noun"):
        return Kind.LEAK
    return _from_now_on(plain) if holds(plain, "persist") else None


def _keeps_from_the_person(plain: str) -> bool:
    if _is_said(plain, "silence"):
        return holds(plain, "user_noun")
    return _is_said(plain, "answer_verb") and holds(plain, "negation", "user_noun")


def _from_now_on(plain: str) -> Kind | None:
    if _is_said(plain, "promote_verb") and not holds(plain, "for_me"):
        return Kind.SHAPING
    if _is_said(plain, "comply_verb") and not holds(plain, "for_me"):
        return Kind.OTHERS
    if _is_said(plain, "answer_verb") and _QUOTED.search(plain):
        return Kind.WORDS
    return Kind.ROLE if holds(plain, "persona", "you_are") else None


def _is_said(plain: str, verb: str) -> bool:
    """Whether a clause begins with it, but for "please" and "from now on"."""
    return any(
        not _WORD.search(without(clause[0][: match.start()], "persist", "lead"))
        for clause in _CLAUSE_OF_ANY.finditer(plain)
        if (match := concept(verb).search(clause[0])) is not None
    )
