"""Likes and dislikes are read where people say them without "like" and "hate"."""

from __future__ import annotations

import pytest

from memory.language.extraction import CURRENT_KINDS, extract_facts


def current(text):
    return {(one.slot, one.value) for one in extract_facts(text) if one.kind in CURRENT_KINDS}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("my heart belongs to cellos", "cellos"),
        ("i like small things like moss and ferns", "ferns"),
        ("oh man , felting is my jam", "felting"),
        ("tubas for the win", "tubas"),
        ("me too , especially lemon curd", "lemon curd"),
        ("i love getting up early", "getting up early"),
    ],
)
def test_a_liking_is_read_without_the_verb_to_like(text, value):
    assert value in {held for slot, held in current(text) if slot == "likes"}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("i hate getting up early", "getting up early"),
        ("i am terrified of moths ?", "moths"),
    ],
)
def test_a_dislike_is_read_without_the_verb_to_hate(text, value):
    assert value in {held for slot, held in current(text) if slot == "dislikes"}


@pytest.mark.parametrize(
    ("text", "slot"),
    [
        ("i could do without traffic", "likes"),
        ("i can live without golf", "likes"),
        ("clowns freak me out", "interests"),
        ("i look up to my mother", "likes"),
        ("my sister is a girl who loves origami", "likes"),
        ("i am over the bridge now", "dislikes"),
        ("i should avoid elevators", "dislikes"),
        ("i am a good person", "likes"),
        ("i could take a walk over lunch", "likes"),
        ("i got into an argument", "interests"),
        ("i am not a good person", "dislikes"),
        ("i am digging through the drawer", "likes"),
    ],
)
def test_what_only_sounds_like_a_taste_is_left_alone(text, slot):
    assert slot not in {held for held, _ in current(text)}
