"""What is read in long dialogues: whole values, nothing from praise, captions or cheering on."""

import pytest

from memory.language.extraction import CURRENT_KINDS, extract_facts


def _held(text: str) -> list[tuple[str, str]]:
    return [
        (one.slot, one.value.lower()) for one in extract_facts(text) if one.kind in CURRENT_KINDS
    ]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Look at my garden! [shares a picture: a photo of a tomato and a dog]", "tomato dog"),
        ("Wow, that looks lovely! I love the blue curtains.", "curtains"),
        ("Sailing can really clear your head. Keep it up!", "sailing"),
        ("I love the calm and focus it gives", "calm focus"),
        ("I love the idea Mia", "mia"),
        ("I'm passionate about making sure children are heard", "children"),
        ("That saga is one of my favourites!", "saga"),
        ("I've got a few things I keep, like my clay vase", "vase"),
        ("I enjoy my new job", "job"),
        ("I'm going for my goals!", "goals"),
        ("My van broke down on Tuesday", "broke"),
        ("Never give up!", "give"),
        ("She painted my cat portrait", "cat"),
        ("I moved away from my home country", "home"),
        ("Awesome! I love it", "awesome"),
        ("My favourite memory was when my team won the cup", "team won"),
        ("Opening night was my favourite part", "opening"),
        ("thanks, I appreciate the hint", "hint"),
        ("We moved from Slack to Teams", "slack teams"),
        ("I hate everything from fast food places", "fast"),
        ("Since my time in the navy I like order", "navy"),
    ],
)
def test_no_fact_is_made_of_it(text, words):
    assert not [word for word in words.split() for _, value in _held(text) if word in value]


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("I love trying new cafés", ("likes", "trying new cafés")),
        ("I love stories that end well", ("likes", "stories that end well")),
        ("I love running my own café", ("likes", "running a café")),
        ("I love the films of Iron Man and Thor", ("likes", "films of iron man")),
        ("Cats are my favourite animal. I have 5", ("pets", "5 cats")),
        ("All my friends here in Texas ride", ("location", "texas")),
        ("I would miss Oslo, where I live", ("location", "oslo")),
        ("I hike in the hills", ("interests", "hiking in the hills")),
        ("I have a black and white cat", ("pets", "a black and white cat")),
        ("I'd love to go camping", ("interests", "camping")),
    ],
)
def test_a_value_is_read_whole(text, fact):
    assert fact in _held(text)


def test_an_exception_to_all_is_no_dislike_where_it_is_the_most_liked():
    assert ("dislikes", "dogs") not in _held("I love all animals, but especially dogs")
