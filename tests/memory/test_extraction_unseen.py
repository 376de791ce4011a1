"""What holds of kinds of sentences, not of one sentence: each rule is tried on several."""

import pytest

from memory.language.extraction import extract_facts


def noted(text):
    return {(one.slot, one.value) for one in extract_facts(text) if one.kind == "statement"}


@pytest.mark.parametrize(
    ("text", "slot", "value"),
    [
        ("would you ride with me in my honda civic ?", "vehicle", "a honda civic"),
        ("can i bring my parrot ?", "pets", "parrot"),
        ("maybe my iguana would like it", "pets", "iguana"),
        ("i would go if someone could watch my cat", "pets", "cat"),
    ],
)
def test_what_one_calls_ones_own_is_there_even_in_a_question_or_a_wish(text, slot, value):
    assert (slot, value) in noted(text)


@pytest.mark.parametrize(
    "text",
    [
        "imagine my dog could talk",
        "write a story about my horse",
        "what if i had a dog ?",
        "do you like your parrot ?",
    ],
)
def test_an_animal_in_a_game_a_text_or_anothers_words_is_nobodys(text):
    assert not {slot for slot, _ in noted(text)} & {"pets", "vehicle"}


@pytest.mark.parametrize(
    ("text", "slot", "value"),
    [
        ("i can t stand celery", "dislikes", "celery"),
        ("i don t like parades", "dislikes", "parades"),
        ("i ve got two ferrets", "pets", "two ferrets"),
    ],
)
def test_a_blank_in_place_of_an_apostrophe_changes_nothing(text, slot, value):
    assert (slot, value) in noted(text)


@pytest.mark.parametrize(
    ("text", "slot", "value"),
    [
        ("do you like plums , i love them ?", "likes", "plums"),
        ("what is your favorite color mine is teal ?", "likes", "teal (favourite color)"),
    ],
)
def test_a_short_answer_takes_up_what_was_asked(text, slot, value):
    assert (slot, value) in noted(text)


def test_who_does_not_play_has_said_nothing_of_dislike():
    assert not noted("do you play golf ? i do not .")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("i always stretch before i go swimming", "swimming"),
        ("if it is sunny i usually go hiking", "hiking"),
    ],
)
def test_a_habit_is_told_beside_the_main_clause(text, value):
    assert ("interests", value) in noted(text)


@pytest.mark.parametrize(
    "text", ["when i win i will move", "when i am a lawyer i will be rich", "if i win i love you"]
)
def test_what_has_not_come_yet_is_no_habit(text):
    assert not {slot for slot, _ in noted(text)} & {"interests", "job_title", "location"}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("this arizona heat is killing me", "Arizona"),
    ],
)
def test_a_region_named_in_passing_tells_where_one_lives(text, value):
    assert ("location", value) in noted(text)


@pytest.mark.parametrize("text", ["are you in nevada ?", "in nevada they have casinos"])
def test_a_region_that_is_only_spoken_of_does_not(text):
    assert "location" not in {slot for slot, _ in noted(text)}


@pytest.mark.parametrize(
    ("text", "slot", "value"),
    [
        ("we spend a lot of time fishing", "interests", "fishing"),
        ("i love board games . mostly chess .", "likes", "chess"),
        ("i quite enjoy autumn", "interests", "autumn"),
        ("rugby has always been my favorite sport", "likes", "rugby (favourite sport)"),
        ("i work in sales at a car dealership", "employer", "a car dealership"),
        ("i have a high school diploma", "education", "high school diploma"),
        ("i like all vegetables but leeks", "dislikes", "leeks"),
    ],
)
def test_a_common_turn_of_phrase_is_read_whole(text, slot, value):
    assert (slot, value) in noted(text)


@pytest.mark.parametrize(
    "text", ["i was just shopping", "just finished baking", "i have a gambling problem"]
)
def test_a_chore_done_once_or_a_problem_is_no_pastime(text):
    assert "interests" not in {slot for slot, _ in noted(text)}
