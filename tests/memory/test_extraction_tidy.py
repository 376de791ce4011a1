"""What is noted without asking is whole, and no more than what was said."""

from __future__ import annotations

import pytest

from memory.language.extraction import CURRENT_KINDS, extract_facts
from memory.language.values.normalization import normalized_value


def noted_in(text):
    return {(c.slot, c.value) for c in extract_facts(text) if c.kind in CURRENT_KINDS}


def sure_of(text):
    return {
        (c.slot, c.value) for c in extract_facts(text) if c.kind in CURRENT_KINDS and c.trust > 0.85
    }


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("i like to take care of my goats", "to take care of goats"),
        ("i love sailing on the lake", "sailing on the lake"),
        ("i like driving my goat around in my truck", "driving the goat around in the truck"),
        ("i love to travel to portugal", "to travel to portugal"),
        ("i love waking up early", "waking up early"),
        ("i love taking my goats to the meadow", "taking goats to the meadow"),
    ],
)  # fmt: skip
def test_a_deed_is_noted_with_what_it_leads_to(text, value):
    assert ("likes", value) in sure_of(text)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("i love sailing in my spare time", "sailing"),
        ("i like spring in norway", "spring"),
        ("i love to cook for my daughters", "to cook"),
    ],
)
def test_when_and_why_and_for_which_relative_is_left_out(text, value):
    assert ("likes", value) in sure_of(text)


def test_what_is_hated_is_noted_whole():
    assert ("dislikes", "waiting in lines") in sure_of("i hate waiting in lines lol")
    assert ("dislikes", "smell of glue") in sure_of("i hate the smell of glue")
    assert noted_in("i hate geese , never cared for them") == {("dislikes", "geese")}


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("humming my favorite tune", "humming a favorite tune"),
        ("humming my favorite tunes", "humming favorite tunes"),
        ("eating in my house", "eating in own house"),
        ("disclosing my weight", "disclosing own weight"),
        ("grinding beans for my own coffee", "grinding beans for own coffee"),
        ("to visit my family", "to visit family"),
        ("walking my dog", "walking the dog"),
    ],
)
def test_my_becomes_what_another_would_say(value, expected):
    assert normalized_value("likes", value) == expected


def test_what_a_relative_owns_is_not_ones_own():
    assert noted_in("i love going to my aunts bakery") == {("likes", "going to the aunts bakery")}


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("i have two really cool dogs", ("pets", "two dogs")),
        ("i have an amazing dog", ("pets", "a dog")),
        ("i have a lovely old poodle", ("pets", "an old poodle")),
        ("i have a great dane", ("pets", "a great dane")),
        ("i drive a pretty sweet honda civic", ("vehicle", "a honda civic")),
        ("i have a really old red truck", ("vehicle", "an old red truck")),
        ("i am an awesome baker", ("job_title", "baker")),
        ("i love some good fried onions", ("likes", "fried onions")),
    ],
)
def test_praise_is_left_out(text, fact):
    assert fact in sure_of(text)


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("i just got a new black car tha tim happy about", ("vehicle", "a new black car")),
        ("i have a blue mazda 3", ("vehicle", "a blue mazda 3")),
    ],
)
def test_a_vehicle_is_whole_and_ends_with_its_name(text, fact):
    assert fact in sure_of(text)


def test_the_year_belongs_to_a_vehicle_of_ones_own():
    assert ("vehicle", "a honda civic 2015") in noted_in("i love driving my honda civic 2015")


@pytest.mark.parametrize(
    "text",
    [
        "i ride the bus to work",
        "i have a condo so pets are out",
        "we have carrots and i like to cook them",
        "mars attacks is great , i really like the books",
        "each child of mine , i love dearly",
        "i like looking good",
        "want some jam ? i like making my own",
        "it rains , like seriously all the time",
        "i drive a town and country",
        "i have a nephew that i love taking on long walks",
    ],
)
def test_a_piece_that_says_nothing_is_not_noted(text):
    assert not [fact for fact in sure_of(text) if fact[0] in {"likes", "pets", "vehicle"}]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("i love the movie theater", {("likes", "movie theater")}),
        ("i love action and fantasy movies",
         {("likes", "action movies"), ("likes", "fantasy movies")}),
        ("i like green color", {("likes", "green")}),
        ("i love rowing and strangely enough , geese", {("likes", "rowing"), ("likes", "geese")}),
        ("spring is my favorite time to sail", {("likes", "spring")}),
        ("i love to traveling", {("likes", "traveling")}),
        ("rowing is my fave on the river", {("likes", "rowing")}),
        ("ann lee is my favorite cartoon artist",
         {("likes", "ann lee (favourite cartoon artist)")}),
    ],
)  # fmt: skip
def test_a_taste_is_named_as_such(text, expected):
    assert noted_in(text) == expected


def test_what_somebody_always_wanted_to_be_is_asked_about():
    assert not sure_of("i always wanted to be a pilot")
    assert ("career_goal", "a pilot") in noted_in("i always wanted to be a pilot")
    assert ("career_goal", "a pilot") in noted_in("i have always wanted to be a pilot")
    assert ("career_goal", "an explorer") in sure_of("i want to be an explorer")


def test_a_town_is_no_employer():
    assert not [
        c for c in extract_facts("i am from lisbon where i work as a baker") if c.slot == "employer"
    ]
    assert ("employer", "Oslo") not in noted_in("i live in Oslo where i work at a bank")
    assert ("employer", "Google") in noted_in("Google, that is where I work")
    assert ("employer", "the library") in noted_in("i read a lot in the library where i work")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("my cat juno is old", ("pets", "cat Juno")),
        ("my cat mars has long fur", ("pets", "cat Mars")),
        ("i went out with my dog oscar", ("pets", "dog Oscar")),
        ("my parrot frank sings at night", ("pets", "parrot Frank")),
        ("i have a sister named june", ("family", "sister June")),
        ("my dog sneezes at night", ("pets", "dog")),
        ("my dog will be fine", ("pets", "dog")),
    ],
)
def test_a_name_in_small_letters_stays_with_its_bearer(text, expected):
    assert expected in noted_in(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("i love going to the market", ("likes", "going to the market")),
        ("i make videos for youtube", ("interests", "making videos for youtube")),
        ("my favorite show is the voice", ("likes", "the voice (favourite show)")),
    ],
)  # fmt: skip
def test_what_is_liked_is_not_cut_down_to_one_word_of_it(text, expected):
    assert noted_in(text) == {expected}


@pytest.mark.parametrize(
    "text",
    [
        "it is my favorite tv show",
        "i bought a new house plant",
        "i bought a new car seat",
        "i got a dog bed",
        "i have a big old cat tree",
    ],
)
def test_the_first_half_of_a_compound_is_not_owned(text):
    assert not noted_in(text)


def test_a_part_of_a_car_is_owned_as_that_part():
    assert ("vehicle", "a honda") in noted_in("i drive a honda and need new car insurance")
    assert noted_in("i just got a new car stereo") == {("possessions", "car stereo")}


@pytest.mark.parametrize(
    ("text", "slot"),
    [
        ("i want to share my vegan oatmeal", "diet"),
        ("i am looking for vegan recipes", "diet"),
        ("i was in a skiing accident", "interests"),
        ("i teach kids to juggle", "job_title"),
        ("now i work online", "industry"),
        ("i missed my other car", "vehicle"),
        ("waffles. that is what made me fat.", "likes"),
        ("tacos. they gave me a stomachache.", "likes"),
    ],
)
def test_what_is_hardly_implied_is_not_noted(text, slot):
    assert slot not in {c.slot for c in extract_facts(text)}
