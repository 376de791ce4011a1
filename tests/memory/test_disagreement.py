"""Two sentences that cannot both hold are told from those that can."""

from datetime import UTC, datetime

import pytest

from memory.language.disagreement import Said, disagree

BEFORE = datetime(2026, 3, 2, tzinfo=UTC)
AFTER = datetime(2026, 3, 9, tzinfo=UTC)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Our daughter Wren is 5 and asks why.", "Wren just turned eight last month."),
        ("Our dog Pepper is a whippet, all legs.", "Pepper, that's our labrador, ate my shoe."),
        ("i dont drink, not a drop", "had my usual friday beer with the guys"),
        ("no meat, since January 2026", "havin bacon sarnie at work best breakfst ever"),
        ("allergic to shellfish", "I make prawn linguine for myself every Friday"),
        ("My sister Judith is 73 and has gone vegan", "Judith had cheese on her potato Saturday"),
    ],
)
def test_what_cannot_both_hold_is_seen(old: str, new: str) -> None:
    assert disagree(Said(new, AFTER), Said(old, BEFORE))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("My son Idris is 11.", "Maisie turned ten."),
        ("Maisie is 9.", "Maisie turns ten on June 2nd."),
        ("Our dog Pepper is a whippet.", "Our cat Soot is a siamese."),
        ("I'm vegetarian.", "Cooked a massive beef stew for the lads at the station."),
        ("I'm vegetarian.", "My dad had a steak."),
        ("My wife is vegan.", "I had cheese on toast."),
        ("i dont eat meat, fish is ok", "had a tuna toastie"),
        ("no meat", "its veggie bacon obvs lol, had no meat"),
        ("I don't drink alcohol.", "I had a non-alcoholic beer."),
        ("I eat no fish except cod.", "Had the cod tonight."),
        ("I don't like coffee.", "Bought my dad a bag of that fancy coffee he loves."),
    ],
)
def test_what_can_both_hold_is_left_alone(old: str, new: str) -> None:
    assert not disagree(Said(new, AFTER), Said(old, BEFORE))
