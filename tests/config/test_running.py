"""Commands: they find the copy that runs, and say in a sentence what keeps them from it."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from config.processes import running
from config.processes.running import AmbiguousDatabase, Copy
from config.processes.supervisor import SupervisorError, only_one

REPOSITORY = Path(__file__).resolve().parents[2]
COMMAND = ["manage.py", "create_token", "ada@example.org"]


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A checkout of its own, in a shell that names no database."""
    monkeypatch.setattr(running, "ROOT", tmp_path)
    for name in ("DATA_DIR", "DATABASE_URL"):
        monkeypatch.setenv(name, "")
    return tmp_path


@pytest.fixture
def start(checkout: Path) -> Iterator["Start"]:
    with ExitStack() as stack:
        yield Start(checkout, stack)


class Start:
    """What `up` does when it starts, as far as others see it."""

    def __init__(self, checkout: Path, stack: ExitStack) -> None:
        self.checkout, self.stack = checkout, stack

    def __call__(self, name: str, *, embedded: bool = True) -> Path:
        data_dir = self.checkout / name
        data_dir.mkdir()
        address = f"http://127.0.0.1:8000/{name}"
        self.stack.enter_context(only_one(data_dir, address))
        self.stack.enter_context(running.announced(Copy(data_dir, address, embedded)))
        return data_dir


def test_the_one_copy_that_runs_is_used_and_that_is_said(
    start: Start, capsys: pytest.CaptureFixture[str]
) -> None:
    place = start("elsewhere")
    running.follow(COMMAND)
    assert os.environ["DATA_DIR"] == str(place)
    said = capsys.readouterr()
    assert str(place) in said.err
    assert said.out == ""


@pytest.mark.parametrize("name", ["DATA_DIR", "DATABASE_URL"])
def test_what_the_shell_names_is_left_as_it_is(
    start: Start, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    start("elsewhere")
    monkeypatch.setenv(name, "another")
    before = os.environ["DATA_DIR"]
    running.follow(COMMAND)
    assert os.environ["DATA_DIR"] == before


def test_of_several_it_is_asked_which(start: Start) -> None:
    places = [start("data"), start("with a space")]
    with pytest.raises(AmbiguousDatabase) as question:
        running.follow(COMMAND)
    for place, said in zip(places, ("data", "'{}'"), strict=True):
        assert said.format(place) in str(question.value)
    assert "manage.py create_token ada@example.org" in str(question.value)
    assert os.environ["DATA_DIR"] == ""


@pytest.mark.parametrize("command", ["pg", "migrate", "backup", "restore"])
def test_what_could_start_the_usual_database_too_asks_first(
    start: Start, checkout: Path, command: str
) -> None:
    (checkout / "data" / "postgres").mkdir(parents=True)
    place = start("elsewhere")
    with pytest.raises(AmbiguousDatabase) as question:
        running.follow(["manage.py", command])
    assert str(place) in str(question.value)
    assert "does not run" in str(question.value)


def test_a_copy_that_ended_is_forgotten(checkout: Path, start: Start) -> None:
    place = start("elsewhere")
    (note,) = running.notes().glob("*.json")
    assert note.stat().st_mode & 0o777 == 0o600
    assert note.parent.stat().st_mode & 0o777 == 0o700
    left_behind = note.read_text()
    start.stack.close()
    assert not note.exists()
    note.write_text(left_behind)  # as after kill -9
    running.follow(COMMAND)
    assert os.environ["DATA_DIR"] == ""
    assert not note.exists()
    assert place.exists()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file to somebody else")
def test_a_note_of_somebody_else_leads_nowhere(start: Start) -> None:
    start("elsewhere")
    (note,) = running.notes().glob("*.json")
    os.chown(note, 65534, 65534)
    running.follow(COMMAND)
    assert os.environ["DATA_DIR"] == ""


def test_looking_whether_a_copy_runs_keeps_none_from_starting(tmp_path: Path) -> None:
    (tmp_path / running.LOCK).touch()
    assert not running.is_running(tmp_path)
    with only_one(tmp_path, "http://127.0.0.1:8000/"):
        assert running.is_running(tmp_path)
        with (
            pytest.raises(SupervisorError, match="already running"),
            only_one(tmp_path, "http://127.0.0.1:8001/"),
        ):
            pass


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("PORT", "abc", "PORT must be a whole number, but it is 'abc'."),
        ("DATA_DIR", __file__, f"Can’t write to {__file__}: Not a directory."),
    ],
)
def test_a_setting_that_cannot_be_is_one_sentence(name: str, value: str, words: str) -> None:
    done = subprocess.run(
        [sys.executable, "manage.py", "up"],
        cwd=REPOSITORY,
        env=os.environ | {name: value},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert words in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
