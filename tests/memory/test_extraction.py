"""What may be read from a sentence, and above all what may not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.language.budget import READ_CHARS
from memory.language.extraction import CURRENT_KINDS, extract_facts, patterns
from memory.slots import SLOTS
from tests.clock import ends_in_reasonable_time


def current(text):
    return {(c.slot, c.value) for c in extract_facts(text) if c.kind in CURRENT_KINDS}


def kinds(text):
    return {(c.slot, c.value): c.kind for c in extract_facts(text)}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "My name is Nick, I work at Google and live in Seattle",
            {("name", "Nick"), ("employer", "Google"), ("location", "Seattle")},
        ),
        ("I'm Nick, I work at Google", {("name", "Nick"), ("employer", "Google")}),
        ("hi im nick and i work for google", {("name", "Nick"), ("employer", "Google")}),
        ("I\u2019m Nick", {("name", "Nick")}),
        ("Call me Nicky in this chat", {("preferred_name", "Nicky")}),
        ("Can you call me Nicky?", {("preferred_name", "Nicky")}),
        ("I'd like to be called Sam", {("preferred_name", "Sam")}),
        ("I work at Microsoft", {("employer", "Microsoft")}),
        ("I work for Bank of America as an analyst",
         {("employer", "Bank of America"), ("job_title", "analyst")}),
        ("I'm working as a data scientist at Acme",
         {("job_title", "data scientist"), ("employer", "Acme")}),
        ("I'm a senior engineer at Google",
         {("job_title", "senior engineer"), ("employer", "Google")}),
        ("I've worked at Google for 5 years", {("employer", "Google")}),
        ("my boss at Google is mean", {("employer", "Google")}),
        ("I'm 28 years old", {("age", "28")}),
        ("I'm twenty-eight", {("age", "28")}),
        ("I'm a nurse", {("job_title", "nurse")}),
        ("I enjoy hiking and photography",
         {("interests", "hiking"), ("interests", "photography")}),
        ("I'm vegetarian", {("diet", "vegetarian")}),
        ("I don't eat pork", {("diet", "no pork")}),
        ("I'm allergic to peanuts", {("diet", "allergic to peanuts")}),
        ("I prefer Python over JavaScript", {("preferences", "Python over JavaScript")}),
        ("Answer in German", {("preferences", "Answer in German")}),
        ("I speak German, English and some French",
         {("languages", "German"), ("languages", "English"), ("languages", "French")}),
        ("i live in new york, ny", {("location", "New York, NY")}),
        ("I was born in Chicago on March 3, 1990",
         {("hometown", "Chicago"), ("birthday", "March 3, 1990")}),
        ("my pronouns are she/her", {("pronouns", "she/her")}),
        ("I have a dog named Rex and two cats",
         {("pets", "a dog named Rex"), ("pets", "two cats")}),
        ("I drive a Tesla", {("vehicle", "a Tesla")}),
        ("my sister Anna lives in Rome", {("family", "sister Anna")}),
        ("my favourite color is blue", {("likes", "blue (favourite color)")}),
        ("I don't like mushrooms", {("dislikes", "mushrooms")}),
        ("I live in Seattle, can you suggest restaurants?", {("location", "Seattle")}),
    ],
)  # fmt: skip
def test_a_statement_about_oneself_is_taken_down(text, expected):
    assert current(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I work at Microsoft now", {("employer", "Microsoft"): "transition"}),
        ("No, I live in Portland", {("location", "Portland"): "correction"}),
        ("I don't work at Google, I work at Microsoft",
         {("employer", "Google"): "denial", ("employer", "Microsoft"): "correction"}),
        ("I moved from Seattle to Portland last month",
         {("location", "Seattle"): "past", ("location", "Portland"): "transition"}),
        ("I left Google for Microsoft",
         {("employer", "Google"): "past", ("employer", "Microsoft"): "transition"}),
        ("I joined Google last week", {("employer", "Google"): "transition"}),
        ("I just got promoted to Senior Engineer",
         {("job_title", "Senior Engineer"): "transition"}),
        ("I used to work at Google", {("employer", "Google"): "past"}),
        ("I worked at Google until 2019", {("employer", "Google"): "past"}),
        ("I don't work at Google any more", {("employer", "Google"): "denial"}),
        ("I no longer work at Google", {("employer", "Google"): "denial"}),
    ],
)  # fmt: skip
def test_changes_and_endings_are_told_apart(text, expected):
    assert kinds(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("do you like tea ? i love it !", {("likes", "tea")}),
        ("what is your favorite color ? mine is blue .", {("likes", "blue (favourite color)")}),
        ("google , that is where i work", {("employer", "Google")}),
        ("pizza is my favorite food .", {("likes", "pizza (favourite food)")}),
        ("My favorite thing is pizza", {("likes", "pizza")}),
        ("i like horses . i have two .", {("likes", "horses"), ("pets", "two horses")}),
        ("when i am not working i love to read", {("likes", "to read")}),
        ("i am studying to be a nurse", {("career_goal", "a nurse")}),
        ("I want to be a singer", {("career_goal", "a singer")}),
        ("i am retired", {("employment_status", "retired")}),
        ("i am an art student", {("education", "art student")}),
        ("i dropped out of college", {("education", "dropped out of college")}),
        ("i work in a flower shop", {("employer", "a flower shop")}),
        ("i live on a farm in ohio .", {("home", "farm"), ("location", "Ohio")}),
        ("being vegan is fun", {("diet", "vegan")}),
        ("when my dog barks i wake up", {("pets", "dog")}),
        ("i can't stand country music", {("dislikes", "country music")}),
    ],
)  # fmt: skip
def test_what_is_said_in_passing_or_in_answer_is_taken_down(text, expected):
    assert expected <= current(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It's Microsoft, not Google",
         {("employer", "Microsoft"): "correction", ("employer", "Google"): "denial"}),
        ("I said Google but meant Microsoft",
         {("employer", "Microsoft"): "correction", ("employer", "Google"): "denial"}),
        ("Not Google, I work at Microsoft",
         {("employer", "Microsoft"): "correction", ("employer", "Google"): "denial"}),
        ("I said I live in Seattle but I meant Portland",
         {("location", "Portland"): "correction", ("location", "Seattle"): "denial"}),
        ("No, it's Nick, not Mick", {("name", "Nick"): "correction", ("name", "Mick"): "denial"}),
        ("it's tea, not coffee", {}),
        ("I work at Google now", {("employer", "Google"): "transition"}),
        ("I work at Google these days", {("employer", "Google"): "transition"}),
        ("I work at Google currently", {("employer", "Google"): "statement"}),
    ],
)  # fmt: skip
def test_a_correction_may_name_only_the_two_values(text, expected):
    assert kinds(text) == expected


@pytest.mark.parametrize(
    "text",
    ["my car needs washing", "i swim every day", "i am watching anime", "my dog is sick",
     "i eat sushi all the time", "my boss at Google is mean", "Love hiking"],
)  # fmt: skip
def test_what_is_only_implied_is_never_promoted_unasked(text):
    found = extract_facts(text)
    assert found
    assert all(c.trust <= 0.70 for c in found)


@pytest.mark.parametrize(
    "text",
    ["my sister's dog is sick", "my mom has a car", "if i had a dog", "do you have a dog?",
     "i wish i had a garden", "she said when my dog barks", "my old dog died",
     "Imagine I'm at the bank I work at", "i do not have a dog or a cat, my mom does"],
)  # fmt: skip
def test_what_is_not_there_is_not_taken_for_granted(text):
    assert current(text) == set()


def test_a_wish_to_become_something_is_no_job():
    assert {c.slot for c in extract_facts("I want to be a singer")} == {"career_goal"}


@pytest.mark.parametrize(
    "text",
    ["Do I work at Google?", "do i live in seattle", "What if I worked at Google?",
     "should I move to Berlin?", "I work at Google?", "I work at Google, right?",
     "how do I say I live in Rome in Italian"],
)  # fmt: skip
def test_a_question_is_never_a_fact(text):
    assert extract_facts(text) == []


@pytest.mark.parametrize(
    "text",
    ["I'd love to work at Google", "if I lived in Rome", "I might move to Berlin",
     "I wish I lived in Paris", "I will join Google",
     "I want to work at Google and live in Rome", "Imagine I'm Bob and I work at Google",
     "Pretend my name is Bob", "Write a story where I work at Google",
     "If I lived in Rome I would work at Google", "I dreamed I worked at Google"],
)  # fmt: skip
def test_a_wish_or_a_supposition_is_never_a_fact(text):
    assert extract_facts(text) == []


@pytest.mark.parametrize(
    "text",
    ["she said 'I work at Google'", 'She said "I work at Google and live in Rome"',
     "> I work at Google", "she said I work at Google", "I never said I like chess",
     "I never told you I work at Acme", "I never mentioned I play golf",
     "Translate: I live in Rome", "he thinks I live in Rome and work at Google",
     "```\nI work at Google\n```",
     "On Monday Bob wrote:\nI work at Google"],
)  # fmt: skip
def test_somebody_elses_words_are_never_a_fact(text):
    assert extract_facts(text) == []


@pytest.mark.parametrize(
    "text",
    ["my sister works at Google", "Nick lives in Rome", "my friend's name is Bob",
     "my wife works at Google and lives in Rome", "My dad is a nurse", "I know Bob lives in Rome"],
)  # fmt: skip
def test_somebody_elses_facts_are_not_mine(text):
    assert extract_facts(text) == []


@pytest.mark.parametrize(
    "text",
    ["I'm tired", "I'm fine", "I'm here", "I'm sorry", "I'm not sure", "I'm working on a bug",
     "I'm looking for a job", "I'm happy", "I'm back", "I'm at work", "I work at night",
     "I work at home", "I work at 9", "I work on X", "I live in fear", "I live in a small flat",
     "I live in the moment", "I'm over the moon", "I'm on cloud nine", "I'm all ears",
     "I could eat a horse", "I'm 5 minutes away", "I'm 6 feet tall", "call me later", "I love you",
     "I like it", "I'm Berlin based", "I'm in London"],
)  # fmt: skip
def test_idioms_moods_and_passing_states_are_not_facts(text):
    assert extract_facts(text) == []


@pytest.mark.parametrize(
    "text",
    ["My password is hunter2", "my pin is 1234", "I like sk-abcdefghijklmnop123456",
     "my api key is AKIAABCDEFGHIJKLMNOP", "I prefer 4111 1111 1111 1111"],
)  # fmt: skip
def test_a_secret_is_never_returned(text):
    assert extract_facts(text) == []


@pytest.mark.parametrize(
    ("text", "slot"),
    [("I'm struggling with anxiety", "mental_health"), ("I have diabetes", "medical"),
     ("I am married", "relationships"), ("I'm catholic", "religion"), ("I'm gay",
     "sexual_orientation"), ("I make $80k a year", "financial"), ("I got arrested", "legal"),
     ("I'm a republican", "politics"), ("I'm hispanic", "ethnicity")],
)  # fmt: skip
def test_a_private_matter_is_labelled_and_nothing_else(text, slot):
    found = extract_facts(text)
    assert {c.slot for c in found} == {slot}
    assert SLOTS[slot].sensitive


@pytest.mark.parametrize(
    "text", ["Call me Nicky in this chat", "call me Nicky for this conversation",
             "call me Nicky here", "call me Nicky in this thread", "call me Nicky just for today"],
)  # fmt: skip
def test_a_name_for_this_conversation_stays_in_it(text):
    (found,) = extract_facts(text)
    assert (found.slot, found.value, found.scope) == ("preferred_name", "Nicky", "conversation")


def test_what_is_typed_is_trusted_more_than_what_is_implied():
    assert extract_facts("I work at Google")[0].trust == 0.90
    assert extract_facts("my boss at Google is mean")[0].trust == 0.70


def test_the_last_correction_wins():
    text = "I work at Google. Actually I work at Apple. No, I work at Microsoft."
    assert current(text) == {("employer", "Microsoft")}


def test_the_span_points_at_the_value():
    text = "hey \u2013 my name is nick, ok"
    (found,) = extract_facts(text)
    assert text[found.start : found.end] == "nick"
    assert found.value == "Nick"


def test_patterns_belong_to_registered_slots_and_have_one_name_each():
    assert {pattern.slot for pattern in patterns()} <= set(SLOTS)
    cues = [pattern.name for pattern in patterns()]
    assert len(cues) == len(set(cues))


@pytest.mark.parametrize(
    "piece", ["a", "i ", "my my ", "my dog ", "i love ", "is my favorite ", "not ", "it's ",
              "and ", ", ", "'a ", '"a ', "( ", "1", "I'm a big ", "my name is ",
              "I work at Google and live in Seattle. ", "\n>", "translate ", "I moved from "],
)  # fmt: skip
def test_a_very_long_text_is_read_quickly(piece):
    text = piece * (200_000 // len(piece))
    with ends_in_reasonable_time():
        extract_facts(text)


def test_what_lies_beyond_the_limit_is_not_read():
    assert extract_facts("." * READ_CHARS + " I work at Google") == []


_VOCABULARY = (
    "I i'm my name is am nick Nick work at Google google in Seattle and , . ? ! not don't a nurse "
    "call me live used to moved from like hiking \" ' > \n speak German 28 years old if she said "
    "prefer Python password : actually no have two dogs the \u0130 \u00df"
)
WORDS = st.sampled_from(_VOCABULARY.split(" "))


@given(st.one_of(st.text(max_size=400), st.lists(WORDS, max_size=40).map(" ".join)))
def test_candidates_from_any_text_are_well_formed(text):
    found = extract_facts(text)
    for c in found:
        assert 0 <= c.start < c.end <= len(text)
        assert 0.5 <= c.confidence <= 1.0
        assert 0.0 < c.trust <= 1.0
        assert c.value.strip()
    holding = [c.slot for c in found if c.kind in CURRENT_KINDS and not SLOTS[c.slot].many]
    assert len(holding) == len(set(holding))


@given(st.lists(WORDS, max_size=40).map(" ".join))
def test_a_plain_value_stands_in_the_text(text):
    shaped = {"age", "diet", "constraints", "pets", "family", "likes", "location"}
    for c in extract_facts(text):
        if c.slot not in shaped and c.value != "self-employed" and c.scope == "profile":
            assert c.value.casefold() == " ".join(text[c.start : c.end].split()).casefold()


@pytest.mark.parametrize("blank", [" ", "\n", "\t", " \n"])
def test_a_long_run_of_blanks_is_read_in_one_go(blank: str) -> None:
    """A page of blanks once took a minute and a half."""
    text = f"I work at Google{blank * 3_000}I live in Rome"
    with ends_in_reasonable_time():
        assert [c.value for c in extract_facts(text)] == ["Google", "Rome"]
