"""What a clause asserts, decided once: whose it is, whether it holds, is denied, over or asked.

Patterns say which slot the words speak of. Whether the clause says so of the person, and how, is
decided here alone, from the clause and its predicate, so no pattern looks for "not" itself.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from memory.language.engine.clause_guards import Verdict
from memory.language.engine.clauses import Clause, Subject
from memory.language.engine.predicates import Mode, Predicate
from memory.language.grammar.pattern import NOTICED_TRUST, Anchor, Kind, Pattern
from memory.language.grammar.tokens import Tokens
from memory.language.lexicons import lexicon
from memory.language.readers.things import WELL_KNOWN
from memory.slots import SLOTS, TASTES

HELD = frozenset({"pets", "vehicle", "possessions", "home"})
"""Slots of what somebody has about them, which is there whatever else a clause says."""


@dataclass(frozen=True)
class AssertedClause:
    """A clause with all that was decided about it, in the words of its sentence.

    ``first`` and ``stop`` are its words, ``far`` where what is taken for granted may still lie,
    ``able`` the names of the patterns that its sentence can match.
    """

    text: str
    clause: Clause
    predicate: Predicate
    verdict: Verdict
    said: Tokens
    first: int
    stop: int
    far: int
    able: frozenset[str]
    make_believe: bool = False

    @property
    def own(self) -> bool:
        """Whether the person speaks of themselves."""
        return self.clause.subject in {Subject.SELF, Subject.WE}

    @property
    def is_clear(self) -> bool:
        """Whether it is stated, and not asked, supposed, reported or only said by the way."""
        return self.verdict is Verdict.CLEAR

    @cached_property
    def line(self) -> str:
        """The words of the clause."""
        return self.said.line[self.said.offset(self.first) : self.said.offset(self.stop)]

    def says(self, pattern: re.Pattern[str]) -> bool:
        """Whether its words match."""
        return pattern.search(self.line) is not None


@dataclass(frozen=True)
class Polarity:
    """The slot that a match fills in place of its own, and its kind where the denial decides it."""

    slot: str = ""
    kind: Kind | None = None


_DENIES = re.compile(
    r"(?<!\S)(?:(?:is|are|was|were|am|do|does|did|has|have|had|can|could|will|would|should|be) "
    r"(?:\w+ )?(?:not|never|no longer)|no longer|never|neither|nobody|none|nothing|hardly|barely|"
    r"no|without|not) "
)
_OVER = re.compile(r"(?<!\S)(?:no longer|any ?more|any longer|used to|stopped|gave up) ")
_ONCE_NOT = re.compile(r"(?<!\S)(?:did|was|were|had) (?:\w+ )?not ")


def polarity(pattern: Pattern, clause: AssertedClause, anchor: Anchor) -> Polarity | None:
    """How what a pattern finds holds; None where a denial leaves nothing to note.

    A denied liking is a dislike, unless it is over ("I don't like it any more") or was of one time
    ("I did not like the soup").
    """
    if clause.own and anchor in {Anchor.I, Anchor.I_AM}:
        return _polarity_of_self(pattern, clause)
    if pattern.denies or pattern.holds or pattern.slot in HELD:
        return Polarity()
    if pattern.kind in {"past", "ended", "denial"}:
        return Polarity()
    if not clause.says(_DENIES):
        return Polarity()
    return Polarity(pattern.negated) if pattern.negated else None


def _polarity_of_self(pattern: Pattern, clause: AssertedClause) -> Polarity | None:
    if clause.predicate.mode is not Mode.DENIED:
        # "Working at Nokia is not for me": the person left out the "I", or spoke of the work.
        return None if clause.clause.implied and clause.says(_DENIES) else Polarity()
    if clause.says(_OVER) and (pattern.negated or Mode.DENIED in pattern.modes):
        return Polarity(kind="denial")
    if pattern.negated and clause.says(_ONCE_NOT):
        return None
    return Polarity(pattern.negated)


# --- What may be noticed in passing ---------------------------------------------------------------

_GONE = re.compile(
    r"(?<!\S)(?:died|passed away|ran away|no longer|was (?:stolen|totalled)|got stolen|dead|years "
    r"ago|when i was|growing up|childhood|used to|sold|get rid of|got rid of|put down|"
    r"(?:gave|give|given|giving) (?:\w+ ){0,3}?(?:away|up)|(?:had|have|has) to sell|parted with|"
    r"lost|wish|if i had|want (?:a|an|to (?:get|have|buy))|would love|saving (?:up )?for|looking "
    r"for|miss(?:ed)?|as a (?:kid|child)) "
)
# A duty, a trade, a refusal, one occasion: what is named in it says nothing of a taste.
_OCCASION = re.compile(
    r"(?<!\S)(?:just finished|got back from|back from|home from|the other day|right now|at the "
    r"moment|(?:am|was|were|been) (?:\w+ )?(?:eating|having|drinking|cooking|making|frying|"
    r"ordering)|better than|too \w+ for|instead of|sell|sells|sold|for a living|unfortunately|"
    r"sadly|darn|dull|boring|burn|burned|smells|without|quit|stopped|gave up|give up|giving up|"
    r"cut down|leave the|for (?:one of )?my (?:\w+ )?(?:class|classes|homework|exam|exams|dogs?|"
    r"cats?|kids|job|work)|sing about|would be|hear|anything but|everything but|allergic|when i "
    r"was|as a kid|years ago) "
)
_AVERSE = re.compile(
    r"(?<!\S)(?:hate|hates|dislike|despise|loathe|detest|avoid|can not stand|sick of|tired of|"
    r"gross|"
    r"disgusting|afraid|scared|(?:have|had|need) to (?:\w+ )?(?:eat|drink|watch|listen)|spill) "
)
# "I'd love to go hiking" is drawn to it, "I will" and "I should" are not.
_DRAWN = re.compile(
    r"(?<!\S)(?:love|want|wish|hope|rather|wait|ready|excited|learn|learning|try|trying|can|dream) "
)
_HABIT = re.compile(
    r"(?<!\S)(?:love|loves|like|enjoy|favourite|fan|into|fun|hobby|passion|great|best|awesome|"
    r"amazing|delicious|addicted|addict|obsessed|prefer|mostly|mainly|a lot|lots|usually|always|"
    r"often|sometimes|every|each|since|daily|weekends|spare|free time|again|any chance|good at) "
)
_ONCE_WISHED = re.compile(r"(?:when i was|as a (?:kid|child)|used to) ")


def may_notice(pattern: Pattern, clause: AssertedClause) -> bool:
    """Whether what is only mentioned in a clause may be taken from it."""
    mode = clause.predicate.mode
    if not clause.own and mode is not Mode.PAST:
        mode = Mode.NOW
    if pattern.slot == "home" and mode is not Mode.NOW:
        return False
    if pattern.slot in TASTES and pattern.trust <= NOTICED_TRUST:
        if clause.says(_AVERSE):
            return False
        if clause.says(_OCCASION):
            return clause.says(_HABIT)
        if mode is Mode.UNREAL:
            return clause.says(_DRAWN)
    if pattern.slot in HELD:
        return not clause.says(_GONE)
    return mode is Mode.NOW or (mode in pattern.modes and pattern.kind is not None)


def was_wished_once(clause: AssertedClause) -> bool:
    """Whether a wish is one of earlier: "I wanted to be a vet when I was a kid"."""
    return bool(_ONCE_WISHED.search(clause.said.line[clause.said.offset(clause.first) :]))


_OWN = frozenset({"i", "we", "am", "me", "mine", "myself"})
_OTHERS = lexicon.word_set("you he she they his her their your who him them")
_PEOPLE = lexicon.KIN | lexicon.word_set("""
friend friends wife husband boyfriend girlfriend roommate roommates neighbor neighbour coworker
neighbors partner uncle aunt cousin people someone everyone somebody ex parents
""")
_BESIDE = frozenset({"with", "and", "for"})


_YOU = re.compile(r"(?<!\S)(?:you|your|yours) ")


def is_of_others(pattern: Pattern, clause: AssertedClause, index: int) -> bool:
    """Whether a taste is only named in a sentence about others: "the neighbours brought cake"."""
    noticed = pattern.slot in TASTES and pattern.trust <= NOTICED_TRUST
    told = index > clause.said.first_at(clause.clause.body)
    about_others = clause.clause.subject is Subject.OTHER and told
    if noticed and not clause.own and clause.says(_YOU):
        return True
    return noticed and about_others and not _OWN & set(clause.said.words[:index])


_PRAISE = re.compile(
    r"\b(?:wow|whoa|gorgeous|stunning|cute|adorable|awesome|amazing|beautiful|lovely|aw+|"
    r"congrat\w*|looks?|looked|way to go|well done|photo|picture|pic)\b[^\n]{0,90}$",
    re.IGNORECASE,
)
_POINTED = frozenset({"the", "that", "those", "these"})


def is_reaction(pattern: Pattern, clause: AssertedClause, first: int) -> bool:
    """Whether a taste only answers what somebody else showed: "Gorgeous! I love the colours"."""
    if pattern.slot not in TASTES or not clause.own or first == 0:
        return False
    definite = clause.said.words[first - 1] in _POINTED
    known = bool(set(clause.said.words[first : first + 1]) & WELL_KNOWN)
    return definite and not known and bool(_PRAISE.search(clause.text[: clause.clause.start]))


def is_anothers(clause: AssertedClause, index: int) -> bool:
    """Whether the person who was named last before a mention, in its sentence, is another one."""
    words = clause.said.words
    if words[index] in {"my", "our"}:
        return index + 1 < len(words) and words[index + 1] in _PEOPLE
    for n in range(index - 1, -1, -1):
        if words[n] in _OWN:
            return False
        named = words[n].removesuffix("'s") in _PEOPLE and n > 0 and words[n - 1] not in _BESIDE
        if words[n] in _OTHERS or named:
            return True
    return False


def is_of_then(pattern: Pattern, clause: AssertedClause, after: int) -> bool:
    """Whether a thing of one's own is spoken of as gone: "my old truck was great"."""
    return pattern.slot in HELD and clause.said.words[after : after + 1] in {("was",), ("were",)}


# --- How it is said -------------------------------------------------------------------------------

_MODE_KIND: dict[Mode, Kind] = {Mode.NOW: "statement", Mode.PAST: "past", Mode.DENIED: "denial"}
_CORRECTS = re.compile(
    r"\b(?:actually|no|nope|correction|sorry|i meant|i mean|oops|wait|rather|my bad|instead)\b",
    re.IGNORECASE,
)
_USED_TO = re.compile(r"(?<!\S)used to ")


def kind_of(pattern: Pattern, clause: AssertedClause, slot: str) -> Kind:
    """The kind of an assertion that neither its pattern nor its polarity declares."""
    own = clause.own and not pattern.anchors & {Anchor.GIVEN, Anchor.ANYWHERE}
    mode = clause.predicate.mode
    told = own or (mode is Mode.PAST and pattern.slot not in HELD)
    kind: Kind = pattern.kind or (_MODE_KIND.get(mode) if told else None) or "statement"
    if kind == "denial" and pattern.negated:
        kind = "statement"
    if slot == "education" and kind == "statement" and clause.says(_USED_TO):
        return "past"
    if kind != "statement" or SLOTS[slot].many:
        return kind
    adverbs = clause.text[clause.clause.body : clause.predicate.start] if clause.own else ""
    if _CORRECTS.search(f"{clause.clause.lead} {clause.clause.openers} {adverbs}"):
        return "correction"
    return "transition" if clause.predicate.changed and own else "statement"


THIS_CHAT = re.compile(
    r"\b(?:in|for|during) (?:this|the current|our) "
    r"(?:chat|talk|conversation|thread|session|discussion)\b",
    re.IGNORECASE,
)
# For a way of addressing somebody, "here" and "today" bound it too; for a job they do not.
FOR_NOW = re.compile(
    r"\b(?:here|just for today|for today|only today|today|for now|this time|just this once)\b",
    re.IGNORECASE,
)
_ADDRESSING = frozenset({"preferred_name", "preferences"})


def scope_of(clause: AssertedClause, slot: str) -> Literal["profile", "conversation"]:
    """Whether it holds everywhere, or in its conversation only."""
    for_now = slot in _ADDRESSING and clause.says(FOR_NOW)
    return "conversation" if clause.says(THIS_CHAT) or for_now else "profile"


def is_guessed(clause: AssertedClause) -> bool:
    """Whether it was only implied or guessed: half a joke, or said of several."""
    before = clause.text[max(0, clause.clause.start - 14) : clause.clause.end].lower()
    guessed = "i guess" in before
    return guessed or clause.clause.implied or clause.clause.subject is Subject.WE
