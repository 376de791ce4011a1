"""Whether a sentence only asks is told by the trained reader; how often it is right."""

from pathlib import Path

from memory.language.queries.query_intent import is_all_marked_questions
from memory.language.reading import only_asks
from tests.clock import ends_in_reasonable_time

ROWS = Path(__file__).parent / "scored" / "asking.tsv"
LEAST = 0.85


def test_most_sentences_that_only_ask_are_told_from_those_that_tell_something() -> None:
    rows = [line.split("\t") for line in ROWS.read_text(encoding="utf-8").splitlines()]
    wrong = [text for label, text in rows if only_asks(text) is not (label == "asks")]
    assert len(wrong) <= (1 - LEAST) * len(rows), wrong


def test_a_text_without_a_sentence_asks_nothing() -> None:
    assert not is_all_marked_questions("...")
    assert not only_asks("")
    assert is_all_marked_questions("Where? When?")
    assert not is_all_marked_questions("Where? In Bern.")


def test_of_a_long_text_only_the_beginning_is_read_for_it() -> None:
    with ends_in_reasonable_time():
        only_asks("please do " * 10_000)
