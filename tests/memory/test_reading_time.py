"""No text, however it repeats itself, keeps the readers of a message busy."""

from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from memory.language import origin
from memory.language.dates import asked_times
from memory.language.queries import asked_slots
from memory.language.reading import Reading, extract_facts
from memory.language.safety import guard, instructions, sensitivity
from memory.notes import note_extraction
from memory.retrieval import ongoing_topic
from tests.clock import ends_in_reasonable_time

NOW = datetime(2026, 5, 20, 12, tzinfo=UTC)
READERS: tuple[Callable[[str], object], ...] = (
    extract_facts,
    asked_slots.asked_about,
    guard.asks_to_forget,
    guard.holds_a_secret,
    instructions.judge_instruction_by_rule,
    sensitivity.find_private_slots,
    origin.find_foreign_spans,
    lambda text: note_extraction.read_remarks(Reading(text), NOW),
    lambda text: asked_times.find_asked_times(text, NOW),
    lambda text: ongoing_topic.goes_on(text.lower()),
)


@pytest.mark.parametrize(
    "piece",
    ["\n", "but ", "because ", "\n- ", "1. ", "1-", "a'", "#", "[", "x\n", ",", "!", "New "],
)
def test_a_piece_repeated_to_the_end_of_a_message_is_read_in_no_time(piece: str) -> None:
    text = f"x{piece * (5_000 // len(piece))}y"
    # Each took up to half a minute once, or never ended; all together take a fifth of a second.
    with ends_in_reasonable_time():
        for read in READERS:
            read(text)


@pytest.mark.parametrize("word", ["all", "any", "tree", "kinds of"])
def test_words_that_may_stand_before_a_food_do_not_add_up(word: str) -> None:
    # One message of "all" kept everybody waiting for two minutes.
    with ends_in_reasonable_time():
        sensitivity.find_private_slots(f"{word} " * (20_000 // (len(word) + 1)))


def test_an_empty_line_between_does_not_keep_a_question_or_a_wish_from_being_heard() -> None:
    apart = "\n" * 3_000
    assert asked_slots.asked_about(f"Hi.{apart}What is my name?") == ("name",)
    assert asked_slots.asked_about("Hi.\n\n \n\nwhat is my name?") == ("name",)
    assert guard.asks_to_forget(f"I live in Rome.{apart}Forget that.")
