"""Questions about oneself that mean a part of what is noted: allergies, medicine, children.

They are answered from the person's own facts and notes, each with its day, in every conversation:
what is private there was noted at its owner's word. What was only confided, and not noted, is told
in its own conversation and no other.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from conversations.markdown import literal
from conversations.notebook.answer_builder import Answer, noted, on, said_here, used_fact, used_note
from conversations.prompt import Prompt
from memory.language.lazy_pattern import lazy_pattern
from memory.language.queries import speech_acts
from memory.language.safety import health_terms, sensitivity
from memory.language.text import dedup, terms
from memory.models import ProfileFact
from memory.retrieval.relevance import ScoredNote
from memory.slots import PRIVATE_SLOTS

_MOST = 8
HEALTH = ("medical", "mental_health")

# Parts of the forms below.
_ABOUT = (
    r"(?:(?:and )?(?:what (?:is|are|was|were)|what's|list|show me|about|of|anything about|is|are"
    r"|have you (?:noted|got)|what (?:else )?(?:do|have|did|should|must|can) (?:you|i)"
    r" (?:know|known|noted|note|remember|tell you|told you|say|said|mention) (?:about|of|on)"
    r"|(?:have|did) i (?:told|tell|mention|mentioned)(?: you)?(?: anything)?(?: about| of)?) )?"
    r"(?:all )?(?:of )?my "
)
_HAVE_I = r"(?:do i (?:still )?have|have i(?: got| had)?|did i have)"
_MEDICINES = r"(?:medicines?|medications?|meds|drugs?|pills?|tablets?)"
_ILLNESSES = (
    r"(?:illness(?:es)?|diseases?|(?:(?:medical|health|chronic) )+(?:problems?|issues?)"
    r"|(?:(?:medical|health|chronic) )*conditions?|diagnos[ei]s|ailments?"
    r"|disabilit(?:y|ies)|injur(?:y|ies)|sickness(?:es)?)"
)
_AT_TABLE = r"(?:eat|eating|cook|cooking|restaurants?|dinner|food|meals?|table|menu|lunch|order)"

_ALLERGY = lazy_pattern(r"allerg|anaphyla|epipen|hay ?fever", re.IGNORECASE)
_MEDICINE = lazy_pattern(
    rf"\b(?:{health_terms.MEDICINE}|takes?|taking|prescribed)\b", re.IGNORECASE
)
_EXPECTING = lazy_pattern(r"pregnan\w+", re.IGNORECASE)
_EARNED = lazy_pattern(
    r"\b(?:earn\w*|salary|income|wages?|paid|make|(?:a|per|an) (?:month|year|week|hour))\b",
    re.IGNORECASE,
)
_OWED = lazy_pattern(r"\b(?:owe\w*|debts?|loans?|mortgage|borrow\w*|bankrupt\w*)\b", re.IGNORECASE)
_OTHERS = lazy_pattern(
    r"^(?:(?:my|our) (?:\w+ )?(?:mother|mum|mom|father|dad|parents?|wife|husband|partner|son|child"
    r"|daughter|kids?|children|brother|sister|sibling|girlfriend|boyfriend|friend|boss|cousin"
    r"|uncle|aunt|grand\w+|colleague|neighbou?r|cat|dog)\b|he\b|she\b|they\b)",
    re.IGNORECASE,
)
_PERSONAL = lazy_pattern(r"\b(?:i|i'm|i've|me|my|mine|we|our)\b", re.IGNORECASE)


@dataclass(frozen=True)
class Matter:
    """A part of what is known of somebody: how it is called, asked for, and told.

    `slots` are where it may stand; `tells` says of a value or a note's text whether it belongs.
    """

    name: str
    asked: re.Pattern[str]
    slots: tuple[str, ...]
    tells: Callable[[str], bool]


def _form(*forms: str) -> re.Pattern[str]:
    return lazy_pattern("|".join(forms), re.IGNORECASE)


def _is_illness(text: str) -> bool:
    """What is left of a text that tells of health without allergies, medicine and expectations."""
    rest = text
    for other in (_ALLERGY_TOLD, _MEDICINE, _EXPECTING):
        rest = other.sub("_", rest)
    return rest == text or bool(sensitivity.kinds_of(rest) & set(HEALTH))


_ALLERGY_TOLD = lazy_pattern(r"\ballerg\w+(?: to [\w ]+)?", re.IGNORECASE)

_MATTERS = (
    Matter(
        "your allergies",
        _form(
            r"(?:what|which \w+) (?:am i|i am|i'm) allergic to",
            r"am i allergic(?: to (?P<what>.+))?",
            rf"(?:what|which) (?:kind of |sort of )?allerg(?:y|ies) (?:{_HAVE_I}|i have)",
            rf"{_HAVE_I} (?:any |an? )?(?P<kind>\w+ )?allerg(?:y|ies)(?: to (?P<to>.+))?",
            rf"{_ABOUT}allerg(?:y|ies)(?: noted)?",
        ),
        ("diet", "medical"),
        lambda text: bool(_ALLERGY.search(text)),
    ),
    Matter(
        "your medicine",
        _form(
            rf"(?:what|which) (?:\w+ )?{_MEDICINES} (?:do i|am i|have i|was i|did i)\b.*",
            r"what (?:do i|do i have to|must i) take(?: (?:against|for my) .+"
            r"| (?:every|each) (?:day|morning|evening|night)| daily)?",
            rf"(?:do i (?:take|need|have)|am i (?:on|taking)) (?:any )?{_MEDICINES}(?: .+)?",
            rf"{_ABOUT}{_MEDICINES}(?: noted)?",
        ),
        HEALTH,
        lambda text: bool(_MEDICINE.search(text)),
    ),
    Matter(
        "your illnesses",
        _form(
            rf"(?:what|which) {_ILLNESSES} (?:{_HAVE_I}|am i suffering from|do i suffer from)",
            rf"{_HAVE_I} (?:any|an?) {_ILLNESSES}",
            r"what do i suffer from|what(?: is|'s) wrong with me|am i (?:ill|sick)",
            rf"{_ABOUT}{_ILLNESSES}(?: noted)?",
        ),
        HEALTH,
        _is_illness,
    ),
    Matter("your mental health", _form(rf"{_ABOUT}mental health"), ("mental_health",), bool),
    Matter(
        "your health",
        _form(
            rf"{_ABOUT}(?:health|medical history|body)(?: noted)?",
            r"(?:what|is there anything) (?:should |must )?(?:you|i|a doctor|people|others)"
            r" (?:should |must |ought to )?know about my (?:health|body)",
        ),
        HEALTH,
        bool,
    ),
    Matter(
        "what you eat and avoid",
        _form(
            rf"(?=.*\b{_AT_TABLE}\b)(?:what|is there anything|anything)"
            r" (?:(?:that )?(?:i|you|we|one|a \w+|the \w+|should|must|do|does|can|shall|ought"
            r"|needs?|have|has|to)\s)+"
            r"(?:watch(?: out)?|look out|be careful|take care|beware|mind|keep in mind|bear in mind"
            r"|consider|avoid|pay attention|know|leave out|not)\b.*"
        ),
        ("diet",),
        bool,
    ),
    Matter(
        "what you earn",
        _form(
            r"what (?:do i|am i) (?:earn|earning|make|making|paid)(?: .+)?",
            r"how much (?:money )?(?:do i|am i) (?:earn|earning|make|making|get paid|paid)(?: .+)?",
            rf"{_ABOUT}(?:salary|income|wages?|pay|earnings)",
        ),
        ("financial",),
        lambda text: bool(_EARNED.search(text)),
    ),
    Matter(
        "what you owe",
        _form(
            r"(?:what|how much)(?: money)? do i owe(?: .+)?",
            rf"{_HAVE_I} (?:any )?(?:debts?|loans?)|how much debt {_HAVE_I}",
            rf"{_ABOUT}(?:debts?|loans?)",
        ),
        ("financial",),
        lambda text: bool(_OWED.search(text)),
    ),
)

# How a matter is called where it is to be forgotten: "my allergy", "my penicillin allergy".
_NAMED = (
    ("your allergies", r"allerg(?:y|ies)"),
    ("your medicine", _MEDICINES),
    ("your mental health", r"mental health"),
    ("your illnesses", _ILLNESSES),
    ("your health", r"(?:my|the) (?:health|medical history)"),
    ("what you earn", r"salary|income|wages?|earnings"),
    ("what you owe", r"debts?|loans?"),
)

# Who belongs to the word by which somebody of the family is asked for.
_RELATED = {
    "child": r"sons?|daughters?|child(?:ren)?|kids?|twins|bab(?:y|ies)|step(?:son|daughter)s?",
    "sibling": r"brothers?|sisters?|siblings?|twin",
    "parent": r"mother|father|mum|mom|dad|parents?",
    "partner": r"wife|husband|partner|spouse|girlfriend|boyfriend|fianc\w+",
    "son": r"(?:step)?sons?",
    "daughter": r"(?:step)?daughters?",
    "brother": r"brothers?",
    "sister": r"sisters?",
}
_CALLED = {"children": "child", "kid": "child", "kids": "child"}
_RELATIVES = (
    r"(?P<who>child(?:ren)?|kids?|siblings?|parents?|partner|sons?|daughters?|brothers?|sisters?)"
)
_OF_FAMILY = _form(
    rf"(?:which|what|how many) {_RELATIVES} (?:{_HAVE_I}|i have)",
    rf"{_HAVE_I} (?:any |an? )?{_RELATIVES}".replace("?P<who>", "?P<who2>"),
    rf"(?:who|what)(?: is| are|'s) (?:the names? of )?my {_RELATIVES}"
    r"(?:'s|s'|')?(?: names?| called)?".replace("?P<who>", "?P<who3>"),
)


def about_oneself(prompt: Prompt, made: Answer) -> bool:
    """Answer a question about a part of what is noted; False where it is none."""
    said = prompt.question.reading
    core = said.core
    if family := _OF_FAMILY.fullmatch(core):
        return _of_family(prompt, made, next(filter(None, family.groupdict().values())))
    for matter in _MATTERS:
        if found := matter.asked.fullmatch(core):
            named = [one for one in found.groupdict().values() if one]
            return _of_matter(prompt, made, matter, named[0].strip() if named else "")
    return bool(said.last_asked) and _confided(prompt, made, said.last_asked)


def named(prompt: Prompt, what: str) -> tuple[list[ProfileFact], list[ScoredNote]]:
    """The facts and notes of the matter that a few words name, those with its other words."""
    by_name = {matter.name: matter for matter in _MATTERS}
    for name, called in _NAMED:
        found = re.search(rf"\b(?:{called})\b", what, re.IGNORECASE)
        if found is None:
            continue
        matter, rest = by_name[name], f"{what[: found.start()]} {what[found.end() :]}"
        wanted = [word for word in terms.telling(rest) if word not in ("allergic", "have")]
        facts = [fact for fact in _facts(prompt, matter.slots) if matter.tells(fact.value)]
        notes = [note for note in _own_notes(prompt, matter.slots) if matter.tells(_text(note))]
        return (
            [fact for fact in facts if all(_shares(fact.value, [one]) for one in wanted)],
            [note for note in notes if all(_shares(_text(note), [one]) for one in wanted)],
        )
    return [], []


def _of_matter(prompt: Prompt, made: Answer, matter: Matter, named: str) -> bool:
    """What is noted of it; of something that is named there ("penicillin"), that first of all."""
    facts = [fact for fact in _facts(prompt, matter.slots) if matter.tells(fact.value)]
    if "medical" in matter.slots and "diet" not in matter.slots and matter.tells is bool:
        facts += [f for f in _facts(prompt, ("diet",)) if health_terms.minds_the_table(f.value)]
    notes = [note for note in _own_notes(prompt, matter.slots) if matter.tells(_text(note))]
    if named and named.lower() not in ("anything", "something", "food", "any "):
        about = [f for f in facts if _shares(f.value, [named])]
        spoken = [n for n in notes if _shares(_text(n), [named])]
        if about or spoken:
            facts, notes = about, spoken
        elif facts or notes:
            made.say(f"I have noted nothing of that for {literal(named)}.")
    if facts or notes:
        made.say(f"This is what I have noted about {matter.name}:")
        _tell(made, facts, notes)
        return True
    return _said_here(prompt, made, lambda text: _is_of(text, matter))


def _is_of(text: str, matter: Matter) -> bool:
    kinds = sensitivity.kinds_of(text)
    return bool(kinds & set(matter.slots)) and matter.tells(text) and not _OTHERS.match(text)


def _of_family(prompt: Prompt, made: Answer, who: str) -> bool:
    """Those of the family who are asked for; False where none is noted."""
    word = who.lower()
    word = _CALLED.get(word, word.removesuffix("s"))
    related = re.compile(rf"\b(?:{_RELATED[word]})\b", re.IGNORECASE)
    facts = [fact for fact in _facts(prompt, ("family",)) if related.search(fact.value)]
    ours = re.compile(
        r"\b(?:my|our|family:|(?:have|got|and) (?:an?|two|three))\s+(?:\w+\s+)?"
        rf"(?:{_RELATED[word]})\b",
        re.IGNORECASE,
    )
    notes = [note for note in prompt.own_notes if ours.search(_text(note))]
    if not facts and not notes:
        return False
    made.say(f"This is what I have noted of your {literal(who.lower())}:")
    _tell(made, facts, notes)
    return True


def _confided(prompt: Prompt, made: Answer, question: str) -> bool:
    """A question about a private matter: what is noted that has its words; False for none."""
    words = sensitivity.words_of(question)
    if not words or not _PERSONAL.search(question) or not speech_acts.only_asks(question):
        return False
    facts = [fact for fact in _facts(prompt, PRIVATE_SLOTS) if _shares(fact.value, words)]
    notes = [note for note in prompt.own_notes if _shares(_text(note), words)]
    if facts or notes:
        made.say("This is what I have noted of that:")
        _tell(made, facts, notes)
        return True
    return _said_here(prompt, made, lambda text: _shares(text, words))


def _said_here(prompt: Prompt, made: Answer, fits: Callable[[str], bool]) -> bool:
    """What was confided in this very conversation and is not noted."""
    lead = "I have noted nothing of that. You said here, where it stays:"
    return said_here(prompt, made, lead, fits, _MOST)


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
            sensitivity.kinds_of(_text(note)) & wanted
            or ("diet" in wanted and health_terms.minds_the_table(_text(note)))
        )
    ]


def _text(note: ScoredNote) -> str:
    return note.original or note.content


def _shares(text: str, words: Iterable[str]) -> bool:
    """Whether a text has one of these words, in whatever form."""
    there = dedup.stems(text)
    return any(asked and asked <= there for asked in map(dedup.stems, words))


def _tell(made: Answer, facts: list[ProfileFact], notes: list[ScoredNote]) -> None:
    """Each with its day. A note that says no more than the facts do is left out."""
    told = {word for fact in facts for word in terms.telling(fact.value)}
    for fact in facts[: 2 * _MOST]:
        line = fact.kind.note.format(value=literal(fact.value))
        made.point(f"{line}, as you said on {on(fact.last_verified)}", used_fact(fact))
    for note in sorted(notes, key=lambda note: note.said_at, reverse=True)[:_MOST]:
        if not told.issuperset(terms.telling(_text(note))):
            made.point(noted(note), used_note(note))
