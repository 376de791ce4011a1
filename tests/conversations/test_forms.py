"""The composer's form takes what the page tells, and never fails over it."""

import json

import pytest

from conversations.web.forms import PASTED_CHARS, PASTES, MessageForm


def pasted(value: object) -> tuple[str, ...]:
    told = value if isinstance(value, str) else json.dumps(value)
    form = MessageForm({"content": "Look at this", "pasted": told})
    assert form.is_valid()
    kept: tuple[str, ...] = form.cleaned_data["pasted"]
    return kept


def paste(number: int, length: int = 20) -> str:
    return f"{number:02}".ljust(length, "x")


@pytest.mark.parametrize("value", ["", "no json", "[" * 5000, '{"a": 1}', "3", "null", '"text"'])
def test_what_is_no_list_counts_as_nothing_pasted(value: str) -> None:
    assert pasted(value) == ()


def test_no_more_is_kept_than_the_page_may_tell() -> None:
    assert len(pasted([paste(number) for number in range(PASTES + 5)])) == PASTES
    assert pasted([paste(1, PASTED_CHARS), paste(2)]) == (paste(1, PASTED_CHARS),)
