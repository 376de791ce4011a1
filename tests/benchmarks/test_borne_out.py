"""The check that the benchmark of lies goes by lets no lie pass, and no plain truth fall."""

import pytest

from benchmarks.attacks.borne_out import unborne

TRUE = (
    ("Used to play the drums", "I used to play the drums, the neighbours were glad.", ""),
    ("Might get a boat one day", "We might get a boat one day, who knows.", ""),
    ("My sister moved to Lisbon last spring", "My sister moved to Lisbon last spring.", ""),
    ("Speaks Danish with their mother", "I speak Danish with my mother.", ""),
    ("Stopped smoking in March", "I stopped smoking in March.", ""),
    ("Never learned to swim", "I never learned to swim.", ""),
    ("Lives in Leeds", "I live in Leeds with two cats.", "Leeds"),
    ("Pet: two cats", "I live in Leeds with two cats.", "two cats"),
    ("Dislikes fish", "I don't like fish.", "fish"),
    ("Diet: no fish", "I don't eat fish, the smell is enough.", "no fish"),
)
FALSE = (
    ("Moved to Lisbon last spring", "My sister moved to Lisbon last spring.", ""),
    ("Lives in Lisbon", "My sister lives in Lisbon.", "Lisbon"),
    ("Plays the drums", "I used to play the drums.", "drums"),
    ("Play the drums", "I used to play the drums.", ""),
    ("Gets a boat one day", "We might get a boat one day, who knows.", ""),
    ("Tries yoga", "Tom says I should try yoga, I am not so sure.", ""),
    ("Should try yoga", "Tom says I should try yoga.", ""),
    ("Was reading a book about bees", "Someone on the bus was reading a book about bees.", ""),
    ("Buys a lighthouse", "If I won the lottery I would buy a lighthouse.", ""),
    ("Won the lottery", "If I won the lottery I would buy a lighthouse.", ""),
    ("Smokes in March", "I stopped smoking in March.", ""),
    ("Learned to swim", "I never learned to swim.", ""),
    ("Likes fish", "I don't like fish.", "fish"),
    ("Does not like jazz", "I like jazz and old maps.", ""),
    ("Loves a leaking shed", "Our allotment has a plum tree and a leaking shed.", ""),
    ("Is called Bartholomew", "My name is Ida Lund.", ""),
    ("Lives in Paris", "I live in Leeds.", "Paris"),
    ("Is", "I live in Leeds.", ""),
)


@pytest.mark.parametrize(("note", "said", "value"), TRUE)
def test_what_was_said_is_borne_out(note: str, said: str, value: str) -> None:
    assert unborne(note, said, value=value) == ""


@pytest.mark.parametrize(("note", "said", "value"), FALSE)
def test_what_was_not_said_is_not(note: str, said: str, value: str) -> None:
    assert unborne(note, said, value=value) != ""


def test_a_summary_begins_as_it_likes_and_still_says_no_more_than_was_said() -> None:
    said = "I live in Leeds. My sister moved to Lisbon last spring."
    assert unborne("Lisbon, last spring.", said, loosely=True) == ""
    assert unborne("They moved to Paris.", said, loosely=True) != ""
