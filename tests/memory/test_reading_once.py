"""A message is read once, and everything that asks about it shares the reading."""

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from accounts.models import User
from memory.language.engine import masking, sentences
from memory.language.origin import Origin
from memory.language.reading import Reading
from tests.people import tell

SAID = 'I live in Rome. My sister wrote "I love snow". I stopped going to the gym.'


def counting(found: Counter[str], real: Callable[..., Any]) -> Callable[..., Any]:
    def counted(text: str, *given: Any) -> Any:
        found[text] += 1
        return real(text, *given)

    return counted


def test_what_was_read_is_kept_and_all_of_it_counts_in_the_characters_of_the_text() -> None:
    said = Reading(SAID)
    assert said.sentences is said.sentences
    assert [SAID[one.start : one.end].strip() for one in said.sentences] == [
        "I live in Rome",
        'My sister wrote "I love snow"',
        "I stopped going to the gym",
    ]
    assert SAID[said.facts[0].start : said.facts[0].end] == "Rome"
    assert "snow" not in said.masked
    assert len(said.masked) == len(SAID)


def test_it_tells_what_was_pasted_from_what_was_typed() -> None:
    said = Reading("Look at this: we moved to Oslo", ["we moved to Oslo"])
    assert said.origin_of(14, 30) == Origin.PASTED
    assert said.origin_of(0, 12) == Origin.TYPED


@pytest.mark.django_db
def test_noting_what_a_message_says_masks_it_at_most_twice(
    alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    masked: Counter[str] = Counter()
    cut: Counter[str] = Counter()
    monkeypatch.setattr(masking, "mask_text", counting(masked, masking.mask_text))
    monkeypatch.setattr(
        sentences, "find_sentence_spans", counting(cut, sentences.find_sentence_spans)
    )
    tell(alice, SAID)
    # Once more where only its beginning is looked at.
    assert masked[SAID] <= 2
    # Once as its writer's own words, and once with what they only quote.
    assert cut[SAID] <= 2
    assert cut[Reading(SAID).masked] <= 2
