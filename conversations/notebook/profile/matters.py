"""Questions about oneself that mean a part of what is noted: allergies, medicine, children.

They are answered from the person's own facts and notes, each with its day, in every conversation:
what is private there was noted at its owner's word. What was only confided, and not noted, is told
in its own conversation and no other.
"""

import re
import tomllib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from accounts.support.process_cache import once_per_process
from conversations.markdown import literal
from conversations.notebook.answer_builder import (
    Answer,
    day_in_full,
    noted_line,
    quote_from_here,
    used_fact,
    used_note,
)
from conversations.prompt import Prompt
from memory.language import (
    MEDICINE_REGEX,
    compile_lazily,
    content_stem_ids,
    content_words,
    find_private_slots,
    find_private_words,
    has_food_allergy,
    is_pure_question,
)
from memory.models import ProfileFact
from memory.retrieval import ScoredNote
from memory.slots import PRIVATE_SLOTS

_MOST = 8

_OTHERS = compile_lazily(
    r"^(?:(?:my|our) (?:\w+ )?(?:mother|mum|mom|father|dad|parents?|wife|husband|partner|son|child"
    r"|daughter|kids?|children|brother|sister|sibling|girlfriend|boyfriend|friend|boss|cousin"
    r"|uncle|aunt|grand\w+|colleague|neighbou?r|cat|dog)\b|he\b|she\b|they\b)",
    re.IGNORECASE,
)
_PERSONAL = compile_lazily(r"\b(?:i|i'm|i've|me|my|mine|we|our)\b", re.IGNORECASE)


@dataclass(frozen=True)
class _Matter:
    """A part of what is known of somebody, see `matters.toml`."""

    name: str
    slots: tuple[str, ...]
    asked: re.Pattern[str]
    called: re.Pattern[str] | None
    told: re.Pattern[str] | None
    besides: tuple[re.Pattern[str], ...]
    at_table: bool

    def tells(self, text: str) -> bool:
        """Whether a value or a note in these slots belongs to it."""
        if not self.besides:
            return self.told is None or self.told.search(text) is not None
        rest = text
        for other in self.besides:
            rest = other.sub("_", rest)
        return rest == text or bool(find_private_slots(rest) & set(self.slots))


@once_per_process
def _data() -> dict[str, Any]:
    return tomllib.loads(Path(__file__).with_name("matters.toml").read_text("utf-8"))


def _pattern(*forms: str) -> re.Pattern[str]:
    """One of these forms, with their parts put in."""
    whole = "|".join(forms)
    for name, part in {**_data()["parts"], "medicine_words": MEDICINE_REGEX}.items():
        whole = whole.replace(f"{{{name}}}", part)
    return re.compile(whole, re.IGNORECASE)


@once_per_process
def _load_matters() -> list[_Matter]:
    return [
        _Matter(
            name=name,
            slots=tuple(given["slots"]),
            asked=_pattern(*given["asked"]),
            called=_pattern(rf"\b(?:{given['called']})\b") if "called" in given else None,
            told=_pattern(given["told"]) if "told" in given else None,
            besides=tuple(map(_pattern, given.get("besides", ()))),
            at_table=given.get("at_table", False),
        )
        for name, given in _data()["matters"].items()
    ]


@once_per_process
def _of_family() -> re.Pattern[str]:
    return _pattern(*_data()["family"]["asked"])


def about_oneself(prompt: Prompt, answer: Answer) -> bool:
    """Answer a question about a part of what is noted; False where it is none."""
    reading = prompt.question.reading
    core = reading.core
    if family := _of_family().fullmatch(core):
        return _tell_family(prompt, answer, next(filter(None, family.groupdict().values())))
    for matter in _load_matters():
        if match := matter.asked.fullmatch(core):
            named = [one for one in match.groupdict().values() if one]
            return _of_matter(prompt, answer, matter, named[0].strip() if named else "")
    return bool(reading.last_asked) and _confided(prompt, answer, reading.last_asked)


def facts_and_notes_of(prompt: Prompt, what: str) -> tuple[list[ProfileFact], list[ScoredNote]]:
    """The facts and notes of the matter that a few words name, those with its other words."""
    for matter in _load_matters():
        match = matter.called.search(what) if matter.called else None
        if match is None:
            continue
        rest = f"{what[: match.start()]} {what[match.end() :]}"
        wanted = [word for word in content_words(rest) if word not in ("allergic", "have")]
        facts, notes = _noted_of(prompt, matter)
        return (
            [fact for fact in facts if all(_shares(fact.value, [one]) for one in wanted)],
            [note for note in notes if all(_shares(_text(note), [one]) for one in wanted)],
        )
    return [], []


def _noted_of(prompt: Prompt, matter: _Matter) -> tuple[list[ProfileFact], list[ScoredNote]]:
    facts = [fact for fact in _facts(prompt, matter.slots) if matter.tells(fact.value)]
    return facts, [n for n in _own_notes(prompt, matter.slots) if matter.tells(_text(n))]


def _of_matter(prompt: Prompt, answer: Answer, matter: _Matter, named: str) -> bool:
    """What is noted of it; of something that is named there ("penicillin"), that first of all."""
    facts, notes = _noted_of(prompt, matter)
    if matter.at_table:
        facts += [f for f in _facts(prompt, ("diet",)) if has_food_allergy(f.value)]
    if named and named.lower() not in ("anything", "something", "food", "any "):
        about = [f for f in facts if _shares(f.value, [named])]
        spoken = [n for n in notes if _shares(_text(n), [named])]
        if about or spoken:
            facts, notes = about, spoken
        elif facts or notes:
            answer.say(f"I have noted nothing of that for {literal(named)}.")
    if facts or notes:
        answer.say(f"This is what I have noted about {matter.name}:")
        _list_facts_and_notes(answer, facts, notes)
        return True
    return _quote_from_here(prompt, answer, lambda text: _is_of(text, matter))


def _is_of(text: str, matter: _Matter) -> bool:
    kinds = find_private_slots(text)
    return bool(kinds & set(matter.slots)) and matter.tells(text) and not _OTHERS.match(text)


def _tell_family(prompt: Prompt, answer: Answer, who: str) -> bool:
    """Those of the family who are asked for; False where none is noted."""
    family, word = _data()["family"], who.lower()
    words = family["related"][family["called"].get(word, word.removesuffix("s"))]
    related = re.compile(rf"\b(?:{words})\b", re.IGNORECASE)
    facts = [fact for fact in _facts(prompt, ("family",)) if related.search(fact.value)]
    ours = re.compile(
        r"\b(?:my|our|family:|(?:have|got|and) (?:an?|two|three))\s+(?:\w+\s+)?"
        rf"(?:{words})\b",
        re.IGNORECASE,
    )
    notes = [note for note in prompt.own_notes if ours.search(_text(note))]
    if not facts and not notes:
        return False
    answer.say(f"This is what I have noted of your {literal(who.lower())}:")
    _list_facts_and_notes(answer, facts, notes)
    return True


def _confided(prompt: Prompt, answer: Answer, question: str) -> bool:
    """A question about a private matter: what is noted that has its words; False for none."""
    words = find_private_words(question)
    if not words or not _PERSONAL.search(question) or not is_pure_question(question):
        return False
    facts = [fact for fact in _facts(prompt, PRIVATE_SLOTS) if _shares(fact.value, words)]
    notes = [note for note in prompt.own_notes if _shares(_text(note), words)]
    if facts or notes:
        answer.say("This is what I have noted of that:")
        _list_facts_and_notes(answer, facts, notes)
        return True
    return _quote_from_here(prompt, answer, lambda text: _shares(text, words))


def _quote_from_here(prompt: Prompt, answer: Answer, fits: Callable[[str], bool]) -> bool:
    """What was confided in this very conversation and is not noted."""
    lead = "I have noted nothing of that. You said here, where it stays:"
    return quote_from_here(prompt, answer, lead, fits, _MOST)


# --- What is noted -------------------------------------------------------------------------------


def _facts(prompt: Prompt, slots: Iterable[str]) -> list[ProfileFact]:
    return [fact for slot in slots for fact in prompt.recall.facts.get(slot, ())]


def _own_notes(prompt: Prompt, slots: Iterable[str]) -> list[ScoredNote]:
    """The notes of these kinds, as their words tell, that speak of the person."""
    wanted = set(slots)
    return [
        note
        for note in prompt.own_notes
        if not _OTHERS.match(_text(note))
        and (
            find_private_slots(_text(note)) & wanted
            or ("diet" in wanted and has_food_allergy(_text(note)))
        )
    ]


def _text(note: ScoredNote) -> str:
    return note.original or note.content


def _shares(text: str, words: Iterable[str]) -> bool:
    """Whether a text has one of these words, in whatever form."""
    there = content_stem_ids(text)
    return any(asked and asked <= there for asked in map(content_stem_ids, words))


def _list_facts_and_notes(
    answer: Answer, facts: list[ProfileFact], notes: list[ScoredNote]
) -> None:
    """Each with its day. A note that says no more than the facts do is left out."""
    told = {word for fact in facts for word in content_words(fact.value)}
    for fact in facts[: 2 * _MOST]:
        line = fact.kind.note.format(value=literal(fact.value))
        answer.point(f"{line}, as you said on {day_in_full(fact.last_verified)}", used_fact(fact))
    for note in sorted(notes, key=lambda note: note.said_at, reverse=True)[:_MOST]:
        if not told.issuperset(content_words(_text(note))):
            answer.point(noted_line(note), used_note(note))
