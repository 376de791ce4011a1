"""Two sentences that cannot both hold are told from those that can."""

from datetime import UTC, datetime

import pytest

from memory.language.disagreement import DatedSentence, contradicts

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
        # What is denied, and taken for granted.
        ("I have no brothers or sisters.", "My little brother Jonas is coming over on Sunday."),
        ("My older sister lives in Turku.", "Growing up as an only child was lonely at times."),
        ("I've never been married.", "My ex-husband still has the keys."),
        ("We don't have kids.", "Our daughter starts school next week."),
        ("I don't own a bike.", "My bike has a flat tyre again."),
        ("No pets for us, the flat is too small.", "Our cat sleeps on the keyboard."),
    ],
)
def test_what_cannot_both_hold_is_seen(old: str, new: str) -> None:
    assert contradicts(DatedSentence(new, AFTER), DatedSentence(old, BEFORE))


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
        ("I have no brothers.", "My friend's brother is a pilot."),
        ("I have no brothers.", "My sister is a nurse."),
        ("No pets here.", "Finally we adopted a dog!"),
        ("No pets here.", "Looking after next door's rabbit this week."),
        ("We have a dog.", "We don't have a dog any more."),
        ("I don't have a car.", "I wish I had my own car."),
        ("I don't have a car.", "My car was stolen years ago."),
        ("I can't swim.", "I signed up for swimming lessons."),
        ("I don't run any more.", "I ran for the bus this morning."),
        ("I don't eat meat.", "I eat fish every Friday."),
        ("I never eat breakfast.", "I eat dinner late."),
        ("My dad calls every Sunday after lunch.", "My dad passed away last week."),
        ("We have a dog called Rex.", "Rex died this morning, we have no dog now."),
        ("My mother died in 2009.", "My mother's recipe for soup is the best."),
        ("My mother died in 2009.", "My mother-in-law visits every week."),
        ("My driving test is on the 9th of May.", "The driving test was moved to the 12th of May."),
        ("I have the dentist on the 3rd.", "My dad has the dentist on the 5th."),
        ("My driving test is in May.", "My driving test is on the 9th."),
        ("My train is at 7:15.", "My bus is at 8:15."),
        ("I have two sisters.", "I have three brothers."),
        ("Number 7", "Number 9"),
        ("Room 7 has a view.", "Room 9 has none."),
        ("I paid 20 euros for the book.", "The other book cost 30 euros and the pen 5 euros."),
    ],
)
def test_what_can_both_hold_is_left_alone(old: str, new: str) -> None:
    assert not contradicts(DatedSentence(new, AFTER), DatedSentence(old, BEFORE))
