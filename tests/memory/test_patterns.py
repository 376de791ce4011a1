"""Each pattern hears its own examples, and none of them where nobody claims it of themselves."""

import re

import pytest

from memory.language.extraction import CURRENT_KINDS, extract_facts, patterns
from memory.language.grammar.clause_facts import patterns as read
from memory.language.readers.registry import READERS
from memory.slots import SLOTS

EXAMPLES = [
    pytest.param(pattern.name, *example.split(" => "), id=f"{pattern.name}: {example}")
    for pattern in patterns()
    for example in pattern.hears
]
# A sentence of one clause about oneself: only that can be put into somebody else's mouth.
_PLAIN = re.compile(r"(?:I|I'm|I am|We) [^.!?,;:]+[.!]?")
PLAIN = sorted(
    {
        (pattern.name, example.split(" => ")[0].rstrip(".! "))
        for pattern in patterns()
        for example in pattern.hears
        if not pattern.asked
        and _PLAIN.fullmatch(example.split(" => ")[0])
        and not re.search(r"\b(?:but|because)\b", example)
    }
)


def test_every_pattern_has_an_example():
    assert [pattern.name for pattern in patterns() if not pattern.hears] == []


@pytest.mark.parametrize(("name", "text", "value"), EXAMPLES)
def test_a_pattern_hears_its_examples(name, text, value):
    assert (name, value) in {(one.cue, one.value) for one in extract_facts(text)}


@pytest.mark.parametrize(
    "frame",
    [
        "My brother says that {}",
        "She told me that {}",
        "Imagine {}",
        "What if {}?",
        "If {}, tell me",
    ],
)
def test_what_is_reported_supposed_or_asked_is_nobodys_fact(frame):
    assert len(PLAIN) > 100
    for name, text in PLAIN:
        told = extract_facts(frame.format(text))
        assert name not in {one.cue for one in told if one.kind in CURRENT_KINDS}, frame.format(
            text
        )


def test_patterns_name_slots_and_readers_that_there_are():
    for pattern in read():
        assert {place.slot for place in pattern.places} | {pattern.slot} <= set(SLOTS)
        assert {place.reader for place in pattern.places} <= set(READERS)
        assert not pattern.negated or pattern.negated in SLOTS


DENIED = [
    ("I don't like {}", "likes"),
    ("I've never liked {}", "likes"),
    ("{} isn't my thing", "likes"),
    ("{} is not for me", "likes"),
    ("I'm not into {}", "interests"),
    ("I'm not a fan of {}", "likes"),
    ("I no longer enjoy {}", "interests"),
    ("I haven't played {} in years", "interests"),
    ("{} has never been my favourite sport", "likes"),
]


@pytest.mark.parametrize("thing", ["golf", "chess", "Tennis", "opera", "hiking"])
@pytest.mark.parametrize(("said", "slot"), DENIED)
def test_what_is_denied_is_never_noted_as_liked(said, slot, thing):
    text = said.format(thing)
    liked = {"likes", "interests"}
    assert not [
        one for one in extract_facts(text) if one.slot in liked and one.kind in CURRENT_KINDS
    ], text


@pytest.mark.parametrize(
    "text",
    [
        "I don't work at Nokia",
        "I no longer work at Nokia",
        "I'm not working for Nokia any more",
        "I never worked at Nokia",
        "I used to work at Nokia",
        "I wish I worked at Nokia",
        "I might work at Nokia some day",
        "I would never work at Nokia",
        "I was never at Nokia",
        "I didn't get the job at Nokia",
        "I've stopped working at Nokia",
        "Working at Nokia is not for me",
    ],
)
def test_no_negated_past_or_hoped_for_job_is_held(text):
    held = [
        one for one in extract_facts(text) if one.slot == "employer" and one.kind in CURRENT_KINDS
    ]
    assert not held


@pytest.mark.parametrize(
    "text",
    [
        "I don't live in Rome",
        "I have never lived in Rome",
        "I no longer live in Rome",
        "I'm not from Rome",
        "I don't want to move to Rome",
        "I'd love to live in Rome",
        "I used to live in Rome",
        "We aren't moving to Rome after all",
    ],
)
def test_no_negated_past_or_hoped_for_home_is_held(text):
    held = {"location", "hometown"}
    assert not [
        one for one in extract_facts(text) if one.slot in held and one.kind in CURRENT_KINDS
    ]
