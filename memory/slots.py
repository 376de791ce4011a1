"""The one registry of what may be known about a person.

Everything that needs to know what a fact is called, how it is shown, whether it is single-valued
or sensitive, and when two values mean the same, asks here. Pure Python: no Django, no database.

Adding a slot is one entry below, a line of nouns in
:mod:`memory.language.queries.profile_questions` if people ask about it, and at least one pattern in
`memory/language/patterns` if it can be read from a sentence.
"""

from __future__ import annotations

from dataclasses import dataclass

from memory.language.queries.profile_questions import asked_about
from memory.language.values.equivalence import drift, same_value, value_key
from memory.language.values.granularity import narrower

__all__ = [
    "GROUPS",
    "PRIVATE_SLOTS",
    "SLOTS",
    "Slot",
    "agrees",
    "alike_to",
    "asked_about",
    "disagree",
    "drift",
    "narrower",
    "opposites",
    "refines",
    "same_value",
    "value_key",
]


@dataclass(frozen=True)
class Slot:
    """One thing that may be known about a person.

    ``note`` and ``answer`` are format strings with the single field ``{value}``. In ``answer`` of a
    many-valued slot the value is a list the caller has already joined ("hiking and chess").
    A sensitive slot is recognised so that it can be kept apart; only its owner's express word makes
    a profile fact of it.
    """

    key: str
    label: str
    question: str
    group: str
    many: bool
    note: str
    answer: str
    noun: str
    sensitive: bool = False

    @property
    def past_label(self) -> str:
        """The label over what is over: one that is a verb does not say that it still is."""
        return _PAST_LABELS.get(self.key, self.label)

    @property
    def past_note(self) -> str:
        """The note of what is over, a format string like `note`."""
        return _PAST_NOTES.get(self.key, f"Earlier {self.noun}: {{value}}")


_PAST_LABELS = {
    "location": "Lived in",
    "likes": "Liked",
    "dislikes": "Disliked",
    "possessions": "Owned",
}
_PAST_NOTES = {
    "employer": "Worked at {value}",
    "location": "Lived in {value}",
    "vehicle": "Drove {value}",
    "languages": "Spoke {value}",
    "interests": "Enjoyed {value}",
    "likes": "Liked {value}",
    "dislikes": "Disliked {value}",
    "possessions": "Had {value}",
}


WHO = "Who you are"
WORK = "Work"
STYLE = "How you like to work"
TASTES = "Interests"
PLACES = "Places and travel"
HOME = "Home and family"
PRIVATE = "Private matters"

POLES: tuple[frozenset[str], frozenset[str]] = (
    frozenset({"likes", "interests"}),
    frozenset({"dislikes"}),
)
"""Slots that speak for a thing, and slots that speak against it: the one contradicts the other."""


def opposites(slot: str) -> frozenset[str]:
    """The slots in which the same value would say the contrary."""
    for near, far in (POLES, POLES[::-1]):
        if slot in near:
            return far
    return frozenset()


def alike_to(slot: str) -> frozenset[str]:
    """The slots in which the same value would say the same."""
    return next((pole for pole in POLES if slot in pole), frozenset({slot}))


def agrees(slot: str, held: str, said: str) -> bool:
    """Whether what is said of a slot is what is held: the same value, or a wider name for it. Who
    lives in Moscow does live in Russia.
    """
    same = same_value(slot, held, said)
    return same or (not SLOTS[slot].many and narrower(slot, held, said))


def refines(slot: str, said: str, held: str) -> bool:
    """Whether what is said is what is held, only more closely: Moscow, to who lives in Russia.

    Who was out of work and works part-time has changed, and is asked.
    """
    changed = SLOTS[slot].many or slot == "employment_status"
    return not changed and narrower(slot, said, held)


def disagree(held_slot: str, held: str, slot: str, said: str) -> bool:
    """Whether a value that is plainly said opens a question about another that is held."""
    if slot in opposites(held_slot):
        return same_value(slot, held, said)
    if slot != held_slot or SLOTS[slot].many:
        return False
    return not (agrees(slot, held, said) or refines(slot, said, held))


GROUPS: tuple[str, ...] = (WHO, WORK, STYLE, TASTES, PLACES, HOME, PRIVATE)
"""Groups in the order in which a profile page shows them."""

_ORDINARY: tuple[Slot, ...] = (
    Slot(
        "name",
        "Name",
        "What is your name?",
        WHO,
        False,
        "Name: {value}",
        "Your name is {value}.",
        "name",
    ),
    Slot(
        "preferred_name",
        "Called",
        "What should I call you?",
        WHO,
        False,
        "Call you {value}",
        "You like to be called {value}.",
        "preferred name",
    ),
    Slot(
        "pronouns",
        "Pronouns",
        "What are your pronouns?",
        WHO,
        False,
        "Pronouns: {value}",
        "Your pronouns are {value}.",
        "pronouns",
    ),
    Slot(
        "age",
        "Age",
        "How old are you?",
        WHO,
        False,
        "{value} years old",
        "You are {value} years old.",
        "age",
    ),
    Slot(
        "birthday",
        "Birthday",
        "When is your birthday?",
        WHO,
        False,
        "Birthday: {value}",
        "Your birthday is {value}.",
        "birthday",
    ),
    Slot(
        "employer",
        "Employer",
        "Where do you work?",
        WORK,
        False,
        "Works at {value}",
        "You work at {value}.",
        "employer",
    ),
    Slot(
        "job_title",
        "Job",
        "What is your job?",
        WORK,
        False,
        "Job: {value}",
        "Your job: {value}.",
        "job",
    ),
    Slot(
        "industry",
        "Industry",
        "What field do you work in?",
        WORK,
        False,
        "Works in {value}",
        "You work in {value}.",
        "industry",
    ),
    Slot(
        "employment_status",
        "Working life",
        "Are you working at the moment?",
        WORK,
        False,
        "Working life: {value}",
        "Your working life: {value}.",
        "working life",
    ),
    Slot(
        "career_goal",
        "Goal at work",
        "What would you like to become?",
        WORK,
        True,
        "Wants to become {value}",
        "You want to become {value}.",
        "career goal",
    ),
    Slot(
        "education",
        "Education",
        "What is your education?",
        WORK,
        True,
        "Education: {value}",
        "Your education: {value}.",
        "education",
    ),
    Slot(
        "expertise",
        "Expertise",
        "What are you good at?",
        WORK,
        True,
        "Knows {value}",
        "You know {value}.",
        "expertise",
    ),
    Slot(
        "current_project",
        "Current project",
        "What are you working on?",
        WORK,
        True,
        "Working on {value}",
        "You are working on {value}.",
        "current project",
    ),
    Slot(
        "preferences",
        "Preferences",
        "How would you like things done?",
        STYLE,
        True,
        "Asked for: {value}",
        "You asked for this: {value}.",
        "preference",
    ),
    Slot(
        "languages",
        "Languages",
        "Which languages do you speak?",
        STYLE,
        True,
        "Speaks {value}",
        "You speak {value}.",
        "language",
    ),
    Slot(
        "constraints",
        "Limits",
        "What should be kept in mind?",
        STYLE,
        True,
        "Keep in mind: {value}",
        "To keep in mind: {value}.",
        "limit",
    ),
    Slot(
        "interests",
        "Interests",
        "What are you interested in?",
        TASTES,
        True,
        "Enjoys {value}",
        "You enjoy {value}.",
        "interest",
    ),
    Slot(
        "likes",
        "Likes",
        "What do you like?",
        TASTES,
        True,
        "Likes {value}",
        "You like {value}.",
        "like",
    ),
    Slot(
        "dislikes",
        "Dislikes",
        "What do you dislike?",
        TASTES,
        True,
        "Dislikes {value}",
        "You don't like {value}.",
        "dislike",
    ),
    Slot(
        "location",
        "Lives in",
        "Where do you live?",
        PLACES,
        False,
        "Lives in {value}",
        "You live in {value}.",
        "city",
    ),
    Slot(
        "hometown",
        "From",
        "Where are you from?",
        PLACES,
        False,
        "From {value}",
        "You are from {value}.",
        "home town",
    ),
    Slot(
        "home",
        "Home",
        "What kind of place do you live in?",
        PLACES,
        True,
        "Home: {value}",
        "Your home: {value}.",
        "home",
    ),
    Slot(
        "vehicle",
        "Vehicle",
        "What do you drive?",
        PLACES,
        True,
        "Drives {value}",
        "You drive {value}.",
        "vehicle",
    ),
    Slot(
        "family",
        "Family",
        "Who is in your family?",
        HOME,
        True,
        "Family: {value}",
        "Your family: {value}.",
        "family",
    ),
    Slot(
        "pets",
        "Pets",
        "What pets do you have?",
        HOME,
        True,
        "Pet: {value}",
        "Your pets: {value}.",
        "pet",
    ),
    Slot(
        "possessions",
        "Owns",
        "What do you own?",
        HOME,
        True,
        "Has {value}",
        "You have {value}.",
        "possession",
    ),
    Slot(
        "diet",
        "Diet",
        "What do you eat and avoid?",
        HOME,
        True,
        "Diet: {value}",
        "Your diet: {value}.",
        "diet",
    ),
)


def _private(key: str, label: str, noun: str) -> Slot:
    return Slot(
        key,
        label,
        f"What did you say about your {noun}?",
        PRIVATE,
        True,
        label + ": {value}",
        f"Your {noun}: {{value}}.",
        noun,
        sensitive=True,
    )


# What the law calls special categories, and what people would call nobody's business.
_SENSITIVE: tuple[Slot, ...] = (
    _private("mental_health", "Mental health", "mental health"),
    _private("medical", "Health", "health"),
    _private("financial", "Money", "finances"),
    _private("relationships", "Relationships", "relationships"),
    _private("legal", "Legal matters", "legal matters"),
    _private("religion", "Religion", "religion"),
    _private("politics", "Politics", "politics"),
    _private("ethnicity", "Ethnicity", "ethnicity"),
    _private("sexual_orientation", "Sexual orientation", "sexual orientation"),
)

PRIVATE_SLOTS: tuple[str, ...] = tuple(slot.key for slot in _SENSITIVE)
"""What is kept apart: the keys of the sensitive slots."""

SLOTS: dict[str, Slot] = {slot.key: slot for slot in (*_ORDINARY, *_SENSITIVE)}
"""Every slot by key, in the order in which a profile page shows them."""
