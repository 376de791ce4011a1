"""Every benchmark is named and can be started; `make benchmarks` runs each to its end."""

import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks import __main__ as benchmarks
from benchmarks.__main__ import MEASUREMENTS, ON_A_SITE, OTHERS

HOUSE = Path(__file__).parents[2]


def test_the_list_of_benchmarks_has_each() -> None:
    folder = HOUSE / "benchmarks"
    modules = {
        ".".join(path.relative_to(folder).with_suffix("").parts)
        for path in folder.rglob("*.py")
        if "\ndef report(" in path.read_text(encoding="utf-8")
    }
    assert modules == set(MEASUREMENTS.values())


@pytest.mark.parametrize("name", MEASUREMENTS)
def test_a_benchmark_can_be_imported_and_takes_its_options(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "argv", ["benchmarks", name, "--quick", "--out", "report"])
    assert benchmarks._options(name).out == Path("report")
    assert callable(benchmarks._module(name).report)


@pytest.mark.slow
@pytest.mark.benchmark
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
