"""Private matters are recognised however they are told."""

from pathlib import Path

import pytest

from memory.language.reading import Reading
from memory.language.safety import sensitivity
from memory.slots import PRIVATE_SLOTS

ROWS = Path(__file__).parent / "scored" / "private.tsv"


def _share_private(label: str) -> float:
    rows = [line.split("\t") for line in ROWS.read_text(encoding="utf-8").splitlines()]
    texts = [text for kind, text in rows if kind == label]
    return sum(map(sensitivity.is_private_text, texts)) / len(texts)


def test_most_private_matters_are_known_and_hardly_any_ordinary_talk_is_taken_for_one() -> None:
    assert _share_private("private") >= 0.85
    assert _share_private("ordinary") <= 0.03


def test_every_private_slot_is_a_matter_that_the_reader_names() -> None:
    assert {*sensitivity._SLOTS.values()} == {*PRIVATE_SLOTS}


@pytest.mark.parametrize(
    ("text", "slot"),
    [
        ("My daughter has asthma", "medical"),
        ("I'm allergic to peanuts and penicillin", "medical"),
        ("We are behind on rent", "financial"),
        ("I keep kosher", "religion"),
        ("I'm allergic to peanuts", ""),
        ("My daughter has a milk allergy", ""),
        ("I stopped drinking green tea", ""),
        ("My cat has diabetes", ""),
    ],
)
def test_a_matter_is_told_by_its_slot_and_what_is_minded_at_table_is_none(
    text: str, slot: str
) -> None:
    assert sensitivity.find_private_slots(text) == ({slot} if slot else set())


def test_only_the_sentence_itself_is_private() -> None:
    text = "I live in Rome. My wife has cancer. I like tea."
    ((start, end),) = Reading(text).private
    assert text[start:end].strip(" .") == "My wife has cancer"
