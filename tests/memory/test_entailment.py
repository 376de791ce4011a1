"""Whether a note says what its sentence says: pure, case by case."""

import pytest

from memory.language.text.entailment import Verdict, compare

SAID, LOOSELY, TURNED, ANOTHERS, NOT_SAID = Verdict


@pytest.mark.parametrize(
    ("sentence", "note"),
    [
        ("I work at Acme", "Works at Acme"),
        ("We finally bought a house in Leeds", "Bought a house in Leeds"),
        ("I don't like jazz", "Doesn't like jazz"),
        ("I hate early meetings", "Hates early meetings"),
        ("My sister lives in York", "Sister lives in York"),
        ("I used to work at Acme", "Used to work at Acme"),
        ("I was born in Hull", "Was born in Hull"),
        ("I'm learning to sail this year", "Learning to sail"),
        ("I have 2 cats", "Has 2 cats"),
        ("I play the cello in an orchestra, but I hate practising", "Plays cello in an orchestra"),
        ("Yesterday I adopted a dog", "Adopted a dog"),
    ],
)
def test_a_note_in_the_sentences_own_words_is_said(sentence: str, note: str) -> None:
    assert compare(note, sentence) == SAID


@pytest.mark.parametrize(
    ("sentence", "note"),
    [
        ("I don't like jazz", "Likes jazz"),
        ("I like jazz", "Doesn't like jazz"),
        ("I hate early meetings", "Doesn't hate early meetings"),
        ("I have never been to Rome", "Has been to Rome"),
        ("I gave up smoking in May", "Smoking"),
        ("I used to live in Leeds", "Lives in Leeds"),
        ("I live in Leeds", "Used to live in Leeds"),
        ("I worked at Acme", "Works at Acme"),
        ("I work at Acme", "Worked at Acme"),
        ("I want to live in Leeds", "Lives in Leeds"),
        ("If I lived in Leeds I would cycle", "Lives in Leeds"),
        ("If I won the lottery I would move to Leeds", "Won the lottery I would move to Leeds"),
        ("If I won the lottery I would move to Leeds", "Would move to Leeds"),
        ("I might move unless they raise my pay", "Might move"),
        ("Maybe I like jazz", "Likes jazz"),
        ("I rarely drink coffee", "Drinks coffee"),
        ("I was a nurse", "Is a nurse"),
        ("I almost bought a boat", "Bought a boat"),
        ("He says I like jazz", "Likes jazz"),
    ],
)
def test_a_note_that_denies_or_moves_in_time_what_was_said_is_turned_round(
    sentence: str, note: str
) -> None:
    assert compare(note, sentence) == TURNED


@pytest.mark.parametrize(
    ("sentence", "note"),
    [
        ("My sister lives in Leeds", "Lives in Leeds"),
        ("She works at Acme", "Works at Acme"),
        ("I know that my boss likes jazz", "Likes jazz"),
        ("Anna moved to York", "Moved to York"),
        ("I have a friend who plays the cello", "Plays the cello"),
        ("My sister has a dog", "Has a dog"),
    ],
)
def test_what_somebody_else_is_or_does_is_not_the_persons(sentence: str, note: str) -> None:
    assert compare(note, sentence) == ANOTHERS


@pytest.mark.parametrize(
    ("sentence", "note"),
    [
        ("I bought a dress", "Follows a vegan diet"),
        ("The weather in Leeds was awful", "Studied law at Oxford"),
        ("I live in Leeds", "Lives in York"),
        ("I have 2 cats", "Has 3 cats"),
        ("I have a cat", "Has two cats"),
        ("I like jazz", "Married with children"),
    ],
)
def test_a_name_a_number_or_a_matter_that_was_not_spoken_of_was_not_said(
    sentence: str, note: str
) -> None:
    assert compare(note, sentence) == NOT_SAID


@pytest.mark.parametrize(
    ("sentence", "note"),
    [
        ("I moved from Leeds to York", "Moved to Leeds"),
        ("I hate jazz and like blues", "Hates blues"),
        ("I like films about war", "Likes war"),
        ("I like jazz concerts", "Likes jazz"),
        ("I sometimes cook", "Always cooks"),
        ("I like jazz, blues and rock", "Likes blues"),
        ("Our dog is called Rex", "Has a dog called Rex"),
        ("I saw a dog", "Has a dog"),
        ("The keys to our flat in Leeds hang by the door", "Got a home in Leeds"),
    ],
)
def test_what_can_be_followed_only_in_part_is_said_loosely(sentence: str, note: str) -> None:
    assert compare(note, sentence) == LOOSELY


@pytest.mark.parametrize(
    "sentence",
    [
        "Give me one tip for a rainy Sunday",
        "Tell me something about lighthouses",
        "The kettle broke this morning",
    ],
)
def test_a_sentence_that_does_not_speak_of_its_owner_leaves_the_note_to_a_yes(
    sentence: str,
) -> None:
    assert compare(sentence, sentence) == LOOSELY


def test_the_words_of_the_houses_own_wording_need_not_be_said() -> None:
    assert compare("Lives in Leeds", "I'm from Leeds", framed=["Lives in"]) != NOT_SAID
