"""What the documents name is there: files, modules, functions, settings, commands."""

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path, PurePosixPath

import pytest
from django.conf import settings
from django.test import Client

from webhooks.models import TEST_EVENT, Event

HOUSE = Path(__file__).parents[2]
ROOMS = tuple(
    "accounts personas memory ledger conversations privacy webhooks evaluation config".split()
)
DECISIONS = HOUSE / "docs" / "decisions"
# How a decision begins whose code is gone; docs/decisions/README.md says the same beside its title.
OVER = re.compile(r"\A# .+\n\n\*(Superseded by \[\d{4}\]|The code described here was removed)")
SPAN = re.compile(r"`([^`\n]+)`")
FILE = re.compile(r"(?:[\w.-]+/)*[\w-]+\.(?:py|pyi|toml|tsv|npz|jsonl|html|js|css)")
DOTTED = re.compile(r"[A-Za-z_]\w*(?:\.\w+)+")
CLASS = re.compile(r"(?:[A-Z][a-z]+)+")
WORDS = re.compile(r"_?[A-Z]{2,}(?:_[A-Z]+)+|_?[a-z]+(?:_[a-z0-9]+)+")
# What is no name of ours: of PostgreSQL, of Django, of a package of fonts, of other assistants.
ELSEWHERE = {
    "record_send",
    "django_session",
    "index.css",
    "pg_restore",
    "ProcessPoolExecutor",
    "parallel_tool_calls",
    "DATA_DIR/erased.jsonl",
    "conversations.json",
    "utils/import/importers.js",
    # Kinds of events.
    *Event.values,
    TEST_EVENT,
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


@cache
def words() -> set[str]:
    """Every word of the code but of this file, and of the names of all files."""
    kinds = {".py", ".pyi", ".toml", ".html"}
    coded = (path for path in files() if path.suffix in kinds and path.name != Path(__file__).name)
    texts = [*((HOUSE / path).read_text(encoding="utf-8") for path in coded), *map(str, files())]
    return {word for text in texts for word in re.findall(r"\w+", text)}


@cache
def names() -> dict[str, set[str]]:
    """What each module defines, by its dotted name and by its last part; and each class."""
    defined: dict[str, set[str]] = defaultdict(set)
    for path in files():
        if path.suffix not in {".py", ".pyi"} or {"migrations", "tests"} & set(path.parts):
            continue
        module = ".".join(path.with_suffix("").parts).removesuffix(".__init__")
        tree = ast.parse((HOUSE / path).read_text(encoding="utf-8"))
        inside = set(_bound(tree))
        defined[module] |= inside
        defined[module.rpartition(".")[2]] |= inside
        defined[module.rpartition(".")[0]].add(module.rpartition(".")[2])
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef):
                defined[node.name] |= set(_bound(node))
    return defined


def _bound(node: ast.Module | ast.ClassDef) -> Iterator[str]:
    """The names that the statements of a module or class bind."""
    for inner in ast.walk(node):
        if isinstance(inner, ast.FunctionDef | ast.ClassDef):
            yield inner.name
        elif isinstance(inner, ast.alias):
            yield inner.asname or inner.name
        elif isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Store):
            yield inner.id
        elif isinstance(inner, ast.Attribute) and isinstance(inner.ctx, ast.Store):
            yield inner.attr


def is_there(span: str) -> bool:
    """Whether what stands between backticks names something that exists, if it names anything."""
    if span in ELSEWHERE:
        return True
    if FILE.fullmatch(span):
        wanted = PurePosixPath(span).parts
        return any(path.parts[-len(wanted) :] == wanted for path in files())
    if DOTTED.fullmatch(span):
        owner, _, name = span.rpartition(".")
        if span.split(".", maxsplit=1)[0] in ROOMS:
            return span in names() or name in names().get(owner, ())
        return not owner[0].isupper() or name in names().get(owner, ())
    if CLASS.fullmatch(span) or WORDS.fullmatch(span):
        # Prometheus adds the ending to a counter's name.
        return span in words() or span.removesuffix("_total") in words()
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


def test_the_list_of_decisions_has_each_and_says_which_are_over() -> None:
    listed = (DECISIONS / "README.md").read_text(encoding="utf-8")
    lines = {
        path: line
        for line in listed.splitlines()
        for path in re.findall(r"\((0\S+\.md)\)", line)[:1]
    }
    assert set(lines) == {path.name for path in DECISIONS.glob("0*.md")}
    for name, line in lines.items():
        assert is_over(DECISIONS / name) == (" *(superseded" in line or " *(removed" in line), name


def test_the_version_is_that_of_the_newest_changes() -> None:
    changes = (HOUSE / "CHANGELOG.md").read_text(encoding="utf-8")
    newest = re.findall(r"^## (\S+)", changes, re.MULTILINE)[0]
    assert newest == settings.VERSION


def test_the_description_of_the_api_tells_the_version(client: Client) -> None:
    description = client.get("/api/schema", headers={"Accept": "application/json"})
    assert description.json()["info"]["version"] == settings.VERSION


def test_each_change_of_the_newest_version_is_one_short_line() -> None:
    changes = (HOUSE / "CHANGELOG.md").read_text(encoding="utf-8")
    newest = changes.split("\n## ")[1]
    lines = [line for line in newest.splitlines()[1:] if line]
    assert re.findall(r"^### (.+)", newest, re.MULTILINE) == ["Added", "Changed", "Fixed"]
    assert [line for line in lines if len(line) > 160 or line[0] == " "] == []
