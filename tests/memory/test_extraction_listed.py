"""All that a list names is noted, also after "my favourites are", "mine is" and "my"."""

from __future__ import annotations

import pytest

from memory.language.extraction import CURRENT_KINDS, extract_facts


def current(text):
    return {(one.slot, one.value) for one in extract_facts(text) if one.kind in CURRENT_KINDS}


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ("my favorites are tulips and roses", {("likes", "tulips"), ("likes", "roses")}),
        (
            "my favorite colors are teal and maroon",
            {("likes", "teal (favourite color)"), ("likes", "maroon (favourite color)")},
        ),
        (
            "my favorite foods are stew , rice and plums",
            {("likes", "stew (favourite food)"), ("likes", "plums (favourite food)")},
        ),
        (
            "what is your favorite food ? mine is stew and rice",
            {("likes", "stew (favourite food)"), ("likes", "rice (favourite food)")},
        ),
        ("one of my hobbies is felting", {("interests", "felting")}),
        (
            "i have a garden and greenhouse",
            {("possessions", "garden"), ("possessions", "greenhouse")},
        ),
        ("I love painting walls and fences", {("likes", "painting walls and fences")}),
        ("Painting walls is one of my faves", {("likes", "painting walls")}),
        ("I like to just sit at the pond- it calms me", {("likes", "to sit at the pond")}),
        ("I'm a huge fan of superhero movies", {("likes", "superhero movies")}),
        ("i love funny movies", {("likes", "funny movies")}),
        ("i love the color teal", {("likes", "teal")}),
        ("i grabbed my umbrella", {("possessions", "umbrella")}),
    ],
)
def test_all_that_is_listed_is_noted(text, facts):
    assert facts <= current(text)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("my favorite band is toto and i saw them", "i saw"),
        ("my favorite food is stew , i love it", "i love it"),
        ("my favorite color is teal , like the sea", "sea"),
        ("my favorite season is fall and it is here", "here"),
        ("I love painting walls and fences", "fences"),
        ("I'm a huge fan of superhero movies", "huge"),
    ],
)
def test_what_is_said_after_a_favourite_is_no_second_one(text, value):
    assert value not in {held.split(" (")[0] for _, held in current(text)}
