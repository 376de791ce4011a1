"""No reader of a text takes more than in proportion to the text, whatever that repeats."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.memory.sweep import FUNCTIONS

pytestmark = pytest.mark.slow
ROOT = Path(__file__).parents[2]
# Processor time of one function; the quick ones are given all texts, the slow ones some.
SECONDS = "1"


# Some share a process: to start one takes longer than to try a function.
GROUPS = [list(FUNCTIONS)[number::8] for number in range(8)]


@pytest.mark.parametrize("names", GROUPS, ids=lambda names: names[0])
def test_they_take_as_long_as_their_text_and_no_longer(names: list[str]) -> None:
    command = [sys.executable, "-m", "tests.memory.sweep", "--seconds", SECONDS, *names]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == []
