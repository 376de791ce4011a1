"""What is said and no more: mentions, daydreams, trades and tails that are no fact of somebody."""

from __future__ import annotations

import pytest

from memory.language.extraction import CURRENT_KINDS, extract_facts
from memory.slots import SLOTS


def noted_in(text):
    return {
        (c.slot, c.value)
        for c in extract_facts(text)
        if c.kind in CURRENT_KINDS and not SLOTS[c.slot].sensitive
    }


@pytest.mark.parametrize(
    "text",
    [
        "i am just eating some noodles , you ?",
        "there is no bacon in my soup",
        "do u eat salmon ?",
        "i sell burritos on the pier",
        "you know what i do not like ? spinach .",
        "cake is not good for anybody",
    ],
)
def test_a_dish_on_the_table_is_no_liking(text):
    assert not {slot for slot, _ in noted_in(text)} & {"likes", "interests"}


@pytest.mark.parametrize(
    ("text", "dish"),
    [
        ("i eat way too many brownies", "brownies"),
        ("i live on coffee and little sleep", "coffee"),
        ("oh , all the popcorn i eat !", "popcorn"),
        ("we always have salad on sundays", "salad"),
    ],
)
def test_a_dish_that_is_eaten_often_or_praised_is_a_liking(text, dish):
    assert ("likes", dish) in noted_in(text)


@pytest.mark.parametrize(
    "text",
    [
        "i get paid to paint",
        "i hike through the woods for my job",
        "i run around a lot at the office",
        "no swimming for me , i sink",
        "not sure about golf",
        "i leave the cooking to my aunt",
        "golf no , i broke my wrist",
        "knitting is dull , i say",
        "i have a cousin who watches baseball",
        "i could act out star wars all day",
        "i was on the hockey team back then",
        "we will be traveling next spring",
        "it smells lovely while its cooking , i say",
    ],
)
def test_a_trade_one_occasion_or_a_refusal_is_no_pastime(text):
    assert not {slot for slot, _ in noted_in(text)} & {"likes", "interests"}


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("my job is exhausting", "job_title"),
        ("I'm Wednesdays and Fridays at the café.", "name"),
        ("I'm Nights this week, then off till Monday.", "name"),
        ("my job is demanding and far away", "job_title"),
        ("being a diver would be cool", "job_title"),
        ("being a judge is my dream", "job_title"),
        ("i restore cars with my uncle", "vehicle"),
        ("i just got home from the rink", "possessions"),
        ("my computer science class is long", "possessions"),
        ("my love for horses is old", "pets"),
        ("my theory is that dogs dream", "pets"),
        ("we have cats there at the clinic", "pets"),
        ("i take photos of the lakes where i live", "location"),
        ("in winter i live on soup", "location"),
        ("i am in france on business", "location"),
        ("no date since high school", "education"),
        ("i own a toyota", "possessions"),
        ("i am saving to buy my house", "possessions"),
        ("i feed the ducks by the lake", "pets"),
        ("so sad , my cat is dead", "pets"),
        ("i live in oslo can i work there", "employer"),
        ("i am a volunteer", "employer"),
        ("the roses are my favorite color red", "possessions"),
    ],
)
def test_a_neighbouring_slot_is_left_alone(text, wrong):
    assert wrong not in {slot for slot, _ in noted_in(text)}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("i love soup and just baked some", "baked some"),
        ("i like skating , reminds me of home", "reminds"),
        ("my favorite food group is fruit", "group (favourite food)"),
        ("especially those over 5 ft", "over 5 ft"),
        ("i eat 4 bowls a day", "4 bowls"),
        ("i love to visit", "to visit"),
        ("i go to school in nevada", "nevada"),
        ("listening to my current fave , abba", "current fave"),
        ("now i am doing thing for my house", "own house"),
        ("definitely , i love it", "definitely"),
        ("the whole class loves theirs , theirs rock !", "theirs"),
    ],
)
def test_what_names_nothing_of_its_kind_is_not_written(text, value):
    assert value not in {found for _, found in noted_in(text)}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("i like roller skating around", ("likes", "roller skating")),
        ("i play darts competitively", ("interests", "darts")),
        ("i enjoy painting all the time", ("interests", "painting")),
        ("wasps scare me", ("dislikes", "wasps")),
        ("i love all different kinds of cheese", ("likes", "cheese")),
        ("my german shepherd barks", ("pets", "german shepherd")),
        ("i saw larry , my border collie", ("pets", "border collie")),
        ("I have two cats, Mies and Aap.", ("pets", "two cats named Mies and Aap")),
        ("my favorite soup happens to be borscht", ("likes", "borscht (favourite soup)")),
        ("watching my favorite show called lost", ("likes", "lost (favourite show)")),
        ("i prefer rap music", ("likes", "rap music")),
        ("i eat 3 bananas for breakfast", ("likes", "bananas")),
    ],
)
def test_a_value_is_whole_and_has_no_tail(text, expected):
    assert expected in noted_in(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("rowing is my passion", ("likes", "rowing")),
        ("she says that knitting is my hobby", ("likes", "knitting")),
        ("chess takes up most of my time", ("likes", "chess")),
        ("otters rock !", ("likes", "otters")),
        ("love me some soup", ("likes", "soup")),
        ("how about sushi ? that is my favorite .", ("likes", "sushi")),
        ("do you like to draw ? i do .", ("likes", "drawing")),
        ("borscht is my favorite soup , yours ?", ("likes", "borscht (favourite soup)")),
        ("ironing is so boring", ("dislikes", "ironing")),
        ("the sport i hate the most is golf", ("dislikes", "golf")),
        ("one thing i am afraid of is thunder", ("dislikes", "thunder")),
        ("i did not when i was small , but now have a parrot", ("pets", "a parrot")),
    ],
)
def test_what_is_said_outright_in_passing_is_noted(text, expected):
    assert expected in noted_in(text)


@pytest.mark.parametrize("text", ["do you think i love soup ?", "should i say i hate mondays ?"])
def test_a_question_about_a_liking_stays_a_question(text):
    assert noted_in(text) == set()


@pytest.mark.parametrize(
    ("text", "employer"),
    [
        ("I work in the Speicherstadt building.", set()),
        ("I work in the main building of the hospital", set()),
        ("I run the whole marketing department", set()),
    ],
)
def test_neither_a_house_nor_a_part_of_a_firm_is_an_employer(text, employer):
    assert {value for slot, value in noted_in(text) if slot == "employer"} == employer


@pytest.mark.parametrize(
    ("text", "things"),
    [
        ("My phone number is 0171 2345678.", set()),
        ("My work phone number ends in 42.", set()),
        ("my phone bill is 20 euros", set()),
        ("my phone is a Pixel", {"phone"}),
    ],
)
def test_a_phone_number_is_no_phone(text, things):
    assert {value for slot, value in noted_in(text) if slot == "possessions"} == things


@pytest.mark.parametrize(
    "text",
    [
        "plays bass, works in a bike shop in brunswick",
        "there is a guy. jonas. works at a garage, two dates so far",
        "lives in Paris, works as a baker",
    ],
)
def test_a_verb_of_the_third_person_without_a_subject_is_about_somebody_else(text):
    assert noted_in(text) == set()
