"""Changes and endings of a job, a home or a name, and what only sounds like one."""

from __future__ import annotations

import pytest

from memory.language.extraction import CURRENT_KINDS, extract_facts

PROFILE = frozenset({"name", "employer", "job_title", "location"})


def told_of(text, slot):
    """The kind and value of what a text tells of one slot."""
    return {(c.kind, c.value) for c in extract_facts(text) if c.slot == slot}


def news_in(text):
    """The slots of the profile that a text says something new about, or ends."""
    return {
        c.slot
        for c in extract_facts(text)
        if c.slot in PROFILE and c.kind in {*CURRENT_KINDS, "ended", "past"}
    }


@pytest.mark.parametrize(
    ("text", "slot", "value"),
    [
        ("I moved to Google in March", "employer", "Google"),
        ("I switched from Goldman Sachs to Deutsche Bank", "employer", "Deutsche Bank"),
        ("switched jobs, now at Salesforce", "employer", "Salesforce"),
        ("I have a new employer, Siemens.", "employer", "Siemens"),
        ("back at Nokia since January", "employer", "Nokia"),
        ("I settled in Vienna", "location", "Vienna"),
        ("Rome is my home now", "location", "Rome"),
        ("They gave me the role of product manager", "job_title", "product manager"),
        ("I've been appointed head of marketing", "job_title", "head of marketing"),
        ("my name was legally changed to Thomas Berg", "name", "Thomas Berg"),
    ],
)
def test_a_change_tells_the_new_value(text, slot, value):
    assert value in {said for kind, said in told_of(text, slot) if kind in CURRENT_KINDS}


@pytest.mark.parametrize(
    "text",
    [
        "They let me go.",
        "my boss just fired me",
        "got laid off yesterday",
        "I was made redundant in spring",
        "I quit my job to travel",
        "I'm out of work at the moment",
    ],
)
def test_an_ending_that_names_no_employer_ends_whichever_is_held(text):
    assert {kind for kind, _ in told_of(text, "employer")} == {"ended"}


@pytest.mark.parametrize(
    "text",
    [
        "I moved to Slack for notes",
        "I'm at Starbucks now",
        "I'm with Anna now",
        "I've been at IKEA for two hours",
        "new job at Bosch sounds tempting",
        "New position at Bosch available",
        "They made me manager for the day",
        "My mom made me dinner",
        "I settled in nicely",
        "home is where the heart is now",
        "my new home is a boat",
        "I changed my name tag to blue",
        "I traded my car for a bike",
        "I quit smoking for Anna",
        "I left my job at 5 today",
        "I lost my job application letter",
        "They fired me up",
        "they let me go home early",
        "I was laid off once, ten years ago",
        "I resigned as chairman of the club",
        "I retired to my room early",
        "I left Microsoft for lunch",
        "I left Rome for the weekend",
        "my last day at Microsoft is Friday",
        "My brother was let go",
        "I went from Rome to Lisbon by train",
    ],
)
def test_what_only_sounds_like_a_change_is_none(text):
    assert news_in(text) == set()


@pytest.mark.parametrize(
    "text",
    [
        "I work at Google. Just kidding!",
        "I live in Narnia, jk",
        "Sure, and I live in Lisbon now",
        "yeah right, and my name is Thomas",
    ],
)
def test_what_is_said_in_jest_is_no_fact(text):
    assert news_in(text) == set()


def test_a_joke_takes_back_no_more_than_the_sentence_before_it():
    assert told_of("I work at Google. I live in Narnia. Just kidding!", "employer") == {
        ("statement", "Google")
    }


def test_slips_of_the_fingers_are_read_past():
    assert told_of("I now wokr for Oracle", "employer") == {("transition", "Oracle")}
    assert told_of("I liev in Oslo", "location") == {("statement", "Oslo")}
