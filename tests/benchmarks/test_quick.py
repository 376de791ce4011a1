"""Every benchmark runs to its end, as small as it gets."""

import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.__main__ import ON_A_SITE, OTHERS

HOUSE = Path(__file__).parents[2]

pytestmark = pytest.mark.slow


def test_the_list_of_benchmarks_has_each() -> None:
    modules = {path.stem for path in (HOUSE / "benchmarks").glob("*.py")}
    assert {*ON_A_SITE, *OTHERS} == modules - {"__init__", "__main__"}


@pytest.mark.parametrize("names", [",".join(ON_A_SITE), *OTHERS])
def test_benchmarks_report_to_their_end(names: str, tmp_path: Path) -> None:
    out = tmp_path / "report"
    command = [sys.executable, "-m", "benchmarks", names, "--quick", "--out", str(out)]
    done = subprocess.run(command, cwd=HOUSE, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-4_000:]
    assert done.stdout.strip() or out.is_dir()
    assert out.exists()
    if "," in names:
        assert {path.name for path in out.iterdir()} == set(names.split(","))
