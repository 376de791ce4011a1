"""Hurried English is read as what it says, and kept as it was typed."""

from collections.abc import Callable

import pytest

from accounts.models import User
from memory.language.queries import query_intent, query_normalization, speech_acts
from memory.language.queries.query_intent import IntentKind
from memory.language.text import abbreviation_expansion
from tests.people import Talk, tell

Talks = Callable[..., Talk]


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        ("wats my rent again", "what's my rent again"),
        ("Whos my gf?", "Who's my gf?"),
        ("did i tell u abt ur plan", "did i tell you about your plan"),
        ("where r my keys pls", "where are my keys please"),
        ("im sure u dont know", "I'm sure you don't know"),
        # Names, letters, addresses and code are none of it.
        ("Who is Frau Abt?", "Who is Frau Abt?"),
        ("do i know r", "do i know r"),
        ("mail u@im.example or open /im", "mail u@im.example or open /im"),
    ],
)
def test_hurried_words_are_written_out_and_names_are_left(typed: str, read: str) -> None:
    assert abbreviation_expansion.expand_abbreviations(typed) == read


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        ("who do i live wiht", "who do i live with"),
        ("wen is my parcel comign", "when is my parcel coming"),
        ("do i owe anybdoy money", "do i owe anybody money"),
        # Names and rare words are none of it.
        ("what is nia like", "what is nia like"),
        ("which dose does amy get", "which dose does amy get"),
    ],
)
def test_two_letters_that_changed_places_are_put_back_in_what_is_asked(
    typed: str, read: str
) -> None:
    assert query_normalization.read_as(typed) == read


def test_a_hurried_question_is_understood_as_the_question_it_is() -> None:
    recap = query_intent.read_intent("what did we talk abt on 13 november")
    assert recap is not None
    assert recap.kind is IntentKind.RECAP
    assert all(map(speech_acts.is_question, ("whos my gf", "wats my rent", "whens my exam")))
    assert not speech_acts.is_question("im called zoe")


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("wat do i study", "marine biology"),
        ("whos my gf", "my gf is called zoe"),
        ("who is my girlfriend?", "my gf is called zoe"),
        ("whats my landlord called", "my landlords name is mr patel"),
        ("who r my flatmates", "my flatmates are tom and priya"),
        ("whos my tutor", "my tutor is called dr okafor"),
        ("did i say anything abt my mum", "Yes, "),
    ],
)
def test_a_hurried_question_is_answered_with_the_words_as_they_were_typed(
    question: str, answer: str, alice: User, talk: Talks
) -> None:
    for said in (
        "i study marine biology at plymouth",
        "my gf is called zoe and shes from bristol",
        "my landlords name is mr patel",
        "my flatmates are tom and priya",
        "my tutor is called dr okafor",
        "my mother lives in Truro",
    ):
        tell(alice, said)
    told = talk().say(question).content
    assert answer in told
    assert told.count("“") <= 1
