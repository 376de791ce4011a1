"""Some sentences ask for the opposite of a note."""

import pytest

from memory.guard import asks_to_forget, holds_a_secret


@pytest.mark.parametrize(
    "text",
    [
        "forget that I like birds",
        "Forget what I said, I live in Rome",
        "please don't remember this: I live in Rome",
        "Please do not note that I work at Tesla",
        "Off the record, I work at Tesla",
        "Between you and me, I work at Tesla",
        "delete everything you know about me",
        "Can you forget my name?",
        "I live in Rome. Don’t keep that",
    ],
)
def test_a_wish_to_forget_is_heard(text: str) -> None:
    assert asks_to_forget(text)


@pytest.mark.parametrize(
    "text",
    [
        "I never forget a face and I live in Rome",
        "I work at Tesla",
        "I keep forgetting my keys",
        "Don't forget to call me Nick",
        "I don't remember when I moved to Rome",
        "My job is to delete old records",
    ],
)
def test_an_ordinary_sentence_is_no_wish_to_forget(text: str) -> None:
    assert not asks_to_forget(text)


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        ("My password is hunter2", True),
        ("my card is 4111 1111 1111 1111", True),
        ("here is the key sk-abcdefghijklmnopqrstuvwx1234", True),
        ("I work at Google", False),
        ("call me at 9", False),
    ],
)
def test_a_secret_is_recognised(text: str, secret: bool) -> None:
    assert holds_a_secret(text) is secret
