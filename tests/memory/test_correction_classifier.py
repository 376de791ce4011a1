"""A message that puts right what was said before it, by examples where no rule is sure."""

import pytest

from memory.language import (
    changes_surely,
    correction_probabilities,
    find_change,
    is_correction,
    is_explicit_correction,
    surely_corrects,
)


@pytest.mark.parametrize(
    ("before", "text"),
    [
        ("The recital is on Thursday at six", "Friday, I looked it up"),
        ("My nephew Piers is nine", "ten next week, he says ten"),
        ("we're taking the ferry from Dover", "Newhaven, not dover"),
        ("Our cat is called Mimi", "Mimmi, not Mimi"),
        ("I work at the library in Leeds", "well it was Leeds, Bradford since May"),
    ],
)
def test_what_puts_it_right_is_heard(before: str, text: str) -> None:
    assert correction_probabilities(text, [before])[0] >= 0.35


@pytest.mark.parametrize(
    ("before", "text"),
    [
        ("The recital is on Thursday at six", "My car needs new tyres before the winter."),
        ("My nephew Piers is nine", "Our rent goes up to 900 in March."),
        ("We fly to Porto in May", "We are staying with my aunt Olga there."),
        ("The recital is on Thursday at six", "Is it on Thursday?"),
    ],
)
def test_what_says_something_else_is_none(before: str, text: str) -> None:
    assert not surely_corrects(text, [before])
    assert not is_correction(text, [before])


@pytest.mark.parametrize(
    ("text", "corrects"),
    [
        ("My bad, 9:50. The 15 was the copay.", True),
        ("Make that the 10th.", True),
        ("make that friday", True),
        ("We make it every Friday", False),
        ("My mum is not 68, she is 69 since last week", True),
        ("My bad knee hurts", False),
        ("It is not 20 degrees, it's a furnace outside", False),
        # What the notebook holds, or was told, and what holds instead.
        ("If you've got me down as 27, I'm 28.", True),
        ("if you still have my address in Ghent, I moved to Bruges", True),
        ("You may have me down as a baker; I'm a cook", True),
        ("I told you Tuesday but it's Wednesday", True),
        ("I said 40 before, it's 45", True),
        ("If you have a minute, call me", False),
        ("If you have kids it is hard", False),
        ("You have been as kind as ever", False),
        ("soz got that wrong sadia does tues to thurs", True),
        ("Sorry now, I gave you the wrong church, it's St Joseph's", True),
        ("I got the wrong bus this morning", False),
        ("They gave me the wrong size", False),
        ("He gave you the wrong change", False),
        ("The doctor wrote the wrong dose on the slip", False),
        ("he got that wrong", False),
        ("I told you so", False),
        ("I told my boss no, it's too much", False),
        # How a name is written.
        ("her name is spelled Maike with a k", True),
        ("Her brother is Yonas with a y", True),
        ("It's Maike, not Meike", True),
        ("I had a tea with a friend", False),
        ("It's sunny, not too hot today", False),
    ],
)
def test_what_says_of_itself_that_it_puts_right_needs_nothing_before_it(
    text: str, corrects: bool
) -> None:
    assert is_explicit_correction(text) is corrects


def test_what_nothing_stands_before_puts_nothing_right() -> None:
    assert not surely_corrects("Friday, not Thursday", [])
    assert correction_probabilities("Friday, not Thursday", []) == []


_TOLD = [
    "Oluwaseun borrows the trailer till Sunday, for the hedge.",
    "The dentist is on Monday the 8th at 9:20, the one on Wells Road.",
    "Margaret next door is 78 and sees to the dogs when we are away.",
    "The roofer wants 4,200 for the back half and a week to do it.",
    "Nan's birthday tea is at our house on the 14th, all eleven of us.",
    "Sold 84 lambs at the mart, best price in years.",
]


@pytest.mark.parametrize(
    ("text", "about"),
    [
        ("the surgery phoned, they've put my tooth back to Wednesday", "The dentist"),
        ("I told you wrong about Margaret, she's 87, not 78", "Margaret"),
        ("the roof comes to 3,900 after all", "The roofer"),
        ("no wait, the tea is on the 15th, the 14th is a Sunday", "Nan's birthday"),
        ("sorry, not 84, I meant 48", "Sold 84"),
        ("he brought the trailer back this morning", "Oluwaseun"),
    ],
)
def test_of_several_the_one_that_is_put_right_is_found(text: str, about: str) -> None:
    found = find_change(text, _TOLD)
    assert found is not None
    assert _TOLD[found.place].startswith(about)


@pytest.mark.parametrize(
    "text",
    [
        "My sister has found a flat in Hull.",
        "The weather turned at noon, so we stayed in and played cards.",
        "When is the dentist?",
        "thanks, that helps",
    ],
)
def test_what_tells_of_something_else_changes_none_of_them(text: str) -> None:
    found = find_change(text, _TOLD)
    assert found is None or not changes_surely(text, found)


def test_nothing_is_changed_where_nothing_was_said() -> None:
    assert find_change("it is on Friday now", []) is None
