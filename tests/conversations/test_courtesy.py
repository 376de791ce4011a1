"""Courtesies around a question are no part of what is asked."""

from collections.abc import Callable

import pytest

from accounts.models import User
from memory.language.queries.query_normalization import read_as
from tests.people import Talk, tell

Talks = Callable[..., Talk]


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("When is my birthday, my dear?", "When is my birthday?"),
        ("When is my birthday my dear?", "When is my birthday?"),
        ("What is my favourite rose, my dear friend?", "What is my favourite rose?"),
        ("My dear friend, where do I work, please?", "where do I work?"),
        ("Good morning, what is my job, if you don't mind?", "what is my job?"),
        ("Could you tell me please what my wife is called?", "what is my wife called?"),
        ("Would you be so kind as to tell me when my exam is?", "when is my exam?"),
        ("May I ask how old my son is?", "how old is my son?"),
        ("Tell me everything you know, would you?", "everything you know?"),
        ("Hello.\nWhere do I live, darling?", "Hello.\nWhere do I live?"),
    ],
)
def test_what_is_only_polite_is_left_out_of_the_reading(text: str, asked: str) -> None:
    assert read_as(text) == asked


@pytest.mark.parametrize(
    "text",
    [
        "Who is my dear friend?",
        "My dear friend Anna came.",
        "What do I love?",
        "Where do I keep the honey?",
        "What would I do without you?",
        "Berlin is lovely, right?",
        "Thanks, my dear!",
        "Can you tell me about Anna?",
        "I like tea\nand cake",
    ],
)
def test_what_is_meant_stays(text: str) -> None:
    assert read_as(text) == text


def test_a_question_is_answered_as_it_is_without_its_courtesies(alice: User, talk: Talks) -> None:
    for text in (
        "My birthday is on 14 June 1955.",
        "My favourite rose is Madame Hardy.",
        "I live in Ludlow.",
        "My wife Dorothea is a nurse.",
    ):
        tell(alice, text)
    tell(alice, "I was in Shrewsbury until last month, and in Ludlow since then, my dear.")
    for asked, answer in (
        ("When is my birthday, my dear?", "14 June"),
        ("When is my birthday, dear?", "14 June"),
        ("Good evening, my dear. When is my birthday, if you please?", "14 June"),
        ("What is my favourite rose, my dear friend?", "Madame Hardy"),
        ("Tell me, darling, what my favourite rose is.", "Madame Hardy"),
        ("Could you tell me please what my wife is called?", "Dorothea"),
        ("Would you remind me, please, where I live?", "Ludlow"),
        ("Where do I live, would you know?", "Ludlow"),
        ("Tell me everything you know about me, would you?", "Madame Hardy"),
        ("Would you be so kind as to tell me what you know about me, my dear?", "Madame Hardy"),
        ("Which city do I live in, old friend?", "Ludlow"),
    ):
        said = talk().say(asked).content
        assert answer in said, (asked, said)
