"""Facts of a life, beside tastes: each is noted whole, once, and only where it is the person's."""

from __future__ import annotations

import pytest

from memory.language.extraction import CURRENT_KINDS, extract_facts
from memory.language.values.granularity import narrower


def noted(slot, text):
    return {c.value for c in extract_facts(text) if c.slot == slot and c.kind in CURRENT_KINDS}


def sure(slot, text):
    return {
        c.value
        for c in extract_facts(text)
        if c.slot == slot and c.kind in CURRENT_KINDS and c.trust > 0.85
    }


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("i am a student at ohio state", "student at ohio state"),
        ("i'm a full time student", "full time student"),
        ("i am a student of botany", "student of botany"),
        ("i'm a junior in college", "junior in college"),
        ("i graduated from auburn", "graduated from auburn"),
        ("i am proud of my masters in botany", "masters in botany"),
        ("i am working on my film history degree", "film history degree"),
    ],
)
def test_a_school_is_noted_with_what_somebody_is_or_got_there(text, value):
    assert noted("education", text) == {value}


@pytest.mark.parametrize("text", ["i am a student at the moment", "i'm a student in chicago"])
def test_a_student_is_of_a_school_and_not_of_a_moment_or_a_town(text):
    assert noted("education", text) == {"student"}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("i have to brush my cat , bella", "cat Bella"),
        ("i love my dog biscuit .", "dog Biscuit"),
        ("we keep tropical fish", "tropical fish"),
    ],
)
def test_an_animal_is_noted_with_its_names(text, value):
    assert noted("pets", text) == {value}


@pytest.mark.parametrize(
    "text",
    [
        "i have fish on fridays",
        "i have fish sticks for lunch",
        "my duck was overcooked",
        "i have goats as the background on my phone",
        "i have cats on my shirt",
        "i have a monkey on my back",
        "we have a dog treat jar",
        "my sister is getting our kids a dog",
    ],
)
def test_what_is_eaten_drawn_given_or_a_figure_of_speech_is_no_pet(text):
    assert not noted("pets", text)


@pytest.mark.parametrize(
    "text",
    [
        "we bought my daughter a car",
        "i got my dad a truck for his birthday",
        "a jeep is my favorite car",
        "i wear my motorbike helmet at parties",
    ],
)
def test_a_gift_a_favourite_and_a_part_are_no_vehicle_of_ones_own(text):
    assert not noted("vehicle", text)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("i have a cool kayak", "kayak"),
        ("i own a really nice guitar", "guitar"),
        ("i own 3 guitars", "3 guitars"),
    ],
)
def test_a_thing_is_noted_with_its_number_and_without_praise(text, value):
    assert noted("possessions", text) == {value}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("i work at candle shop", "candle shop"),
        ("i am working at amazon packing boxes", "Amazon"),
        ("i work at the sony office in rome", "Sony"),
        ("I work in the sales department at Siemens", "Siemens"),
        ("I work with Morgan Stanley", "Morgan Stanley"),
    ],
)
def test_an_employer_is_named_and_no_more(text, value):
    assert noted("employer", text) == {value}


@pytest.mark.parametrize(
    "text",
    [
        "I work with Paul.",
        "I work in the legal department.",
        "I no longer volunteer at the museum",
        "I don't volunteer at the shelter anymore",
        "i love performing at a circus",
        "i sometimes volunteer and teach piano at the hospital",
    ],
)
def test_a_colleague_a_department_a_pastime_and_what_is_over_are_no_employer(text):
    assert not noted("employer", text)


def test_a_former_employer_is_noted_as_one():
    found = [c for c in extract_facts("My former employer was Magna.") if c.slot == "employer"]
    assert [(c.value, c.kind) for c in found] == [("Magna", "past")]


@pytest.mark.parametrize(
    ("slot", "text", "value"),
    [
        ("hometown", "i am from a suburb of denver", "the Denver area"),
        ("hometown", "i grew up on a sheep farm in north georgia", "North Georgia"),
        ("hometown", "i was raised on a ranch near dallas", "the Dallas area"),
        ("home", "we live in woodland", "woodland"),
    ],
)
def test_a_place_is_noted_as_near_as_it_was_said(slot, text, value):
    assert noted(slot, text) == {value}


def test_who_lives_alone_has_named_no_home_and_a_place_no_list_knows_is_asked_about():
    assert not noted("home", "i live by myself")
    assert noted("location", "i live in quistral") == {"Quistral"}
    assert not sure("location", "i live in quistral")
    assert sure("location", "i live in Quistral") == {"Quistral"}


def test_who_lives_in_a_city_lives_in_its_area():
    assert narrower("location", "Boston", "the Boston area")
    assert narrower("location", "the Boston area", "Massachusetts")
    assert not narrower("location", "the Boston area", "Boston")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("i am a plant based vegan", "plant based vegan"),
    ],
)
def test_a_diet_is_noted_whole_and_of_one_person(text, value):
    assert noted("diet", text) == {value}


def test_what_one_teaches_is_no_diet():
    assert not noted("diet", "i teach vegan cooking")


@pytest.mark.parametrize(
    ("slot", "text", "value"),
    [
        ("pets", "just brought home a beagle puppy", "a beagle puppy"),
        ("pets", "i went out and adopted a cat", "a cat"),
        ("vehicle", "i get around on a little scooter", "a little scooter"),
        ("vehicle", "i paint fences and ride a motorcycle", "a motorcycle"),
        ("location", "i live on the coast of maine", "Maine"),
        ("home", "still living with my folks", "with folks"),
        ("age", "just hit forty", "40"),
        ("diet", "i am a devoted vegan", "vegan"),
    ],
)
def test_what_is_told_by_the_way_is_noted(slot, text, value):
    assert value in noted(slot, text)


@pytest.mark.parametrize(
    ("slot", "text"),
    [
        ("education", "i was transferred to houston"),
        ("possessions", "there is a piano in the school hall"),
        ("vehicle", "there's a red jeep in his garage"),
        ("pets", "he went out and adopted a cat"),
        ("expertise", "i know him pretty well"),
        ("hometown", "i am a texan chef"),
    ],
)
def test_what_only_sounds_like_it_is_not(slot, text):
    assert not noted(slot, text)


@pytest.mark.parametrize(
    ("slot", "text", "value"),
    [
        ("education", "i started courses in college and play chess", "college"),
        ("education", "i have a masters degree in german", "masters degree in german"),
        ("hometown", "i am from ca", "CA"),
        ("location", "i moved to ny", "NY"),
    ],
)
def test_a_value_ends_where_it_ends_and_begins_where_it_begins(slot, text, value):
    assert noted(slot, text) == {value}


@pytest.mark.parametrize(
    ("slot", "text"),
    [
        ("diet", "i like cheese too much to go vegan"),
        ("home", "i'm not living in a cabin yet"),
        ("possessions", "i have my garden degree"),
    ],
)
def test_what_is_refused_to_come_or_of_others_is_not_noted(slot, text):
    assert not noted(slot, text)


def test_what_somebody_only_guesses_of_themselves_is_asked_about():
    assert noted("languages", "so i guess i speak greek") == {"Greek"}
    assert not sure("languages", "so i guess i speak greek")


@pytest.mark.parametrize(
    ("slot", "text", "value"),
    [
        ("location", "we bought a place in tampa", "Tampa"),
    ],
)
def test_what_a_place_does_is_no_part_of_its_name(slot, text, value):
    assert noted(slot, text) == {value}


def test_a_month_is_no_school():
    assert not noted("education", "i finished school in may")
