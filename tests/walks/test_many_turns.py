"""Hundreds of turns later: nothing is kept twice, and hardly anything nearly twice."""

import itertools
import random

from django.utils.timezone import now
from rapidfuzz import fuzz

from accounts.database.isolation import acting_as
from accounts.models import User
from memory.maintenance import lifecycle
from memory.models import Memory, ProfileFact
from tests.walks.test_said_again import say_hourly

# The same few dozen things, said again and again in other words, as people do.
SAID = [
    (
        "I booked a {trip} to {place} for {month}",
        "So I've booked the {trip} to {place} for {month}!",
    ),
    ("I'm training for the {sport} in {place}", "Well, I am training for a {sport} in {place}"),
    (
        "I bought a {thing} last {day} at the market",
        "Last {day} I bought the {thing} at the market.",
    ),
    ("I really enjoy {hobby}", "i enjoy {hobby} a lot"),
    (
        "I prefer {style} answers when I ask about {hobby}",
        "Please remember I prefer {style} answers",
    ),
    ("I moved the deadline of the {place} report to {month}", "The report? I moved its deadline."),
    ("We met {friend} in {place} in {month}", "In {month} we met {friend} in {place}"),
    ("What do you think about {hobby}?", "Thanks, that was kind of you"),
]
WORDS = {
    "trip": ["flight", "ferry", "train ride"],
    "place": ["Lisbon", "Bergen", "Naxos", "Porto", "Ghent"],
    "month": ["May", "June", "October"],
    "sport": ["marathon", "rowing race", "triathlon"],
    "thing": ["red kayak", "brass lamp", "wooden chess set", "blue tent"],
    "day": ["Tuesday", "Friday"],
    "hobby": ["rowing", "pottery", "chess", "baking bread"],
    "style": ["short", "detailed", "plain"],
    "friend": ["Anna", "Bruno", "Chiara"],
}
TURNS = 400


def spoken(chance: random.Random) -> str:
    phrase = chance.choice(chance.choice(SAID))
    return phrase.format(**{name: chance.choice(words) for name, words in WORDS.items()})


def about(note: str) -> set[str]:
    """Which of the things, places and people of these talks a note is about."""
    return {word for words in WORDS.values() for word in words if word.lower() in note.lower()}


def test_after_hundreds_of_turns_nothing_is_kept_twice(alice: User) -> None:
    chance = random.Random(7)
    say_hourly(alice, [spoken(chance) for _ in range(TURNS)])
    with acting_as(alice):
        lifecycle.consolidate_notes(alice.pk, now())
        notes = list(Memory.objects.active().values_list("content", flat=True))
        facts = list(ProfileFact.objects.current().values_list("slot", "value_key"))
    assert len(notes) >= 30
    assert len(facts) == len(set(facts))
    assert len({note.lower() for note in notes}) == len(notes)
    # Judged by another measure than the one that merged them.
    near = {
        one
        for one, other in itertools.combinations(notes, 2)
        if fuzz.token_set_ratio(one.lower(), other.lower()) >= 90 and about(one) == about(other)
    }
    assert len(near) / len(notes) < 0.01, near
