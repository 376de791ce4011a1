"""Facts a person states about themselves, read by rules: no model, no database, no Django.

The steps, each in its own module of :mod:`memory.grammar`:

1. ``masking`` hides what is not the person's own word (quotes, mail, code, material, secrets);
2. ``clauses`` cuts the text so that every clause has one subject;
3. ``guards`` sets aside questions, hypotheses and reported speech;
4. ``predicates`` tells now from past, denied and unreal;
5. ``literals`` passes over the families that a sentence cannot match;
6. the families, one module a theme, name the slot; the readers (``readers``, ``lists``,
   ``pursuits``, ``belongings``, ``whereabouts``, ``jobs``) take out the value;
7. ``wording`` writes the value down, ``anaphora`` and ``corrections`` find what stands elsewhere;
8. ``candidates`` drops duplicates, and what is only noticed where it is also said outright, and
   keeps one current value for a single-valued slot.

To widen it, add a family: a line of data in the module of its theme. What follows only by
implication gets a trust of at most ``IMPLIED``, so that the person is asked.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import islice
from typing import Literal

from memory.grammar import (
    activities,
    anaphora,
    changes,
    corrections,
    departments,
    doubt,
    favourites,
    food,
    frames,
    goals,
    home,
    living,
    media,
    person,
    private,
    settled,
    skills,
    style,
    tastes,
    trades,
    wording,
    work,
    workplaces,
)
from memory.grammar.anaphora import Echo, Topic
from memory.grammar.candidates import CURRENT, TASTES, Candidate, is_part_of, settle
from memory.grammar.clauses import Clause, Subject, clauses, sentences
from memory.grammar.family import IMPLIED, Family, Head, Kind
from memory.grammar.guards import (
    Verdict,
    follows_condition,
    is_make_believe,
    is_taken_back,
    judge,
)
from memory.grammar.literals import Index
from memory.grammar.masking import MASK, prepare
from memory.grammar.predicates import Mode, Predicate, parse
from memory.grammar.readers import Found, has_mask
from memory.slots import SLOTS

MAX_CHARS = 20_000
"""Characters read of one text; what lies beyond is ignored, so that time stays bounded."""

MIN_CONFIDENCE = 0.5
"""Candidates below this are not returned."""

__all__ = ["CURRENT", "FAMILIES", "MAX_CHARS", "Candidate", "extract"]

MAX_SENTENCES = 1_000
"""Sentences read of one text: three times what so many characters of prose have."""

MAX_CLAUSES = 120
"""Clauses read of one sentence; what has more is no sentence."""

MAX_GIVEN = 4
"""Things taken for granted that are read from one clause."""

AHEAD = 60
"""Characters beyond its clause that a reading may look at."""


FAMILIES: tuple[Family, ...] = (
    *private.FAMILIES,
    *person.FAMILIES,
    *living.FAMILIES,
    *settled.FAMILIES,
    *work.FAMILIES,
    *workplaces.FAMILIES,
    *departments.FAMILIES,
    *trades.FAMILIES,
    *changes.FAMILIES,
    *goals.FAMILIES,
    *skills.FAMILIES,
    *home.FAMILIES,
    *favourites.FAMILIES,
    *tastes.FAMILIES,
    *food.FAMILIES,
    *style.FAMILIES,
    *activities.FAMILIES,
    *media.FAMILIES,
)
_INDEX = Index([family.pattern for family in FAMILIES])
_BY_HEAD: dict[Head, tuple[tuple[int, Family], ...]] = {
    head: tuple((1 << n, family) for n, family in enumerate(FAMILIES) if head in family.heads)
    for head in Head
}

_THIS_CHAT = re.compile(
    r"\b(?:in|for|during) (?:this|the current|our) "
    r"(?:chat|talk|conversation|thread|session|discussion)\b",
    re.IGNORECASE,
)
# For a way of addressing somebody, "here" and "today" bound it too; for a job they do not.
_FOR_NOW = re.compile(
    r"\b(?:here|just for today|for today|only today|today|for now|this time|just this once)\b",
    re.IGNORECASE,
)
# "She/her here" says who is speaking, not where it holds.
_HERE_I_AM = re.compile(r"^\W*\w+(?:\s?/\s?\w+){1,2}\s+here\b")
_ADDRESSING = frozenset({"preferred_name", "preferences", "pronouns"})
_CORRECTS = re.compile(
    r"\b(?:actually|no|nope|correction|sorry|i meant|i mean|oops|wait|rather|my bad|instead)\b",
    re.IGNORECASE,
)
_NOT_THAT = re.compile(
    r"\s*,?\s*(?:and\s+)?(?:not|rather than|instead of)\s+(?:at\s+|in\s+|for\s+|with\s+)?",
    re.IGNORECASE,
)
_CORRECTION: Kind = "correction"
_DENIAL: Kind = "denial"
# "I was walking my dog" leaves the dog alive, "I used to walk my dog" does not.
_BYGONE = re.compile(
    r"\b(?:used? to|had|growing up|as a (?:kid|child|teen\w*)|when i was|years ago|back then|"
    r"back in|in high school|previously|formerly|worked|lived|owned)\b",
    re.IGNORECASE,
)
# "I used to study law": of schooling, which is read as lasting whatever its tense, only this and
# its like say that it is over.
_USED_TO = re.compile(
    r"(?:\b(?:i|we)\s+(?:\w+\s+)?|^\W*)used?\s+to\s+"
    r"(?:(?!and\b|but\b|when\b|while\b|so\b)[\w']+\s+){0,4}$",
    re.IGNORECASE,
)
_MODE_KIND: dict[Mode, Kind] = {Mode.NOW: "statement", Mode.PAST: "past", Mode.DENIED: "denial"}


def extract(text: str) -> list[Candidate]:
    """The facts that a text asserts about its author, in the order of the text.

    Reads the first :data:`MAX_CHARS` characters, of them the first :data:`MAX_SENTENCES` sentences,
    in time linear in their number. Never raises.
    No duplicates; at most one current value for a single-valued slot (the last correction or
    transition wins, else the best supported, else the last); nothing from masked text, so no
    password, key or card number is ever returned. A sensitive slot silences ordinary slots in its
    own clause.
    """
    if len(text) > MAX_CHARS:
        text = text[:MAX_CHARS]
    prepared = prepare(text)
    found: list[Candidate] = []
    topic: Topic | None = None
    before = 0
    for start, end, mark in islice(sentences(prepared), MAX_SENTENCES):
        if is_taken_back(prepared, start, end):
            found = [one for one in found if one.start < before]
            continue
        if frames.is_bare(prepared, start, end):
            found = [_narrowed(one) if one.start >= before else one for one in found]
            continue
        before = start
        here, topic = _in_frame(prepared, start, end, mark, topic)
        found = _put_right(prepared, start, end, found) if not here else found
        found.extend(here)
    return sorted(settle(found), key=lambda candidate: (candidate.start, candidate.end))


def _put_right(text: str, start: int, end: int, found: list[Candidate]) -> list[Candidate]:
    """What a sentence without a fact of its own does to those before: "Priya Raman." after a name.

    "No, I meant Lisbon" takes the last single-valued statement back, if it can be of that kind.
    """
    single = [one for one in found if one.kind in CURRENT and not SLOTS[one.slot].many]
    last = single[-1] if single else None
    if last is not None and last.slot == "name":
        fuller = anaphora.fuller_name(text, start, end, last.value)
        if fuller is not None:
            return [_turned(one, fuller, one.kind) if one is last else one for one in found]
    right = corrections.only_meant(text, start, end)
    if right is None and last is not None:
        right = corrections.only_instead(text, start, end, last.slot)
        if right is not None and not has_mask(text, right):
            return _corrected(found, last, right)
    if right is None or has_mask(text, right):
        return found
    slot = corrections.kind_of(right.value)
    if last is None or (slot and slot != last.slot):
        return [*found, *_meant(slot, right)]
    return _corrected(found, last, right)


def _corrected(found: list[Candidate], last: Candidate, right: Found) -> list[Candidate]:
    """What was found, with the last of it taken back for what is right."""
    kept = [one for one in found if one is not last]
    return [*kept, replace(last, kind=_DENIAL), _turned(last, right, _CORRECTION)]


def _meant(slot: str, right: Found) -> list[Candidate]:
    """A correction of something said before this text, if the value tells its slot."""
    if not slot:
        return []
    cue = f"{slot}.meant"
    span = right.start, right.end
    return [Candidate(slot, right.value, 0.7, IMPLIED, *span, "profile", _CORRECTION, cue)]


def _in_frame(
    text: str, start: int, end: int, mark: str, topic: Topic | None
) -> tuple[list[Candidate], Topic | None]:
    """What a sentence asserts; 'just for this chat' before it narrows all of it, after it what
    stands last.
    """
    first, last = frames.without(text, start, end)
    found, topic = _of_sentence(text, first, last, mark, topic)
    if first == start and last == end:
        return found, topic
    parts = clauses(text, first, last) if first == start else []
    narrow_from = parts[-1].start if parts else first
    return [_narrowed(one) if one.start >= narrow_from else one for one in found], topic


def _narrowed(one: Candidate) -> Candidate:
    return replace(one, scope="conversation")


def _of_sentence(
    text: str, start: int, end: int, mark: str, topic: Topic | None
) -> tuple[list[Candidate], Topic | None]:
    """What a sentence asserts, and what the next one may take up with "it"."""
    parts = clauses(text, start, end)[:MAX_CLAUSES]
    able = Able(_INDEX.possible(text[start:end]))
    before: Predicate | None = None
    found: list[Candidate] = []
    denied: set[str] = set()
    verdict_before = Verdict.CLEAR
    for position, (clause, verdict) in enumerate(zip(parts, judge(text, parts, mark), strict=True)):
        predicate = before = parse(text, clause, before)
        taken: list[Candidate] = []
        if verdict in {Verdict.CLEAR, Verdict.SUBORDINATE}:
            main = verdict is Verdict.CLEAR
            anchored = _anchored if main else _given
            taken = _of_clause(
                text, clause, predicate, end, anchored(text, clause, predicate, able)
            )
            echoed = anaphora.echoes(text, clause, predicate, topic) if main else []
            echoed += anaphora.which(text, clause, topic) if not main else []
            if position and verdict_before in {Verdict.CLEAR, Verdict.SUBORDINATE}:
                echoed += anaphora.where(text, clause, parts[position - 1])
            said = (_echo(text, clause, echo) for echo in echoed if _may_echo(text, echo))
            taken.extend(one for one in said if one is not None)
        elif not is_make_believe(text, clause, parts[position - 1] if position else None):
            spoken = [*_presupposed(clause, able)]
            really = predicate.mode is not Mode.UNREAL
            if position and really and follows_condition(text, clause, parts[position - 1]):
                spoken += [
                    ([family for family in families if family.slot in TASTES], at)
                    for families, at in _anchored(text, clause, predicate, able)
                ]
            taken = _of_clause(text, clause, predicate, end, spoken)
        for candidate in taken:
            if candidate.kind == "denial":
                denied.add(candidate.slot)
            corrects = candidate.kind == "statement" and candidate.slot in denied
            found.append(replace(candidate, kind="correction") if corrects else candidate)
        verdict_before = verdict
        found = _amended(text, clause, end, found, parts[position - 1] if position else None)
        spans = [
            (one.slot, Found(one.start, one.end, one.value)) for one in taken if one.slot in TASTES
        ]
        topic = anaphora.remember(text, clause, spans, topic)
    if "?" not in mark:
        found.extend(_corrections(text, start, end))
    return found, topic


def _corrections(text: str, start: int, end: int) -> list[Candidate]:
    """What a sentence that is nothing but a correction asserts and takes back."""
    said = corrections.of_sentence(text, start, end)
    if said is None or has_mask(text, said.right) or has_mask(text, said.wrong):
        return []
    cue = f"{said.slot}.corrected"
    return [
        Candidate(said.slot, one.value, 0.8, said.trust, one.start, one.end, "profile", kind, cue)
        for one, kind in ((said.right, _CORRECTION), (said.wrong, _DENIAL))
    ]


def _amended(
    text: str, clause: Clause, end: int, found: list[Candidate], before: Clause | None
) -> list[Candidate]:
    """ "I work at Google but I meant Microsoft", "Not Google, I work at Microsoft"."""
    last = found[-1] if found else None
    if last is None or SLOTS[last.slot].many or last.kind != "statement":
        return found
    right = (
        corrections.meant(text, clause.start, end)
        or corrections.meant(text, last.end, end)
        or corrections.instead(text, last.end, end, last.slot)
    )
    if right is not None and last.end < right.start and not has_mask(text, right):
        return [*found[:-1], _turned(last, right, _CORRECTION), replace(last, kind="denial")]
    wrong = before and corrections.not_that(text, before.start, before.end)
    if wrong and clause.start <= last.start and not has_mask(text, wrong):
        return [*found[:-1], replace(last, kind="correction"), _turned(last, wrong, _DENIAL)]
    return found


def _turned(one: Candidate, other: Found, kind: Kind) -> Candidate:
    """The same statement about another value."""
    return replace(one, value=other.value, start=other.start, end=other.end, kind=kind)


def _may_echo(text: str, echo: Echo) -> bool:
    return not has_mask(text, echo.found) and not private.PRIVATE_VALUE.search(echo.found.value)


def _echo(text: str, clause: Clause, echo: Echo) -> Candidate | None:
    found, scope = echo.found, _scope(text, clause, echo.slot)
    value = " ".join(found.value.split())
    slot = wording.place_of(echo.slot, value)
    value = wording.noted(slot, value)
    if not value:
        return None
    return Candidate(
        slot, value, echo.confidence, echo.trust, found.start, found.end, scope, "statement",
        echo.cue,
    )  # fmt: skip


def _of_clause(
    text: str,
    clause: Clause,
    predicate: Predicate,
    end: int,
    speaking: Iterable[Speaking],
) -> list[Candidate]:
    found: list[Candidate] = []
    here, ahead = clause.end, min(end, clause.end + AHEAD)
    for families, at in speaking:
        for family in families:
            for match in _matches(text, family, at, here, ahead):
                if family.check and not family.check(match):
                    continue
                stop = ahead if family.is_given else min(end, here)
                for value in family.read(text, match.end(), stop):
                    found.extend(
                        _candidates(text, clause, predicate, family, match=match, found=value)
                    )
    if any(SLOTS[candidate.slot].sensitive for candidate in found):
        found = [candidate for candidate in found if SLOTS[candidate.slot].sensitive]
    return [one for one in found if not any(is_part_of(one, other) for other in found)]


def _matches(
    text: str, family: Family, at: int, clause_end: int, ahead: int
) -> Iterable[re.Match[str]]:
    """Where a family's pattern stands: at its anchor, or at the first few places of a clause.

    What is taken for granted may look a little ahead: "the bank | I work at".
    """
    if family.is_given:
        found = family.pattern.search(text, at, ahead)
        return () if found is None else _further(text, family, found, clause_end, ahead)
    if family.is_anywhere:
        found = family.pattern.search(text, at, clause_end)
    else:
        found = family.pattern.match(text, at, ahead if family.is_open else clause_end)
    return () if found is None else (found,)


def _further(
    text: str, family: Family, first: re.Match[str], clause_end: int, ahead: int
) -> Iterator[re.Match[str]]:
    """The first match and those after it that begin in the clause."""
    for match in islice(family.pattern.finditer(text, first.start(), ahead), MAX_GIVEN):
        if match.start() >= clause_end:
            return
        yield match


Speaking = tuple[list[Family], int]
"""Families that may speak about a clause, and the place where their patterns start."""


class Able(dict[Head, list[Family]]):
    """By head, the families that may match anywhere in a sentence; worked out when asked for."""

    def __init__(self, possible: int) -> None:
        super().__init__()
        self._possible = possible

    def __missing__(self, head: Head) -> list[Family]:
        possible = self._possible
        found = self[head] = [family for bit, family in _BY_HEAD[head] if bit & possible]
        return found


def _given(text: str, clause: Clause, predicate: Predicate, able: Able) -> Iterator[Speaking]:
    """What a clause takes for granted holds whether or not the clause does: "when my dog barks"."""
    if predicate.mode is not Mode.PAST or not _BYGONE.search(text, clause.start, clause.end):
        yield able[Head.GIVEN], clause.start
    if clause.subject is Subject.SELF and predicate.mode is Mode.NOW:
        head = Head.BE if predicate.head == "be" else Head.VERB
        if _WHENEVER.search(text, max(0, clause.start - 12), clause.start):
            yield [family for family in able[head] if family.cue in _HABITS], predicate.start


# "When I swim" tells that somebody swims; "when I win" tells nothing.
_WHENEVER = re.compile(r"\b(?:when|whenever|while|before|after)\s*$", re.IGNORECASE)
_HABITS = frozenset(
    {"interests.bare", "interests.go", "interests.makes", "interests.play", "likes.listen"}
)
_PRESUPPOSED = frozenset(
    {
        "pets.my", "pets.my_called", "pets.my_kind", "vehicle.my", "possessions.my",
        "home.my", "home.at_my_house",
    }
)  # fmt: skip
"""What calls a thing one's own, and so has it, whatever is asked or wished about it."""


def _presupposed(clause: Clause, able: Able) -> Iterator[Speaking]:
    """What is so even where a clause only asks or supposes: "would you ride in my jeep?"."""
    yield [family for family in able[Head.GIVEN] if family.cue in _PRESUPPOSED], clause.start


def _anchored(text: str, clause: Clause, predicate: Predicate, able: Able) -> Iterator[Speaking]:
    """Families that may speak about the clause, each with the place where its pattern starts."""
    if clause.subject in {Subject.SELF, Subject.WE}:
        ours = clause.subject is Subject.WE
        told = able[Head.BE if predicate.head == "be" else Head.VERB]
        yield (
            [
                family
                for family in told
                if predicate.mode in family.modes and not (ours and family.slot in _OF_ONE)
            ],
            predicate.start,
        )
    if clause.subject is Subject.MY:
        yield able[Head.MY], clause.body
    # Requests stand at the start of the clause, before or after openers ("no", "please").
    yield able[Head.OPEN], _first_word(text, clause)
    if predicate.mode is not Mode.UNREAL or clause.subject is not Subject.SELF:
        yield able[Head.ANY], clause.start
    yield from _given(text, clause, predicate, able)


# What nobody is together with others.
_OF_ONE = frozenset({"name", "age", "job_title"})


def _first_word(text: str, clause: Clause) -> int:
    """Where the clause's own words begin: its subject if it has one, else its body."""
    at = clause.start + len(clause.openers)
    while at < clause.body and text[at] in ' ,.:*-"':
        at += 1
    return at


# "So I guess I speak Greek" is half a joke.
_GUESSED = re.compile(r"\bi (?:guess|suppose)\s*$", re.IGNORECASE)


def _candidates(
    text: str,
    clause: Clause,
    predicate: Predicate,
    family: Family,
    *,
    match: re.Match[str],
    found: Found,
) -> Iterator[Candidate]:
    if has_mask(text, found):
        return
    value = family.shape(match, found.value) if family.shape else found.value
    slot = wording.place_of(family.slot, " ".join(value.split()))
    if not SLOTS[slot].sensitive and private.PRIVATE_VALUE.search(value):
        return
    value = wording.noted(slot, " ".join(value.split()))
    confidence = round(family.confidence * found.sure, 3)
    if confidence < MIN_CONFIDENCE or MASK in value or not value.strip():
        return
    kind, denied = _kind(text, clause, predicate, family, found)
    unsure = _is_unsure(text, clause, slot, found) or doubt.is_doubtful(family.slot, value)
    trust = min(family.trust, IMPLIED) if unsure else family.trust
    scope = _scope(text, clause, slot)
    if scope == "conversation":
        value = _FOR_NOW.sub("", _THIS_CHAT.sub("", value)).strip(" ,") or value
    yield Candidate(slot, value, confidence, trust, found.start, found.end, scope, kind, family.cue)
    if denied is not None and not has_mask(text, denied):
        yield Candidate(
            family.slot,
            denied.value,
            confidence,
            trust,
            denied.start,
            denied.end,
            scope,
            "denial",
            family.cue,
        )


def _is_unsure(text: str, clause: Clause, slot: str, found: Found) -> bool:
    """Whether it was only implied or guessed, or names a place in small letters that no list knows,
    which may be none.
    """
    unknown = slot in {"location", "hometown"} and found.sure < 1
    guessed = _GUESSED.search(text, max(0, clause.start - 12), clause.start)
    return unknown or bool(guessed) or clause.implied or clause.subject is Subject.WE


def _kind(
    text: str, clause: Clause, predicate: Predicate, family: Family, found: Found
) -> tuple[Kind, Found | None]:
    """The kind of an assertion, and the value that it expressly takes back, if any."""
    own = clause.subject in {Subject.SELF, Subject.WE} and Head.GIVEN not in family.heads
    mode = predicate.mode if own else Mode.NOW
    kind: Kind = family.kind or _MODE_KIND.get(mode, "statement")
    if family.slot == "education" and _USED_TO.search(text[clause.start : found.start]):
        return "past", None
    if kind != "statement" or SLOTS[family.slot].many:
        return kind, None
    taken_back = _taken_back(text, family, found)
    if taken_back is not None or _CORRECTS.search(f"{clause.lead} {clause.openers}"):
        return "correction", taken_back
    adverbs = text[clause.body : predicate.start]
    if _CORRECTS.search(adverbs) and clause.subject is Subject.SELF:
        return "correction", None
    return ("transition" if predicate.changed else "statement"), None


def _taken_back(text: str, family: Family, found: Found) -> Found | None:
    """The "Google" of "I work at Microsoft, not Google"."""
    denial = _NOT_THAT.match(text, found.end)
    if not denial or SLOTS[family.slot].many:
        return None
    line_end = text.find("\n", denial.end())
    stop = min(len(text) if line_end < 0 else line_end, denial.end() + 80)
    values = family.read(text, denial.end(), stop)
    return values[0] if values else None


def _scope(text: str, clause: Clause, slot: str) -> Literal["profile", "conversation"]:
    words = _HERE_I_AM.sub("", text[clause.start : clause.end])
    if _THIS_CHAT.search(words) or (slot in _ADDRESSING and _FOR_NOW.search(words)):
        return "conversation"
    return "profile"
