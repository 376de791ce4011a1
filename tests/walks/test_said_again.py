"""A few hundred turns in which things are said again: hardly anything is kept nearly twice."""

import itertools
import random
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import pytest
from rapidfuzz import fuzz

from accounts.database.isolation import acting_as
from accounts.models import User
from conversations.learning import message_learning
from conversations.messages import NewMessage
from conversations.models import Conversation, Message
from conversations.turns import turn
from memory.models import Memory

pytestmark = pytest.mark.django_db

# One thing a line, in the ways in which people say it again.
SAID = [
    (
        "I booked a {trip} to {place} for the {nth} of {month}",
        "I have booked a {trip} to {place} for {day} {month}",
        "So, I've booked the {trip} to {place} for {month} {nth}!",
    ),
    (
        "The deadline of our {place} report is the {nth} of {month}",
        "Our {place} report: the deadline is {day} {month}",
        "the deadline of our {place} report is {month} {day}",
    ),
    (
        "We met {friend} in {place} on {month} {day}",
        "On the {nth} of {month} we met {friend} in {place}",
    ),
    ("I bought a {thing} last Tuesday", "Last Tuesday I bought the {thing}."),
]
WORDS = {
    "trip": ["flight", "ferry", "train ride"],
    "place": ["Lisbon", "Bergen", "Naxos", "Porto"],
    "month": ["May", "June", "October"],
    "thing": ["red kayak", "brass lamp", "wooden chess set", "blue tent"],
    "friend": ["Anna", "Bruno", "Chiara"],
}
DAYS = [("12", "12th"), ("13", "13th"), ("3", "3rd")]
TURNS = 300


def spoken(chance: random.Random) -> str:
    day, nth = chance.choice(DAYS)
    names = {name: chance.choice(words) for name, words in WORDS.items()}
    return chance.choice(chance.choice(SAID)).format(**names, day=day, nth=nth)


def about(note: str) -> frozenset[str]:
    """Which trip, place, day, thing and person a note is about."""
    words = {word for words in WORDS.values() for word in words if word.lower() in note.lower()}
    plain = set(note.replace("th", "").replace("rd", "").replace("!", "").split())
    return frozenset(words | {day for day, _ in DAYS if day in plain})


def say_hourly(user: User, texts: Sequence[str]) -> None:
    """Keep and read what a person says each hour, in conversations of 25 messages."""
    began = datetime(2025, 1, 1, 9, tzinfo=UTC)
    for number, text in enumerate(texts):
        if number % 25 == 0:
            with acting_as(user):
                conversation = Conversation.objects.create(user=user)
        draft = NewMessage(Message.Role.USER, text, said_at=began + timedelta(hours=number))
        message_learning.learn_now(turn.record(user, conversation, draft))


def test_what_is_said_again_is_hardly_ever_kept_nearly_twice_before_the_round(
    alice: User,
) -> None:
    chance = random.Random(11)
    say_hourly(alice, [spoken(chance) for _ in range(TURNS)])
    with acting_as(alice):
        notes = list(Memory.objects.active().values_list("content", flat=True))
    assert len(notes) >= 80
    # Judged by another measure than the one that merged them.
    near = {
        pair
        for pair in itertools.combinations(notes, 2)
        if fuzz.token_set_ratio(*(one.lower() for one in pair)) >= 80
        and about(pair[0]) == about(pair[1])
    }
    assert len(near) / len(notes) < 0.01, near
