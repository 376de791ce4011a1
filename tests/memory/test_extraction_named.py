"""Things that are named outright, or in the haste of a chat, are read."""

import pytest

from memory.language.extraction import CURRENT_KINDS, extract_facts


def current(text):
    return {(one.slot, one.value) for one in extract_facts(text) if one.kind in CURRENT_KINDS}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("I'm working on a chess engine", "a chess engine"),
        ("I'm building an operating system", "an operating system"),
        ("my main project right now is a tree house", "a tree house"),
        ("My big project at the moment is a podcast", "a podcast"),
    ],
)
def test_what_somebody_works_on_is_their_project(text, value):
    assert ("current_project", value) in current(text)


@pytest.mark.parametrize(
    "text",
    [
        "I'm working on a farm",
        "I'm working on cars",
        "I'm building a reputation",
        "I met a developer working on a game",
    ],
)
def test_where_one_works_and_what_others_build_is_no_project(text):
    assert "current_project" not in {one.slot for one in extract_facts(text)}


def test_what_is_built_for_others_is_no_place_of_work():
    assert "employer" not in {
        one.slot for one in extract_facts("I'm building an AI assistant for nurses")
    }


def test_a_name_a_trade_and_a_project_are_read_from_one_breath():
    assert current("I'm Dana, a backend engineer building a payments platform") == {
        ("name", "Dana"),
        ("job_title", "backend engineer"),
    }


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("I know Haskell and Elixir", {"Haskell", "Elixir"}),
        ("I know JavaScript, SQL and CSS", {"JavaScript", "SQL", "CSS"}),
        ("I can code in C++", {"C++"}),
        ("I program in Go", {"Go"}),
        ("I've been coding in Kotlin for years", {"Kotlin"}),
        ("I know how to code in Lua", {"Lua"}),
    ],
)
def test_what_somebody_programs_in_is_expertise(text, values):
    assert {("expertise", value) for value in values} <= current(text)


@pytest.mark.parametrize(
    "text",
    [
        "I know Rust people",
        "I know go is hard",
        "I know python is a snake",
        "I don't know Python",
        "My sister can code in Lua",
    ],
)
def test_who_only_names_a_tool_does_not_know_it(text):
    assert "expertise" not in {one.slot for one in extract_facts(text)}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("I'm she/her", "she/her"),
        ("they/them here", "they/them"),
        ("I'm Sam (he/him)", "he/him"),
        ("Hi, I'm Lee, she/they", "she/they"),
    ],
)
def test_pronouns_are_read_however_they_are_given(text, value):
    assert [(one.value, one.scope) for one in extract_facts(text) if one.slot == "pronouns"] == [
        (value, "profile")
    ]


@pytest.mark.parametrize(
    "text", ["he/she left", "she/her is on the list", "Should I write he/him?"]
)
def test_pronouns_that_are_nobodys_are_not_read(text):
    assert not extract_facts(text)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("my bday is on halloween", "31 October"),
        ("My birthday is christmas eve", "24 December"),
        ("my birthday is new year's day", "1 January"),
        ("I was born on leap day", "29 February"),
        ("my birthday is in October", "October"),
    ],
)
def test_a_birthday_on_a_feast_or_in_a_month_is_read(text, value):
    assert current(text) == {("birthday", value)}


def test_a_birthday_near_a_feast_is_not_on_it():
    assert not extract_facts("my birthday is near halloween")


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ("i work @ intel", {("employer", "Intel")}),
        ("i <3 sushi and ramen", {("likes", "sushi"), ("likes", "ramen")}),
        ("cant eat gluten", {("diet", "no gluten")}),
        ("ive got a dog n 2 cats", {("pets", "a dog"), ("pets", "2 cats")}),
        ("i have 2 brothers n a sister", {("family", "2 brothers"), ("family", "a sister")}),
        ("I have a son and two daughters", {("family", "a son"), ("family", "two daughters")}),
    ],
)
def test_what_is_typed_in_haste_or_in_a_row_is_read(text, facts):
    assert current(text) == facts


@pytest.mark.parametrize("text", ["i work 4 days a week", "i work @ home", "i <3 u", "cant eat it"])
def test_short_forms_that_tell_no_fact_are_passed_over(text):
    assert not extract_facts(text)
