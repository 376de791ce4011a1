"""The registry: complete, consistent, and sure about what is asked and what is the same."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.slots import (
    GROUPS,
    PRIVATE_SLOTS,
    SLOTS,
    asked_about,
    drift,
    narrower,
    same_value,
    value_key,
)

ANY_SLOT = st.sampled_from(sorted(SLOTS))


@pytest.mark.parametrize("slot", SLOTS.values(), ids=lambda slot: slot.key)
def test_every_slot_can_be_shown_and_said(slot):
    assert "X" in slot.note.format(value="X")
    assert "X" in slot.answer.format(value="X")
    assert slot.question.endswith("?")
    assert slot.group in GROUPS


def test_what_is_private_is_the_sensitive_slots_and_they_alone():
    assert len(PRIVATE_SLOTS) == 9
    assert all(slot.sensitive is (slot.key in PRIVATE_SLOTS) for slot in SLOTS.values())


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("What's my name?", "name"),
        ("WHATS MY NAME", "name"),
        ("what\u2019s my name", "name"),
        ("do you remember my name?", "name"),
        ("I forgot my name", "name"),
        ("Where do I work?", "employer"),
        ("who am I working for", "employer"),
        ("Do you know where I work", "employer"),
        ("Do I work at Google?", "employer"),
        ("which city do I live in?", "location"),
        ("tell me my job", "job_title"),
        ("remind me what I do for a living", "job_title"),
        ("what do I like", "likes"),
        ("what's my favourite color?", "likes"),
        ("what languages do I speak", "languages"),
        ("how old am I", "age"),
        ("can you tell me how old I am please", "age"),
        ("when's my birthday", "birthday"),
        ("where am I from", "hometown"),
        ("what car do i drive?", "vehicle"),
        ("what is my dog's name?", "pets"),
        ("what do you know about me?", "*"),
        ("tell me everything you know about me", "*"),
        ("who am i", "*"),
    ],
)
def test_a_question_about_oneself_names_its_slot(text, first):
    assert asked_about(text)[0] == first


def test_what_to_call_someone_asks_the_preferred_name_before_the_name():
    assert asked_about("what should you call me") == ("preferred_name", "name")
    assert asked_about("What do you call me?") == ("preferred_name", "name")
    assert asked_about("What's my name?") == ("name",)


def test_two_questions_in_one_sentence_are_both_heard():
    assert asked_about("what is my name and where do i work?") == ("name", "employer")


@pytest.mark.parametrize(
    "text",
    [
        "What is Nick's name",
        "where does my sister work?",
        "What's my name doing in this file?",
        "what's your name?",
        "What should I call you?",
        "how do i improve my job",
        "My name is Nick",
        "can you help me with my project",
        "What do you know about cats?",
        "",
    ],
)
def test_a_question_about_something_else_asks_nothing(text):
    assert asked_about(text) == ()


@given(st.text(max_size=300))
def test_any_text_can_be_asked_about(text):
    assert set(asked_about(text)) <= {*SLOTS, "*"}


@pytest.mark.parametrize(
    ("slot", "a", "b"),
    [
        ("employer", "Google Inc.", "google"),
        ("employer", "Siemens GmbH", "siemens"),
        ("employer", "the Red Cross", "Red  Cross"),
        ("location", "NYC", "New York City"),
        ("location", "Z\u00fcrich", "zurich"),
        ("location", "Portland, OR", "portland, oregon"),
        ("location", "Portland", "Portland, Maine"),
        ("age", "twenty-eight", "28"),
        ("birthday", "3rd of March", "March 3"),
        ("pronouns", "she/her/hers", "She/Her"),
        ("job_title", "Sr. Engineer", "senior engineer"),
        ("pets", "a dog named Rex", "dog Rex"),
        ("likes", "dogs", "dog"),
        ("job_title", "professional dancer", "dancer"),
        ("job_title", "rn", "registered nurse"),
        ("employment_status", "unemployed", "not working"),
    ],
)
def test_values_that_mean_the_same_are_the_same(slot, a, b):
    assert same_value(slot, a, b)
    assert drift(slot, a, b) == 0.0


@pytest.mark.parametrize(
    ("slot", "a", "b"),
    [
        ("name", "Anna", "Ana"),
        ("name", "Nick", "Nicky"),
        ("employer", "Google", "Microsoft"),
        ("expertise", "C", "C++"),
        ("expertise", "C++", "C#"),
        ("location", "Portland, Maine", "Portland, Oregon"),
        ("age", "28", "29"),
        ("birthday", "March 3", "March 4"),
    ],
)
def test_values_that_differ_are_not_merged(slot, a, b):
    assert not same_value(slot, a, b)
    assert 0.0 < drift(slot, a, b) <= 1.0


@given(ANY_SLOT, st.text(max_size=60), st.text(max_size=60))
def test_sameness_is_symmetric_and_drift_stays_in_its_range(slot, a, b):
    assert same_value(slot, a, a)
    assert same_value(slot, a, b) == same_value(slot, b, a)
    assert 0.0 <= drift(slot, a, b) <= 1.0


@given(ANY_SLOT, st.text(alphabet="abc ,.'&", max_size=40))
def test_the_key_of_a_value_ignores_case_and_outer_space(slot, value):
    assert value_key(slot, value) == value_key(slot, f"  {value.upper()} ")


@pytest.mark.parametrize(
    ("slot", "a", "b"),
    [
        ("location", "Moscow", "Russia"),
        ("location", "Seattle", "Washington"),
        ("location", "Seattle, Washington", "the USA"),
        ("location", "Brooklyn", "NYC"),
        ("hometown", "Chicago", "America"),
        ("job_title", "surgeon", "doctor"),
        ("job_title", "senior nurse", "nurse"),
        ("employer", "City Hospital", "a hospital"),
        ("pets", "a black cat", "cat"),
        ("name", "Sam Smith", "Sam"),
        ("employer", "Google DeepMind", "Google"),
        ("job_title", "software engineer", "engineer"),
        ("job_title", "senior software engineer", "developer"),
        ("job_title", "teacher of music", "teacher"),
        ("hometown", "Ohio", "a small town"),
        ("location", "Tulsa", "America"),
    ],
)
def test_one_value_may_say_the_same_more_closely(slot, a, b):
    assert narrower(slot, a, b)
    assert not narrower(slot, b, a)
    assert not same_value(slot, a, b)


@pytest.mark.parametrize(
    ("slot", "a", "b"),
    [
        ("location", "Moscow", "Germany"),
        ("location", "Seattle", "Seattle"),
        ("job_title", "surgeon", "lawyer"),
        ("employer", "Google", "Microsoft"),
        ("name", "Annabel", "Anna"),
        ("name", "Maria Anna", "Anna"),
        ("employer", "Googleplex", "Google"),
        ("job_title", "nurse", "teacher"),
        ("hometown", "Ohio", "Kansas City"),
        ("age", "28", "2"),
    ],
)
def test_other_values_are_not_narrower(slot, a, b):
    assert not narrower(slot, a, b)
    assert not narrower(slot, b, a)


@given(ANY_SLOT, st.text(max_size=40), st.text(max_size=40))
def test_no_value_is_narrower_both_ways(slot, a, b):
    assert not narrower(slot, a, a)
    assert not (narrower(slot, a, b) and narrower(slot, b, a))
