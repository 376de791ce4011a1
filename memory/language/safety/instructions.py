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

from memory.language.safety import (
    classifier,
    foreign_instructions,
    imperatives,
    obfuscation,
    output_steering,
)
from memory.language.safety.instruction_patterns import RULES, Kind, Rule
from memory.language.safety.obfuscation import fold

MAX_CHARS = 20_000
"""Characters read of one text; what is longer is no memory anyway."""

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


# Whoever says how they like things done speaks of every time, or of themselves.
_WISH = re.compile(
    r"\b(?:always|never|whenever|every time|each time|when i|if i|from now on|by default|"
    r"generally|in general|usually|prefer\w*|i(?:'d)? like|i want|going forward|in (?:all|every|"
    r"future)|for me|my|me|i|immer|nie|niemals|grundsatzlich|wenn ich|in zukunft|ab jetzt|lieber|"
    r"bevorzug\w*|mir|mich|ich|mein\w*|siempre|nunca|cuando|prefiero|mis?|toujours|jamais|"
    r"quand je|prefere|moi|mes|mon|ma)\b"
)
_STANDING = re.compile(
    r"\b(?:always|never|whenever|every time|each time|when i|if i|from now on|by default|"
    r"generally|in general|usually|prefer\w*|i(?:'d)? like|going forward|in (?:all|every|future)|"
    r"with (?:every|each)|when you (?:talk|speak) (?:about|of|to)|immer|nie|niemals|"
    r"grundsatzlich|wenn ich|in zukunft|ab jetzt|lieber|"
    r"bevorzug\w*|siempre|nunca|cuando|prefiero|toujours|jamais|quand je|prefere)\b"
)
# How an answer is written is for its reader to wish; what stands in it, under a name, is not.
_STYLE = re.compile(
    r"\b(?:short(?:er|en|ly)?|brief\w*|concise\w*|step by step|slowly|\d+-hour|simple|plain|"
    r"formal|informal|"
    r"casual|polite|friendly|"
    r"metric|imperial|celsius|bullets?|bullet points|headings?|emojis?|markdown|tables?|jargon|"
    r"british|american|english|german|french|spanish|examples?|sources?|citations?|units?|"
    r"kurz\w*|knapp\w*|einfach\w*|formlich\w*|beispiele?|quellen?|breves?|cort[ao]s?|simples?|"
    r"ejemplos?|fuentes?|courtes?|courts?|exemples?)\b"
)
_FOREIGN = re.compile(
    r"[\"@]|(?<!\w)'\w[^'\n]*'(?!\w)|\bwww\.|https?:|\w\.(?:com|net|org|xyz|io)\b|"
    r"\b(?:users?|readers?|customers?|visitors?|everyone|people|donations?|votes?|"
    r"(?:my|our) (?:shop|store|brand|company|product|site|website|channel|app))\b"
)
# "That is cool. I have a cat too" tells; "I want you to act" does not.
_OF_ONESELF = re.compile(
    r"(?:^|[.!?,;:\n])\W{0,4}(?:(?:and|but|so|well|yes|no|hi|und|aber|ja|nein)\W{1,4})?"
    r"(?:i|my|mine|we|our|ich|mein\w*|wir|unser\w*|yo|mi|je|mon|ma|nous)\b"
    r"(?!(?:'d)? (?:(?:would |just )?(?:like|want|need|order|command|ask|urge|beg) you\b|"
    r"(?:will|mochte|befehle)\b[^.!?\n]{0,10}\bdass\b))"
)
# Where what somebody is ends and what shall be done for it begins.
_THEREFORE = re.compile(
    r"[;:\u2013\u2014\n]|,?\s+(?:(?:and|but)\s+)?\b(?:so|therefore|hence|thus|please|"
    r"(?:that's|that is|which is) why|because of (?:that|this|which))\b(?! (?:that|much|many)\b),?",
    re.IGNORECASE,
)
_CLAUSE = re.compile(r"\w[^.!?:\n]*")
# Orders that nobody gives the assistant: what is to be noted, what somebody plans to do, and what
# somebody else said.
_TO_NOTE = re.compile(
    r"\b(?:save|store|note|keep|write|put|record|notiere?|schreibe?)\s+"
    r"(?:this|that|it|dir|das|dies)(?:\s+(?:down|for me|for later|auf))?\W*$|"
    r"\b(?:make|take|mach(?:e)?(?: dir)?) (?:a|eine) (?:note|notiz)\W*$"
)
_PLAN_OR_REPORT = re.compile(
    r"(?:\b(?:to-?do|to do|list|plans?|today|tomorrow|tonight|this week|weekend|\w+day|next week|"
    r"heute|morgen|diese woche|erledigen|einkaufen|montag|dienstag|mittwoch|donnerstag|freitag|"
    r"samstag|sonntag)|"
    r"\b(?:he|she|they|mum|mom|dad|grandma|(?:my|our|the|his|her|mein\w*|der|die|unser\w*)\s+\w+)"
    r"(?:'s)?\b[^.!?:\n]{0,40}\b(?:said|says|told (?:me|us)|wrote|repeat\w*|advice|motto|rule|"
    r"homework|sagt\w*|schrieb)\b[^.!?:\n]{0,30})\s*[:-]\s*[\"']?$"
)
# "I often forget everything", "what did you just say": somebody does it, nobody is told to.
_SOMEBODY_DOES = re.compile(
    r"(?:\b(?:i|we|he|she|they|it|who|people|i'd|i'll|let's|lets|ich|wir|er|man|je|nous|yo)\b"
    r"(?! (?:want|need|command|order|ask|beg|urge)\b)[^.!?,;:\n]{0,25}|"
    r"\b(?:you|u|to|don't|not|never|du|sie)\s+)$"
)
_ORDERED = re.compile(
    r"\b(?:you (?:must|should|shall|will|can|could|may|have to|need to|are to|got to)|"
    r"(?:want|need|command|order|ask|beg|urge|told|tell) you to|(?:can|could|will|would) you|"
    r"please)"
    r"\s+(?:just\s+|only\s+)?$"
)
# What even a standing wish may not do: praise a name, put words at the end of each answer, claim
# rights. Read in the text as it stands, because the capital tells a name from a kind of thing.
_STEERS = (
    (
        Kind.SHAPING,
        re.compile(
            r"(?i:\b(?:always|only|never|must|should|every time|from now on)\b[^.!?\n]{0,30}"
            r"\b(?:recommend|promote|advertise|endorse|praise|plug|favou?r))\s+(?:[a-z]+\s+){0,2}"
            r"[A-Z]\w+"
        ),
    ),
    (
        Kind.WORDS,
        re.compile(
            r"\b(?:answers?|repl(?:y|ies)|responses?|messages?|you)\b[^.!?\n]{0,30}"
            r"\b(?:end|finish|close|begin|start|open)s?\b[^.!?\n]{0,15}\bwith\b[^.!?\n]{0,20}"
            r"[\"'“‘«]",
            re.IGNORECASE,
        ),
    ),
    (
        Kind.OTHERS,
        re.compile(
            r"\b(?:i am|i'm|(?:the|this) (?:user|person) is)\s+(?:an?\s+|the\s+)?"
            r"(?:system |site |super ?)?(?:admin(?:istrator)?|root|superuser|owner)\b[^.!?\n]{0,40}"
            r"\b(?:access|see all|all data|all accounts|permissions?|rights|override)\b",
            re.IGNORECASE,
        ),
    ),
    # Nobody who speaks of themselves has noted what "the user" is or may.
    (
        Kind.OTHERS,
        re.compile(
            r"\b(?:store|save|note|remember|record|keep|memori[sz]e|add|write)\b[^.!?\n]{0,40}"
            r"\b(?:the|this) user (?:may|must|agree[sd]|consent(?:s|ed)|accepted|approved|"
            r"wants you|"
            r"(?:is|has)(?: \w+){0,3}? (?:admin\w*|root|owner|access|rights?|permissions?|agreed|"
            r"consented|accepted|paid|approved|verified|trusted|allowed|entitled|authori[sz]ed))\b"
            r"|(?<!\bi )(?<!\bwe )\balways (?:obey|comply|do as (?:told|they say))\b"
            r"(?! (?:my|our|the law|the rules))",
            re.IGNORECASE,
        ),
    ),
)
# Program text is full of "print" and "return"; what overrides or disguises is an order even there.
_EVEN_IN_PROGRAMS = frozenset({Kind.OVERRIDE, Kind.ROLE, Kind.LEAK})


def instructs(text: str) -> Verdict:
    """Whether a text must not be kept as a memory because it instructs. Pure, and never raises.

    Reads the first :data:`MAX_CHARS` characters. A refused verdict names its kind; the gravest
    kind wins.
    """
    verdict = by_rule(text)
    if verdict.refused:
        return verdict
    odds = classifier.score(text[:MAX_CHARS])
    doubtful = any(pattern.search(fold(text)) for pattern in (_STANDING, _STYLE, _OF_ONESELF))
    learned = odds >= classifier.THRESHOLD + (_BENEFIT_OF_DOUBT if doubtful else 0.0)
    return Verdict(learned, Kind.LEARNED if learned else None, round(1 / (1 + math.exp(-odds)), 3))


def carries_an_order(text: str) -> bool:
    """Whether any clause of it instructs, though the rest is about oneself.

    Stricter than `instructs`: nobody who speaks of themselves has the benefit of the doubt here.
    """
    clauses = [clause for clause in _THEREFORE.split(text[:MAX_CHARS]) if len(clause.split()) > 1]
    return any(
        by_rule(clause).refused or classifier.score(clause) >= classifier.THRESHOLD
        for clause in dict.fromkeys((text, *clauses))
        if clause.strip()
    )


@lru_cache(maxsize=8)
def by_rule(text: str) -> Verdict:
    """The verdict without the trained judge: all grave kinds, in a fraction of the time.

    The last few are known: a message is looked at from several sides while it is read.
    """
    text = text[:MAX_CHARS]
    concealed = obfuscation.concealed(text)
    if concealed.unreadable:
        return Verdict(refused=True, reason=Kind.HIDDEN, score=1.0)
    reason = _broken_rule(text)
    if reason is None and any(_broken_rule(inner) for inner in concealed.texts):
        reason = Kind.HIDDEN
    return Verdict(reason is not None, reason, float(reason is not None))


def _broken_rule(text: str) -> Kind | None:
    """The kind of the first rule that speaks."""
    folded, prose = fold(text), fold(obfuscation.without_programs(text))
    for kind, pattern in _STEERS:
        if pattern.search(text):
            return kind
    if output_steering.dictates(obfuscation.without_programs(text)):
        return Kind.WORDS
    for rule in RULES:
        if _speaks(rule, folded if rule.kind in _EVEN_IN_PROGRAMS else prose):
            return rule.kind
    if (elsewhere := foreign_instructions.kind_of(prose)) is not None:
        return elsewhere
    return Kind.TASK if _orders_something(prose) else None


def _orders_something(prose: str) -> bool:
    """Whether a sentence is an order that is not about this person's own ways."""
    for start, end in imperatives.orders(prose):
        sentence = prose[start:end]
        if _is_for_others(prose, start, end):
            continue
        if _FOREIGN.search(sentence) and not _STANDING.search(sentence):
            return True
        if not _WISH.search(sentence) and not _STYLE.search(sentence):
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
    stops = [at for mark in ".!?\n" if (at := folded.find(mark, end)) >= 0]
    sentence = folded[first : min(stops, default=len(folded))]
    if kind is Kind.TASK:
        clause = _CLAUSE.search(folded, start)
        others = clause is not None and _is_for_others(folded, *clause.span())
        return others or bool(_STANDING.search(sentence))
    return not _FOREIGN.search(sentence) and bool(_WISH.search(sentence) or _STYLE.search(sentence))
