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
    ["\n", "because ", "1-", "a'", "[", "x\n", ",", "New ", "all ", "and i "],
)
def test_a_piece_repeated_to_the_end_of_a_message_is_read_in_no_time(piece: str) -> None:
    text = f"x{piece * (5_000 // len(piece))}y"
    # Each took up to half a minute once, or never ended; all together take a fifth of a second.
    with ends_in_reasonable_time():
        for read in READERS:
            read(text)
