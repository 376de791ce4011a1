"""A text is read as far as the budget goes, and a long one in a process that can be interrupted."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest

from memory.language.budget import FILLER, READ_CHARS, READ_HERE_CHARS, apply_budget
from memory.language.message_provenance import (
    TextStanding,
    collect_quotable_parts,
)
from memory.language.reading import Reading, read_text
from memory.language.reading_process import ReadingProcess, shared

ROOT = Path(__file__).parents[2]
LINES = (
    "The hall of the museum was cold and nobody had swept the stairs for a week.",
    "A tram stopped at the corner while the baker carried out two trays of rolls.",
    "They painted the fence green, although the neighbours had asked for white.",
)
_fresh = count()


def prose(characters: int) -> str:
    """English that tells nothing of its writer, never twice the same."""
    number, made = next(_fresh), ""
    for line in count():
        if len(made) >= characters:
            return made[:characters]
        made += f"Note {number}.{line}: {LINES[line % 3]} "
    raise AssertionError


def run(script: str) -> "subprocess.CompletedProcess[str]":
    """A Python of its own that runs the script."""
    command = [sys.executable, "-c", script]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


@pytest.fixture
def impatient() -> Iterator[ReadingProcess]:
    made = ReadingProcess(cpu_seconds=0.02)
    yield made
    made.close()


# --- The budget ----------------------------------------------------------------------------------


@pytest.mark.parametrize("unit", ["-", "\n", "─", "| - ", "I was I am "])
def test_the_inside_of_a_run_is_not_read_and_every_other_character_keeps_its_place(
    unit: str,
) -> None:
    run = (unit * 3_000)[:3_000]
    text = f"Before.\n{run}\nI live in Lisbon."
    read, unread = apply_budget(text)
    assert len(read) == len(text)
    ((start, end),) = unread
    assert read[start:end] == FILLER * (end - start)
    assert end - start > len(run) - 64
    assert read[:start] + read[end:] == text[:start] + text[end:]
    assert Reading(text).facts[-1].value == "Lisbon"


def test_what_lies_beyond_the_budget_is_not_read_and_quoted_in_its_own_conversation_only() -> None:
    text = f"{prose(READ_CHARS)}\nI live in Rome."
    reading = read_text(text)
    assert reading.read_up_to == READ_CHARS
    assert "Rome" not in {fact.value for fact in reading.facts}
    elsewhere = collect_quotable_parts(text, reading.standing_spans, elsewhere=True)
    here = collect_quotable_parts(text, reading.standing_spans, elsewhere=False)
    assert "Rome" not in "".join(part.text for part in elsewhere)
    assert "Rome" in "".join(part.text for part in here)
    assert elsewhere[0].standing is TextStanding.OWN


# --- Another process -----------------------------------------------------------------------------


@pytest.mark.parametrize("size", [READ_HERE_CHARS + 50, 20_000])
def test_a_long_text_is_read_the_same_in_the_other_process(size: int) -> None:
    text = f"I live in Rome and work at Google. My card is 4111 1111 1111 1111. {prose(size)}"
    apart, here = read_text(text), Reading(text)
    assert apart.facts
    for name in here.compute_parts():
        assert apart.__dict__[name] == getattr(here, name), name


def test_a_text_that_takes_too_long_is_given_up_and_the_next_is_read(
    impatient: ReadingProcess,
) -> None:
    assert impatient.compute_parts(Reading(prose(8_000))) is None
    impatient.cpu_seconds = 60
    assert impatient.compute_parts(Reading("I live in Rome")) is not None


def test_others_go_on_while_a_text_is_read() -> None:
    reading, turns = Reading(prose(8_000)), 0
    reader = threading.Thread(target=shared().compute_parts, args=(reading,))
    before = time.thread_time()
    reader.start()
    while reader.is_alive():
        time.sleep(0.001)
        turns += 1
    # Of the reading itself nothing runs here: it is waited for a hundred times.
    assert turns > 20
    assert time.thread_time() - before < 1.0


def test_a_process_that_somebody_ends_is_replaced() -> None:
    process = ReadingProcess()
    try:
        assert process.compute_parts(Reading("I live in Rome")) is not None
        assert process.pid is not None
        os.kill(process.pid, signal.SIGKILL)
        assert process.compute_parts(Reading("I live in Rome")) is not None
    finally:
        process.close()


def test_a_forked_process_has_a_reading_process_of_its_own() -> None:
    assert shared().compute_parts(Reading("I live in Rome")) is not None
    script = (
        "import os\n"
        "from memory.language.reading import Reading\n"
        "from memory.language.reading_process import shared\n"
        "shared().compute_parts(Reading('I live in Rome')); first = shared().pid\n"
        "if os.fork() == 0:\n"
        "    parts = shared().compute_parts(Reading('I live in Oslo'))\n"
        "    os._exit(0 if parts and shared().pid != first else 1)\n"
        "assert os.wait()[1] == 0\n"
        "assert shared().compute_parts(Reading('I live in Lima')) and shared().pid == first\n"
    )
    done = run(script)
    assert done.returncode == 0, done.stderr
