"""A store of many threads goes through all steps of the command, and leaves the database as it was.

The same at full size, with times: `python -m benchmarks legacy` (docs/legacy.md).
"""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.slow
def test_a_store_is_brought_killed_brought_to_its_end_compared_and_taken_out() -> None:
    command = [sys.executable, "-m", "benchmarks", "legacy", "--quick"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    steps = [line.split(" | ")[0].removeprefix("| ") for line in done.stdout.splitlines()]
    assert steps[2:8] == [
        "analyse",
        "migrate, killed half way",
        "migrate, to the end",
        "migrate, again",
        "validate",
        "rollback",
    ]
