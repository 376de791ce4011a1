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


@pytest.mark.parametrize("name", FUNCTIONS)
def test_it_takes_as_long_as_its_text_and_no_longer(name: str) -> None:
    command = [sys.executable, "-m", "tests.memory.sweep", "--seconds", SECONDS, name]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == []
