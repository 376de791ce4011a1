"""A taste is noted whole, and no more than what was said: neither cut off nor run on."""

from __future__ import annotations

import pytest

from memory.language.extraction import CURRENT_KINDS, extract_facts
from memory.language.grammar.pattern import IMPLIED_TRUST
from memory.language.values.value_doubt import is_doubtful


def current(text):
    return {(one.slot, one.value) for one in extract_facts(text) if one.kind in CURRENT_KINDS}


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("i love pancakes with maple syrup", ("likes", "pancakes with maple syrup")),
        ("i love taking the canoe out !", ("likes", "taking the canoe out")),
        ("i spend my evenings reading history books", ("interests", "reading history books")),
        ("i also have a weakness for tasty lemon pie", ("likes", "lemon pie")),
        ("i enjoy game of thrones", ("interests", "game of thrones")),
        ("i enjoy a vegan diet", ("diet", "vegan diet")),
        ("it was late ! i write poems and i was tired today", ("interests", "writing poems")),
    ],
)
def test_a_taste_is_noted_as_it_was_meant(text, fact):
    assert fact in current(text)


@pytest.mark.parametrize(
    ("text", "slot"),
    [
        ("i was not passionate about accounting", "dislikes"),
        ("i did not like the soup", "dislikes"),
        ("i like pink , like a flamingo", "pets"),
        ("i watched a documentary on youtube", "interests"),
        ("i post my stunts on social media", "interests"),
        ("running would be a nice change", "interests"),
        ("i would go out dancing to feel better", "interests"),
        ("that darn broccoli", "likes"),
        ("i sing about bacon in the shower", "likes"),
        ("i have been watching videos of births for one of my classes", "likes"),
        ("i can sing all of the songs", "interests"),
        ("i am eating tacos because that was all there was", "likes"),
        ("my favorite singing artist is on tonight", "singing"),
        ("my house reminds me of a horror movie", "interests"),
    ],
)
def test_what_is_no_taste_of_today_is_not_noted(text, slot):
    assert not {fact for fact in current(text) if slot in fact}


@pytest.mark.parametrize(
    "text",
    ["i like to sit and think", "i love driving", "i really like love living in ohio"],
)
def test_a_taste_that_seems_cut_or_run_on_is_asked_about_before_it_counts(text):
    likes = [one for one in extract_facts(text) if one.slot == "likes"]
    doubted = [one.trust for one in likes if is_doubtful("likes", one.value)]
    assert doubted
    assert max(doubted) <= IMPLIED_TRUST


@pytest.mark.parametrize(
    "value",
    [
        "hiking",
        "to spend time with friends and family",
        "walking the dog in the park at night",
        "Orange Is the New Black",
        "blue (favourite color)",
        "to look like a pirate",
    ],
)
def test_a_whole_taste_is_not_doubted(value):
    assert not is_doubtful("likes", value)


def test_a_surer_short_reading_stands_beside_a_longer_guess():
    told = {one.value: one.trust for one in extract_facts("i enjoy reading spy novels")}
    assert told == {"spy novels": 0.9}


def test_a_remedy_is_no_belonging_to_show():
    assert not current("where did i put my inhaler")


@pytest.mark.parametrize(
    "text",
    [
        "i was just singing in the shower",
        "i am a real guys guy",
        "i do not like those type of songs",
    ],
)
def test_what_goes_on_now_or_is_only_a_figure_of_speech_is_no_taste(text):
    assert not current(text)


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("westerns are my favorite movies", ("likes", "westerns (favourite movie)")),
        ("i am a fan of folk but rhythm itself is my passion", ("likes", "rhythm")),
        ("my favorite show is the office", ("likes", "the office (favourite show)")),
        ("i only eat halal foods", ("diet", "halal foods")),
    ],
)
def test_a_value_is_noted_in_its_plain_form(text, fact):
    assert fact in current(text)


def test_a_list_ends_where_something_else_is_spoken_of():
    assert current("i love skating and fall is near") == {("likes", "skating")}


def test_why_somebody_has_a_thing_is_no_place():
    assert "location" not in {slot for slot, _ in current("i have a stove since i live in a hut")}


def test_how_much_a_thing_is_liked_is_no_part_of_it():
    assert current("i despise olives greatly") == {("dislikes", "olives")}
