"""The many forms in which people tell the plain facts of a profile without naming the slot."""

import pytest

from memory.language.extraction import CURRENT_KINDS, extract_facts


def noted(text):
    return {(one.slot, one.value) for one in extract_facts(text) if one.kind in CURRENT_KINDS}


def slots_in(text):
    return {slot for slot, _ in noted(text)}


@pytest.mark.parametrize(
    ("text", "slot", "value"),
    [
        ("i am a dental tech", "job_title", "dental tech"),
    ],
)
def test_work_is_told_by_what_one_does(text, slot, value):
    assert (slot, value) in noted(text)


@pytest.mark.parametrize(
    "text",
    [
        "what do you do for a living ?",
        "i have to work for a living",
        "my brother fixes roofs for a living",
        "i painted my fence for my job",
        "being a lawyer is my dream",
        "the doctor here is nice",
        "i spend my days at a library",
        "i wish i got paid to sleep",
        "i went to the party as a nurse",
        "i see him as a teacher",
        "i am looking for a job as a waiter",
        "Harry Potter",
        "i have my old coat from my army days as a driver",
        "doctor , am i sick ?",
        "it pays the bills",
    ],
)
def test_what_is_no_trade_of_ones_own_is_no_job(text):
    assert not slots_in(text) & {"job_title", "employer"}


@pytest.mark.parametrize(
    ("text", "slot", "value"),
    [
        ("i call dublin home", "location", "Dublin"),
        ("we just settled in oregon", "location", "Oregon"),
        ("here in texas we drive everywhere", "location", "Texas"),
        ("we live way up in the mountains", "home", "mountains"),
        ("i live out of my van", "home", "van"),
        ("do you like the beach ? that is where i live", "home", "beach"),
        ("born and raised in kansas", "hometown", "Kansas"),
    ],
)
def test_a_place_is_home_however_that_is_put(text, slot, value):
    assert (slot, value) in noted(text)


@pytest.mark.parametrize(
    "text",
    [
        "texas is home to many snakes",
        "from ohio to maine it takes a day",
        "my sister calls boston home",
        "i want to go out in the country",
        "my parents love our little village",
        "i wish denver was home",
    ],
)
def test_a_place_that_is_only_named_is_nobodys_home(text):
    assert not slots_in(text) & {"location", "hometown", "home"}


@pytest.mark.parametrize(
    ("text", "slot", "value"),
    [
        ("i am a 52 year old man", "age", "52"),
        ("31 year old dad here", "age", "31"),
        ("my college is far from home", "education", "college"),
        ("majoring in biology right now", "education", "biology"),
        ("still in high school , sadly", "education", "high school"),
        ("i was an english major", "education", "english major"),
        ("between jobs at the moment", "employment_status", "between jobs"),
    ],
)
def test_age_schooling_and_plans_are_told_in_passing(text, slot, value):
    assert (slot, value) in noted(text)


@pytest.mark.parametrize(
    ("text", "slot"),
    [
        ("my son acts like a 5 year old", "age"),
        ("no favorite baseball team", "interests"),
        ("i really need to go shopping with my aunt", "interests"),
        ("trying to give up cheese for my heart", "likes"),
        ("as a 15 year old i was shy", "age"),
        ("i am ready for college", "education"),
        ("we are saving money for college", "education"),
        ("i married my high school honey", "education"),
        ("my college days were wild", "education"),
        ("my sister wishes i were a doctor", "career_goal"),
    ],
)
def test_what_is_over_ahead_or_of_others_is_not_taken_for_so(text, slot):
    assert slot not in slots_in(text)


@pytest.mark.parametrize(
    ("text", "slot", "value"),
    [
        ("just adopted two kittens", "pets", "two kittens"),
        ("i own three guinea pigs", "pets", "three guinea pigs"),
        ("i have a pond with a pet koi", "pets", "koi"),
        ("seafood is off limits", "diet", "no seafood"),
    ],
)
def test_animals_vehicles_and_diets_are_told_in_passing(text, slot, value):
    assert (slot, value) in noted(text)


@pytest.mark.parametrize(
    ("text", "slot"),
    [
        ("my ex is a vegan", "diet"),
        ("my old truck was great", "vehicle"),
        ("we live on a chicken farm", "likes"),
        ("i went to the pet store", "pets"),
        ("i want to travel more", "interests"),
        ("i would love to dance more often", "interests"),
    ],
)
def test_what_only_looks_like_a_fact_is_none(text, slot):
    assert slot not in slots_in(text)


def test_a_word_that_points_elsewhere_is_no_value():
    assert noted("i love animals , especially small ones") == {("likes", "animals")}
    assert noted("i like simple ones") == set()
    assert ("interests", "especially guns") not in noted("i enjoy rock , especially guns")


def test_an_age_before_a_job_is_no_part_of_it():
    assert noted("I'm a 34-year-old accountant.") == {("age", "34"), ("job_title", "accountant")}


def test_a_resident_lives_there_and_may_come_from_anywhere():
    assert slots_in("I'm a Lisbon resident.") == {"location"}
