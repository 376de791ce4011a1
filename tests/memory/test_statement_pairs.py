"""Two things that one person said: what cannot both hold is told from what can."""

import pytest

from memory.language import find_clashes, find_ending


@pytest.mark.parametrize(
    ("earlier", "said"),
    [
        ("i dont drink, not a drop", "had my usual friday beer with the guys"),
        ("No pets for us, the flat is too small.", "Our cat sleeps on the keyboard."),
    ],
)
def test_what_cannot_both_hold_is_found(earlier: str, said: str) -> None:
    assert find_clashes(said, ["It rained all day in Leeds.", earlier], [0.5, 0.5]) == [1]


@pytest.mark.parametrize(
    ("earlier", "said"),
    [
        ("My son Idris is 11.", "Maisie turned ten."),
        ("Our dog Pepper is a whippet.", "Our cat Soot is a siamese."),
        ("I'm vegetarian.", "Cooked a massive beef stew for the lads at the station."),
        ("I'm vegetarian.", "My dad had a steak."),
        ("I don't drink alcohol.", "I had a non-alcoholic beer."),
        ("I don't like coffee.", "Bought my dad a bag of that fancy coffee he loves."),
        ("I have no brothers.", "My friend's brother is a pilot."),
        ("No pets here.", "Finally we adopted a dog!"),
        ("No pets here.", "Looking after next door's rabbit this week."),
        ("We have a dog.", "We don't have a dog any more."),
        ("I don't have a car.", "I wish I had my own car."),
        ("I can't swim.", "I signed up for swimming lessons."),
        ("My dad calls every Sunday after lunch.", "My dad passed away last week."),
        ("My mother died in 2009.", "My mother's recipe for soup is the best."),
        ("My driving test is on the 9th of May.", "The driving test was moved to the 12th of May."),
        ("I have the dentist on the 3rd.", "My dad has the dentist on the 5th."),
        ("I have two sisters.", "I have three brothers."),
    ],
)
def test_what_can_both_hold_is_left_alone(earlier: str, said: str) -> None:
    assert find_clashes(said, [earlier], [0.5]) == []


@pytest.mark.parametrize(
    ("text", "later", "ending"),
    [
        (
            "I work at the bakery in Mill Lane.",
            ["I left the bakery, I'm at the depot."],
            [0],
        ),
        ("The exam is on the 9th.", ["It rained all day.", "The exam was moved to the 12th."], [1]),
        ("My sister Ann lives in Leeds.", ["My sister Beth lives in Rome."], []),
        ("Our dog Rex is nine.", [], []),
    ],
)
def test_what_a_later_text_ends_is_found(text: str, later: list[str], ending: list[int]) -> None:
    assert find_ending(text, later) == ending


@pytest.mark.usefixtures("no_weights")
def test_without_the_weights_nothing_clashes_and_nothing_fails() -> None:
    assert find_clashes("We have a cat.", ["We have no pets."], [0.5]) == []
    assert find_ending("We have no pets.", ["We have a cat now."]) == []
