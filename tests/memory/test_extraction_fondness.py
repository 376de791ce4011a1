"""Likes and dislikes are read where people say them without "like" and "hate"."""

from __future__ import annotations

import pytest

from memory.extraction import CURRENT, extract


def current(text):
    return {(one.slot, one.value) for one in extract(text) if one.kind in CURRENT}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("nothing beats a cold plum", "cold plum"),
        ("there is nothing like a hot bath", "hot bath"),
        ("you can't go wrong with gnocchi", "gnocchi"),
        ("gotta love a foggy morning", "foggy morning"),
        ("bring on the rhubarb pie", "rhubarb pie"),
        ("i could watch otters all day", "otters"),
        ("i would never say no to a bowl of gumbo", "gumbo"),
        ("my heart belongs to cellos", "cellos"),
        ("i am a total chocoholic", "chocolate"),
        ("i am a quiet girl who loves origami", "origami"),
        ("i would take a canoe over a yacht", "canoe"),
        ("i like small things like moss and ferns", "ferns"),
        ("oh how i love dusting !", "dusting"),
        ("i look up to frida kahlo", "frida kahlo"),
        ("frida kahlo is my idol", "frida kahlo"),
        ("oh man , felting is my jam", "felting"),
        ("tubas for the win", "tubas"),
        ("me too , especially lemon curd", "lemon curd"),
        ("what makes me happy is stew", "stew"),
        ("i love it when people whistle", "when people whistle"),
        ("i love getting up early", "getting up early"),
    ],
)
def test_a_liking_is_read_without_the_verb_to_like(text, value):
    assert value in {held for slot, held in current(text) if slot == "likes"}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("i could do without traffic", "traffic"),
        ("i can live without golf", "golf"),
        ("i am so over zombie shows", "zombie shows"),
        ("ew , beetroot !", "beetroot"),
        ("mushrooms , ugh", "mushrooms"),
        ("i am not a goat person", "goats"),
        ("i try to avoid elevators", "elevators"),
        ("keep me away from wasps", "wasps"),
        ("i do not see the point of cricket", "cricket"),
        ("never been into jazz", "jazz"),
        ("wasps freak me out", "wasps"),
        ("i get nervous in elevators", "elevators"),
        ("i find cricket boring", "cricket"),
        ("i would never eat tripe", "tripe"),
        ("i will eat anything but tripe", "tripe"),
        ("i hate getting up early", "getting up early"),
        ("i do not like being told off", "being told off"),
        ("jazz and rap not really my thing", "jazz"),
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
