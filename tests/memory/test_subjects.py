"""What a talk is about: names that a person would give, found without a model."""

import pytest

from memory.language.text.keyphrases import Utterance, extract_keyphrases, make_keyphrase_key
from tests.clock import ends_in_reasonable_time

GARDEN = [
    "I planted tomatoes in the vegetable garden this morning",
    "The vegetable garden needs water every evening in June",
    "My neighbour gave me a few strawberry plants for it",
    "Now the slugs are eating the tomatoes, what can I do?",
    "By the way, the piano lessons start again on Monday",
    "I practised scales for the piano lessons all afternoon",
]


def names(*texts: str, **more: object) -> list[str]:
    return [one.name for one in extract_keyphrases([Utterance(text) for text in texts], **more)]  # type: ignore[arg-type]


def test_what_comes_up_again_and_again_is_named_as_a_person_would_name_it() -> None:
    found = names(*GARDEN)
    assert "Vegetable garden" in found
    assert "Piano lessons" in found
    assert len(found) <= 5


def test_a_subject_knows_the_messages_in_which_it_comes_up() -> None:
    by_name = {one.name: one for one in extract_keyphrases([Utterance(text) for text in GARDEN])}
    assert by_name["Piano lessons"].places == (4, 5)
    assert by_name["Piano lessons"].weight == pytest.approx(2 / 6)


def test_what_is_said_once_is_no_subject() -> None:
    assert names("I went to the dentist", "It rained all day", "My sister called") == []


@pytest.mark.parametrize(
    "texts",
    [
        ("That is really great, thanks", "Great, I really feel good about that", "Thanks again"),
        ("I had a good time that day", "It was a nice time", "What a day and what a time"),
        ("It was surreal", "That felt so surreal", "Everything is surreal"),
        ("I want to explore", "We should explore", "Let's explore tomorrow"),
        ("", "...", "1234 5678", "https://example.org/garden https://example.org/garden"),
    ],
)
def test_praise_empty_words_traits_and_deeds_name_nothing(texts: tuple[str, ...]) -> None:
    assert names(*texts) == []


def test_calling_somebody_is_not_talking_about_them() -> None:
    texts = ("Hey Zorbina, the choir sings on Sunday", "Zorbina, will you join the choir?")
    assert names(*texts, speakers=["Zorbina"]) == ["Choir"]
    # Nor by the short form of the name.
    shorter = tuple(text.replace("Zorbina", "Zor") for text in texts)
    assert names(*shorter, speakers=["Zorbina"]) == ["Choir"]


def test_a_name_keeps_its_capitals_and_other_words_get_one() -> None:
    found = names("The flight to Lisbon is booked", "Lisbon has steep hills", "I love Lisbon")
    assert any("Lisbon" in name for name in found)
    assert names("sourdough bread is rising", "my sourdough bread burnt") == ["Sourdough bread"]


def test_a_word_of_which_somebody_is_fond_is_no_subject() -> None:
    texts = ("The dude from the bakery called", "Some dudette saw the bakery", "A dudette again")
    assert "Dudette" in names(*texts)
    fond = {"dudett": 0.4}
    assert "Dudette" not in names(*texts, common=lambda stem: fond.get(stem, 0.0))


def test_what_others_say_counts_less_than_what_the_person_says() -> None:
    said = [
        Utterance("The choir meets on Sunday"),
        Utterance("Our choir has forty voices"),
        Utterance("The aquarium needs water", by_user=False),
        Utterance("An aquarium of this sort leaks", by_user=False),
    ]
    assert extract_keyphrases(said)[0].name == "Choir"


def test_words_of_another_language_are_left_alone() -> None:
    texts = (
        "Gestern habe ich mit meiner Schwester einen langen Spaziergang am Fluss gemacht",
        "Morgen will meine Schwester wieder einen langen Spaziergang am Fluss machen",
    )
    assert names(*texts) == []


def test_a_thousand_messages_are_read_in_a_moment() -> None:
    with ends_in_reasonable_time():
        extract_keyphrases([Utterance(f"{GARDEN[at % 6]} {at}") for at in range(1_000)])


def test_a_word_without_end_is_no_name() -> None:
    endless = "Ab" * 200
    assert all(len(name) <= 80 for name in names(f"The {endless} fell", f"A {endless} fell"))
    assert names(f"The {endless} fell", f"A {endless} fell") == []


def test_a_key_is_the_same_however_a_name_is_written() -> None:
    assert make_keyphrase_key("Piano Lessons") == make_keyphrase_key("piano lesson")
    assert len(make_keyphrase_key("very " * 40)) <= 80


@pytest.mark.parametrize(
    "texts",
    [
        ("That is 900 euros", "I paid the euros", "How many euros?"),
        ("It is ten miles", "The miles add up", "Some miles more"),
        ("I go on Tuesdays", "Tuesdays suit me", "On Tuesdays it rains"),
        ("The thing is old", "I like the thing", "What a lot", "Such a lot of it"),
    ],
    ids=["money", "units", "weekdays", "vague"],
)
def test_what_tells_nobody_anything_names_nothing(texts: tuple[str, ...]) -> None:
    assert names(*texts) == []


def test_a_plain_word_is_named_by_the_words_that_mostly_stand_with_it() -> None:
    around = ("A movie script", "The movie script again", "Her movie script")
    assert names("The script is long", "My script", "I gave my script to her", *around) == [
        "Movie script"
    ]
