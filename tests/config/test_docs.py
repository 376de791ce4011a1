"""What the documents name is there: files and commands."""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path, PurePosixPath

import pytest
from django.conf import settings

HOUSE = Path(__file__).parents[2]
DECISIONS = HOUSE / "docs" / "decisions"
# How a decision begins whose code is gone; docs/decisions/README.md says the same beside its title.
OVER = re.compile(r"\A# .+\n\n\*(Superseded by \[\d{4}\]|The code described here was removed)")
SPAN = re.compile(r"`([^`\n]+)`")
FILE = re.compile(r"(?:[\w.-]+/)*[\w-]+\.(?:py|pyi|toml|tsv|npz|jsonl|html|js|css)")
# Of a package of fonts, of other assistants, of a copy.
ELSEWHERE = {
    "index.css",
    "DATA_DIR/erased.jsonl",
    "conversations.json",
    "utils/import/importers.js",
}
PROGRAMS = {
    "manage.py": re.compile(r"manage\.py ([a-z_]+)"),
    "make": re.compile(r"make ([a-z0-9-]+)"),
    "benchmarks": re.compile(r"python -m benchmarks ([a-z_]+)"),
}


def is_over(decision: Path) -> bool:
    return OVER.match(decision.read_text(encoding="utf-8")) is not None


def documents() -> Iterator[Path]:
    """All that tell of today's code: no changes of the past, and no decision that is over."""
    yield from (HOUSE / "README.md", HOUSE / "CONTRIBUTING.md", HOUSE / "benchmarks" / "README.md")
    yield from sorted((HOUSE / "docs").glob("*.md"))
    yield from sorted(path for path in DECISIONS.glob("0*.md") if not is_over(path))


@cache
def files() -> tuple[PurePosixPath, ...]:
    """The files of the house, by their path in it: what stands in no hidden folder, nor in data."""
    rooms = (path for path in HOUSE.iterdir() if path.name != "data" and path.name[0] != ".")
    found = (path for room in rooms for path in ([room] if room.is_file() else room.rglob("*")))
    return tuple(PurePosixPath(path.relative_to(HOUSE)) for path in found if path.is_file())


def is_there(span: str) -> bool:
    """Whether what stands between backticks names a file that exists, if it names any."""
    if span in ELSEWHERE:
        return True
    if FILE.fullmatch(span):
        wanted = PurePosixPath(span).parts
        return any(path.parts[-len(wanted) :] == wanted for path in files())
    return True


@pytest.mark.parametrize("document", [*documents()], ids=lambda path: path.name)
def test_what_a_document_names_is_there(document: Path) -> None:
    text = document.read_text(encoding="utf-8")
    gone = sorted({span for span in SPAN.findall(text) if not is_there(span)})
    assert gone == [], f"{document.relative_to(HOUSE)} names what is not there"


def there_are() -> dict[str, set[str]]:
    """The names that each program takes."""
    return {
        "manage.py": {path.stem for path in files() if path.parent.name == "commands"},
        "make": set(re.findall(r"^([a-z0-9-]+):", (HOUSE / "Makefile").read_text(), re.MULTILINE)),
        "benchmarks": {path.stem for path in files() if path.parts[0] == "benchmarks"},
    }


@pytest.mark.parametrize("program", PROGRAMS)
def test_what_a_document_tells_to_type_is_a_command(program: str) -> None:
    django = {"check", "migrate", "createsuperuser", "makemigrations"}
    known = there_are()[program] | (django if program == "manage.py" else set())
    told = {
        (document.name, name)
        for document in documents()
        for span in SPAN.findall(document.read_text(encoding="utf-8"))
        for name in PROGRAMS[program].findall(span)
    }
    assert told
    assert [(where, name) for where, name in sorted(told) if name not in known] == []


def test_the_version_is_that_of_the_newest_changes() -> None:
    changes = (HOUSE / "CHANGELOG.md").read_text(encoding="utf-8")
    newest = re.findall(r"^## (\S+)", changes, re.MULTILINE)[0]
    assert newest == settings.VERSION
