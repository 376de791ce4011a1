"""A message is read once a turn: whoever asks about its text shares what was read of it."""

import sys
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from types import CodeType, FrameType
from typing import Any

import pytest

from accounts.models import User
from memory.language import origin
from memory.language.engine import masking, sentences
from memory.language.queries import query_intent
from memory.language.reader import facts
from memory.language.safety import claims, guard
from tests.people import Talk

pytestmark = pytest.mark.django_db(transaction=True)

QUESTION = "Could you tell me please where I work?"
STATEMENT = "I work at Google, and I booked a flight to Lisbon for the 12th of May."

# What is worked out of the whole text of a message, and may be worked out once.
WORKED_OUT: tuple[Any, ...] = (
    query_intent.split_sentences,
    masking.mask_text,
    origin.find_foreign_spans,
    guard.asks_to_forget,
    claims.stretches,
    sentences.find_sentence_spans,
    facts.fact_candidates,
)


def named(function: Any) -> str:
    """'masking.mask_text'."""
    return f"{function.__module__.rpartition('.')[2]}.{function.__name__}"


@contextmanager
def counted_calls(text: str) -> Iterator[Counter[str]]:
    """Count how often each of WORKED_OUT is called for this text while the block runs."""
    calls: Counter[str] = Counter()
    watched: dict[CodeType, str] = {one.__code__: named(one) for one in WORKED_OUT}
    begun: set[FrameType] = set()  # A generator comes by once for each thing that it yields.

    def called(frame: FrameType, event: str, _: Any) -> None:
        if event == "call" and frame.f_code in watched and frame not in begun:
            begun.add(frame)
            calls[watched[frame.f_code]] += frame.f_locals[frame.f_code.co_varnames[0]] == text

    threading.setprofile(called)
    sys.setprofile(called)
    try:
        yield calls
    finally:
        sys.setprofile(None)
        threading.setprofile(None)


@pytest.fixture
def talk(alice: User) -> Talk:
    """A person of whom a little is known, with all that a process prepares once prepared."""
    made = Talk(alice)
    for text in ("Hello there.", "I live in Seattle. I went to Rome.", "Who am I?"):
        made.say(text)
    return made


@pytest.mark.parametrize("text", [QUESTION, STATEMENT])
def test_a_message_is_masked_and_split_few_times(talk: Talk, text: str) -> None:
    with counted_calls(text) as calls:
        talk.say(text)
    assert {name for name, count in calls.items() if count} >= {
        "masking.mask_text",
        "sentences.find_sentence_spans",
        "origin.find_foreign_spans",
    }
    # Its beginning alone is looked at besides.
    assert {name: count for name, count in calls.items() if count > 3} == {}
