"""How people really type: fragments, answers, small letters, asides; and what looks like it."""

from __future__ import annotations

import pytest

from memory.language.extraction import CURRENT_KINDS, extract_facts


def current(text):
    return {(c.slot, c.value) for c in extract_facts(text) if c.kind in CURRENT_KINDS}


def kinds(text):
    return {(c.slot, c.value): c.kind for c in extract_facts(text)}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I love creating a calm, cosy room and baking",
         {("likes", "creating a calm, cosy room"), ("likes", "baking")}),
        ("I love big, fluffy dogs", {("likes", "big, fluffy dogs")}),
        ("I love gin and tonic", {("likes", "gin and tonic")}),
        ("I love tea the most", {("likes", "tea")}),
        ("I like talking to old neighbours", {("likes", "talking to old neighbours")}),
        ("I like to go to the harbour", {("likes", "to go to the harbour")}),
        ("I love being near the sea", {("likes", "being near the sea")}),
    ],
)  # fmt: skip
def test_a_thing_is_neither_chopped_nor_run_on(text, expected):
    assert expected <= current(text)
    assert {value for slot, value in current(text) if slot == "likes"} == {
        value for _, value in expected
    }


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I got a new job: staff engineer at Klarna",
         {("job_title", "staff engineer"), ("employer", "Klarna")}),
        ("i work at google rn", {("employer", "Google")}),
        ("got promoted to team lead last week", {("job_title", "team lead")}),
        ("moved from Lagos to Accra in May", {("location", "Accra")}),
        ("left siemens for bosch last month", {("employer", "Bosch")}),
        ("I work for the county", {("employer", "the county")}),
        ("did you know I work at a zoo", {("employer", "a zoo")}),
        ("i'd like to be a pilot", {("career_goal", "a pilot")}),
        ("i live in vienna austria", {("location", "Vienna, Austria")}),
        ("I just moved here from Ghana", {("hometown", "Ghana")}),
        ("i rent an apartment in town", {("home", "apartment")}),
        ("hi! name is tom, 34", {("name", "Tom"), ("age", "34")}),
        ("I am a cat owner", {("pets", "cat")}),
        ("I like everything except olives", {("dislikes", "olives")}),
        ("so do you like puzzles i do", {("likes", "puzzles")}),
        ("the ramen here , i eat ramen a lot , you ?", {("likes", "ramen")}),
        ("i am fine just reading manga you ?", {("interests", "reading manga")}),
        ("i went to oxford , did you travel ?", {("education", "oxford")}),
        ("what is your favorite color , mine is teal ?", {("likes", "teal (favourite color)")}),
    ],
)  # fmt: skip
def test_everyday_wordings_are_understood(text, expected):
    assert expected <= current(text)


@pytest.mark.parametrize(
    "text",
    ["I am 12 years a slave", "I'm Batman", "the song goes I love rainy days",
     "just call me whatever",
     "the chorus goes I live in a submarine", "Pretend I am a pirate called Redbeard",
     "my brother got a new job: nurse at Klarna", "my sister works at Klarna", "I sold my Tesla",
     "my cat died last week", "he said he loves chess", "I love that colour",
     "Select the sentence that fits: I live in Rome"],
)  # fmt: skip
def test_titles_songs_play_and_things_gone_tell_nothing_about_now(text):
    assert current(text) == set()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I don't live in Rome", {("location", "Rome"): "denial"}),
        ("I no longer speak Welsh", {("languages", "Welsh"): "denial"}),
        ("I'm no longer at Google", {("employer", "Google"): "denial"}),
        ("I quit my job at Spotify", {("employer", "Spotify"): "past"}),
        ("I used to be a nurse", {("job_title", "nurse"): "past"}),
        ("I am a former teacher", {("job_title", "teacher"): "past"}),
        ("I'm no longer a vegetarian", {("diet", "vegetarian"): "denial"}),
        ("no, I meant Lisbon", {}),
        ("I live in Porto. No, I meant Lisbon",
         {("location", "Porto"): "denial", ("location", "Lisbon"): "correction"}),
        ("I live in Porto. I meant to call you", {("location", "Porto"): "statement"}),
    ],
)  # fmt: skip
def test_what_is_over_or_taken_back_keeps_its_value(text, expected):
    assert kinds(text) == expected


def test_a_name_given_in_full_afterwards_is_taken_in_full():
    assert kinds("Name's Priya. Priya Raman.") == {("name", "Priya Raman"): "statement"}


@pytest.mark.parametrize(
    "text",
    ["For this conversation please call me Captain", "In this chat, call me Captain"],
)
def test_a_title_may_be_a_name_for_one_conversation(text):
    (found,) = extract_facts(text)
    assert (found.value, found.scope) == ("Captain", "conversation")


@pytest.mark.parametrize(
    ("text", "only"),
    [
        ("our dog is called Biscuit", ("pets", "dog Biscuit")),
        ("do you like olives ? i hate them", ("dislikes", "olives")),
    ],
)
def test_one_thing_said_twice_is_noted_once(text, only):
    assert current(text) == {only}


@pytest.mark.parametrize(
    "text",
    ["i always end up eating ramen", "cold morning here in Norway", "my shift at the diner",
     "home from the mill, i am tired", "I teach yoga"],
)  # fmt: skip
def test_what_is_gathered_from_an_aside_waits_for_a_yes(text):
    found = extract_facts(text)
    assert found
    assert all(c.trust <= 0.85 for c in found)
