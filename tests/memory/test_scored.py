"""How often the readers of language are right, on labelled texts."""

from collections.abc import Callable
from pathlib import Path

import pytest

from memory.language.reading import is_correction, only_asks
from memory.language.safety.instructions import instructs
from memory.language.safety.sensitivity import is_private_text
from memory.slots import asked_about

ROWS = Path(__file__).parent / "scored"


def rows(name: str) -> list[tuple[str, str]]:
    """The texts of a file, each behind its label."""
    lines = (ROWS / f"{name}.tsv").read_text(encoding="utf-8").splitlines()
    return [(label, text) for label, text in (line.split("\t") for line in lines)]


@pytest.mark.parametrize(
    ("name", "label", "read", "share"),
    [
        ("asking", "asks", only_asks, 0.15),
        ("putting_right", "corrects", is_correction, 0.42),
    ],
)
def test_most_texts_are_told_from_their_opposite(
    name: str, label: str, read: Callable[[str], bool], share: float
) -> None:
    known = rows(name)
    wrong = [text for said, text in known if read(text) is not (said == label)]
    assert len(wrong) <= share * len(known), wrong


@pytest.mark.parametrize(
    ("name", "label", "read", "most_missed", "most_mistaken"),
    [
        ("private", "private", is_private_text, 0.15, 0.03),
        ("orders", "dictates", lambda text: instructs(text).refused, 0.5, 0.03),
    ],
)
def test_most_that_matter_are_known_and_hardly_any_ordinary_text_is_taken_for_one(
    name: str, label: str, read: Callable[[str], bool], most_missed: float, most_mistaken: float
) -> None:
    known = rows(name)
    missed = [text for said, text in known if said == label and not read(text)]
    mistaken = [text for said, text in known if said != label and read(text)]
    positive = sum(said == label for said, _ in known)
    assert len(missed) <= most_missed * positive, missed
    assert len(mistaken) <= most_mistaken * (len(known) - positive), mistaken


def test_most_questions_about_oneself_are_known_by_what_they_ask_for() -> None:
    known = rows("asked_slots")
    wrong = [(text, slot) for slot, text in known if next(iter(asked_about(text)), "none") != slot]
    assert len(wrong) <= 0.1 * len(known), wrong
